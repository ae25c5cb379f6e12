import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, got, type Shape } from "@/api/client.ts";
import { asProblem, type Problem } from "@/api/problem.ts";
import type { Body } from "../wish.ts";

export interface Starting {
  /** A refusal that a person can do something about in the form. */
  problem: Problem | null;
  isBusy: boolean;
  /** What has to be agreed to first. */
  unconfirmed: Body | null;
  begin(body: Body): void;
  agree(): void;
  forget(): void;
}

/** Starts a run and goes to it; what may cost much is kept until somebody agrees. */
export function useStart(): Starting {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [unconfirmed, keep] = useState<Body | null>(null);
  const start = useMutation({
    // Without a stream the answer is always this.
    mutationFn: async (body: Body) =>
      (await got(api.POST("/v1/evaluation/runs", { body }))) as Shape<"EvaluationStarted">,
    onSuccess: ({ run_id }) => {
      keep(null);
      void client.invalidateQueries({ queryKey: ["capability", "runs"] });
      void navigate({ to: "/capability/runs/$run", params: { run: run_id } });
    },
    onError: (error, body) => {
      const isAsked = asProblem(error).code === "confirmation_needed";
      keep(isAsked ? body : null);
    },
  });
  const problem = start.error ? asProblem(start.error) : null;
  return {
    problem: problem?.code === "confirmation_needed" ? null : problem,
    isBusy: start.isPending,
    unconfirmed,
    begin: (body) => start.mutate(body),
    agree: () => unconfirmed && start.mutate({ ...unconfirmed, confirmed: true }),
    forget: () => {
      keep(null);
      start.reset();
    },
  };
}
