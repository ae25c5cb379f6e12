import { Card, Stack, Text, useComputedColorScheme } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Chart } from "@/charts/Chart.tsx";
import { drawable, radar, radarHeight } from "@/charts/radar.ts";
import { useFormat } from "@/format.ts";
import { DIMENSIONS } from "../queries.ts";
import type { ComparedRun } from "./compared.ts";

/** More lines than there are colours would say nothing. */
const MOST_DRAWN = 6;

/** The dimensions of all runs in one picture, as far as all of them measured these. */
export function Profiles({
  runs,
  names,
}: {
  runs: readonly ComparedRun[];
  names: ReadonlyMap<string, string>;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const scheme = useComputedColorScheme("light");
  const drawn = useMemo(() => runs.slice(0, MOST_DRAWN), [runs]);
  const corners = useMemo(
    () =>
      drawable(
        DIMENSIONS.map((dimension) => ({
          name: t(`capability.dimensions.${dimension}`),
          most: 100,
          values: drawn.map(({ dimension_scores }) => dimension_scores[dimension] ?? null),
        })),
      ),
    [drawn, t],
  );
  const labels = useMemo(
    () => drawn.map((run) => names.get(run.run_id) ?? run.model_name),
    [drawn, names],
  );
  const option = useMemo(() => radar(corners ?? [], labels, scheme), [corners, labels, scheme]);
  if (corners === null) {
    return (
      <Card padding="lg">
        <Stack align="center" justify="center" h="100%" mih={120}>
          <Text c="dimmed">{t("capability.compare.tooFewShared")}</Text>
        </Stack>
      </Card>
    );
  }
  return (
    <Card padding="lg">
      <Chart
        title={t("capability.compare.radar")}
        option={option}
        height={radarHeight(labels.length)}
        figures={{
          columns: [t("capability.compare.dimension"), ...labels],
          rows: corners.map(({ name, values }) => [
            name,
            ...values.map((value) => (value === null ? t("numbers.none") : format.number(value))),
          ]),
        }}
      />
    </Card>
  );
}
