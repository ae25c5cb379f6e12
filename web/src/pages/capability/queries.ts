import { queryOptions } from "@tanstack/react-query";
import { api, got } from "@/api/client.ts";
import { ofKind } from "@/api/live.ts";

/** The newest capability runs. */
export const capabilityRuns = () =>
  queryOptions({
    queryKey: ["capability"],
    queryFn: () => got(api.GET("/v1/evaluation/runs", { params: { query: { limit: 50 } } })),
    meta: { live: ofKind("eval_") },
  });
