import { Card, Group, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { DeltaPlot, reachOf } from "@/parts/DeltaPlot.tsx";
import { Simulated } from "@/parts/Status.tsx";
import { Tag } from "@/parts/Tag.tsx";
import { LOOKS, ShortVerdict, shortVerdict } from "@/parts/Verdict.tsx";
import classes from "./Home.module.css";
import type { Outcome } from "./queries.ts";
import { Name } from "./RunningNow.tsx";

export function Latest({ outcomes }: { outcomes: readonly Outcome[] }) {
  const { t } = useTranslation();
  const ends = outcomes.flatMap((one) => {
    const interval = intervalOf(one);
    return [one.delta ?? 0, interval?.low ?? 0, interval?.high ?? 0];
  });
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

type Compared = Outcome & { label: NonNullable<Outcome["label"]> };

const isCompared = (one: Outcome): one is Compared => one.label !== null;

/** The interval of what is said; too few cases for others have one of their own. */
function intervalOf(one: Outcome): Outcome["interval"] {
  if (!isCompared(one) || shortVerdict(one)[1] === "like_these") return one.interval;
  return one.on_these?.interval ?? null;
}

function Comparison({ one, reach }: { one: Outcome; reach: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!isCompared(one)) return <span />;
  const { delta } = one;
  const interval = intervalOf(one);
  const [tone] = LOOKS[shortVerdict(one)[0]];
  return (
    <div className={classes.comparison}>
      <ShortVerdict verdict={one} cases={one.cases} />
      {delta !== null && (
        <>
          <DeltaPlot
            delta={delta}
            low={interval?.low ?? null}
            high={interval?.high ?? null}
            reach={reach}
            tone={tone}
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
