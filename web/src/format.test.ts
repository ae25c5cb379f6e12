import { describe, expect, it } from "vitest";
import { formatIn } from "./format.ts";

const en = formatIn("en-US");
const zh = formatIn("zh-CN");

describe("numbers for people", () => {
  it("keep their sign and their digits", () => {
    expect(en.signed(12.17)).toBe("+12.2");
    expect(en.signed(-0.26)).toBe("-0.3");
    expect(en.signed(0)).toBe("0.0");
    expect(en.signed(-0.01)).toBe("0.0");
    expect(en.number(87.8)).toBe("87.8");
    expect(en.count(123456)).toBe("123,456");
    expect(en.percent(0.95)).toBe("95%");
  });

  it("show small amounts of money as more than nothing", () => {
    expect(en.money(0)).toBe("$0.00");
    expect(en.money(0.00042)).toBe("$0.00042");
    expect(en.money(0.5)).toBe("$0.5");
    expect(en.money(12.345)).toBe("$12.35");
  });

  it("tell how long something takes", () => {
    expect(en.duration(0)).toBe("0.0s");
    expect(en.duration(9.94)).toBe("9.9s");
    expect(en.duration(59.6)).toBe("1m 0s");
    expect(en.duration(61)).toBe("1m 1s");
    expect(en.duration(3661)).toBe("1h 1m");
    expect(zh.duration(61)).toBe("1分钟1秒");
    expect(en.duration(-3)).toBe("0.0s");
  });

  it("tell when something was, or that nobody knows", () => {
    const now = Date.parse("2026-01-01T12:00:00Z");
    expect(en.ago("2026-01-01T11:55:00Z", now)).toBe("5 minutes ago");
    expect(en.ago("2025-12-31T12:00:00Z", now)).toBe("yesterday");
    expect(en.ago("nonsense", now)).toBe("–");
    expect(en.moment(null)).toBe("–");
    expect(en.moment("nonsense")).toBe("–");
  });
});
