/** The two scopes of a verdict: cases like these, and these cases alone. */
import type { Format } from "@/format.ts";
import type { Translate } from "@/i18n/index.ts";
import { COMFORTABLE_CASES, FEWEST_CASES, fewestRuns, type Scope } from "@/parts/Verdict.tsx";
import { type Interval, points, type Verdict } from "./view.ts";

/** What is said in one scope. */
export interface Finding {
  scope: Scope;
  label: Verdict["label"];
  interval: Interval | null;
  p_value: number | null;
  smallest_effect: number | null;
  needs: "cases" | "repeats" | null;
  /** Cases, or attempts at each, that would settle what is open. */
  settled_by: number | null;
}

/** Both scopes; results of older versions have one. */
export function scopesOf(verdict: Verdict): Finding[] {
  const { on_these } = verdict;
  const like: Finding = { ...verdict, scope: "like_these", settled_by: verdict.cases_needed };
  if (!on_these) return [like];
  return [like, { ...on_these, scope: "on_these", settled_by: on_these.runs_needed }];
}

const isZero = ({ low, high }: Interval) => low === 0 && high === 0;
const excludesZero = ({ low, high }: Interval) => low > 0 || high < 0;

/** Whether more of the same would settle it: not where nothing differs, nor among several. */
function isOpen({ label, needs, interval }: Finding): boolean {
  if (label !== "inconclusive" || needs) return false;
  return !interval || !(isZero(interval) || excludesZero(interval));
}

/** What a scope says, in a sentence. */
export function sentenceOf(
  finding: Finding,
  verdict: Verdict,
  scale: number,
  pair: { first: string; second: string },
  t: Translate,
  format: Format,
): string {
  const { label, needs, interval } = finding;
  if (needs === "repeats") return t("experiment.verdict.sentences.too_few_runs");
  if (needs === "cases") {
    return verdict.n_cases < FEWEST_CASES
      ? t("experiment.verdict.sentences.too_few_cases")
      : t("experiment.verdict.sentences.shared_fixtures");
  }
  if (isOpen(finding) && finding.smallest_effect !== null) {
    const effect = format.number(points(finding.smallest_effect, scale));
    return t("experiment.verdict.sentences.missed", { effect });
  }
  if (label === "inconclusive" && interval && !isOpen(finding)) {
    return t(`experiment.verdict.sentences.${isZero(interval) ? "alike" : "not_alone"}`);
  }
  const delta = format.number(Math.abs(points(verdict.delta ?? 0, scale)));
  return t(`experiment.verdict.sentences.${label}`, { ...pair, delta });
}

/** What a scope lacks to say anything, or to settle what is open. */
export function neededOf(
  finding: Finding,
  verdict: Verdict,
  t: Translate,
  format: Format,
): { name: string; said: string } | null {
  const { needs, settled_by, scope } = finding;
  const amounts = { least: FEWEST_CASES, better: COMFORTABLE_CASES };
  if (needs === "cases") {
    const unit = verdict.n_cases < FEWEST_CASES ? "cases" : "fixtures";
    const said = t(`experiment.verdict.needs.${unit}`, amounts);
    return { name: t("experiment.verdict.needed"), said };
  }
  if (needs === "repeats") {
    const said = t("experiment.verdict.needs.runs", { count: fewestRuns(verdict.n_cases) });
    return { name: t("experiment.verdict.needed"), said };
  }
  if (settled_by === null || !isOpen(finding)) return null;
  const unit = scope === "like_these" ? "cases" : "runs";
  const said = t(`experiment.verdict.settles.${unit}`, { count: format.count(settled_by) });
  return { name: t("experiment.verdict.settled"), said };
}
