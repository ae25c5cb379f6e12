import { ActionIcon, Card, Checkbox, Group, Table, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { PageLink } from "@/parts/Links.tsx";
import { Simulated } from "@/parts/Status.tsx";
import { MeasuredCases } from "./MeasuredCases.tsx";
import type { Run } from "./queries.ts";
import { RunStatus } from "./RunStatus.tsx";

interface Choosing {
  chosen: readonly string[];
  onChoose: (chosen: string[]) => void;
  onDelete: (run: Run) => void;
}

export function RunTable({ runs, ...choosing }: { runs: readonly Run[] } & Choosing) {
  const { t } = useTranslation();
  const columns = ["model", "set", "status", "score", "passed", "started"] as const;
  return (
    <Card p={0}>
      <Table.ScrollContainer type="native" minWidth={660}>
        <Table highlightOnHover tabularNums aria-label={t("capability.history.title")}>
          <Table.Thead>
            <Table.Tr>
              <Table.Td w={36} />
              {columns.map((column) => (
                <Table.Th key={column} ta={column === "score" ? "right" : "left"}>
                  {t(`capability.columns.${column}`)}
                </Table.Th>
              ))}
              <Table.Td w={40} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {runs.map((run) => (
              <Row key={run.run_id} run={run} {...choosing} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}

function Row({ run, chosen, onChoose, onDelete }: { run: Run } & Choosing) {
  const { t } = useTranslation();
  const format = useFormat();
  const when = format.moment(run.started_at);
  const isChosen = chosen.includes(run.run_id);
  const { counts } = run;
  return (
    <Table.Tr data-run={run.run_id} {...(isChosen ? { bg: "var(--whet-busy-soft)" } : {})}>
      <Table.Td>
        <Checkbox
          size="xs"
          aria-label={t("capability.history.choose", { model: run.model_name, when })}
          checked={isChosen}
          onChange={() =>
            onChoose(
              isChosen ? chosen.filter((one) => one !== run.run_id) : [...chosen, run.run_id],
            )
          }
        />
      </Table.Td>
      <Table.Td>
        <Group gap="xs">
          <PageLink to="/capability/runs/$run" params={{ run: run.run_id }} fw={560}>
            {run.model_name}
          </PageLink>
          {run.simulated && <Simulated />}
        </Group>
        {run.user_id && (
          <Text size="xs" c="dimmed" truncate maw={220}>
            {run.user_id}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {run.case_set}
        <Text size="xs" c="dimmed">
          {run.language}
        </Text>
      </Table.Td>
      <Table.Td>
        <RunStatus run={run} />
      </Table.Td>
      <Table.Td ta="right" fw={560}>
        {run.total_score === null ? t("numbers.none") : format.number(run.total_score)}
        <MeasuredCases run={run} />
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        {counts
          ? t("capability.history.ofCases", {
              passed: format.count(counts.passed ?? 0),
              total: format.count(counts.total ?? 0),
            })
          : t("numbers.none")}
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        {when}
        {run.elapsed_s !== null && (
          <Text size="xs" c="dimmed">
            {t("capability.history.took", { time: format.duration(run.elapsed_s) })}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {run.status !== "running" && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("capability.history.delete", { model: run.model_name, when })}
            onClick={() => onDelete(run)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
