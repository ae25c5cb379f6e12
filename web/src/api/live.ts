import type { Query, QueryClient } from "@tanstack/react-query";
import { follow, type WhetEvent } from "./events.ts";

/** Which events make what a query has fetched out of date. */
export type Live = (event: WhetEvent) => boolean;

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: { live?: Live };
  }
}

/** All that happens to one thing. */
export const about =
  (subject: string): Live =>
  (event) =>
    event.subject === subject;

/** All events whose kind begins so. */
export const ofKind =
  (...beginnings: string[]): Live =>
  (event) =>
    beginnings.some((beginning) => event.kind.startsWith(beginning));

const LOOK_MS = 400;

/**
 * Fetches anew what is shown and out of date, a few times in a second at most. What is being
 * fetched just now is fetched once more afterwards, since its answer may be older than the event.
 */
export class LiveQueries {
  private readonly stale = new Set<Query>();
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly client: QueryClient,
    private readonly pause = LOOK_MS,
  ) {}

  start(): () => void {
    return follow({
      events: (batch) => this.happened(batch),
      begun: () => this.mark((query) => query.meta?.live !== undefined),
      back: () => this.back(),
    });
  }

  /** The server answers again: what failed is asked for anew, whatever has happened since. */
  back() {
    this.mark((query) => query.state.status === "error");
  }

  happened(batch: readonly WhetEvent[]) {
    this.mark((query) => batch.some((event) => query.meta?.live?.(event)));
  }

  private mark(isStale: (query: Query) => boolean) {
    for (const query of this.client.getQueryCache().getAll()) {
      if (isStale(query)) this.stale.add(query);
    }
    if (this.stale.size > 0 && this.timer === null) {
      this.timer = setTimeout(() => this.look(), this.pause);
    }
  }

  private look() {
    this.timer = null;
    for (const query of [...this.stale]) {
      if (query.state.fetchStatus === "fetching") continue;
      this.stale.delete(query);
      void this.client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }
    if (this.stale.size > 0) this.timer = setTimeout(() => this.look(), this.pause);
  }
}
