import { type Connection, EventStream, type Listener, type WhetEvent } from "./stream.ts";

/** What a tab says to the hub. */
export type Asked = { say: "hello"; token: string | null } | { say: "bye" };

/** What the hub says to a tab. */
export type Told =
  | { say: "events"; events: readonly WhetEvent[] }
  | { say: "state"; state: Connection; fresh: boolean };

/** The end of a line to a tab. */
export interface Line {
  postMessage(told: Told): void;
}

type Open = (token: string | null, listener: Listener) => { close(): void };

/** The real stream. */
export const open: Open = (token, listener) => {
  const stream = new EventStream(token, listener);
  void stream.run();
  return stream;
};

/** One stream for as many tabs as there are: browsers allow six connections to a server. */
export class Hub {
  private readonly lines = new Set<Line>();
  private stream: { close(): void } | null = null;
  private token: string | null = null;
  private state: Connection = "connecting";
  private current: object | null = null;

  constructor(private readonly open: Open) {}

  hear(line: Line, asked: Asked) {
    if (asked.say === "bye") {
      this.lines.delete(line);
      if (this.lines.size === 0) this.hangUp();
      return;
    }
    if (asked.token === null && this.token !== null) {
      // Others have signed in; that lets nobody else in.
      line.postMessage({ say: "state", state: "unauthorized", fresh: false });
      return;
    }
    this.lines.add(line);
    // The newest token counts: whoever shows one has just been let in, or knows no better.
    const isOther = asked.token !== null && asked.token !== this.token;
    if (this.stream === null || isOther || this.state === "unauthorized") this.connect(asked.token);
    // To a tab that joins, all before now is new, however long the stream has been there.
    else line.postMessage({ say: "state", state: this.state, fresh: this.state === "live" });
  }

  private connect(token: string | null) {
    this.hangUp();
    this.token = token;
    const mine = {};
    this.current = mine;
    this.stream = this.open(token, {
      events: (events) => this.current === mine && this.tell({ say: "events", events }),
      state: (state, fresh) => {
        if (this.current !== mine) return;
        this.state = state;
        this.tell({ say: "state", state, fresh });
      },
    });
  }

  private hangUp() {
    this.current = null;
    this.stream?.close();
    this.stream = null;
    this.token = null;
    this.state = "connecting";
  }

  private tell(told: Told) {
    for (const line of this.lines) line.postMessage(told);
  }
}
