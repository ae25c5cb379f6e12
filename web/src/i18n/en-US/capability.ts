export const capability = {
  title: "Capability",
  about: "How well a model does on a fixed set of cases, dimension by dimension.",
  empty: "No capability runs yet",
  emptyHint: "Start one with `whet capability run`.",
  columns: { model: "Model", set: "Cases", status: "Status", score: "Score", started: "Started" },
} as const;
