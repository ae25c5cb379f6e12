import { describe, expect, it } from "vitest";
import { got } from "./client.ts";
import { asProblem, Problem, problemOf } from "./problem.ts";

const answer = (status: number) => new Response(null, { status });

describe("what goes wrong", () => {
  it("is told as the server told it", async () => {
    const error = { code: "invalid_suite", detail: "two mistakes", problems: ["one", "two"] };
    const asked = got(Promise.resolve({ error, response: answer(400) }));
    await expect(asked).rejects.toMatchObject({
      status: 400,
      code: "invalid_suite",
      message: "two mistakes",
      problems: ["one", "two"],
    });
  });

  it("has a name also when nobody answers, or no problem document", async () => {
    await expect(got(Promise.reject(new TypeError("Failed to fetch")))).rejects.toMatchObject({
      code: "unreachable",
    });
    expect(problemOf(502, "<html>")).toMatchObject({ status: 502, code: "unknown" });
    expect(asProblem("what?")).toMatchObject({ code: "unexpected", message: "what?" });
    const known = new Problem(404, "not_found", "no eval");
    expect(asProblem(known)).toBe(known);
  });

  it("is not taken for an answer", async () => {
    await expect(got(Promise.resolve({ response: answer(500) }))).rejects.toBeInstanceOf(Problem);
    await expect(got(Promise.resolve({ data: [1], response: answer(200) }))).resolves.toEqual([1]);
  });
});
