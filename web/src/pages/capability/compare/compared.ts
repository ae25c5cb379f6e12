import type { Shape } from "@/api/client.ts";

export type Comparison = Shape<"RunComparison">;
export type ComparedRun = Shape<"ComparedRun">;
export type Difference = Shape<"RunDifference">;
export type ComparedItem = Shape<"ComparedItem">;
export type Change = ComparedItem["change"];

/** Where two runs went apart. */
export const FLIPS: readonly Change[] = ["newly_passed", "newly_failed"];

export const CHANGES: readonly Change[] = [
  "newly_passed",
  "newly_failed",
  "still_passed",
  "still_failed",
  "not_measured",
  "other_prompt",
  "only_reference",
  "only_run",
];

/** A name for each run: its model, and a number where several have the same. */
export function namesOf(
  runs: readonly { run_id: string; model_name: string }[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  runs.forEach((run, place) => {
    const isAlone = runs.filter(({ model_name }) => model_name === run.model_name).length === 1;
    names.set(run.run_id, isAlone ? run.model_name : `${run.model_name} #${place + 1}`);
  });
  return names;
}

/** Which cases to show: those of one change, those that flipped, or all. */
export function casesOf(
  { cases }: Difference,
  wanted: Change | "flipped" | "every",
): readonly ComparedItem[] {
  if (wanted === "every") return cases;
  const changes = wanted === "flipped" ? FLIPS : [wanted];
  return cases.filter(({ change }) => changes.includes(change));
}
