import { type Asked, Hub, open, type Told } from "./hub.ts";
import type { Connection, WhetEvent } from "./stream.ts";
import { token } from "./token.ts";

export type { Connection, WhetEvent } from "./stream.ts";

export interface Follower {
  events(batch: readonly WhetEvent[]): void;
  /** Anything may have changed: we hear from now on, and not of before. */
  begun(): void;
  /** We were cut off, and miss nothing of what happened meanwhile; but what was asked for was not
   * answered. */
  back?(): void;
}

const followers = new Set<Follower>();
const watchers = new Set<() => void>();
let connection: Connection = "connecting";

/** How this tab is connected; for useSyncExternalStore. */
export const connected = {
  get: () => connection,
  subscribe(watcher: () => void) {
    watchers.add(watcher);
    return () => {
      watchers.delete(watcher);
    };
  },
};

/** Hear of all that happens in the workspace, until what is returned is called. */
export function follow(follower: Follower): () => void {
  followers.add(follower);
  return () => {
    followers.delete(follower);
  };
}

function told(message: Told) {
  if (message.say === "events") {
    for (const follower of followers) follower.events(message.events);
    return;
  }
  connection = message.state;
  if (message.state === "unauthorized") token.refused();
  for (const watcher of watchers) watcher();
  if (message.state !== "live") return;
  for (const follower of followers) message.fresh ? follower.begun() : follower.back?.();
}

/** A line to the worker that all tabs share; where there is none, this tab has its own stream. */
function line(): (asked: Asked) => void {
  if (typeof SharedWorker !== "undefined") {
    const worker = new SharedWorker(new URL("./events.worker.ts", import.meta.url), {
      type: "module",
      name: "whet-events",
    });
    worker.port.onmessage = (message: MessageEvent<Told>) => told(message.data);
    return (asked) => worker.port.postMessage(asked);
  }
  const hub = new Hub(open);
  const here = { postMessage: told };
  return (asked) => hub.hear(here, asked);
}

/** Begin to listen; once for the life of the page. */
export function listen() {
  const say = line();
  const hello = () => say({ say: "hello", token: token.get() });
  hello();
  token.subscribe(() => {
    if (token.get() !== null) hello();
  });
  // A page that is put aside and comes back has to say hello again.
  window.addEventListener("pagehide", () => say({ say: "bye" }));
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) hello();
  });
}
