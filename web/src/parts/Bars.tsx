import { VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./Bars.module.css";

export interface Bar {
  key: string;
  name: ReactNode;
  note?: ReactNode;
  /** Null where nothing is known, which is not nothing. */
  value: number | null;
  text: string;
}

/** Bars that are a table at once: the numbers stand beside them, and readers read them as rows. */
export function Bars({
  title,
  columns,
  bars,
  most,
}: {
  title: string;
  columns: readonly [string, string];
  bars: readonly Bar[];
  most: number;
}) {
  return (
    <table className={classes.bars} aria-label={title}>
      <VisuallyHidden component="thead">
        <tr>
          <th scope="col">{columns[0]}</th>
          <td />
          <th scope="col">{columns[1]}</th>
        </tr>
      </VisuallyHidden>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.key}>
            <th scope="row" className={classes.name}>
              {bar.name}
              {bar.note !== undefined && <div className={classes.note}>{bar.note}</div>}
            </th>
            <td aria-hidden>
              <Track value={bar.value} most={most} />
            </td>
            <td className={classes.value} data-unknown={bar.value === null || undefined}>
              {bar.text}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Track({ value, most }: { value: number | null; most: number }) {
  const share = value === null || most <= 0 ? 0 : Math.max(0, Math.min(1, value / most));
  return (
    <div className={classes.track} data-unknown={value === null || undefined}>
      {value !== null && <div className={classes.fill} style={{ width: `${share * 100}%` }} />}
    </div>
  );
}
