import classes from "./DeltaPlot.module.css";

const WIDTH = 180;
const HEIGHT = 22;
const EDGE = 6;

/** Where a number lies on a scale that is the same on both sides of zero. */
export function position(value: number, reach: number): number {
  const inside = Math.max(-reach, Math.min(reach, value));
  return EDGE + ((inside + reach) / (2 * reach)) * (WIDTH - 2 * EDGE);
}

/** A scale that holds all of these, in round steps, so that plots below each other compare. */
export function reachOf(values: readonly number[]): number {
  const largest = Math.max(1, ...values.map(Math.abs));
  return Math.ceil(largest / 10) * 10;
}

/** A difference with its interval, against zero. The numbers stand beside it as text. */
export function DeltaPlot({
  delta,
  low,
  high,
  reach,
  tone,
}: {
  delta: number;
  low: number | null;
  high: number | null;
  reach: number;
  tone: "good" | "bad" | "idle";
}) {
  const middle = HEIGHT / 2;
  return (
    <svg
      className={classes.plot}
      data-tone={tone}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
    >
      <line className={classes.axis} x1={EDGE} x2={WIDTH - EDGE} y1={middle} y2={middle} />
      <line className={classes.zero} x1={WIDTH / 2} x2={WIDTH / 2} y1={3} y2={HEIGHT - 3} />
      {low !== null && high !== null && (
        <line
          className={classes.interval}
          x1={position(low, reach)}
          x2={position(high, reach)}
          y1={middle}
          y2={middle}
        />
      )}
      <circle className={classes.dot} cx={position(delta, reach)} cy={middle} r={4.5} />
    </svg>
  );
}
