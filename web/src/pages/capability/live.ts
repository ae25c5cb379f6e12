import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { follow, type WhetEvent } from "@/api/events.ts";
import { merged } from "./merge.ts";
import { type Detail, runKey } from "./queries.ts";

const PAUSE_MS = 250;
const KINDS = new Set(["eval_item", "eval_progress", "eval_finished"]);

/**
 * Merges what is told of one run into what was fetched of it, a few times in a second at most. What
 * comes while it is being fetched waits: the answer may be older.
 */
export class LiveRun {
  private waiting: WhetEvent[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly client: QueryClient,
    private readonly run: string,
    private readonly pause = PAUSE_MS,
  ) {}

  start(): () => void {
    const stop = follow({ events: (batch) => this.happened(batch), begun: () => {} });
    return () => {
      stop();
      if (this.timer !== null) clearTimeout(this.timer);
    };
  }

  happened(batch: readonly WhetEvent[]) {
    this.waiting.push(
      ...batch.filter((event) => event.subject === this.run && KINDS.has(event.kind)),
    );
    if (this.waiting.length > 0) this.later();
  }

  private later() {
    this.timer ??= setTimeout(() => this.merge(), this.pause);
  }

  private merge() {
    this.timer = null;
    const state = this.client.getQueryState<Detail>(runKey(this.run));
    if (state?.fetchStatus === "fetching" || state?.data === undefined) {
      this.later();
      return;
    }
    const told = this.waiting;
    this.waiting = [];
    this.client.setQueryData<Detail>(runKey(this.run), (known) => known && merged(known, told));
  }
}

/** Keep a run live while a page shows it. */
export function useLiveRun(run: string) {
  const client = useQueryClient();
  useEffect(() => new LiveRun(client, run).start(), [client, run]);
}
