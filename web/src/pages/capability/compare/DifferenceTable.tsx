import { Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Shape } from "@/api/client.ts";
import { useFormat } from "@/format.ts";
import { DeltaPlot, reachOf } from "@/parts/DeltaPlot.tsx";
import {
  COMFORTABLE_CASES,
  FEWEST_CASES,
  fewestRuns,
  LOOKS,
  saidOf,
  VerdictTag,
} from "@/parts/Verdict.tsx";
import type { Difference } from "./compared.ts";

type Line = Shape<"CapabilityDifference">;

/** How far two runs are apart, in all and by dimension, and how sure that is. */
export function DifferenceTable({ difference }: { difference: Difference }) {
  const { t } = useTranslation();
  const lines: readonly [string, string, Line][] = [
    ["total", t("capability.compare.total"), difference.total],
    ...difference.dimensions.map((one): [string, string, Line] => [
      one.dimension,
      t(`capability.dimensions.${one.dimension}`),
      one,
    ]),
  ];
  const reach = reachOf(
    lines.flatMap(([, , { verdict }]) => [
      verdict.delta ?? 0,
      verdict.interval?.low ?? 0,
      verdict.interval?.high ?? 0,
    ]),
  );
  return (
    <Table.ScrollContainer type="native" tabIndex={0} minWidth={600}>
      <Table tabularNums aria-label={t("capability.compare.difference")}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("capability.compare.dimension")}</Table.Th>
            <Table.Th ta="right">{t("capability.compare.before")}</Table.Th>
            <Table.Th ta="right">{t("capability.compare.after")}</Table.Th>
            <Table.Th ta="right">{t("capability.compare.difference")}</Table.Th>
            <Table.Th>{t("capability.compare.interval")}</Table.Th>
            <Table.Td w={200} aria-hidden visibleFrom="md" />
            <Table.Th>{t("capability.compare.verdict")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map(([key, name, line]) => (
            <Row key={key} name={name} line={line} reach={reach} />
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" mt="xs">
        {t("capability.compare.scope", {
          least: FEWEST_CASES,
          better: COMFORTABLE_CASES,
          runs: fewestRuns(difference.total.verdict.n_cases),
        })}
      </Text>
      <Text size="xs" c="dimmed" mt={4}>
        {t("capability.compare.family")}
      </Text>
    </Table.ScrollContainer>
  );
}

function Row({ name, line, reach }: { name: string; line: Line; reach: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { delta, interval, label, n_cases, needs } = line.verdict;
  const said = saidOf(label, needs);
  const none = t("numbers.none");
  const score = (value: number | null) => (value === null ? none : format.number(value));
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Text size="sm" fw={560} c="var(--mantine-color-text)">
          {name}
        </Text>
        <Text size="xs" c="dimmed" fw={400}>
          {t("capability.compare.samples", { count: n_cases })}
        </Text>
      </Table.Th>
      <Table.Td ta="right">{score(line.reference)}</Table.Td>
      <Table.Td ta="right">{score(line.run)}</Table.Td>
      <Table.Td ta="right" fw={620}>
        {delta === null ? none : format.signed(delta)}
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        {interval
          ? t("capability.compare.range", {
              low: format.signed(interval.low),
              high: format.signed(interval.high),
            })
          : none}
      </Table.Td>
      <Table.Td aria-hidden visibleFrom="md">
        {delta !== null && (
          <DeltaPlot
            delta={delta}
            low={interval?.low ?? null}
            high={interval?.high ?? null}
            reach={reach}
            tone={LOOKS[said][0]}
          />
        )}
      </Table.Td>
      <Table.Td>
        <VerdictTag said={said} />
      </Table.Td>
    </Table.Tr>
  );
}
