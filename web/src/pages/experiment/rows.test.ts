import { describe, expect, it } from "vitest";
import type { Shape } from "@/api/client.ts";
import { rowsOf } from "./rows.ts";

const project = {
  id: "p",
  name: "P",
  engine: "claude",
  model: "opus",
  status: "completed",
  total_trials: 9,
  trials: { completed: 5, failed: 1, skipped: 1, unscored: 1, unanswered: 1 },
  created_at: "2026-01-01T00:00:00Z",
} as Shape<"ProjectItem">;
const run = {
  id: "e",
  skill: "S",
  status: "running",
  total_trials: 4,
  started_at: "2026-01-01T00:00:00.500Z",
  legs: [{ engine: "simulated", model: "simulated" }],
} as Shape<"EvalState">;

describe("the list of experiments", () => {
  it("holds both kinds, the newest first", () => {
    expect(rowsOf([project], [run]).map(({ id }) => id)).toEqual(["e", "p"]);
  });

  it("counts what came to something, and names the engine once", () => {
    const [first, second] = rowsOf([project], [run]);
    expect(first).toMatchObject({ engine: "simulated", done: null, trials: 4 });
    expect(second).toMatchObject({ engine: "claude:opus", done: 8, trials: 9 });
  });

  it("marks a project whose trials came to nothing", () => {
    const [marked] = rowsOf([{ ...project, failed: "all" }], []);
    expect(marked).toMatchObject({ status: "completed", failed: "all" });
  });
});
