import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { WhetEvent } from "@/api/events.ts";
import { LiveRun } from "./live.ts";
import { merged } from "./merge.ts";
import { type Detail, type Item, type Run, runKey } from "./queries.ts";

const item = (case_id: string, more: Partial<Item> = {}): Item =>
  ({ run_id: "r", case_id, dimension: "logic", status: "active", score: null, ...more }) as Item;

const run = (more: Partial<Run> = {}): Run =>
  ({
    run_id: "r",
    status: "running",
    total_score: null,
    dimension_scores: { logic: null },
    counts: { total: 2, active: 2 },
    ...more,
  }) as Run;

const detail = (): Detail => ({ run: run(), items: [item("a"), item("b")] }) as Detail;

let cursor = 0;
const told = (kind: string, data: object, subject = "r"): WhetEvent => {
  cursor += 1;
  return { cursor, at: "", kind, subject, data: data as Record<string, unknown> };
};

describe("what is told of a run", () => {
  it("takes the place of what was known, in the order of the items", () => {
    const { items } = merged(detail(), [
      told("eval_item", item("b", { started_at: "now" })),
      told("eval_item", item("a", { status: "passed", score: 1 })),
      told("eval_item", item("b", { status: "failed", score: 0 })),
    ]);
    expect(items.map(({ case_id, status }) => [case_id, status])).toEqual([
      ["a", "passed"],
      ["b", "failed"],
    ]);
  });

  it("brings the scores that the server has worked out", () => {
    const figures = {
      counts: { total: 2, active: 1, passed: 1 },
      dimension_scores: { logic: 50 },
      total_score: 50,
      total_score_measured: 100,
      seconds_left: 3,
    };
    const once = merged(detail(), [told("eval_progress", { completed: 1, ...figures })]);
    expect(once.run).toMatchObject(figures);
    const { seconds_left: _, total_score_measured: __, ...less } = figures;
    const twice = merged(once, [told("eval_progress", less)]);
    expect(twice.run.seconds_left).toBeUndefined();
    expect(twice.run.total_score_measured).toBeUndefined();
  });

  it("never makes a zero of what was not measured", () => {
    const known = merged(detail(), [
      told("eval_progress", { dimension_scores: { logic: 50, tool: null }, total_score: null }),
    ]);
    expect(known.run.total_score).toBeNull();
    expect(known.run.dimension_scores.tool).toBeNull();
  });

  it("ends it", () => {
    const over = run({ status: "finished", total_score: 70, reclaimable: true, seconds_left: 1 });
    const { run: ended } = merged(detail(), [told("eval_finished", over)]);
    expect(ended.status).toBe("finished");
    expect(ended.reclaimable).toBeUndefined();
    expect(ended.seconds_left).toBeUndefined();
  });

  it("is not what is told of another", () => {
    const known = detail();
    expect(merged(known, [told("eval_item", item("a", { status: "passed" }), "s")])).toBe(known);
  });
});

describe("a live run", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const statuses = (client: QueryClient) =>
    client.getQueryData<Detail>(runKey("r"))?.items.map(({ status }) => status);

  it("is merged a few times in a second, and not at every event", () => {
    const client = new QueryClient();
    client.setQueryData(runKey("r"), detail());
    const live = new LiveRun(client, "r", 250);
    live.happened([told("eval_item", item("a", { status: "passed" }))]);
    live.happened([told("eval_item", item("b", { status: "failed" }))]);
    expect(statuses(client)).toEqual(["active", "active"]);
    vi.advanceTimersByTime(250);
    expect(statuses(client)).toEqual(["passed", "failed"]);
  });

  it("keeps what comes while it is being fetched, since the answer may be older", async () => {
    const client = new QueryClient();
    const live = new LiveRun(client, "r", 250);
    let answer: (found: Detail) => void = () => {};
    const fetched = client.fetchQuery({
      queryKey: runKey("r"),
      queryFn: () =>
        new Promise<Detail>((resolve) => {
          answer = resolve;
        }),
    });
    live.happened([told("eval_item", item("a", { status: "passed" }))]);
    vi.advanceTimersByTime(1000);
    answer(detail());
    await fetched;
    expect(statuses(client)).toEqual(["active", "active"]);
    vi.advanceTimersByTime(500);
    expect(statuses(client)).toEqual(["passed", "active"]);
  });
});
