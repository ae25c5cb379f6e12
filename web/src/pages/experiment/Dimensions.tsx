import { Card, Title, useComputedColorScheme } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Chart, FiguresTable } from "@/charts/Chart.tsx";
import { drawable, radar, radarHeight } from "@/charts/radar.ts";
import { useFormat } from "@/format.ts";
import { armNames, dimensionName, type Leg, NONE } from "./view.ts";

const MOST_ARMS = 6;

/** What each arm is good at, dimension by dimension, each on its own scale. */
export function Dimensions({ leg }: { leg: Leg }) {
  const { t } = useTranslation();
  const format = useFormat();
  const arms = leg.arms.filter((arm) => Object.values(arm.dimensions).some((one) => one !== null));
  const names = armNames(leg, t);
  const scales = leg.dimensions.filter(({ name }) => arms.some((arm) => name in arm.dimensions));
  const scheme = useComputedColorScheme("light");
  const drawn = arms.slice(0, MOST_ARMS);
  const known = scales.filter(({ maximum }) => maximum !== null);
  const corners =
    known.length === scales.length
      ? drawable(
          known.map(({ name, maximum }) => ({
            name: dimensionName(name, t),
            most: maximum ?? 1,
            values: drawn.map((arm) => arm.dimensions[name] ?? null),
          })),
        )
      : null;
  const option = useMemo(
    () =>
      radar(
        corners ?? [],
        drawn.map((arm) => names.get(arm.id) ?? arm.name),
        scheme,
      ),
    [corners, drawn, names, scheme],
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
      {corners ? (
        <Chart title={title} option={option} figures={figures} height={radarHeight(drawn.length)} />
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
