/** What an experiment looks like: pure, and the same for the page and for a report in a file. */
import type { Shape } from "@/api/client.ts";
import type { Format } from "@/format.ts";
import type { Translate, Words } from "@/i18n/index.ts";

export type View = Shape<"ExperimentView">;
export type Leg = Shape<"LegView">;
export type Arm = Shape<"ArmView">;
export type Case = Shape<"CaseView">;
export type Cell = Shape<"CellView">;
export type Verdict = Shape<"VerdictCard">;
export type Interval = Shape<"IntervalView">;
export type Trial = Shape<"TrialView">;

/** What is in the file of a report: no endpoint gives it out, so the contract does not have it. */
export interface ReportData {
  language: string;
  version: string;
  generated_at: string;
  view: View;
  trials: readonly Trial[];
  left_out: number;
}

/** One trial of an experiment. */
export interface Place {
  leg: number;
  arm: string;
  case: string;
  set: string;
  attempt: number;
}

/** The name of a place, as trials of a report are found by it. */
export function placeName(place: Place): string {
  return JSON.stringify([place.leg, place.set, place.case, place.arm, place.attempt]);
}

const POINTS = 100;

/** A number on the scale of a leg in points of 100; what is unknown stays unknown. */
export function points(value: number, scale: number): number;
export function points(value: number | null, scale: number): number | null;
export function points(value: number | null, scale: number): number | null {
  return value === null ? null : (value / scale) * POINTS;
}

export const NONE = "–";

export function scoreText(value: number | null, scale: number, format: Format): string {
  const found = points(value, scale);
  return found === null ? NONE : format.number(found);
}

export function deltaText(value: number | null, scale: number, format: Format): string {
  const found = points(value, scale);
  return found === null ? NONE : format.signed(found);
}

export function intervalText(
  interval: Interval | null,
  scale: number,
  format: Format,
  { signed = false } = {},
): string {
  if (interval === null) return NONE;
  const text = signed ? deltaText : scoreText;
  return `${text(interval.low, scale, format)} … ${text(interval.high, scale, format)}`;
}

/** What agents cost. Unknown is not free, and what is known in part is a lower bound. */
export function costText(cost: Shape<"CostView">, t: Translate, format: Format): string {
  // At least nothing would say nothing.
  if (!cost.usd && cost.unknown > 0) return t("numbers.unknownCost");
  if (cost.usd === null) return NONE;
  const sum = priceText(cost.usd, t, format);
  return cost.unknown > 0 ? t("experiment.facts.atLeast", { value: sum }) : sum;
}

/** What one thing cost; unknown is not free. */
export function priceText(usd: number | null, t: Translate, format: Format): string {
  if (usd === null) return t("numbers.unknownCost");
  return usd === 0 ? t("numbers.free") : format.money(usd);
}

export type Mark = "failed" | "gate" | "unscored" | "missing" | "waiting" | "flaky";

/** What a person has to know of a cell besides its score. */
export function marksOf(cell: Cell, isRunning: boolean): Mark[] {
  const found: Mark[] = [];
  if (cell.failed > 0) found.push("failed");
  if ((cell.gate_failed ?? 0) > 0) found.push("gate");
  if (cell.unscored > 0) found.push("unscored");
  if (cell.missing > 0) found.push(isRunning ? "waiting" : "missing");
  if (cell.flaky) found.push("flaky");
  return found;
}

/** Whether a person should look at it; what is only still to come is no trouble. */
export function isTroubled(row: Case, isRunning: boolean): boolean {
  return row.cells.some((cell) => marksOf(cell, isRunning).some((mark) => mark !== "waiting"));
}

export const STEPS = 5;

/** The shade of a score from 0 to 4; null where there is none. */
export function stepOf(mean: number | null, scale: number): number | null {
  if (mean === null) return null;
  return Math.max(0, Math.min(STEPS - 1, Math.floor((mean / scale) * STEPS)));
}

export type Order = "plan" | "name" | "lowest" | "widest";

function lowest(row: Case): number {
  const scores = row.cells.flatMap(({ mean }) => (mean === null ? [] : [mean]));
  return scores.length > 0 ? Math.min(...scores) : Number.POSITIVE_INFINITY;
}

function width(row: Case): number {
  if (row.delta !== null) return Math.abs(row.delta);
  const scores = row.cells.flatMap(({ mean }) => (mean === null ? [] : [mean]));
  return scores.length > 1 ? Math.max(...scores) - Math.min(...scores) : -1;
}

/** Cases in an order; equals stay as they were planned. */
export function ordered(rows: readonly Case[], order: Order, language: string): readonly Case[] {
  if (order === "plan") return rows;
  const sorted = [...rows];
  if (order === "name") {
    const { compare } = new Intl.Collator(language, { numeric: true });
    return sorted.sort((a, b) => compare(a.name, b.name));
  }
  if (order === "lowest") return sorted.sort((a, b) => lowest(a) - lowest(b));
  return sorted.sort((a, b) => width(b) - width(a));
}

type ArmName = keyof Words["experiment"]["arms"];
const ARMS: readonly ArmName[] = ["with_skill", "without_skill", "old_skill", "new_skill"];

/** The name of a side of an eval in words; a skill's own name stays as it is. */
export function armName(name: string, t: Translate): string {
  const known = ARMS.find((one) => one === name);
  return known ? t(`experiment.arms.${known}`) : name;
}

type DimensionName = keyof Words["experiment"]["dimensions"]["names"];
const DIMENSIONS: readonly DimensionName[] = [
  "functional_correctness",
  "correctness",
  "robustness",
  "readability",
  "conciseness",
  "complexity_control",
  "format_compliance",
];

export function dimensionName(name: string, t: Translate): string {
  const known = DIMENSIONS.find((one) => one === name);
  return known ? t(`experiment.dimensions.names.${known}`) : name.replaceAll("_", " ");
}

/** Names of arms by their ids; two versions of one skill are told apart. */
export function armNames(leg: Leg, t: Translate): Map<string, string> {
  const count = new Map<string, number>();
  for (const arm of leg.arms) count.set(arm.name, (count.get(arm.name) ?? 0) + 1);
  return new Map(
    leg.arms.map((arm) => {
      const name = armName(arm.name, t);
      const isTwin = (count.get(arm.name) ?? 0) > 1 && arm.version !== null;
      return [arm.id, isTwin ? `${name} ${arm.version}` : name];
    }),
  );
}

/** Whose engine: with its model where that says more. */
export function engineName({ engine, model }: { engine: string; model: string }): string {
  return model === engine || model === "default" ? engine : `${engine}:${model}`;
}
