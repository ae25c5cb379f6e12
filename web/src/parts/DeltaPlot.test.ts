import { describe, expect, it } from "vitest";
import { reachOf, share } from "./DeltaPlot.tsx";

describe("the plot of a difference", () => {
  it("has zero in the middle and never leaves its frame", () => {
    expect(share(0, -40, 40)).toBe("50.00%");
    expect(share(40, -40, 40)).toBe("100.00%");
    expect(share(-1000, -40, 40)).toBe("0.00%");
  });

  it("has one scale for all, with a round end", () => {
    expect(reachOf([12, -33.8, 5])).toBe(50);
    expect(reachOf([])).toBe(5);
    expect(reachOf([-12, 3])).toBe(20);
    expect(reachOf([250])).toBe(100);
  });
});
