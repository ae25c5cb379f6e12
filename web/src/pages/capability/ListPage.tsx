import { Card, Group, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Shape } from "@/api/client.ts";
import { useFormat } from "@/format.ts";
import { Page } from "@/parts/Page.tsx";
import { Empty, Loaded } from "@/parts/States.tsx";
import { Simulated, Status } from "@/parts/Status.tsx";
import { capabilityRuns } from "./queries.ts";

export function ListPage() {
  const { t } = useTranslation();
  const query = useQuery(capabilityRuns());
  return (
    <Page title={t("capability.title")} about={t("capability.about")}>
      <Loaded query={query}>
        {({ runs }) =>
          runs.length === 0 ? (
            <Empty title={t("capability.empty")} hint={t("capability.emptyHint")} />
          ) : (
            <Runs runs={runs} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Runs({ runs }: { runs: readonly Shape<"EvaluationRun">[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const columns = ["model", "set", "status", "score", "started"] as const;
  return (
    <Card p={0}>
      <Table.ScrollContainer type="native" minWidth={560}>
        <Table highlightOnHover tabularNums aria-label={t("capability.title")}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column}>{t(`capability.columns.${column}`)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {runs.map((run) => (
              <Table.Tr key={run.run_id}>
                <Table.Td>
                  <Group gap="xs">
                    {run.model_name}
                    {run.simulated && <Simulated />}
                  </Group>
                </Table.Td>
                <Table.Td>{run.case_set}</Table.Td>
                <Table.Td>
                  <Status status={run.status} />
                </Table.Td>
                <Table.Td>
                  {run.total_score === null ? t("numbers.none") : format.number(run.total_score)}
                </Table.Td>
                <Table.Td>{format.moment(run.started_at)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}
