import { describe, expect, it } from "vitest";
import { SseReader } from "./sse.ts";

const STREAM =
  'id: 4\n\nevent: trial.settled\ndata: {"a":\ndata: 1}\nid: 5\n\n: still here\n\ndata: x\n\n';

describe("a stream of events", () => {
  it("is read as it was written", () => {
    const reader = new SseReader();
    expect(reader.push(STREAM)).toEqual([
      { id: "5", event: "trial.settled", data: '{"a":\n1}' },
      { id: "5", event: "message", data: "x" },
    ]);
    expect(reader.lastId).toBe("5");
  });

  it("is the same however it is cut into pieces", () => {
    for (const text of [STREAM, STREAM.replaceAll("\n", "\r\n"), STREAM.replaceAll("\n", "\r")]) {
      for (let size = 1; size < 12; size++) {
        const reader = new SseReader();
        const found = [];
        for (let at = 0; at < text.length; at += size)
          found.push(...reader.push(text.slice(at, at + size)));
        // A last CR may be half of a line end: what follows shows it.
        found.push(...reader.push(":\n"));
        expect(found.map(({ data }) => data)).toEqual(['{"a":\n1}', "x"]);
      }
    }
  });

  it("tells where it is although nothing has happened", () => {
    const reader = new SseReader();
    expect(reader.push("id: 17\n\n")).toEqual([]);
    expect(reader.lastId).toBe("17");
  });

  it("keeps what is not complete to itself", () => {
    const reader = new SseReader();
    expect(reader.push("data: half")).toEqual([]);
    expect(reader.push(" and half\n")).toEqual([]);
    expect(reader.push("\n")).toEqual([{ id: "", event: "message", data: "half and half" }]);
  });
});
