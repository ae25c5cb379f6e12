import { Stack, Text } from "@mantine/core";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { Shape } from "@/api/client.ts";
import { useFormat } from "@/format.ts";
import { Tag } from "@/parts/Tag.tsx";
import classes from "./Plain.module.css";
import { Plain, Unfold } from "./Plain.tsx";
import type { Trial } from "./view.ts";

/** What the agent did, call by call, and what it said. */
export function Calls({ trial }: { trial: Trial }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { calls, calls_total: total } = trial;
  return (
    <Stack gap="md">
      {calls.length === 0 ? (
        <Text c="dimmed">{t("experiment.trial.noCalls")}</Text>
      ) : (
        <div data-testid="calls">
          <Text size="sm" c="dimmed" mb={4}>
            {calls.length < total
              ? t("experiment.trial.callsShown", {
                  shown: format.count(calls.length),
                  total: format.count(total),
                })
              : t("experiment.trial.calls", { count: total })}
          </Text>
          {calls.map((call) => (
            <Call key={call.number} call={call} />
          ))}
        </div>
      )}
      {trial.messages.length > 0 && (
        <div>
          <Text fw={560} mb={4}>
            {t("experiment.trial.said")}
          </Text>
          <Stack gap="xs">
            {trial.messages.map((message, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: it may say the same twice
              <Plain key={place} text={message} isLow />
            ))}
          </Stack>
        </div>
      )}
    </Stack>
  );
}

const Call = memo(function Call({ call }: { call: Shape<"CallView"> }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Unfold
      summary={
        <>
          <span className={classes.number}>{call.number}</span>
          <span className={classes.tool}>{call.tool}</span>
          <span className={classes.subject}>{call.subject}</span>
          {call.failed && <Tag tone="bad">{t("experiment.trial.callFailed")}</Tag>}
          <span className={classes.aside}>{format.duration(call.duration_ms / 1000)}</span>
        </>
      }
    >
      <Plain text={call.output} none={t("experiment.trial.noOutput")} isLow />
    </Unfold>
  );
});
