import { describe, expect, it } from "vitest";
import { init } from "./echarts.ts";
import { radar, radarHeight } from "./radar.ts";

const CORNERS = ["correctness", "robustness", "format"];

/** Where the legend writes each of these names, in lines from above. */
function lines(series: readonly string[]): number[] {
  const corners = CORNERS.map((name) => ({ name, most: 100, values: series.map(() => 50) }));
  const size = { width: 300, height: radarHeight(series.length) };
  const chart = init(null, null, { renderer: "svg", ssr: true, ...size });
  chart.setOption(radar(corners, series, "light"));
  const drawn = new DOMParser().parseFromString(chart.renderToSVGString(), "image/svg+xml");
  const texts = [...drawn.querySelectorAll("text")];
  return series.map((name) => {
    const place = texts.find((one) => one.textContent === name)?.getAttribute("transform");
    return Number(/translate\([-\d.]+ ([-\d.]+)\)/.exec(place ?? "")?.[1]);
  });
}

describe("the legend of a radar", () => {
  it.each([2, 3, 6])("has a line for each of %i series, inside the chart", (count) => {
    const names = Array.from({ length: count }, (_, place) => `A rather long name ${place + 1}`);
    const found = lines(names);
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(new Set(found).size).toBe(count);
    // With room to spare: in a browser texts are a little taller than they are here.
    expect(radarHeight(count) - Math.max(...found)).toBeGreaterThan(16);
  });
});
