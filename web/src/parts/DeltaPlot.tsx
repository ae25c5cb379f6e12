import classes from "./Range.module.css";
import type { Tone } from "./Tag.tsx";

const REACHES = [5, 10, 20, 30, 50, 100];

/** Where an axis around zero ends: a round number beyond all of these. Plots below each other
 * compare if they have the same one. */
export function reachOf(values: readonly number[]): number {
  const farthest = Math.max(0, ...values.map(Math.abs));
  return REACHES.find((reach) => reach >= farthest) ?? 100;
}

/** How far along a line a number lies; never beyond its ends. */
export const share = (value: number, low: number, high: number) =>
  `${(Math.max(0, Math.min(1, (value - low) / (high - low))) * 100).toFixed(2)}%`;

/** A difference with its interval, on a line that has zero in its middle. */
export function DeltaPlot({
  delta,
  low,
  high,
  reach,
  tone,
  label,
}: {
  delta: number;
  low: number | null;
  high: number | null;
  reach: number;
  tone: Tone;
  /** The numbers, unless they stand beside it as text. */
  label?: string;
}) {
  const at = (value: number) => share(value, -reach, reach);
  const said = label ? { role: "img", "aria-label": label } : { "aria-hidden": true };
  return (
    <div className={classes.track} data-tone={tone} {...said}>
      <span className={classes.axis} />
      {low !== null && high !== null && (
        <span
          className={`${classes.range} ${classes.wide}`}
          style={{ left: at(low), width: `calc(${at(high)} - ${at(low)})` }}
        />
      )}
      <span className={classes.zero} style={{ left: "50%" }} />
      <span className={classes.point} style={{ left: at(delta) }} />
    </div>
  );
}
