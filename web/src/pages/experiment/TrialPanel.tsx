import { Alert, Group, SegmentedControl, Stack, Tabs, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { Fact } from "@/parts/Fact.tsx";
import { Simulated } from "@/parts/Status.tsx";
import { Tag, type Tone } from "@/parts/Tag.tsx";
import { Plain, Unfold } from "./Plain.tsx";
import { Calls } from "./TrialCalls.tsx";
import { Checks, Scores } from "./TrialChecks.tsx";
import { armName, NONE, priceText, scoreText, type Trial } from "./view.ts";

/** One trial: what came of it, why it was graded so, and what the agent did. */
export function TrialPanel({ trial, choose }: { trial: Trial; choose: (attempt: number) => void }) {
  const { t } = useTranslation();
  const failed = trial.checks.filter(({ outcome }) => outcome === "failed").length;
  return (
    <Stack gap="md" data-testid="trial">
      {trial.attempts.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label={t("experiment.trial.attempt")}
          value={String(trial.attempt)}
          onChange={(value) => choose(Number(value))}
          data={trial.attempts.map(({ attempt, score }) => ({
            value: String(attempt),
            label: <Attempt number={attempt} score={score} scale={trial.scale} />,
          }))}
          style={{ maxWidth: "100%", overflowX: "auto" }}
        />
      )}
      <Head trial={trial} />
      {trial.error && (
        <Alert variant="default" icon={<IconAlertTriangle aria-hidden color="var(--whet-bad)" />}>
          <span style={{ overflowWrap: "anywhere" }}>{trial.error}</span>
        </Alert>
      )}
      <Tabs defaultValue="answer" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="answer">{t("experiment.trial.tabs.answer")}</Tabs.Tab>
          <Tabs.Tab
            value="checks"
            rightSection={failed > 0 ? <Tag tone="bad">{failed}</Tag> : null}
          >
            {t("experiment.trial.tabs.checks")}
          </Tabs.Tab>
          <Tabs.Tab value="scores">{t("experiment.trial.tabs.scores")}</Tabs.Tab>
          <Tabs.Tab value="session">{t("experiment.trial.tabs.session")}</Tabs.Tab>
          <Tabs.Tab value="task">{t("experiment.trial.tabs.task")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="answer">
          <Answer trial={trial} />
        </Tabs.Panel>
        <Tabs.Panel value="checks">
          <Checks trial={trial} />
        </Tabs.Panel>
        <Tabs.Panel value="scores">
          <Scores trial={trial} />
        </Tabs.Panel>
        <Tabs.Panel value="session">
          <Calls trial={trial} />
        </Tabs.Panel>
        <Tabs.Panel value="task">
          <Task trial={trial} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Attempt({
  number,
  score,
  scale,
}: {
  number: number;
  score: number | null;
  scale: number;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      {t("experiment.trial.number", { number })}{" "}
      <Text span size="xs" c="dimmed">
        {scoreText(score, scale, format)}
      </Text>
    </>
  );
}

function stateOf(
  trial: Trial,
): ["completed" | "failed" | "skipped" | "unscored" | "ungraded", Tone] {
  if (trial.status === "failed") return ["failed", "bad"];
  if (trial.status === "skipped") return ["skipped", "idle"];
  if (trial.grade_status === "failed") return ["ungraded", "warn"];
  return trial.score === null ? ["unscored", "warn"] : ["completed", "good"];
}

function Head({ trial }: { trial: Trial }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [state, tone] = stateOf(trial);
  const { input_tokens: input, output_tokens: output } = trial;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Tag tone={tone}>{t(`experiment.trial.status.${state}`)}</Tag>
        {trial.failure && <Tag tone="bad">{trial.failure}</Tag>}
        {trial.simulated && <Simulated />}
        <Text size="sm" c="dimmed">
          {armName(trial.arm_name, t)}
        </Text>
      </Group>
      <Group gap="lg" align="flex-start">
        <Fact name={t("experiment.trial.score")}>
          {scoreText(trial.score, trial.scale, format)}
        </Fact>
        <Fact name={t("experiment.trial.duration")}>
          {trial.duration_ms === null ? NONE : format.duration(trial.duration_ms / 1000)}
        </Fact>
        <Fact
          name={t("experiment.verdict.cost")}
          hint={
            input === null || output === null
              ? t("experiment.trial.tokensUnknown")
              : t("experiment.trial.tokens", {
                  input: format.count(input),
                  output: format.count(output),
                })
          }
        >
          {priceText(trial.cost_usd, t, format)}
        </Fact>
        <Fact
          name={t("experiment.columns.engine")}
          hint={trial.session_id ? t("experiment.trial.session", { id: trial.session_id }) : null}
        >
          {[trial.engine, trial.model === trial.engine ? null : trial.model]
            .filter(Boolean)
            .join(" · ") || NONE}
        </Fact>
      </Group>
    </Stack>
  );
}

function Answer({ trial }: { trial: Trial }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Stack gap="md">
      <Plain text={trial.answer} none={t("experiment.trial.noAnswer")} />
      <div>
        <Text fw={560} mb={4}>
          {t("experiment.trial.files")}
        </Text>
        {trial.files.length === 0 && <Text c="dimmed">{t("experiment.trial.noFiles")}</Text>}
        {trial.files.map((file, place) => (
          <Unfold
            key={file.path}
            isOpen={place === 0 && trial.files.length === 1}
            summary={
              <Text span ff="monospace" size="sm">
                {file.path}
              </Text>
            }
          >
            {file.content === null ? (
              <Text c="dimmed">
                {t("experiment.trial.binary", { size: format.count(file.size) })}
              </Text>
            ) : (
              <Plain
                text={file.content}
                none={t("experiment.trial.lostFile", { size: format.count(file.size) })}
              />
            )}
          </Unfold>
        ))}
        {trial.files_left_out > 0 && (
          <Text size="sm" c="dimmed" mt={4}>
            {t("experiment.trial.filesLeftOut", { count: trial.files_left_out })}
          </Text>
        )}
      </div>
    </Stack>
  );
}

function Task({ trial }: { trial: Trial }) {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <div>
        <Text fw={560} mb={4}>
          {t("experiment.trial.prompt")}
        </Text>
        <Plain text={trial.prompt} none={NONE} />
      </div>
      {trial.expected.length > 0 && (
        <div>
          <Text fw={560} mb={4}>
            {t("experiment.trial.expected")}
          </Text>
          <Plain text={trial.expected} />
        </div>
      )}
    </Stack>
  );
}
