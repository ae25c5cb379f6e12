import type { Shape } from "@/api/client.ts";

/** A project or a run of a suite, as the list shows it. */
export interface Row {
  kind: "project" | "eval";
  id: string;
  name: string;
  engine: string;
  status: string;
  /** How much of a completed one came to nothing. */
  failed: "all" | "some" | null;
  trials: number;
  /** How many of them came to something; null where the list does not know. */
  done: number | null;
  started: string;
}

function ofProject(item: Shape<"ProjectItem">): Row {
  const { completed, failed, skipped, unscored } = item.trials;
  return {
    kind: "project",
    id: item.id,
    name: item.name,
    engine: item.engine === item.model ? item.engine : `${item.engine}:${item.model}`,
    status: item.status,
    failed: item.failed === "all" || item.failed === "some" ? item.failed : null,
    trials: item.total_trials,
    done: completed + failed + skipped + unscored,
    started: item.created_at,
  };
}

function ofEval(found: Shape<"EvalState">): Row {
  const legs = found.legs.map(({ engine, model }) =>
    engine === model ? engine : `${engine}:${model}`,
  );
  return {
    kind: "eval",
    id: found.id,
    name: found.skill,
    engine: legs.join(", "),
    status: found.status,
    failed: null,
    trials: found.total_trials,
    done: found.status === "completed" ? found.total_trials : null,
    started: found.started_at,
  };
}

/** Both kinds in one list, the newest first. */
export function rowsOf(
  projects: readonly Shape<"ProjectItem">[],
  evals: readonly Shape<"EvalState">[],
): Row[] {
  const all = [...projects.map(ofProject), ...evals.map(ofEval)];
  return all.sort((a, b) => Date.parse(b.started) - Date.parse(a.started));
}
