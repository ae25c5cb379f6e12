import { Card, Stack, Table, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import type { Words } from "@/i18n/index.ts";
import { Tag } from "@/parts/Tag.tsx";
import { armName, armNames, type Leg, NONE } from "./view.ts";

type Kind = keyof Words["experiment"]["findings"]["kinds"];
const KINDS: Record<Kind, true> = {
  non_discriminating: true,
  flaky: true,
  always_failing: true,
  vacuous: true,
  unstable_judge: true,
  harness: true,
};
const MOST = 50;

/** What makes cases poor tests, and what is missing. */
export function Findings({ leg }: { leg: Leg }) {
  const { t } = useTranslation();
  const cases = new Map(leg.cases.map(({ id, name }) => [id, name]));
  const { findings, missing, notes } = leg;
  if (findings.length + missing.length + notes.length === 0) return null;
  return (
    <Card>
      <Title order={2} mb="xs">
        {t("experiment.findings.title")}
      </Title>
      <Stack gap="xs">
        {findings.slice(0, MOST).map((one) => (
          <div key={`${one.kind} ${one.case} ${one.arm} ${one.check}`}>
            <Tag tone={one.kind === "flaky" ? "warn" : "idle"}>
              {one.kind in KINDS ? t(`experiment.findings.kinds.${one.kind as Kind}`) : one.kind}
            </Tag>{" "}
            <Text span size="sm" fw={560}>
              {[
                one.case === null ? null : (cases.get(one.case) ?? one.case),
                one.arm === null ? null : armName(one.arm, t),
                one.check,
              ]
                .filter(Boolean)
                .join(" · ")}
            </Text>{" "}
            <Text span size="sm" style={{ overflowWrap: "anywhere" }}>
              {one.text}
            </Text>
          </div>
        ))}
        {missing.length > 0 && (
          <details>
            <summary>{t("experiment.findings.missing", { count: missing.length })}</summary>
            {missing.slice(0, MOST).map((one) => (
              <Text key={`${one.case} ${one.arm} ${one.attempt}`} size="sm">
                {t("experiment.findings.run", {
                  case: cases.get(one.case) ?? one.case,
                  arm: armName(one.arm, t),
                  attempt: one.attempt,
                })}
                {": "}
                {one.reason}
              </Text>
            ))}
          </details>
        )}
        {notes.map((note) => (
          <Text key={note} size="sm" c="dimmed">
            {note}
          </Text>
        ))}
      </Stack>
    </Card>
  );
}

type Measure = keyof Words["experiment"]["measures"]["names"];

/** A difference with its sign; what is shown as zero has none. */
function signed(delta: number, amount: string): string {
  if (!/[1-9]/.test(amount)) return amount;
  return `${delta > 0 ? "+" : "-"}${amount}`;
}

/** What was measured of both sides, as means and standard deviations. */
export function Measures({ leg }: { leg: Leg }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (leg.measures.length === 0) return null;
  const names = armNames(leg, t);
  const amount = (value: number, unit: Leg["measures"][number]["unit"], digits = 1) => {
    if (unit === "points") return format.number(value * 100, digits);
    if (unit === "seconds") return format.duration(value);
    return unit === "tokens" ? format.count(value) : format.money(value);
  };
  const title = t("experiment.measures.title");
  return (
    <Card>
      <Title order={2} mb="xs">
        {title}
      </Title>
      <Table.ScrollContainer type="native" tabIndex={0} minWidth={360}>
        <Table aria-label={title} tabularNums>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("experiment.measures.measure")}</Table.Th>
              {leg.columns.map((arm) => (
                <Table.Th key={arm}>{names.get(arm) ?? arm}</Table.Th>
              ))}
              {leg.columns.length > 1 && <Table.Th>{t("experiment.matrix.difference")}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {leg.measures.map(({ name, unit, by_arm, delta }) => (
              <Table.Tr key={name}>
                <Table.Td>{t(`experiment.measures.names.${name as Measure}`)}</Table.Td>
                {leg.columns.map((arm) => {
                  const found = by_arm[arm] ?? null;
                  const around = found?.deviation ?? null;
                  return (
                    <Table.Td key={arm}>
                      {found === null ? NONE : amount(found.mean, unit)}
                      {around !== null && (
                        <Text span size="xs" c="dimmed">
                          {` ± ${amount(around, unit)}`}
                        </Text>
                      )}
                    </Table.Td>
                  );
                })}
                {leg.columns.length > 1 && (
                  <Table.Td>
                    {delta === null ? NONE : signed(delta, amount(Math.abs(delta), unit))}
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}

type Band = keyof Words["experiment"]["statistics"]["bands"];

/** How dependable the runs are, and what more of them would show. */
export function Statistics({ leg }: { leg: Leg }) {
  const { t } = useTranslation();
  const format = useFormat();
  const found = leg.statistics;
  const reliability = Object.entries(found?.reliability ?? {});
  const power = found?.power ?? [];
  if (!found || reliability.length + power.length === 0) return null;
  const names = armNames(leg, t);
  const share = (value: number | null) => (value === null ? NONE : format.number(value * 100));
  const effect = (value: number | null) =>
    value === null ? t("experiment.statistics.nothing") : share(value);
  // Results of older versions know one scope.
  const hasBoth = leg.verdicts.some(({ on_these }) => on_these !== null);
  return (
    <Card>
      <Title order={2} mb="xs">
        {t("experiment.statistics.title")}
      </Title>
      <Stack gap="md">
        {reliability.length > 0 && (
          <Table aria-label={t("experiment.statistics.reliability")} tabularNums>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("experiment.ranking.side")}</Table.Th>
                <Table.Th>{t("experiment.statistics.spread")}</Table.Th>
                <Table.Th>{t("experiment.statistics.band")}</Table.Th>
                {(reliability[0]?.[1].pass_at ?? []).slice(-1).map(({ k }) => (
                  <Table.Th key={k}>
                    {`${t("experiment.statistics.passAt", { k })} / ${t("experiment.statistics.passHat", { k })}`}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {reliability.map(([arm, one]) => (
                <Table.Tr key={arm}>
                  <Table.Td>{names.get(arm) ?? armName(arm, t)}</Table.Td>
                  <Table.Td>{share(one.stddev)}</Table.Td>
                  <Table.Td>
                    {one.band ? t(`experiment.statistics.bands.${one.band as Band}`) : NONE}
                  </Table.Td>
                  {(one.pass_at ?? []).slice(-1).map((at) => (
                    <Table.Td key={at.k}>
                      {`${format.percent(at.pass_at_k)} / ${format.percent(at.pass_hat_k)}`}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        {power.length > 0 && (
          <div>
            <Text fw={560}>{t("experiment.statistics.power")}</Text>
            <Text size="xs" c="dimmed">
              {t("experiment.statistics.powerHint")}
            </Text>
            <Table aria-label={t("experiment.statistics.power")} tabularNums>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t("experiment.statistics.evals")}</Table.Th>
                  <Table.Th>{t("experiment.statistics.runs")}</Table.Th>
                  <Table.Th>{t("experiment.statistics.trials")}</Table.Th>
                  <Table.Th>{t("experiment.statistics.effect")}</Table.Th>
                  {hasBoth && <Table.Th>{t("experiment.statistics.effectOnThese")}</Table.Th>}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {power.map((row) => (
                  <Table.Tr key={`${row.evals} ${row.runs}`}>
                    <Table.Td>{format.count(row.evals)}</Table.Td>
                    <Table.Td>{format.count(row.runs)}</Table.Td>
                    <Table.Td>{format.count(row.trials)}</Table.Td>
                    <Table.Td>{effect(row.smallest_effect)}</Table.Td>
                    {hasBoth && <Table.Td>{effect(row.smallest_effect_on_these ?? null)}</Table.Td>}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </div>
        )}
        {found.pairwise && (
          <Text size="sm">{t("experiment.statistics.pairwise", { ...found.pairwise })}</Text>
        )}
      </Stack>
    </Card>
  );
}
