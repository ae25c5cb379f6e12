import { Card, Group, NativeSelect, Table, Text, Title, Tooltip } from "@mantine/core";
import { IconArrowsSort } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { Standing } from "./Range.tsx";
import { type Arm, armNames, intervalText, type Leg, NONE, scoreText } from "./view.ts";

/** Who stands where, with what is known of how sure that is. */
export function Ranking({ leg, isRanked }: { leg: Leg; isRanked: boolean }) {
  const { t } = useTranslation();
  const [chosen, choose] = useState("");
  const set = leg.sets.find(({ id }) => id === chosen);
  const arms = set?.arms ?? leg.arms;
  const hasIntervals = arms.some(({ interval }) => interval !== null);
  const hasChecks = arms.some(({ check_pass_rate }) => typeof check_pass_rate === "number");
  const mixed = [...new Set(arms.flatMap(({ mixed_rubrics }) => mixed_rubrics ?? []))].sort();
  const hasDeviations = arms.some(({ deviation }) => deviation !== null);
  const title = isRanked ? t("experiment.ranking.title") : t("experiment.ranking.sides");
  return (
    <Card>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{title}</Title>
        {leg.sets.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label={t("experiment.ranking.on")}
            value={chosen}
            onChange={(event) => choose(event.currentTarget.value)}
            data={[
              { value: "", label: t("experiment.ranking.all") },
              ...leg.sets.map(({ id, name, version }) => ({
                value: id,
                label: `${name} ${version}`,
              })),
            ]}
          />
        )}
      </Group>
      <Table.ScrollContainer type="native" tabIndex={0} minWidth={560}>
        <Table aria-label={title} tabularNums data-testid="ranking">
          <Table.Thead>
            <Table.Tr>
              {isRanked && <Table.Th w={52}>{t("experiment.ranking.rank")}</Table.Th>}
              <Table.Th>
                {isRanked ? t("experiment.ranking.arm") : t("experiment.ranking.side")}
              </Table.Th>
              <Table.Th w={72} ta="right">
                {t("experiment.ranking.mean")}
              </Table.Th>
              {hasChecks && (
                <Table.Th w={72} ta="right">
                  {t("experiment.ranking.checks")}
                </Table.Th>
              )}
              <Table.Th w={hasChecks ? "26%" : "36%"} style={{ whiteSpace: "nowrap" }}>
                0 … 100
              </Table.Th>
              <Table.Th w={140}>{hasDeviations ? "±" : t("experiment.ranking.interval")}</Table.Th>
              {isRanked && <Table.Th w={116}>{t("experiment.verdict.cases")}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {arms.map((arm) => (
              <Line key={arm.id} arm={arm} leg={leg} isRanked={isRanked} hasChecks={hasChecks} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {hasChecks && (
        <Text size="xs" c="dimmed" mt="xs">
          {t("experiment.ranking.besideScore")}
        </Text>
      )}
      {mixed.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs" data-testid="mixed-rubrics">
          {t("experiment.ranking.mixed", { rubrics: mixed.join(", ") })}
        </Text>
      )}
      {(hasIntervals || hasDeviations) && (
        <Text size="xs" c="dimmed" mt="xs">
          {hasIntervals ? t("experiment.ranking.whiskers") : t("experiment.ranking.deviations")}
        </Text>
      )}
    </Card>
  );
}

/** What its cases came to; none failed and none without a score need no words. */
function Came({ arm }: { arm: Arm }) {
  const { t } = useTranslation();
  if (arm.completed_cases === null) return NONE;
  return (
    <>
      <div>{t("experiment.ranking.completed", { count: arm.completed_cases })}</div>
      {!!arm.failed_cases && (
        <div>{t("experiment.ranking.failed", { count: arm.failed_cases })}</div>
      )}
      {!!arm.gate_failed_cases && (
        <div>{t("experiment.ranking.gateFailed", { count: arm.gate_failed_cases })}</div>
      )}
      {!!arm.unscored_cases && (
        <div>{t("experiment.ranking.unscored", { count: arm.unscored_cases })}</div>
      )}
    </>
  );
}

function around(arm: Arm, scale: number): [number | null, number | null] {
  if (arm.interval) return [arm.interval.low, arm.interval.high];
  if (arm.deviation === null || arm.mean === null) return [null, null];
  return [Math.max(0, arm.mean - arm.deviation), Math.min(scale, arm.mean + arm.deviation)];
}

function Line({
  arm,
  leg,
  isRanked,
  hasChecks,
}: {
  arm: Arm;
  leg: Leg;
  isRanked: boolean;
  hasChecks: boolean;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const [low, high] = around(arm, leg.scale);
  const name = armNames(leg, t).get(arm.id) ?? arm.name;
  return (
    <Table.Tr>
      {isRanked && <Table.Td>{arm.rank ?? NONE}</Table.Td>}
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          <Text fw={560} miw="7rem" style={{ overflowWrap: "break-word" }}>
            {name}
          </Text>
          {arm.version && (
            <Text size="xs" c="dimmed">
              {arm.version}
            </Text>
          )}
          {arm.order_differs && (
            <Tooltip label={t("experiment.ranking.moved")}>
              <IconArrowsSort size={14} aria-label={t("experiment.ranking.moved")} role="img" />
            </Tooltip>
          )}
        </Group>
      </Table.Td>
      <Table.Td ta="right" fw={600}>
        {scoreText(arm.mean, leg.scale, format)}
      </Table.Td>
      {hasChecks && (
        <Table.Td ta="right">
          {typeof arm.check_pass_rate === "number" ? format.percent(arm.check_pass_rate) : NONE}
        </Table.Td>
      )}
      <Table.Td>
        {arm.mean === null ? (
          <Text size="sm" c="dimmed">
            {t("experiment.ranking.unranked")}
          </Text>
        ) : (
          <Standing mean={arm.mean} low={low} high={high} scale={leg.scale} />
        )}
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        {arm.interval
          ? intervalText(arm.interval, leg.scale, format)
          : arm.deviation === null
            ? NONE
            : `± ${scoreText(arm.deviation, leg.scale, format)}`}
      </Table.Td>
      {isRanked && (
        <Table.Td>
          <div style={{ minWidth: "8rem" }}>
            <Came arm={arm} />
          </div>
        </Table.Td>
      )}
    </Table.Tr>
  );
}
