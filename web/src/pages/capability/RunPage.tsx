import { Card, Group, Stack, Tabs, Text } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { PageLink } from "@/parts/Links.tsx";
import { Notice } from "@/parts/Notice.tsx";
import { Page } from "@/parts/Page.tsx";
import { Loaded } from "@/parts/States.tsx";
import { Simulated } from "@/parts/Status.tsx";
import { CoverageView } from "./Coverage.tsx";
import { CaseLog } from "./cases/CaseLog.tsx";
import { useLiveRun } from "./live.ts";
import { Progress } from "./Progress.tsx";
import { capabilityRun, type Detail, type Run, runCoverage } from "./queries.ts";
import { RunActions } from "./RunActions.tsx";
import { RunStatus } from "./RunStatus.tsx";
import { Scores } from "./Scores.tsx";
import { RunSettings } from "./Settings.tsx";

/** One run, while it is carried out and afterwards. */
export function RunPage() {
  const { t } = useTranslation();
  const { run } = useParams({ from: "/capability/runs/$run" });
  const query = useQuery(capabilityRun(run));
  useLiveRun(run);
  const found = query.isError ? undefined : query.data;
  return (
    <Page
      title={found?.run.model_name ?? t("capability.title")}
      actions={found && <RunActions run={found.run} />}
    >
      <PageLink to="/capability" size="sm" style={{ order: -1 }}>
        <Group gap={4} component="span">
          <IconArrowLeft size={14} aria-hidden />
          {t("capability.run.back")}
        </Group>
      </PageLink>
      <Loaded query={query} rows={8}>
        {(detail) => <Body detail={detail} />}
      </Loaded>
    </Page>
  );
}

function Body({ detail }: { detail: Detail }) {
  const { t } = useTranslation();
  const { run, items } = detail;
  return (
    <Stack gap="lg">
      <Headline run={run} />
      {run.error && (
        <Notice tone="bad" isUrgent>
          <Text style={{ overflowWrap: "anywhere" }}>{run.error}</Text>
          {run.status === "failed" && (
            <Text size="sm" mt={4}>
              {t("capability.run.failedHint")}
            </Text>
          )}
        </Notice>
      )}
      {run.reclaimable && <Notice tone="warn">{t("capability.run.left")}</Notice>}
      {run.status === "running" && <Progress detail={detail} />}
      <Scores run={run} />
      <Tabs defaultValue="cases" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="cases">{t("capability.run.tabs.cases")}</Tabs.Tab>
          <Tabs.Tab value="coverage">{t("capability.run.tabs.coverage")}</Tabs.Tab>
          <Tabs.Tab value="settings">{t("capability.run.tabs.settings")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="cases">
          <CaseLog items={items} isAtWork={run.status === "running" && !run.reclaimable} />
        </Tabs.Panel>
        <Tabs.Panel value="coverage">
          <Covered run={run.run_id} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <RunSettings run={run} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Headline({ run }: { run: Run }) {
  const format = useFormat();
  const facts = [
    run.user_id,
    run.case_set,
    run.language,
    format.moment(run.started_at),
    run.elapsed_s === null ? null : format.duration(run.elapsed_s),
  ].filter(Boolean);
  return (
    <Group gap="xs">
      <RunStatus run={run} />
      {run.simulated && <Simulated />}
      <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {facts.join(" · ")}
      </Text>
    </Group>
  );
}

function Covered({ run }: { run: string }) {
  const { t } = useTranslation();
  const query = useQuery(runCoverage(run));
  return (
    <Card padding="lg">
      <Loaded query={query}>
        {(coverage) => <CoverageView coverage={coverage} note={t("capability.coverage.kept")} />}
      </Loaded>
    </Card>
  );
}
