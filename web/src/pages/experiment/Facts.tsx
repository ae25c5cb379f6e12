import { Alert, Card, Progress, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { Fact } from "@/parts/Fact.tsx";
import { costText, engineName, NONE, type View } from "./view.ts";

/** How far it is, what it took, and who worked. */
export function Facts({ view }: { view: View }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { progress, cost } = view;
  const isRunning = view.status === "running";
  const engines = [...new Set(view.legs.map(({ engine }) => engineName(engine)))];
  return (
    <Card>
      <Stack gap="md">
        {progress && (isRunning || progress.settled + progress.reused < progress.total) && (
          <Advance view={view} />
        )}
        <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="md">
          <Fact
            name={t("experiment.columns.progress")}
            hint={
              progress && progress.reused > 0
                ? t("experiment.facts.reused", { count: progress.reused })
                : undefined
            }
          >
            <span data-testid="settled">
              {progress
                ? t("numbers.ofTotal", {
                    done: format.count(progress.settled + progress.reused),
                    total: format.count(progress.total),
                  })
                : NONE}
            </span>
          </Fact>
          <Fact
            name={t("experiment.facts.elapsed")}
            hint={
              isRunning && progress?.seconds_left != null
                ? t("numbers.left", { time: format.duration(progress.seconds_left) })
                : view.started_at
                  ? format.moment(view.started_at)
                  : undefined
            }
          >
            {progress ? format.duration(progress.seconds) : NONE}
          </Fact>
          <Fact
            name={t("experiment.facts.cost")}
            hint={
              cost.unknown > 0 ? t("experiment.facts.unknown", { count: cost.unknown }) : undefined
            }
          >
            {costText(cost, t, format)}
          </Fact>
          <Fact
            name={t("experiment.columns.engine")}
            hint={[
              view.repeats ? t("experiment.facts.attempts", { count: view.repeats }) : null,
              view.judges.length > 0
                ? `${t("experiment.facts.judges", { count: view.judges.length })}: ${view.judges.join(", ")}`
                : null,
            ]
              .filter(Boolean)
              .join(" · ")}
          >
            <span style={{ overflowWrap: "anywhere" }}>{engines.join(", ") || NONE}</span>
          </Fact>
        </SimpleGrid>
      </Stack>
    </Card>
  );
}

function Advance({ view }: { view: View }) {
  const { t } = useTranslation();
  const { progress } = view;
  if (!progress || progress.total === 0) return null;
  const percent = (part: number) => (part / progress.total) * 100;
  return (
    <Progress.Root size="md" aria-label={t("experiment.facts.progress")}>
      <Progress.Section
        value={percent(progress.reused)}
        color="gray"
        aria-label={t("experiment.facts.reused", { count: progress.reused })}
      />
      <Progress.Section
        value={percent(progress.settled)}
        animated={view.status === "running"}
        aria-label={t("experiment.settled")}
      />
    </Progress.Root>
  );
}

/** What to know before believing any number. */
export function Remarks({ view }: { view: View }) {
  const { t } = useTranslation();
  const isRunning = view.status === "running";
  return (
    <>
      {view.error && (
        <Alert
          variant="default"
          icon={<IconAlertTriangle aria-hidden color="var(--whet-bad)" />}
          role="alert"
        >
          <span style={{ overflowWrap: "anywhere" }}>{view.error}</span>
        </Alert>
      )}
      {view.failed && (
        <Alert
          variant="default"
          icon={<IconAlertTriangle aria-hidden color="var(--whet-bad)" />}
          role="alert"
          data-testid="failed-mark"
        >
          {t(`experiment.failedMark.${view.failed}`)}
        </Alert>
      )}
      {view.partial && view.status !== "pending" && (
        <Text size="sm" c="dimmed" data-testid="partial">
          {isRunning ? t("experiment.running") : t("experiment.partial")}
        </Text>
      )}
      {view.warnings.length > 0 && (
        <Alert
          variant="default"
          icon={<IconAlertTriangle aria-hidden color="var(--whet-warn)" />}
          title={t("experiment.warnings")}
        >
          {view.warnings.map((warning) => (
            <Text key={warning} size="sm" style={{ overflowWrap: "anywhere" }}>
              {warning}
            </Text>
          ))}
        </Alert>
      )}
    </>
  );
}
