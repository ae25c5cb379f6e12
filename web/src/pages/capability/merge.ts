import type { WhetEvent } from "@/api/events.ts";
import type { Detail, Item, Run } from "./queries.ts";

const FIGURES = [
  "counts",
  "measured_cases",
  "dimension_scores",
  "total_score",
  "total_score_measured",
  "seconds_left",
] as const;

/**
 * What was fetched of a run, with what was told since. Events are in order and none is left out, so
 * that an older word on a case, which a fetch knew better, is soon followed by the newer one.
 */
export function merged(detail: Detail, events: readonly WhetEvent[]): Detail {
  let { run, items } = detail;
  const mine = events.filter((event) => event.subject === detail.run.run_id);
  const told = new Map<string, Item>();
  for (const { kind, data } of mine) {
    if (kind === "eval_item") told.set(String(data.case_id), data as unknown as Item);
    else if (kind === "eval_progress") run = withFigures(run, data);
    else if (kind === "eval_finished") run = ended(data as unknown as Run);
  }
  if (told.size > 0) items = withItems(items, told);
  return run === detail.run && items === detail.items ? detail : { ...detail, run, items };
}

/** The scores as the server has worked them out; what it does not tell is not there any more. */
function withFigures(run: Run, data: Record<string, unknown>): Run {
  const figures = Object.fromEntries(FIGURES.map((name) => [name, data[name]]));
  return { ...run, ...figures } as Run;
}

function ended(run: Run): Run {
  const { seconds_left: _none, reclaimable: _neither, ...rest } = run;
  return rest as Run;
}

function withItems(items: readonly Item[], told: ReadonlyMap<string, Item>): Item[] {
  const rest = new Map(told);
  const found = items.map((item) => {
    const newer = rest.get(item.case_id);
    rest.delete(item.case_id);
    return newer ?? item;
  });
  return [...found, ...rest.values()];
}
