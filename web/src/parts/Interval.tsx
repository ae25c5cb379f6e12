import classes from "./Interval.module.css";
import type { Tone } from "./Tag.tsx";

const ENDS = [5, 10, 20, 50, 100];

/** Where an axis around zero ends: a round number beyond everything on it. */
export function axisEnd(values: readonly number[]): number {
  const farthest = Math.max(0, ...values.map(Math.abs));
  return ENDS.find((end) => end >= farthest) ?? farthest;
}

/** A difference and its interval on a line with zero in its middle; the numbers stand beside it. */
export function IntervalBar({
  delta,
  low,
  high,
  end,
  tone,
}: {
  delta: number;
  low: number | null;
  high: number | null;
  end: number;
  tone: Tone;
}) {
  const at = (value: number) => Math.max(0, Math.min(100, ((value + end) / (2 * end)) * 100));
  return (
    <div className={classes.interval} data-tone={tone} aria-hidden>
      <span className={classes.axis} />
      {low !== null && high !== null && (
        <span
          className={classes.range}
          style={{ left: `${at(low)}%`, width: `${at(high) - at(low)}%` }}
        />
      )}
      <span className={classes.zero} />
      <span className={classes.point} style={{ left: `${at(delta)}%` }} />
    </div>
  );
}
