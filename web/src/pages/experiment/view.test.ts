import i18next from "i18next";
import { beforeAll, describe, expect, it } from "vitest";
import { formatIn } from "@/format.ts";
import { begin, speak } from "@/i18n/index.ts";
import { chosenOf, placeOf, readChosen } from "./place.ts";
import {
  armName,
  armNames,
  type Case,
  type Cell,
  costText,
  deltaText,
  dimensionName,
  engineName,
  intervalText,
  isTroubled,
  type Leg,
  marksOf,
  ordered,
  placeName,
  points,
  priceText,
  scoreText,
  stepOf,
} from "./view.ts";

const format = formatIn("en-US");
const t = i18next.t;

beforeAll(async () => {
  await begin();
  await speak("en-US");
});

const cell = (change: Partial<Cell> = {}): Cell => ({
  mean: 70,
  scored: 3,
  failed: 0,
  unscored: 0,
  missing: 0,
  flaky: false,
  gate_failed: 0,
  ...change,
});

const row = (id: string, cells: Cell[], delta: number | null = null): Case => ({
  set: "s",
  id,
  name: id,
  category: "",
  delta,
  cells,
});

describe("numbers", () => {
  it("are points of 100 on either scale, and what is unknown stays unknown", () => {
    expect(points(0.5, 1)).toBe(50);
    expect(points(50, 100)).toBe(50);
    expect(points(null, 1)).toBeNull();
    expect(scoreText(0.123, 1, format)).toBe("12.3");
    expect(scoreText(null, 1, format)).toBe("–");
    expect(scoreText(0, 100, format)).toBe("0.0");
    expect(deltaText(-0.05, 1, format)).toBe("-5.0");
    expect(deltaText(0, 1, format)).toBe("0.0");
  });

  it("have intervals where there is one", () => {
    const interval = { low: -0.01, high: 0.2, level: 0.95, method: "t" };
    expect(intervalText(interval, 1, format, { signed: true })).toBe("-1.0 … +20.0");
    expect(intervalText({ ...interval, low: 3, high: 4 }, 100, format)).toBe("3.0 … 4.0");
    expect(intervalText(null, 1, format)).toBe("–");
  });

  it("tell what is free from what nobody knows, and from what is known in part", () => {
    expect(costText({ usd: 0, unknown: 0 }, t, format)).toBe("free");
    expect(costText({ usd: null, unknown: 0 }, t, format)).toBe("–");
    expect(costText({ usd: null, unknown: 4 }, t, format)).toBe("cost unknown");
    expect(costText({ usd: 1.5, unknown: 0 }, t, format)).toBe("$1.50");
    expect(costText({ usd: 1.5, unknown: 2 }, t, format)).toBe("at least $1.50");
    expect(costText({ usd: 0, unknown: 2 }, t, format)).toBe("cost unknown");
    const prices = [null, 0, 0.25].map((usd) => priceText(usd, t, format));
    expect(prices).toEqual(["cost unknown", "free", "$0.25"]);
  });
});

describe("a cell", () => {
  it("says what is wrong with it", () => {
    expect(marksOf(cell(), false)).toEqual([]);
    const bad = cell({ failed: 1, unscored: 2, missing: 3, flaky: true });
    expect(marksOf(bad, false)).toEqual(["failed", "unscored", "missing", "flaky"]);
    expect(marksOf(bad, true)).toEqual(["failed", "unscored", "waiting", "flaky"]);
  });

  it("that is only waiting is no trouble", () => {
    const waiting = row("a", [cell({ missing: 1 })]);
    expect(isTroubled(waiting, true)).toBe(false);
    expect(isTroubled(waiting, false)).toBe(true);
    expect(isTroubled(row("a", [cell(), cell({ flaky: true })]), true)).toBe(true);
  });

  it("has one of five shades, or none without a score", () => {
    expect([0, 0.19, 0.2, 0.5, 0.99, 1].map((mean) => stepOf(mean, 1))).toEqual([0, 0, 1, 2, 4, 4]);
    expect(stepOf(79.9, 100)).toBe(3);
    expect(stepOf(null, 1)).toBeNull();
  });
});

describe("cases", () => {
  const rows = [
    row("case 10", [cell({ mean: 50 }), cell({ mean: 60 })]),
    row("case 9", [cell({ mean: null }), cell({ mean: 90 })]),
    row("case 1", [cell({ mean: 80 }), cell({ mean: 20 })]),
    row("case 2", [cell({ mean: null }), cell({ mean: null })]),
  ];
  const ids = (found: readonly Case[]) => found.map(({ id }) => id);

  it("are in the order that a person wants", () => {
    expect(ordered(rows, "plan", "en")).toBe(rows);
    expect(ids(ordered(rows, "name", "en"))).toEqual(["case 1", "case 2", "case 9", "case 10"]);
    expect(ids(ordered(rows, "lowest", "en"))).toEqual(["case 1", "case 10", "case 9", "case 2"]);
    expect(ids(ordered(rows, "widest", "en"))).toEqual(["case 1", "case 10", "case 9", "case 2"]);
  });

  it("differ as far as whole pairs say, where somebody has worked that out", () => {
    const compared = [row("a", [cell()], 0.1), row("b", [cell()], -0.4), row("c", [cell()])];
    expect(ids(ordered(compared, "widest", "en"))).toEqual(["b", "a", "c"]);
  });
});

describe("names", () => {
  const arm = (id: string, name: string, version: string | null) => ({ id, name, version });

  it("are said in words, or as they are", () => {
    expect(armName("without_skill", t)).toBe("without skill");
    expect(armName("My <b>skill</b>", t)).toBe("My <b>skill</b>");
    expect(dimensionName("complexity_control", t)).toBe("complexity");
    expect(dimensionName("tone_of_voice", t)).toBe("tone of voice");
    expect(engineName({ engine: "claude", model: "default" })).toBe("claude");
    expect(engineName({ engine: "claude", model: "opus" })).toBe("claude:opus");
  });

  it("tell two versions of one skill apart", () => {
    const arms = [arm("1", "Writer", "v1"), arm("2", "Writer", "v2"), arm("3", "Author", "v1")];
    const names = armNames({ arms } as unknown as Leg, t);
    expect([...names.values()]).toEqual(["Writer v1", "Writer v2", "Author"]);
  });
});

describe("a place", () => {
  const place = { leg: 1, arm: "a", case: "7", set: "", attempt: 2 };

  it("stands in the address and comes back from it", () => {
    expect(placeOf(readChosen(JSON.parse(JSON.stringify(chosenOf(place)))))).toEqual(place);
    expect(chosenOf(null)).toEqual({});
    // A case that is called like a number is read as one.
    expect(placeOf(readChosen({ arm: "a", case: 7, leg: 1, attempt: 2 }))).toEqual(place);
  });

  it("is none where the address makes no sense", () => {
    for (const wrong of [{}, { arm: "a" }, { case: "c" }, { arm: {}, case: [] }]) {
      expect(placeOf(readChosen(wrong))).toBeNull();
    }
    const odd = readChosen({ arm: "a", case: "c", attempt: -1, leg: 0.5 });
    expect(placeOf(odd)).toEqual({ leg: 0, arm: "a", case: "c", set: "", attempt: 1 });
  });

  it("has a name that no other place has", () => {
    const names = [
      place,
      { ...place, leg: 0 },
      { ...place, set: "7", case: "" },
      { ...place, attempt: 3 },
    ];
    expect(new Set(names.map(placeName)).size).toBe(4);
  });
});
