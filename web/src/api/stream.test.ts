import { describe, expect, it } from "vitest";
import { type Connection, EventStream, type WhetEvent } from "./stream.ts";

const wire = (cursor: number) =>
  `event: k\ndata: {"at":"","kind":"k","subject":"s","data":{}}\nid: ${cursor}\n\n`;

/** Answers one after another; the last one hangs until the stream is closed. */
function server(answers: (Response | Error)[]) {
  const asked: Headers[] = [];
  const ask = (_url: string, init: RequestInit): Promise<Response> => {
    asked.push(new Headers(init.headers));
    const answer = answers.shift();
    if (answer instanceof Error) return Promise.reject(answer);
    if (answer) return Promise.resolve(answer);
    return new Promise((_, refuse) => {
      init.signal?.addEventListener("abort", () => refuse(new Error("aborted")));
    });
  };
  return { asked, ask };
}

function followed(answers: (Response | Error)[], token: string | null = null) {
  const { asked, ask } = server(answers);
  const seen: number[] = [];
  const states: [Connection, boolean][] = [];
  const pauses: number[] = [];
  const listener = {
    events: (batch: readonly WhetEvent[]) => seen.push(...batch.map(({ cursor }) => cursor)),
    state: (state: Connection, fresh: boolean) => states.push([state, fresh]),
  };
  const wait = async (ms: number) => {
    pauses.push(ms);
  };
  const stream = new EventStream(token, listener, ask, wait);
  return { stream, asked, seen, states, pauses };
}

async function until(isSo: () => boolean) {
  for (let turn = 0; turn < 1000 && !isSo(); turn++)
    await new Promise((done) => setTimeout(done, 1));
  expect(isSo()).toBe(true);
}

describe("the stream of events", () => {
  it("comes back to where it was, also when nothing had happened", async () => {
    const { stream, asked, seen, states } = followed([
      new Response("id: 7\n\n"),
      new Error("gone"),
      new Response(`id: 7\n\n${wire(8)}${wire(9)}`),
      new Response(`id: 9\n\n${wire(10)}`),
    ]);
    const running = stream.run();
    await until(() => asked.length === 5);
    stream.close();
    await running;
    expect(asked.map((headers) => headers.get("last-event-id"))).toEqual([
      null,
      "7",
      "7",
      "9",
      "10",
    ]);
    expect(seen).toEqual([8, 9, 10]);
    expect(states.filter(([state]) => state === "live")).toEqual([
      ["live", true],
      ["live", false],
      ["live", false],
    ]);
  });

  it("waits longer each time that nobody answers, and begins anew when somebody does", async () => {
    const gone = () => new Error("gone");
    const answers = [gone(), gone(), gone(), new Response("id: 1\n\n"), gone()];
    const { stream, asked, pauses } = followed(answers);
    const running = stream.run();
    await until(() => asked.length === 6);
    stream.close();
    await running;
    expect(pauses).toEqual([500, 1000, 2000, 500, 1000]);
  });

  it("sends the token, and stops when it is refused", async () => {
    const { stream, asked, states } = followed([new Response("", { status: 401 })], "secret");
    await stream.run();
    expect(asked[0]?.get("authorization")).toBe("Bearer secret");
    expect(states.at(-1)).toEqual(["unauthorized", false]);
  });

  it("drops half an event that was cut off, and takes it whole later", async () => {
    const { stream, asked, seen } = followed([
      new Response(`id: 1\n\n${wire(2)}event: k\ndata: {"at"`),
      new Response(`id: 2\n\n${wire(3)}`),
    ]);
    const running = stream.run();
    await until(() => asked.length === 3);
    stream.close();
    await running;
    expect(seen).toEqual([2, 3]);
  });
});
