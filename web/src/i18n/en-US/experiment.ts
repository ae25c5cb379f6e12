export const experiment = {
  title: "Experiments",
  about:
    "Projects compare skills on baselines; evals compare a skill with its absence or its past.",
  empty: "No experiments yet",
  emptyHint: "Start the demo from the home page, or run `whet eval SKILL` or `whet project run`.",
  columns: {
    name: "Name",
    kind: "Kind",
    engine: "Engine",
    status: "Status",
    progress: "Trials",
    started: "Started",
  },
  kinds: { project: "project", eval: "eval" },
  broken_one: "{{count}} project cannot be read",
  broken_other: "{{count}} projects cannot be read",
  settled: "Settled",
  reused: "{{count}} reused",
  elapsed: "Time",
  cost: "Cost of agents",
  failed: "{{count}} failed",
} as const;
