import { describe, expect, it } from "vitest";
import { Problem } from "@/api/problem.ts";
import type { Run } from "./queries.ts";
import { bodyOf, placeOf, plainWish, type Wish, wishLike } from "./wish.ts";

const wish = (more: Partial<Wish> = {}): Wish => ({ ...plainWish("en-US"), ...more });

describe("the request for a wish", () => {
  it("says no more than was chosen", () => {
    expect(bodyOf(wish())).toEqual({
      model_name: "simulated",
      language: "en-US",
      case_set: "default",
      stream: false,
      confirmed: false,
    });
  });

  it("says all that was chosen", () => {
    const body = bodyOf(
      wish({
        userId: " me ",
        dimensions: ["logic"],
        tools: [],
        concurrency: 2,
        timeout: 30,
        more: '{"options": {"simulate": {"latency_ms": 5}}}',
      }),
    );
    expect(body).toMatchObject({
      user_id: "me",
      dimensions: ["logic"],
      tool_names: [],
      config_overrides: {
        concurrency: 2,
        timeout_s: 30,
        options: { simulate: { latency_ms: 5 } },
      },
    });
  });

  it.each([
    [{ more: "{" }],
    [{ more: "[]" }],
    [{ more: "null" }],
    [{ model: " " }],
    [{ dimensions: [] }],
  ])("is none where something is missing: %j", (more) => {
    expect(bodyOf(wish(more))).toBeNull();
  });
});

describe("a refusal", () => {
  it.each([
    ["model_name 'gpt-9' is no engine, and the default engine has no models", "model"],
    ["the simulated agent has no model 'big'", "model"],
    ["tool_names: no agent has a tool 'Fly'; it has Bash", "tools"],
    ["config_overrides.concurrency: Input should be less than or equal to 64", "concurrency"],
    ["config_overrides.timeout_s: Input should be greater than 0", "timeout"],
    ["config_overrides.wieghts: unknown; known: weights", "more"],
    ["weights: at least one dimension must have a weight above 0", "more"],
    ["no case set 'other'; there are: default", "caseSet"],
    ["case set default has no cases in fr; its languages: en-US, zh-CN", "language"],
    ["case set mini has no cases in en-US of tool; its dimensions: logic", "dimensions"],
    ["user_id: String should have at most 200 characters", "userId"],
    ["no room left on this device", null],
  ])("stands where it belongs: %s", (message, field) => {
    expect(placeOf(new Problem(400, "invalid_request", message))).toBe(field);
  });

  it("is known by its code where its words do not tell", () => {
    expect(placeOf(new Problem(400, "invalid_suite", "2 mistakes"))).toBe("caseSet");
  });
});

describe("a wish like that of a run", () => {
  it("asks for the same", () => {
    const run = {
      model_name: "claude:haiku",
      language: "zh-CN",
      case_set: "mini",
      user_id: null,
      config_snapshot: {
        pin: { options: { allowed_tools: ["Read"], depth: 3 } },
        dimensions: ["logic", "tool"],
        tool_names: ["Read"],
        concurrency: 2,
        timeout_s: 60,
      },
    } as unknown as Run;
    expect(wishLike(run)).toEqual({
      model: "claude:haiku",
      language: "zh-CN",
      caseSet: "mini",
      dimensions: ["tool", "logic"],
      userId: "",
      tools: ["Read"],
      concurrency: 2,
      timeout: 60,
      more: '{"options":{"depth":3}}',
    });
  });

  it("makes do with a run that tells nothing", () => {
    const run = { model_name: "x", language: null, case_set: "s", config_snapshot: null };
    expect(bodyOf(wishLike(run as unknown as Run))).toMatchObject({ model_name: "x" });
  });
});
