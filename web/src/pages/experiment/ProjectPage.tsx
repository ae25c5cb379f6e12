import { Card, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Shape } from "@/api/client.ts";
import { useFormat } from "@/format.ts";
import { Meter } from "@/parts/Meter.tsx";
import { Page } from "@/parts/Page.tsx";
import { Loaded } from "@/parts/States.tsx";
import { Status } from "@/parts/Status.tsx";
import { projectStatus } from "./queries.ts";

export function ProjectPage() {
  const { t } = useTranslation();
  const { identity } = useParams({ from: "/experiments/projects/$identity" });
  const query = useQuery(projectStatus(identity));
  return (
    <Page title={query.data?.name ?? t("experiment.title")}>
      <Loaded query={query}>{(status) => <Progress status={status} />}</Loaded>
    </Page>
  );
}

function Progress({ status }: { status: Shape<"ProjectStatus"> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { run, trials } = status;
  const done = trials.completed + trials.failed + trials.skipped + trials.unscored;
  return (
    <Card>
      <Group mb="sm" gap="md">
        <Status status={status.status} />
        {run && (
          <Text size="sm" c="dimmed">
            {format.duration(run.seconds)}
          </Text>
        )}
        {run?.seconds_left != null && (
          <Text size="sm" c="dimmed">
            {t("numbers.left", { time: format.duration(run.seconds_left) })}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {status.cost_usd === null ? t("numbers.unknownCost") : format.money(status.cost_usd)}
        </Text>
      </Group>
      <Meter
        label={t("experiment.settled")}
        done={run ? run.reused + run.settled : done}
        total={run ? run.total : status.total_trials}
      />
      {status.error && <Text mt="sm">{status.error}</Text>}
    </Card>
  );
}
