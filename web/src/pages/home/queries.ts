import { queryOptions } from "@tanstack/react-query";
import { api, got, type Shape } from "@/api/client.ts";
import { ofKind } from "@/api/live.ts";

export type Running = Shape<"Running">;
export type Outcome = Shape<"Outcome">;

/** What is running and what came out last. */
export const home = () =>
  queryOptions({
    queryKey: ["home"],
    queryFn: () => got(api.GET("/v1/home")),
    meta: { live: ofKind("experiment.", "trial.", "eval.", "eval_", "job.") },
  });

/** Run the demo in the language that is spoken. */
export const startDemo = (language: string) =>
  got(api.POST("/v1/demo", { body: { language: language.startsWith("zh") ? "zh" : "en" } }));
