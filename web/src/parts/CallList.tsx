import classes from "./Verbatim.module.css";

export interface Call {
  name: string;
  args: unknown;
}

/** The tool calls of an agent in their order, each with its arguments. */
export function CallList({ calls, label }: { calls: readonly Call[]; label: string }) {
  return (
    <ol className={classes.calls} aria-label={label}>
      {calls.map((call, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls have no other name than their place
        <li key={place} className={classes.call}>
          <span className={classes.number}>{place + 1}</span>
          <span className={classes.tool}>{call.name}</span>
          <Arguments of={call.args} />
        </li>
      ))}
    </ol>
  );
}

function Arguments({ of }: { of: unknown }) {
  const isObject = typeof of === "object" && of !== null && !Array.isArray(of);
  const named: [string, unknown][] = isObject ? Object.entries(of) : [["", of]];
  return (
    <dl className={classes.arguments}>
      {named.map(([name, value]) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>{name}</dt>
          <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
