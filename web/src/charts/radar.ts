import type { Option } from "./echarts.ts";
import { INK } from "./palette.ts";

const FEWEST_CORNERS = 3;
const LONGEST_NAME = 32;
/** In pixels: the drawing itself, its corners with room for their names, and a line of the legend. */
const PLOT = 264;
const RADIUS = 98;
const LEGEND_LINE = 20;
/** A name that the chart library can measure texts by. */
const FONT = "system-ui, sans-serif";

const short = (name: string) =>
  name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;

/** A corner, and the value of each series there; null where it was not measured. */
export interface Corner {
  name: string;
  most: number;
  values: readonly (number | null)[];
}

/**
 * The corners that can be drawn: a radar puts what it does not know into the middle, where it looks
 * like nothing at all. So only those count that every series has; null where they are too few.
 */
export function drawable(corners: readonly Corner[]): readonly Corner[] | null {
  const known = corners.filter(({ values }) => values.every((value) => value !== null));
  return known.length >= FEWEST_CORNERS ? known : null;
}

/** How tall the chart is. Each series has a line of its own below: names are of any length. */
export const radarHeight = (series: number) => PLOT + (series > 1 ? (series + 1) * LEGEND_LINE : 0);

export function radar(
  corners: readonly Corner[],
  series: readonly string[],
  scheme: keyof typeof INK,
  dot = 5,
): Option {
  const ink = INK[scheme];
  return {
    tooltip: {
      backgroundColor: ink.ground,
      borderColor: ink.line,
      textStyle: { color: ink.text },
      valueFormatter: (value: unknown) =>
        typeof value === "number" ? String(Math.round(value * 10) / 10) : "–",
    },
    ...(series.length > 1
      ? {
          legend: {
            orient: "vertical",
            left: "center",
            top: PLOT,
            itemGap: 6,
            itemWidth: 14,
            itemHeight: 8,
            textStyle: { color: ink.text, fontFamily: FONT },
            formatter: short,
          },
        }
      : {}),
    radar: {
      radius: RADIUS,
      center: ["50%", PLOT / 2],
      splitNumber: 4,
      axisName: { color: ink.text, fontFamily: FONT, fontSize: 12 },
      axisLine: { lineStyle: { color: ink.line } },
      splitLine: { lineStyle: { color: ink.line } },
      splitArea: { show: false },
      indicator: corners.map(({ name, most }) => ({ name, max: most })),
    },
    series: [
      {
        type: "radar",
        symbolSize: dot,
        areaStyle: { opacity: series.length > 1 ? 0.06 : 0.16 },
        lineStyle: { width: 2 },
        data: series.map((name, place) => ({
          name,
          value: corners.map(({ values }) => values[place]),
        })),
      },
    ],
  };
}
