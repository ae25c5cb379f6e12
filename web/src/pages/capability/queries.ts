import { queryOptions } from "@tanstack/react-query";
import { api, got, type Shape } from "@/api/client.ts";
import { type Live, ofKind } from "@/api/live.ts";

export type Run = Shape<"EvaluationRun">;
export type Detail = Shape<"EvaluationDetail">;
export type Item = Shape<"EvaluationItem">;
export type Dimension = Item["dimension"];
export type ItemStatus = Item["status"];

export const DIMENSIONS: readonly Dimension[] = ["tool", "logic", "common", "complex"];

/** Beginnings and ends. What lies between is told by the run itself. */
const TURNS = ofKind("eval_started", "eval_finished", "eval_deleted", "eval_log");

/** A run may be left behind by a process that was killed, and nobody tells that. */
const LOOK_AGAIN_MS = 3_000;
const LOOK_AT_ONE_AGAIN_MS = 5_000;

export interface RunsWanted {
  status?: Run["status"];
  limit?: number;
  offset?: number;
}

/** Capability runs, the newest first. */
export const capabilityRuns = ({ status, limit = 50, offset = 0 }: RunsWanted = {}) =>
  queryOptions({
    queryKey: ["capability", "runs", { status, limit, offset }],
    queryFn: () =>
      got(
        api.GET("/v1/evaluation/runs", {
          params: { query: { limit, offset, ...(status ? { status } : {}) } },
        }),
      ),
    meta: { live: TURNS },
    refetchInterval: ({ state }) =>
      state.data?.runs.some((run) => run.status === "running") ? LOOK_AGAIN_MS : false,
  });

export const runKey = (run: string) => ["capability", "run", run] as const;

const turnsOf =
  (run: string): Live =>
  (event) =>
    event.subject === run && event.kind !== "eval_finished" && TURNS(event);

/** One run with its items. While it runs, what is told of it is merged into what was fetched. */
export const capabilityRun = (run: string) =>
  queryOptions({
    queryKey: runKey(run),
    queryFn: () =>
      got(api.GET("/v1/evaluation/runs/{run_id}", { params: { path: { run_id: run } } })),
    meta: { live: turnsOf(run) },
    // Nobody merged anything while no page showed it.
    refetchOnMount: "always",
    refetchInterval: ({ state }) =>
      state.data?.run.status === "running" ? LOOK_AT_ONE_AGAIN_MS : false,
  });

/** What the cases of a run touch. */
export const runCoverage = (run: string) =>
  queryOptions({
    queryKey: ["capability", "run-coverage", run],
    queryFn: () =>
      got(api.GET("/v1/evaluation/runs/{run_id}/coverage", { params: { path: { run_id: run } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** What a set touches in a language. */
export const setCoverage = (caseSet: string, language: string) =>
  queryOptions({
    queryKey: ["capability", "coverage", caseSet, language],
    queryFn: () =>
      got(
        api.GET("/v1/evaluation/coverage", {
          params: { query: { case_set: caseSet, language } },
        }),
      ),
  });

export const caseSets = () =>
  queryOptions({
    queryKey: ["capability", "sets"],
    queryFn: () => got(api.GET("/v1/evaluation/case-sets")),
  });

export const engines = () =>
  queryOptions({
    queryKey: ["engines"],
    queryFn: () => got(api.GET("/v1/engines")),
  });

/** What a start would do. */
export const plan = (body: Shape<"EvaluationStart"> | null) =>
  queryOptions({
    queryKey: ["capability", "plan", body],
    queryFn: () =>
      got(api.POST("/v1/evaluation/plan", { body: body ?? { stream: false, confirmed: false } })),
    enabled: body !== null,
    retry: false,
  });

/** Runs held against the first of them. */
export const comparison = (runs: readonly string[]) =>
  queryOptions({
    queryKey: ["capability", "compare", runs],
    queryFn: () =>
      got(api.GET("/v1/evaluation/compare", { params: { query: { run_ids: runs.join(",") } } })),
    enabled: runs.length > 1,
  });

/** How alike runs are. */
export const stability = (runs: readonly string[]) =>
  queryOptions({
    queryKey: ["capability", "stability", runs],
    queryFn: () =>
      got(api.GET("/v1/evaluation/stability", { params: { query: { run_ids: runs.join(",") } } })),
    enabled: runs.length > 1,
  });
