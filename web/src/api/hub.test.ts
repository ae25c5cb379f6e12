import { beforeEach, describe, expect, it } from "vitest";
import { Hub, type Told } from "./hub.ts";
import type { Listener, WhetEvent } from "./stream.ts";

const EVENT: WhetEvent = { cursor: 1, at: "", kind: "k", subject: "s", data: {} };

class Tab {
  heard: Told[] = [];
  postMessage(told: Told) {
    this.heard.push(told);
  }
}

describe("the hub of all tabs", () => {
  let streams: { token: string | null; listener: Listener; closed: boolean }[];
  let hub: Hub;

  beforeEach(() => {
    streams = [];
    hub = new Hub((token, listener) => {
      const stream = { token, listener, closed: false };
      streams.push(stream);
      return {
        close: () => {
          stream.closed = true;
        },
      };
    });
  });

  const hello = (token: string | null = null) => {
    const tab = new Tab();
    hub.hear(tab, { say: "hello", token });
    return tab;
  };

  it("has one stream for however many tabs", () => {
    const tabs = Array.from({ length: 12 }, () => hello());
    expect(streams).toHaveLength(1);
    streams[0]?.listener.events([EVENT]);
    for (const tab of tabs) expect(tab.heard.at(-1)).toEqual({ say: "events", events: [EVENT] });
  });

  it("tells a tab that joins later how it is, and that it has missed what was before", () => {
    hello();
    streams[0]?.listener.state("live", true);
    expect(hello().heard).toEqual([{ say: "state", state: "live", fresh: true }]);
  });

  it("goes on when the first tab is closed, and hangs up after the last", () => {
    const [first, second] = [hello(), hello()];
    hub.hear(first, { say: "bye" });
    streams[0]?.listener.events([EVENT]);
    expect(first.heard).toEqual([]);
    expect(second.heard).toHaveLength(1 + 1);
    expect(streams[0]?.closed).toBe(false);
    hub.hear(second, { say: "bye" });
    expect(streams[0]?.closed).toBe(true);
    hello();
    expect(streams).toHaveLength(2);
  });

  it("lets nobody in by the token of another tab", () => {
    hello("secret");
    streams[0]?.listener.state("live", true);
    const stranger = hello();
    streams[0]?.listener.events([EVENT]);
    expect(stranger.heard).toEqual([{ say: "state", state: "unauthorized", fresh: false }]);
  });

  it("takes a new token, and hears no more of the old stream", () => {
    const tab = hello("old");
    streams[0]?.listener.state("unauthorized", false);
    hub.hear(tab, { say: "hello", token: "new" });
    expect(streams.map(({ token }) => token)).toEqual(["old", "new"]);
    expect(streams[0]?.closed).toBe(true);
    const before = tab.heard.length;
    streams[0]?.listener.events([EVENT]);
    expect(tab.heard).toHaveLength(before);
    streams[1]?.listener.events([EVENT]);
    expect(tab.heard).toHaveLength(before + 1);
  });
});
