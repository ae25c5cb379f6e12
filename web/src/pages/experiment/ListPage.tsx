import { Anchor, Card, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { Notice } from "@/parts/Notice.tsx";
import { Page } from "@/parts/Page.tsx";
import { Empty, Failed, Loading } from "@/parts/States.tsx";
import { Status } from "@/parts/Status.tsx";
import { NewComparison } from "./NewComparison.tsx";
import { evals, projects } from "./queries.ts";
import { type Row, rowsOf } from "./rows.ts";

export function ListPage() {
  const { t } = useTranslation();
  return (
    <Page title={t("experiment.title")} about={t("experiment.about")} actions={<NewComparison />}>
      <Experiments />
    </Page>
  );
}

function Experiments() {
  const { t } = useTranslation();
  const found = useQuery(projects());
  const runs = useQuery(evals());
  const failed = [found, runs].find((query) => query.isError && query.data === undefined);
  if (failed) return <Failed error={failed.error} retry={() => void failed.refetch()} />;
  if (!found.data || !runs.data) return <Loading rows={6} />;
  const rows = rowsOf(found.data.items, runs.data.evals);
  const { problems } = found.data;
  return (
    <>
      {problems.length > 0 && (
        <Notice tone="warn" title={t("experiment.broken", { count: problems.length })}>
          {problems.map((problem) => (
            <div key={problem}>{problem}</div>
          ))}
        </Notice>
      )}
      {rows.length === 0 ? (
        <Empty title={t("experiment.empty")} hint={t("experiment.emptyHint")} />
      ) : (
        <Card p={0}>
          <List rows={rows} />
        </Card>
      )}
    </>
  );
}

function List({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation();
  const columns = ["name", "kind", "engine", "status", "progress", "started"] as const;
  return (
    <Table.ScrollContainer type="native" minWidth={640}>
      <Table highlightOnHover tabularNums aria-label={t("experiment.title")}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column}>{t(`experiment.columns.${column}`)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Line key={row.id} row={row} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Line({ row }: { row: Row }) {
  const { t } = useTranslation();
  const format = useFormat();
  const to =
    row.kind === "project" ? "/experiments/projects/$identity" : "/experiments/evals/$identity";
  const done = row.done === null ? null : format.count(row.done);
  const total = format.count(row.trials);
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={to} params={{ identity: row.id } as never} fw={560}>
          {row.name}
        </Anchor>
      </Table.Td>
      <Table.Td>{t(`experiment.kinds.${row.kind}`)}</Table.Td>
      <Table.Td>{row.engine}</Table.Td>
      <Table.Td>
        <Status status={row.status} />
        {row.failed && (
          <Text size="xs" c="dimmed">
            {t(`experiment.failedMark.${row.failed}`)}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{done === null ? total : t("numbers.ofTotal", { done, total })}</Table.Td>
      <Table.Td>{format.moment(row.started)}</Table.Td>
    </Table.Tr>
  );
}
