import { Card, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type Format, useFormat } from "@/format.ts";
import type { Scope } from "@/parts/Verdict.tsx";
import classes from "./Body.module.css";
import { scopesOf } from "./scopes.ts";
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
  const parts = (["pass_rate", "rubric_normalized"] as const).flatMap((part) => {
    const share = weights[part];
    return share === undefined
      ? []
      : [t(`experiment.method.parts.${part}`, { share: format.percent(share) })];
  });
  const scopes = verdict ? scopesOf(verdict) : [];
  const scoped = (name: string, scope: Scope) =>
    scopes.length < 2
      ? name
      : t("experiment.method.scoped", {
          name,
          scope: t(`states.scopes.${scope}`, { count: verdict?.n_cases ?? 0 }),
        });
  const facts: [string, string][] = [
    [t("experiment.method.engine"), [engine.engine, engine.version].filter(Boolean).join(" ")],
    [t("experiment.method.model"), engine.model],
    [t("experiment.method.judges"), view.judges.join(", ")],
    [t("experiment.method.sandbox"), engine.sandbox ?? ""],
    [t("experiment.method.attempts"), leg.attempts > 0 ? format.count(leg.attempts) : ""],
    [t("experiment.method.weights"), parts.join(" · ")],
    ...scopes.flatMap(({ scope, interval, p_value }): [string, string][] => [
      [scoped(t("experiment.method.interval"), scope), interval?.method ?? ""],
      [scoped(t("experiment.verdict.p"), scope), p_value === null ? "" : chance(p_value, format)],
    ]),
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
