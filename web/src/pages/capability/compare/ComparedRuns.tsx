import { Button, Card, Group, Table, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { PageLink } from "@/parts/Links.tsx";
import { Simulated, Status } from "@/parts/Status.tsx";
import { Tag } from "@/parts/Tag.tsx";
import { MeasuredCases } from "../MeasuredCases.tsx";
import { DIMENSIONS } from "../queries.ts";
import type { ComparedRun } from "./compared.ts";

/** The runs with what they came to, the reference first. */
export function ComparedRuns({
  runs,
  names,
}: {
  runs: readonly ComparedRun[];
  names: ReadonlyMap<string, string>;
}) {
  const { t } = useTranslation();
  return (
    <Card p={0}>
      <Table.ScrollContainer type="native" minWidth={640}>
        <Table tabularNums aria-label={t("capability.compare.runs")}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("capability.columns.model")}</Table.Th>
              <Table.Th>{t("capability.columns.status")}</Table.Th>
              <Table.Th ta="right">{t("capability.compare.total")}</Table.Th>
              {DIMENSIONS.map((dimension) => (
                <Table.Th key={dimension} ta="right">
                  {t(`capability.dimensions.${dimension}`)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {runs.map((run, place) => (
              <Row
                key={run.run_id}
                run={run}
                name={names.get(run.run_id) ?? run.model_name}
                rest={place === 0 ? null : runs.filter((one) => one !== run)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}

function Row({
  run,
  name,
  rest,
}: {
  run: ComparedRun;
  name: string;
  rest: readonly ComparedRun[] | null;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const score = (value: number | null | undefined) =>
    value == null ? t("numbers.none") : format.number(value);
  const lead = () =>
    void navigate({
      to: "/capability/compare",
      search: { runs: [run, ...(rest ?? [])].map(({ run_id }) => run_id).join(",") },
    });
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <PageLink
            to="/capability/runs/$run"
            params={{ run: run.run_id }}
            fw={560}
            style={{ whiteSpace: "nowrap" }}
          >
            {name}
          </PageLink>
          {run.simulated && <Simulated />}
        </Group>
        <Group gap="xs" mt={2}>
          <Text size="xs" c="dimmed">
            {format.moment(run.started_at)}
          </Text>
          {rest === null ? (
            <Tag tone="idle">{t("capability.compare.reference")}</Tag>
          ) : (
            <Button variant="subtle" size="compact-xs" onClick={lead}>
              {t("capability.compare.makeReference")}
            </Button>
          )}
        </Group>
      </Table.Td>
      <Table.Td>
        <Status status={run.status} />
      </Table.Td>
      <Table.Td ta="right" fw={620}>
        {score(run.total_score)}
        <MeasuredCases run={run} />
      </Table.Td>
      {DIMENSIONS.map((dimension) => (
        <Table.Td key={dimension} ta="right">
          {score(run.dimension_scores[dimension])}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
