import { Accordion, Card, Group, SimpleGrid, Stack, Text, Title, Tooltip } from "@mantine/core";
import {
  IconArrowDownRight,
  IconArrowUpRight,
  IconEqual,
  IconHelpCircle,
  type IconProps,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { Fact } from "@/parts/Fact.tsx";
import type { Tone } from "@/parts/Tag.tsx";
import { Difference } from "./Range.tsx";
import {
  armNames,
  deltaText,
  intervalText,
  type Leg,
  NONE,
  points,
  priceText,
  type Verdict,
} from "./view.ts";

const LOOKS: Record<Verdict["label"], [Tone, ComponentType<IconProps>]> = {
  better: ["good", IconArrowUpRight],
  worse: ["bad", IconArrowDownRight],
  no_difference: ["idle", IconEqual],
  inconclusive: ["idle", IconHelpCircle],
};

/** What may be said of the comparison: in a word, in a sentence, in numbers. */
export function Verdicts({ leg, isRunning }: { leg: Leg; isRunning: boolean }) {
  const { t } = useTranslation();
  const [first, ...more] = leg.verdicts;
  if (!first) {
    return (
      <Card>
        <Title order={2}>{t("experiment.verdict.titles.none")}</Title>
        <Text c="dimmed" mt={4}>
          {leg.arms.length < 2 ? t("experiment.verdict.alone") : null}
          {leg.arms.length > 1 && isRunning ? t("experiment.verdict.waiting") : null}
          {leg.arms.length > 1 && !isRunning ? t("experiment.ranking.unranked") : null}
        </Text>
      </Card>
    );
  }
  return (
    <Card data-testid="verdict">
      <One leg={leg} verdict={first} />
      {more.length > 0 && (
        <Accordion variant="default" mt="sm" chevronPosition="left">
          <Accordion.Item value="more" style={{ border: 0 }}>
            <Accordion.Control px={0}>
              <Text size="sm">{t("experiment.verdict.more", { count: more.length })}</Text>
            </Accordion.Control>
            <Accordion.Panel>
              <Stack gap="lg">
                {more.map((verdict) => (
                  <One key={`${verdict.first} ${verdict.second}`} leg={leg} verdict={verdict} />
                ))}
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
    </Card>
  );
}

function One({ leg, verdict }: { leg: Leg; verdict: Verdict }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const names = armNames(leg, t);
  const first = names.get(verdict.first) ?? verdict.first;
  const second = names.get(verdict.second) ?? verdict.second;
  const [tone, Icon] = LOOKS[verdict.label];
  const words = verdict.words[i18n.language.startsWith("zh") ? "zh" : "en"];
  const delta = points(verdict.delta, leg.scale);
  return (
    <Stack gap="sm">
      <Group gap="sm" justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <Group gap={6}>
            <Icon size={24} stroke={2.2} color={`var(--whet-${tone})`} aria-hidden />
            <Title order={2} fz="1.375rem" c={`var(--whet-${tone})`}>
              {t(`experiment.verdict.titles.${verdict.label}`)}
            </Title>
          </Group>
          <Text mt={4} maw={720} style={{ overflowWrap: "anywhere" }}>
            {words ??
              t(`experiment.verdict.sentences.${delta === null ? "unknown" : verdict.label}`, {
                first,
                second,
                delta: delta === null ? NONE : format.number(Math.abs(delta)),
              })}
          </Text>
        </div>
      </Group>
      {verdict.delta !== null && (
        <div style={{ maxWidth: 640 }}>
          <Difference
            delta={verdict.delta}
            interval={verdict.interval}
            scale={leg.scale}
            tone={tone}
          />
        </div>
      )}
      <Numbers verdict={verdict} scale={leg.scale} />
      {verdict.excluded.length > 0 && (
        <details>
          <summary>{t("experiment.verdict.excluded", { count: verdict.excluded.length })}</summary>
          {verdict.excluded.map((one) => (
            <Text key={one} size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
              {one}
            </Text>
          ))}
        </details>
      )}
    </Stack>
  );
}

function Numbers({ verdict, scale }: { verdict: Verdict; scale: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const level = format.percent(verdict.interval?.level ?? 0.95);
  const effect = points(verdict.smallest_effect, scale);
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="md">
      <Fact name={t("experiment.verdict.delta")}>{deltaText(verdict.delta, scale, format)}</Fact>
      <Fact name={t("experiment.verdict.interval", { level })}>
        {intervalText(verdict.interval, scale, format, { signed: true })}
      </Fact>
      <Fact name={t("experiment.verdict.cases")}>{format.count(verdict.n_cases)}</Fact>
      {verdict.trials !== null && (
        <Fact name={t("experiment.verdict.trials")}>{format.count(verdict.trials)}</Fact>
      )}
      <Fact name={t("experiment.verdict.cost")}>{priceText(verdict.cost_usd, t, format)}</Fact>
      {effect !== null && (
        <Tooltip label={t("experiment.verdict.effectHint")}>
          <div>
            <Fact name={t("experiment.verdict.effect")}>{format.number(effect)}</Fact>
          </div>
        </Tooltip>
      )}
    </SimpleGrid>
  );
}
