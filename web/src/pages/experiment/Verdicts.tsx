import { Accordion, Card, Group, SimpleGrid, Stack, Text, Title, Tooltip } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { reachOf } from "@/parts/DeltaPlot.tsx";
import { Fact } from "@/parts/Fact.tsx";
import { LOOKS, saidOf } from "@/parts/Verdict.tsx";
import { Difference } from "./Range.tsx";
import { type Finding, neededOf, scopesOf, sentenceOf } from "./scopes.ts";
import {
  armNames,
  deltaText,
  intervalText,
  type Leg,
  points,
  priceText,
  type Verdict,
} from "./view.ts";

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
  const pair = {
    first: names.get(verdict.first) ?? verdict.first,
    second: names.get(verdict.second) ?? verdict.second,
  };
  const words = verdict.words[i18n.language.startsWith("zh") ? "zh" : "en"];
  const scopes = scopesOf(verdict);
  const ends = scopes.flatMap(({ interval }) => (interval ? [interval.low, interval.high] : []));
  const reach = reachOf([...ends, verdict.delta ?? 0].map((end) => points(end, leg.scale)));
  const lead =
    verdict.delta === null ? t("experiment.verdict.sentences.unknown", pair) : (words ?? null);
  return (
    <Stack gap="md">
      <div>
        <Title order={2} style={{ overflowWrap: "anywhere" }}>
          {verdict.delta === null
            ? t("experiment.verdict.pair", pair)
            : t("experiment.verdict.against", {
                ...pair,
                delta: deltaText(verdict.delta, leg.scale, format),
              })}
        </Title>
        {lead && (
          <Text mt={4} maw={760} style={{ overflowWrap: "anywhere" }}>
            {lead}
          </Text>
        )}
      </div>
      {verdict.delta !== null && (
        <SimpleGrid cols={{ base: 1, sm: scopes.length }} spacing="xl">
          {scopes.map((finding) => (
            <InScope
              key={finding.scope}
              finding={finding}
              verdict={verdict}
              sentence={
                words === undefined ? sentenceOf(finding, verdict, leg.scale, pair, t, format) : ""
              }
              scale={leg.scale}
              reach={reach}
            />
          ))}
        </SimpleGrid>
      )}
      <Numbers verdict={verdict} />
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

/** What is known in one scope: the label, the interval, and what is missing. */
function InScope({
  finding,
  verdict,
  sentence,
  scale,
  reach,
}: {
  finding: Finding;
  verdict: Verdict;
  sentence: string;
  scale: number;
  reach: number;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const { scope, interval } = finding;
  const said = saidOf(finding.label, finding.needs);
  const [tone, Icon] = LOOKS[said];
  const effect = finding.needs ? null : points(finding.smallest_effect, scale);
  const needed = neededOf(finding, verdict, t, format);
  return (
    <Stack gap="sm" data-testid={scope} maw={640}>
      <div>
        <Text size="sm" c="dimmed">
          {t(`experiment.verdict.scopes.${scope}`, { count: verdict.n_cases })}
        </Text>
        <Group gap={6} wrap="nowrap">
          <Icon size={24} stroke={2.2} color={`var(--whet-${tone})`} aria-hidden />
          <Title order={3} fz="1.375rem" c={`var(--whet-${tone})`}>
            {t(`experiment.verdict.titles.${said}`)}
          </Title>
        </Group>
        {sentence && (
          <Text mt={4} style={{ overflowWrap: "anywhere" }}>
            {sentence}
          </Text>
        )}
      </div>
      {verdict.delta !== null && interval && (
        <Difference
          delta={verdict.delta}
          interval={interval}
          scale={scale}
          tone={tone}
          reach={reach}
        />
      )}
      <Group gap="0.5rem 2rem" align="flex-start">
        {interval && (
          <Fact name={t("experiment.verdict.interval", { level: format.percent(interval.level) })}>
            {intervalText(interval, scale, format, { signed: true })}
          </Fact>
        )}
        {effect !== null && (
          <Tooltip label={t("experiment.verdict.effectHint")}>
            <div>
              <Fact name={t("experiment.verdict.effect")}>{format.number(effect)}</Fact>
            </div>
          </Tooltip>
        )}
        {needed && <Fact name={needed.name}>{needed.said}</Fact>}
      </Group>
    </Stack>
  );
}

/** What both scopes rest on. */
function Numbers({ verdict }: { verdict: Verdict }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Group gap="0.5rem 2rem">
      <Fact name={t("experiment.verdict.cases")}>{format.count(verdict.n_cases)}</Fact>
      {verdict.trials !== null && (
        <Fact name={t("experiment.verdict.trials")}>{format.count(verdict.trials)}</Fact>
      )}
      <Fact name={t("experiment.verdict.cost")}>{priceText(verdict.cost_usd, t, format)}</Fact>
    </Group>
  );
}
