import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { about, LiveQueries, ofKind } from "./live.ts";
import type { WhetEvent } from "./stream.ts";

const event = (kind: string, subject: string): WhetEvent => ({
  cursor: 1,
  at: "",
  kind,
  subject,
  data: {},
});

describe("queries that are live", () => {
  let client: QueryClient;
  let live: LiveQueries;

  beforeEach(() => {
    vi.useFakeTimers();
    client = new QueryClient({
      defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
    });
    live = new LiveQueries(client, 100);
  });

  afterEach(() => {
    client.clear();
    vi.useRealTimers();
  });

  function watched(key: string, meta: object, takes = 0) {
    const fetched = vi.fn(() => new Promise((done) => setTimeout(() => done(key), takes)));
    new QueryObserver(client, { queryKey: [key], queryFn: fetched, meta }).subscribe(() => {});
    return fetched;
  }

  it("are fetched anew for what concerns them, and only then", async () => {
    const mine = watched("mine", { live: about("a") });
    const other = watched("other", { live: about("b") });
    const still = watched("still", {});
    await vi.advanceTimersByTimeAsync(10);
    live.happened([event("trial.settled", "a")]);
    await vi.advanceTimersByTimeAsync(200);
    expect([mine, other, still].map((fetched) => fetched.mock.calls.length)).toEqual([2, 1, 1]);
  });

  it("are fetched once for a hundred events", async () => {
    const fetched = watched("all", { live: ofKind("trial.", "eval_") });
    await vi.advanceTimersByTimeAsync(10);
    for (let turn = 0; turn < 100; turn++) live.happened([event("trial.settled", `${turn}`)]);
    await vi.advanceTimersByTimeAsync(200);
    expect(fetched.mock.calls.length).toBe(2);
    live.happened([event("job.steps", "j")]);
    await vi.advanceTimersByTimeAsync(200);
    expect(fetched.mock.calls.length).toBe(2);
  });

  it("are fetched once more where the answer under way may be older than the event", async () => {
    const fetched = watched("slow", { live: about("a") }, 1000);
    await vi.advanceTimersByTimeAsync(500);
    live.happened([event("k", "a")]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(fetched.mock.calls.length).toBe(2);
  });

  it("are asked for again when the server is back, where it had not answered", async () => {
    const answers = [Promise.reject(new Error("gone")), Promise.resolve("here")];
    const failed = vi.fn(() => answers.shift() ?? Promise.resolve("again"));
    const options = { queryKey: ["failed"], queryFn: failed, retry: false };
    new QueryObserver(client, options).subscribe(() => {});
    const fine = watched("fine", { live: about("a") });
    await vi.advanceTimersByTimeAsync(10);
    expect(client.getQueryState(["failed"])?.status).toBe("error");
    live.back();
    await vi.advanceTimersByTimeAsync(200);
    expect(client.getQueryData(["failed"])).toBe("here");
    expect([failed, fine].map((fetched) => fetched.mock.calls.length)).toEqual([2, 1]);
  });
});
