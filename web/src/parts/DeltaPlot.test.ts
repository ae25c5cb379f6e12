import { describe, expect, it } from "vitest";
import { position, reachOf } from "./DeltaPlot.tsx";

describe("the plot of a difference", () => {
  it("has zero in the middle and never leaves its frame", () => {
    expect(position(0, 40)).toBe(90);
    expect(position(40, 40)).toBe(174);
    expect(position(-40, 40)).toBe(6);
    expect(position(1000, 40)).toBe(174);
  });

  it("has one scale for all", () => {
    expect(reachOf([12, -33.8, 5])).toBe(40);
    expect(reachOf([])).toBe(10);
    expect(reachOf([0])).toBe(10);
  });
});
