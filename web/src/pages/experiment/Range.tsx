import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { DeltaPlot, share } from "@/parts/DeltaPlot.tsx";
import classes from "@/parts/Range.module.css";
import type { Tone } from "@/parts/Tag.tsx";
import { deltaText, type Interval, intervalText, points, scoreText } from "./view.ts";

/** A difference and its interval on a line that has zero in its middle. */
export function Difference({
  delta,
  interval,
  scale,
  tone,
  reach,
}: {
  delta: number;
  interval: Interval;
  scale: number;
  tone: Tone;
  /** Where the line ends, in points: lines beside each other have the same. */
  reach: number;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const said = `${deltaText(delta, scale, format)} (${intervalText(interval, scale, format, { signed: true })})`;
  return (
    <div>
      <DeltaPlot
        delta={points(delta, scale)}
        low={points(interval.low, scale)}
        high={points(interval.high, scale)}
        reach={reach}
        tone={tone}
        label={said}
      />
      <div className={classes.ticks} aria-hidden>
        <span>
          {format.signed(-reach, 0)} {t("experiment.verdict.worseSide")}
        </span>
        <span>0</span>
        <span>
          {t("experiment.verdict.betterSide")} {format.signed(reach, 0)}
        </span>
      </div>
    </div>
  );
}

/** A mean on the scale from nothing to perfect, with what lies around it. */
export function Standing({
  mean,
  low,
  high,
  scale,
}: {
  mean: number;
  low: number | null;
  high: number | null;
  scale: number;
}) {
  const format = useFormat();
  const at = (value: number) => share(value, 0, scale);
  return (
    <div
      className={classes.track}
      role="img"
      aria-label={
        low === null || high === null
          ? scoreText(mean, scale, format)
          : `${scoreText(mean, scale, format)} (${scoreText(low, scale, format)} … ${scoreText(high, scale, format)})`
      }
    >
      <span className={classes.axis} />
      <span className={classes.fill} style={{ width: at(mean) }} />
      {low !== null && high !== null && (
        <span
          className={classes.range}
          style={{ left: at(low), width: `calc(${at(high)} - ${at(low)})` }}
        />
      )}
      <span className={classes.point} style={{ left: at(mean) }} />
    </div>
  );
}
