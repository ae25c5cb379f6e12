import { Card, Group, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { DeltaPlot, reachOf } from "@/parts/DeltaPlot.tsx";
import { Simulated, VerdictTag } from "@/parts/Status.tsx";
import { Tag } from "@/parts/Tag.tsx";
import classes from "./Home.module.css";
import type { Outcome } from "./queries.ts";
import { Name } from "./RunningNow.tsx";

export function Latest({ outcomes }: { outcomes: readonly Outcome[] }) {
  const { t } = useTranslation();
  const ends = outcomes.flatMap(({ delta, interval }) => [
    delta ?? 0,
    interval?.low ?? 0,
    interval?.high ?? 0,
  ]);
  const reach = reachOf(ends);
  return (
    <section aria-labelledby="latest">
      <Title order={2} mb="sm" id="latest">
        {t("home.latest")}
      </Title>
      {outcomes.length === 0 ? (
        <Text c="dimmed">{t("home.nothingLatest")}</Text>
      ) : (
        <Card p={0}>
          <ul className={classes.outcomes}>
            {outcomes.map((one) => (
              <li key={`${one.kind} ${one.id} ${one.engine}`} className={classes.outcome}>
                <Line one={one} reach={reach} />
              </li>
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}

function Line({ one, reach }: { one: Outcome; reach: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <div className={classes.what}>
        <Group gap="xs">
          <Name one={one} />
          {one.simulated && <Simulated />}
          {!one.complete && <Tag tone="warn">{t("home.partial")}</Tag>}
        </Group>
        <Text size="sm" c="dimmed">
          {[
            t(`home.kinds.${one.kind}`),
            one.simulated ? "" : one.engine,
            sides(one, t),
            format.ago(one.at),
          ]
            .filter(Boolean)
            .join(" · ")}
        </Text>
      </div>
      <Comparison one={one} reach={reach} />
      <Text ta="right" className={classes.score ?? ""}>
        {one.score === null ? null : t("home.score", { score: format.number(one.score) })}
      </Text>
    </>
  );
}

type Translate = ReturnType<typeof useTranslation>["t"];

function sides(one: Outcome, t: Translate): string {
  if (one.first && one.second) return t("home.leads", { first: one.first, second: one.second });
  if (one.first) return t("home.alone", { first: one.first });
  return one.cases === null ? "" : t("home.cases", { count: one.cases });
}

const TONES = {
  better: "good",
  worse: "bad",
  no_difference: "idle",
  inconclusive: "idle",
} as const;

function Comparison({ one, reach }: { one: Outcome; reach: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { delta, interval, label } = one;
  if (label === null) return <span />;
  return (
    <div className={classes.comparison}>
      <VerdictTag label={label} />
      {delta !== null && (
        <>
          <DeltaPlot
            delta={delta}
            low={interval?.low ?? null}
            high={interval?.high ?? null}
            reach={reach}
            tone={TONES[label]}
          />
          <div>
            <Text fw={600}>
              {t("home.points", {
                count: Math.abs(delta) === 1 ? 1 : 2,
                value: format.signed(delta),
              })}
            </Text>
            {interval && (
              <Text size="xs" c="dimmed">
                {t("home.intervalOf", {
                  level: format.percent(interval.level),
                  low: format.signed(interval.low),
                  high: format.signed(interval.high),
                })}
              </Text>
            )}
          </div>
        </>
      )}
    </div>
  );
}
