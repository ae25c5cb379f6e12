import { Card, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type Format, useFormat } from "@/format.ts";
import classes from "./Body.module.css";
import type { Leg, View } from "./view.ts";

const LEAST = 0.001;

/** No chance is nothing at all: a very small one is said to be smaller than one that can be read. */
const chance = (p: number, format: Format) =>
  p < LEAST ? `< ${format.number(LEAST, 3)}` : format.number(p, 3);

/** Who worked and judged, how often, and by which rules it is counted. */
export function Method({ view, leg }: { view: View; leg: Leg }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { engine, verdicts, weights } = leg;
  const [verdict] = verdicts;
  const parts = (["structural", "rubric"] as const).flatMap((part) => {
    const share = weights[part];
    return share === undefined
      ? []
      : [t(`experiment.method.parts.${part}`, { share: format.percent(share) })];
  });
  const p = verdict?.p_value ?? null;
  const facts: [string, string][] = [
    [t("experiment.method.engine"), [engine.engine, engine.version].filter(Boolean).join(" ")],
    [t("experiment.method.model"), engine.model],
    [t("experiment.method.judges"), view.judges.join(", ")],
    [t("experiment.method.sandbox"), engine.sandbox ?? ""],
    [t("experiment.method.attempts"), leg.attempts > 0 ? format.count(leg.attempts) : ""],
    [t("experiment.method.weights"), parts.join(" · ")],
    [t("experiment.method.interval"), verdict?.interval?.method ?? ""],
    [t("experiment.verdict.p"), p === null ? "" : chance(p, format)],
    [t("experiment.method.iteration"), leg.iteration === null ? "" : format.count(leg.iteration)],
  ];
  return (
    <Card>
      <Title order={2} mb="xs">
        {t("experiment.method.title")}
      </Title>
      <dl className={classes.facts}>
        {facts
          .filter(([, said]) => said !== "")
          .map(([name, said]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{said}</dd>
            </div>
          ))}
      </dl>
    </Card>
  );
}
