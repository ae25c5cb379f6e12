import { SseReader } from "./sse.ts";
import { authorization } from "./token.ts";

/** Something that happened in the workspace. */
export interface WhetEvent {
  cursor: number;
  at: string;
  kind: string;
  subject: string;
  data: Record<string, unknown>;
}

export type Connection = "connecting" | "live" | "offline" | "unauthorized";

export interface Listener {
  events(batch: readonly WhetEvent[]): void;
  /** `fresh` says that it begins with now: what happened before may have been missed. */
  state(connection: Connection, fresh: boolean): void;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The server says something at least every 15 seconds. */
const SILENCE_MS = 45_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/**
 * The one stream of events. It is a fetch and no EventSource, since that cannot send a token, and
 * an address with a token in it would end up in logs.
 */
export class EventStream {
  private reader = new SseReader();
  private isClosed = false;
  private pause = FIRST_PAUSE_MS;
  private abort = new AbortController();

  constructor(
    private readonly token: string | null,
    private readonly listener: Listener,
    private readonly ask: Fetch = (url, init) => fetch(url, init),
    private readonly wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms)),
  ) {}

  async run(): Promise<void> {
    this.listener.state("connecting", false);
    while (!this.isClosed) {
      const isRefused = await this.once();
      if (this.isClosed) return;
      if (isRefused) {
        this.listener.state("unauthorized", false);
        return;
      }
      this.listener.state("offline", false);
      await this.wait(this.pause);
      this.pause = Math.min(LONGEST_PAUSE_MS, this.pause * 2);
    }
  }

  close() {
    this.isClosed = true;
    this.abort.abort();
  }

  /** One connection until it ends; whether the server refuses the token. */
  private async once(): Promise<boolean> {
    this.abort = new AbortController();
    const seen = this.reader.lastId;
    const headers = {
      accept: "text/event-stream",
      ...authorization(this.token),
      ...(seen === null ? {} : { "last-event-id": seen }),
    };
    try {
      const answer = await this.ask("/v1/events", {
        headers,
        cache: "no-store",
        signal: this.abort.signal,
      });
      if (answer.status === 401) return true;
      if (!answer.ok || !answer.body) return false;
      await this.read(answer.body, seen === null);
    } catch {
      // Whatever cut it off, it is tried again.
    }
    return false;
  }

  private async read(body: ReadableStream<Uint8Array>, isFresh: boolean) {
    const source = body.getReader();
    const decoder = new TextDecoder();
    // What is left of a line that was cut off is sent again.
    const lastId = this.reader.lastId;
    this.reader = new SseReader();
    this.reader.lastId = lastId;
    let isLive = false;
    for (;;) {
      const timer = setTimeout(() => this.abort.abort(), SILENCE_MS);
      const { done, value } = await source.read().finally(() => clearTimeout(timer));
      if (done) return;
      const batch = this.reader.push(decoder.decode(value, { stream: true })).flatMap(eventOf);
      if (!isLive) {
        isLive = true;
        this.pause = FIRST_PAUSE_MS;
        this.listener.state("live", isFresh);
      }
      if (batch.length > 0) this.listener.events(batch);
    }
  }
}

function eventOf(message: { id: string; data: string }): WhetEvent[] {
  try {
    return [{ ...JSON.parse(message.data), cursor: Number(message.id) }];
  } catch {
    return [];
  }
}
