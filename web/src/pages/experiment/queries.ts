import { queryOptions } from "@tanstack/react-query";
import { api, got } from "@/api/client.ts";
import { about, ofKind } from "@/api/live.ts";

const MOVES = ofKind("experiment.", "eval.", "trial.");

/** The projects of the workspace, the newest first. */
export const projects = (page = 1) =>
  queryOptions({
    queryKey: ["projects", { page }],
    queryFn: () => got(api.GET("/v1/projects", { params: { query: { page, page_size: 50 } } })),
    meta: { live: MOVES },
  });

/** How far a project is. */
export const projectStatus = (reference: string) =>
  queryOptions({
    queryKey: ["project", reference, "status"],
    queryFn: () =>
      got(api.GET("/v1/projects/{reference}/status", { params: { path: { reference } } })),
    meta: { live: about(reference) },
  });

/** The runs of suites, the newest first. */
export const evals = () =>
  queryOptions({
    queryKey: ["evals"],
    queryFn: () => got(api.GET("/v1/evals")),
    meta: { live: MOVES },
  });

/** One run of a suite with its benchmarks. */
export const evaluation = (identity: string) =>
  queryOptions({
    queryKey: ["eval", identity],
    queryFn: () => got(api.GET("/v1/evals/{identity}", { params: { path: { identity } } })),
    meta: { live: about(identity) },
  });
