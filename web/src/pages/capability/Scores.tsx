import { Card, Group, SimpleGrid, Stack, Text, useComputedColorScheme } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Chart } from "@/charts/Chart.tsx";
import { drawable, radar, radarHeight } from "@/charts/radar.ts";
import { useFormat } from "@/format.ts";
import { Bars } from "@/parts/Bars.tsx";
import { Counts } from "./Counts.tsx";
import { MeasuredCases } from "./MeasuredCases.tsx";
import { DIMENSIONS, type Run } from "./queries.ts";
import classes from "./Scores.module.css";

const PERFECT = 100;

/** What a run came to, in all and by dimension. What was not measured has no score. */
export function Scores({ run }: { run: Run }) {
  const { t } = useTranslation();
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
      <Card padding="lg">
        <Stack gap="md">
          <Total run={run} />
          <DimensionBars run={run} />
          <Counts run={run} label={t("capability.scores.counts")} />
        </Stack>
      </Card>
      <Card padding="lg">
        <Profile run={run} />
      </Card>
    </SimpleGrid>
  );
}

function Total({ run }: { run: Run }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { total_score, total_score_measured, counts } = run;
  return (
    <div>
      <Text size="sm" c="dimmed">
        {t("capability.scores.total")}
        {run.status === "running" && ` · ${t("capability.scores.soFar")}`}
      </Text>
      <Group gap="xs" align="baseline">
        <span className={classes.total} data-testid="total">
          {total_score === null ? t("numbers.none") : format.number(total_score)}
        </span>
        <Text c="dimmed" component="span">
          {total_score === null ? t("capability.scores.none") : t("capability.scores.outOf")}
        </Text>
        {total_score_measured != null && (
          <Text component="span" c="var(--whet-warn)" ml="auto" data-testid="measured">
            {t("capability.scores.measured", { score: format.number(total_score_measured) })}
          </Text>
        )}
      </Group>
      <MeasuredCases run={run} />
      {total_score_measured != null && (
        <Text size="xs" c="dimmed">
          {t("capability.scores.measuredHint", { count: counts?.error ?? 0 })}
        </Text>
      )}
    </div>
  );
}

function DimensionBars({ run }: { run: Run }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Bars
      title={t("capability.scores.dimensions")}
      columns={[t("capability.scores.dimension"), t("capability.scores.score")]}
      most={PERFECT}
      bars={DIMENSIONS.map((dimension) => {
        const value = run.dimension_scores[dimension] ?? null;
        const weight = run.weights?.[dimension];
        return {
          key: dimension,
          name: t(`capability.dimensions.${dimension}`),
          value,
          text: value === null ? t("capability.scores.notMeasured") : format.number(value),
          ...(weight === undefined
            ? {}
            : { note: t("capability.scores.weight", { weight: format.count(weight) }) }),
        };
      })}
    />
  );
}

function Profile({ run }: { run: Run }) {
  const { t } = useTranslation();
  const format = useFormat();
  const scheme = useComputedColorScheme("light");
  const { dimension_scores, model_name } = run;
  const corners = useMemo(
    () =>
      DIMENSIONS.map((dimension) => ({
        name: t(`capability.dimensions.${dimension}`),
        most: PERFECT,
        values: [dimension_scores[dimension] ?? null],
      })),
    [dimension_scores, t],
  );
  const drawn = drawable(corners);
  const option = useMemo(
    () => radar(drawn ?? [], [model_name], scheme),
    [drawn, model_name, scheme],
  );
  if (drawn === null) {
    return (
      <Stack align="center" justify="center" h="100%" mih={120}>
        <Text c="dimmed">{t("capability.scores.tooFew")}</Text>
      </Stack>
    );
  }
  return (
    <Chart
      title={t("capability.scores.radar")}
      option={option}
      height={radarHeight(1)}
      figures={{
        columns: [t("capability.scores.dimension"), t("capability.scores.score")],
        rows: corners.map(({ name, values: [value] }) => [
          name,
          value == null ? t("capability.scores.notMeasured") : format.number(value),
        ]),
      }}
    />
  );
}
