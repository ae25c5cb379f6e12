import classes from "./Verbatim.module.css";

/** What a stranger or an agent wrote: as it is, and never as markup. */
export function Verbatim({ text, isLow = false }: { text: string; isLow?: boolean }) {
  return (
    <pre
      className={isLow ? `${classes.verbatim} ${classes.low}` : classes.verbatim}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by keys
      tabIndex={0}
    >
      {text}
    </pre>
  );
}
