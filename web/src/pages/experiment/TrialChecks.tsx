import { Group, Stack, Table, Text } from "@mantine/core";
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconCircleX,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Shape } from "@/api/client.ts";
import { useFormat } from "@/format.ts";
import { Tag } from "@/parts/Tag.tsx";
import { Plain, Unfold } from "./Plain.tsx";
import { dimensionName, NONE, type Trial } from "./view.ts";

type Check = Shape<"CheckView">;

const LOOKS = {
  passed: ["good", IconCircleCheck],
  failed: ["bad", IconCircleX],
  vacuous: ["warn", IconCircleMinus],
  skipped: ["idle", IconCircleDashed],
} as const;

/** What was expected, whether it was met, and how one can tell. */
export function Checks({ trial }: { trial: Trial }) {
  const { t } = useTranslation();
  if (trial.checks.length === 0) {
    return <Text c="dimmed">{t("experiment.trial.noChecks")}</Text>;
  }
  return (
    <Stack gap="sm" data-testid="checks">
      {trial.gate_passed === false && (
        <Text>
          <Tag tone="bad">{t("experiment.trial.gate.failed")}</Tag> {t("experiment.trial.gateHint")}
        </Text>
      )}
      <div>
        {trial.checks.map((check, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two checks may say the same
          <One key={place} check={check} />
        ))}
      </div>
    </Stack>
  );
}

function One({ check }: { check: Check }) {
  const { t } = useTranslation();
  const [tone, Icon] = LOOKS[check.outcome];
  return (
    <Unfold
      isOpen={check.outcome === "failed"}
      summary={
        <>
          <Tag tone={tone} icon={<Icon size={13} stroke={2} aria-hidden />}>
            {t(`experiment.trial.check.${check.outcome}`)}
          </Tag>
          <span>
            {check.id && (
              <Text span ff="monospace" size="xs" c="dimmed">
                {check.id}{" "}
              </Text>
            )}
            {check.text}
          </span>
          {check.critical && <Tag tone="idle">{t("experiment.trial.critical")}</Tag>}
          {check.judged && <Tag tone="idle">{t("experiment.trial.judged")}</Tag>}
        </>
      }
    >
      <Plain text={check.evidence} none={t("experiment.trial.noEvidence")} isLow />
      {check.error && (
        <Text size="sm" mt={4}>
          {check.error}
        </Text>
      )}
    </Unfold>
  );
}

/** The scores of the judges with their reasons. */
export function Scores({ trial }: { trial: Trial }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (trial.dimensions.length + trial.opinions.length + trial.reasoning.length === 0) {
    return <Text c="dimmed">{t("experiment.trial.noScores")}</Text>;
  }
  return (
    <Stack gap="md">
      {trial.dimensions.length > 0 && (
        <Table aria-label={t("experiment.dimensions.title")} tabularNums>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("experiment.trial.dimension")}</Table.Th>
              <Table.Th>{t("experiment.trial.score")}</Table.Th>
              <Table.Th>{t("experiment.trial.reasons")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {trial.dimensions.map((one) => (
              <Table.Tr key={one.name}>
                <Table.Td>{dimensionName(one.name, t)}</Table.Td>
                <Table.Td style={{ whiteSpace: "nowrap" }}>
                  {one.score === null ? NONE : format.number(one.score, 1)}
                  {one.maximum !== null && (
                    <Text span size="xs" c="dimmed">
                      {` / ${format.number(one.maximum, 0)}`}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td style={{ overflowWrap: "anywhere" }}>
                  {one.evidence.text || NONE}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {trial.reasoning.length > 0 && (
        <div>
          <Text fw={560} mb={4}>
            {t("experiment.trial.reasoning")}
          </Text>
          <Plain text={trial.reasoning} isLow />
        </div>
      )}
      {trial.claims.length > 0 && <Claims trial={trial} />}
      {trial.opinions.length > 1 && <Opinions trial={trial} />}
    </Stack>
  );
}

function Claims({ trial }: { trial: Trial }) {
  const { t } = useTranslation();
  return (
    <div>
      <Text fw={560} mb={4}>
        {t("experiment.trial.claims")}
      </Text>
      {trial.claims.map((one) => (
        <Group key={one.claim} gap="xs" wrap="nowrap" align="baseline" mb={4}>
          <Tag tone={one.verified ? "good" : "bad"}>
            {one.verified ? t("experiment.trial.verified") : t("experiment.trial.refuted")}
          </Tag>
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            {one.claim}
            {one.evidence && (
              <Text span size="sm" c="dimmed">
                {` – ${one.evidence}`}
              </Text>
            )}
          </Text>
        </Group>
      ))}
    </div>
  );
}

function Opinions({ trial }: { trial: Trial }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div>
      <Text fw={560} mb={4}>
        {t("experiment.trial.opinions")}
      </Text>
      {trial.opinions.map((one) => (
        <Text key={`${one.judge} ${one.model} ${one.reading}`} size="sm">
          {[one.judge, one.model].filter(Boolean).join(" ")},{" "}
          {t("experiment.trial.reading", { number: one.reading })}:{" "}
          {one.score === null ? (one.error ?? one.status) : format.number(one.score * 100)}
        </Text>
      ))}
    </div>
  );
}
