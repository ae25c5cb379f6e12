import { Card, Title, useComputedColorScheme } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Chart, FiguresTable, type Option } from "@/charts/Chart.tsx";
import { INK } from "@/charts/palette.ts";
import { useFormat } from "@/format.ts";
import { armNames, dimensionName, type Leg, NONE } from "./view.ts";

const FEWEST_CORNERS = 3;
const MOST_ARMS = 6;
const LONGEST_NAME = 24;
/** A name that the chart library can measure texts by. */
const FONT = "system-ui, sans-serif";

/** What each arm is good at, dimension by dimension, each on its own scale. */
export function Dimensions({ leg }: { leg: Leg }) {
  const { t } = useTranslation();
  const format = useFormat();
  const arms = leg.arms.filter((arm) => Object.values(arm.dimensions).some((one) => one !== null));
  const names = armNames(leg, t);
  const scales = leg.dimensions.filter(({ name }) => arms.some((arm) => name in arm.dimensions));
  const ink = INK[useComputedColorScheme("light")];
  const drawn = arms.slice(0, MOST_ARMS);
  const known = scales.filter(({ maximum }) => maximum !== null);
  const isDrawn = known.length >= FEWEST_CORNERS && known.length === scales.length;
  const option = useMemo<Option>(
    () => ({
      legend: {
        bottom: 0,
        itemGap: 12,
        itemWidth: 14,
        itemHeight: 8,
        textStyle: { color: ink.text, fontFamily: FONT },
        formatter: (name: string) =>
          name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name,
      },
      tooltip: {},
      radar: {
        radius: "62%",
        center: ["50%", "43%"],
        splitNumber: 4,
        axisName: { color: ink.faint, fontFamily: FONT },
        axisLine: { lineStyle: { color: ink.line } },
        splitLine: { lineStyle: { color: ink.line } },
        splitArea: { show: false },
        indicator: known.map(({ name, maximum }) => ({
          name: dimensionName(name, t),
          max: maximum ?? 1,
        })),
      },
      series: [
        {
          type: "radar",
          symbolSize: 4,
          areaStyle: { opacity: 0.08 },
          data: drawn.map((arm) => ({
            name: names.get(arm.id) ?? arm.name,
            value: known.map(({ name }) => arm.dimensions[name] ?? null),
          })),
        },
      ],
    }),
    [drawn, known, names, t, ink],
  );
  if (arms.length === 0 || scales.length === 0) return null;
  const title = t("experiment.dimensions.title");
  const figures = {
    columns: [t("experiment.dimensions.name"), ...arms.map((arm) => names.get(arm.id) ?? arm.name)],
    rows: scales.map(({ name, maximum }) => [
      maximum === null
        ? dimensionName(name, t)
        : t("experiment.dimensions.ofMaximum", {
            name: dimensionName(name, t),
            maximum: format.number(maximum, 0),
          }),
      ...arms.map((arm) => {
        const value = arm.dimensions[name] ?? null;
        return value === null ? NONE : format.number(value, 2);
      }),
    ]),
  };
  return (
    <Card data-testid="dimensions">
      {isDrawn ? (
        <Chart title={title} option={option} figures={figures} height={300} />
      ) : (
        <>
          <Title order={2} mb="xs">
            {title}
          </Title>
          <FiguresTable title={title} figures={figures} />
        </>
      )}
    </Card>
  );
}
