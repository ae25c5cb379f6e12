import { Button, Group, Skeleton, Table, Text } from "@mantine/core";
import { IconChartBar, IconTable } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { patient } from "@/api/patient.ts";
import { ErrorBoundary } from "@/parts/ErrorBoundary.tsx";
import type { Option } from "./echarts.ts";

export type { Option } from "./echarts.ts";

// The library is as large as all the rest: it comes when the first chart does.
const Drawing = lazy(patient(() => import("./Drawing.tsx")));

/** The same numbers as the chart, for whoever cannot or does not want to see it. */
export interface Figures {
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** A chart with its title and its table. */
export function Chart({
  title,
  option,
  figures,
  height = 280,
}: {
  title: string;
  option: Option;
  figures: Figures;
  height?: number;
}) {
  const { t } = useTranslation();
  const [isTable, showTable] = useState(false);
  return (
    <figure style={{ margin: 0 }}>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Text component="figcaption" fw={600}>
          {title}
        </Text>
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={
            isTable ? <IconChartBar size={14} aria-hidden /> : <IconTable size={14} aria-hidden />
          }
          onClick={() => showTable(!isTable)}
        >
          {isTable ? t("states.chart.showChart") : t("states.chart.showTable")}
        </Button>
      </Group>
      {isTable ? (
        <FiguresTable title={title} figures={figures} />
      ) : (
        <ErrorBoundary>
          <Suspense fallback={<Skeleton height={height} />}>
            <Drawing title={title} option={option} height={height} />
          </Suspense>
        </ErrorBoundary>
      )}
    </figure>
  );
}

export function FiguresTable({ title, figures }: { title: string; figures: Figures }) {
  return (
    <Table.ScrollContainer type="native" minWidth={0}>
      <Table aria-label={title} tabularNums>
        <Table.Thead>
          <Table.Tr>
            {figures.columns.map((column) => (
              <Table.Th key={column}>{column}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {figures.rows.map((row) => (
            <Table.Tr key={row.join("\0")}>
              {row.map((cell, column) => (
                <Table.Td key={figures.columns[column]}>{cell}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
