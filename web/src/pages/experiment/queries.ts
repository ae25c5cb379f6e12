import { queryOptions } from "@tanstack/react-query";
import { api, got } from "@/api/client.ts";
import { about, ofKind } from "@/api/live.ts";
import type { Place, View } from "./view.ts";

const MOVES = ofKind("experiment.", "eval.", "trial.");

/** The projects of the workspace, the newest first. */
export const projects = (page = 1) =>
  queryOptions({
    queryKey: ["projects", { page }],
    queryFn: () => got(api.GET("/v1/projects", { params: { query: { page, page_size: 50 } } })),
    meta: { live: MOVES },
  });

/** The runs of suites, the newest first. */
export const evals = () =>
  queryOptions({
    queryKey: ["evals"],
    queryFn: () => got(api.GET("/v1/evals")),
    meta: { live: MOVES },
  });

/** An experiment as it is now, with a page of its cases. */
export const experimentView = (kind: View["kind"], identity: string, page: number) => {
  const asked = { params: { path: { identity }, query: { page } } };
  return queryOptions({
    queryKey: ["experiment", kind, identity, { page }],
    queryFn: () => got(api.GET("/v1/runs/{identity}/view", asked)),
    meta: { live: about(identity) },
  });
};

/** One trial; it changes only where it is tried again. */
export const trialView = (kind: View["kind"], identity: string, place: Place | null) => {
  const { leg, arm, case: name, set, attempt } = place ?? NOWHERE;
  const path = { identity };
  return queryOptions({
    queryKey: ["experiment", kind, identity, "trial", place],
    queryFn: () =>
      got(
        api.GET("/v1/runs/{identity}/view/trial", {
          params: { path, query: { arm, case: name, attempt, leg, ...(set ? { set } : {}) } },
        }),
      ),
  });
};

const NOWHERE: Place = { leg: 0, arm: "", case: "", set: "", attempt: 1 };

const LIBRARY_MS = 3000;

/** What a comparison can be made of: as many as are listed at once. */
export const assets = (kind: "skills" | "baselines") => {
  const asked = { params: { query: { page_size: 100, sort: "name", order: "asc" } } } as const;
  return queryOptions({
    queryKey: ["assets", kind],
    // No event tells of a folder that somebody fills by hand, or of one that is not yet in the index.
    staleTime: 0,
    refetchInterval: LIBRARY_MS,
    queryFn: () =>
      kind === "skills" ? got(api.GET("/v1/skills", asked)) : got(api.GET("/v1/baselines", asked)),
  });
};

/** The agents that are there. */
export const engines = () =>
  queryOptions({ queryKey: ["engines"], queryFn: () => got(api.GET("/v1/engines")) });
