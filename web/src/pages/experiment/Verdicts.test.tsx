import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { begin, speak } from "@/i18n/index.ts";
import { ShortVerdict, shortVerdict } from "@/parts/Verdict.tsx";
import { Statistics } from "./Findings.tsx";
import { Method } from "./Method.tsx";
import { Verdicts } from "./Verdicts.tsx";
import type { Leg, Verdict, View } from "./view.ts";

beforeAll(begin);
afterEach(cleanup);

const range = (low: number, high: number, method = "t") => ({ low, high, level: 0.95, method });

const these = (change: Partial<NonNullable<Verdict["on_these"]>> = {}) => ({
  label: "better" as const,
  interval: range(0.22, 0.47, "stratified"),
  p_value: 0.002,
  smallest_effect: 0.18,
  needs: null,
  runs_needed: null,
  ...change,
});

const verdict = (change: Partial<Verdict> = {}): Verdict => ({
  first: "with_skill",
  second: "without_skill",
  label: "inconclusive",
  delta: 0.35,
  interval: range(-0.05, 0.75),
  n_cases: 4,
  n_runs: 24,
  trials: 24,
  cost_usd: 0,
  smallest_effect: null,
  p_value: 0.125,
  needs: "cases",
  cases_needed: 9,
  on_these: these(),
  words: {},
  excluded: [],
  ...change,
});

const legOf = (...verdicts: Verdict[]) =>
  ({
    engine: { engine: "claude", model: "opus", version: null, sandbox: null },
    scale: 1,
    arms: [
      { id: "with_skill", name: "with_skill", version: null },
      { id: "without_skill", name: "without_skill", version: null },
    ],
    attempts: 3,
    weights: {},
    iteration: null,
    verdicts,
    statistics: {
      measure: "pass_rate",
      reliability: {},
      power: [
        { evals: 4, runs: 3, trials: 24, smallest_effect: null, smallest_effect_on_these: 0.18 },
        { evals: 8, runs: 3, trials: 48, smallest_effect: 0.41, smallest_effect_on_these: 0.12 },
      ],
    },
  }) as unknown as Leg;

async function shown(found: Verdict, language: "en-US" | "zh-CN" = "en-US") {
  await speak(language);
  render(
    <MantineProvider>
      <Verdicts leg={legOf(found)} isRunning={false} />
    </MantineProvider>,
  );
  return {
    card: screen.getByTestId("verdict"),
    like: screen.queryByTestId("like_these"),
    these: screen.queryByTestId("on_these"),
  };
}

describe("a verdict", () => {
  it("says both scopes at a glance, and that more attempts do not replace cases", async () => {
    const { card, like, these } = await shown(verdict());
    expect(within(card).getByRole("heading", { level: 2 }).textContent).toBe(
      "with skill against without skill: +35.0 points",
    );
    const titles = within(card).getAllByRole("heading", { level: 3 });
    expect(titles.map(({ textContent }) => textContent)).toEqual(["Too few cases", "Better"]);
    expect(like?.textContent).toContain("On cases like these");
    expect(like?.textContent).toContain("at least 6 cases, better 12");
    expect(like?.textContent).toContain("more attempts will not change that");
    expect(like?.textContent).not.toContain("about 9 cases");
    expect(these?.textContent).toContain("On these 4 cases alone");
    expect(these?.textContent).toContain("+22.0 … +47.0");
    expect(these?.textContent).toContain("Smallest effect found18.0");
    expect(card.textContent).not.toContain("Inconclusive");
  });

  it("draws both scopes on one scale", async () => {
    const { card } = await shown(verdict());
    const lines = within(card).getAllByRole("img");
    expect(lines.map((one) => one.getAttribute("aria-label"))).toEqual([
      "+35.0 (-5.0 … +75.0)",
      "+35.0 (+22.0 … +47.0)",
    ]);
    expect(within(card).getAllByText("-100 worse")).toHaveLength(2);
  });

  it("without repeats says how many attempts these cases need", async () => {
    const none = these({ label: "inconclusive", interval: null, p_value: null, needs: "repeats" });
    const found = verdict({ label: "better", needs: null, n_cases: 12, on_these: none });
    const { card, these: alone } = await shown(found);
    const titles = within(card).getAllByRole("heading", { level: 3 });
    expect(titles.map(({ textContent }) => textContent)).toEqual(["Better", "Too few attempts"]);
    expect(alone?.textContent).toContain("at least 2 attempts at each case");
    cleanup();
    const one = await shown({ ...found, n_cases: 1 });
    expect(one.these?.textContent).toContain("On this 1 case alone");
    expect(one.these?.textContent).toContain("at least 4 attempts at each case");
  });

  it("that is open says what would settle it", async () => {
    const open = these({ label: "inconclusive", interval: range(-0.1, 0.3), runs_needed: 7 });
    const change = { needs: null, n_cases: 8, delta: 0.1, cases_needed: 21, smallest_effect: 0.3 };
    const { like, these: alone } = await shown(verdict({ ...change, on_these: open }));
    expect(like?.textContent).toContain("A smaller difference than 30.0 points");
    expect(like?.textContent).toContain("about 21 cases");
    expect(alone?.textContent).toContain("about 7 attempts at each case");
  });

  it("does not ask for more where more would not help", async () => {
    const alike = { interval: range(0, 0), cases_needed: 3, needs: null, n_cases: 8, delta: 0 };
    const { like } = await shown(verdict({ ...alike, on_these: null }));
    expect(like?.textContent).toContain("Both came out alike in every case.");
    expect(like?.textContent).not.toContain("about 3");
    cleanup();
    const several = { ...alike, delta: 0.3, interval: range(0.1, 0.5) };
    expect((await shown(verdict(several))).like?.textContent).toContain("among several");
    cleanup();
    const shared = await shown(verdict({ n_cases: 9 }));
    expect(shared.like?.textContent).toContain("share a fixture");
    expect(shared.like?.textContent).toContain("at least 6 fixtures");
  });

  it("of an older version has one scope", async () => {
    const words = { en: "The skill helps.", zh: "技能有帮助。" };
    const old = verdict({ label: "better", needs: null, on_these: null, words });
    const { card, these: alone } = await shown(old);
    expect(alone).toBeNull();
    expect(card.textContent).toContain("The skill helps.");
    expect(within(card).getByRole("heading", { level: 3 }).textContent).toBe("Better");
  });

  it("without any case in common claims nothing", async () => {
    const { card, like } = await shown(verdict({ delta: null, interval: null, n_cases: 0 }));
    expect(like).toBeNull();
    expect(card.textContent).toContain("no cases with scores in common");
  });

  it("speaks Chinese", async () => {
    const { card, like, these: alone } = await shown(verdict(), "zh-CN");
    expect(card.textContent).toContain("有技能 与 无技能 相比：+35.0 分");
    expect(like?.textContent).toContain("至少 6 个用例，最好 12 个");
    expect(alone?.textContent).toContain("仅就这 4 个用例而言");
  });
});

describe("a short verdict", () => {
  it("names these cases where they are too few for others", () => {
    expect(shortVerdict(verdict())).toEqual(["better", "on_these"]);
    expect(shortVerdict(verdict({ label: "worse", needs: null }))).toEqual(["worse", "like_these"]);
    expect(shortVerdict(verdict({ on_these: null }))).toEqual(["too_few_cases", "like_these"]);
    const none = these({ label: "inconclusive", needs: "repeats" });
    expect(shortVerdict(verdict({ on_these: none }))).toEqual(["too_few_cases", "like_these"]);
    expect(shortVerdict({ label: "splendid" })).toEqual(["inconclusive", "like_these"]);
  });

  it("always says what it speaks of", async () => {
    await speak("en-US");
    const said = (found: Verdict) => {
      cleanup();
      const { container } = render(
        <MantineProvider>
          <p>
            <ShortVerdict verdict={found} cases={found.n_cases} />
          </p>
        </MantineProvider>,
      );
      return container.querySelector("p")?.textContent;
    };
    expect(said(verdict())).toBe("betteron these 4 cases alone");
    expect(said(verdict({ on_these: null }))).toBe("too few casesat least 6 are needed");
    expect(said(verdict({ needs: null }))).toBe("inconclusiveon cases like these");
  });
});

describe("what stands below a verdict", () => {
  it("has a column of smallest effects for each scope", async () => {
    await speak("en-US");
    render(
      <MantineProvider>
        <Statistics leg={legOf(verdict())} />
      </MantineProvider>,
    );
    const rows = screen.getAllByRole("row").map((one) => {
      const cells = [...one.querySelectorAll("th, td")];
      return cells.map(({ textContent }) => textContent);
    });
    expect(rows).toEqual([
      ["Evals", "Runs", "Trials", "On evals like these", "On these evals alone"],
      ["4", "3", "24", "none", "18.0"],
      ["8", "3", "48", "41.0", "12.0"],
    ]);
  });

  it("names the method and the p-value of each scope", async () => {
    await speak("en-US");
    const view = { judges: [] } as unknown as View;
    const { container } = render(
      <MantineProvider>
        <Method view={view} leg={legOf(verdict())} />
      </MantineProvider>,
    );
    const facts = [...container.querySelectorAll("dl > div")].map(({ textContent }) => textContent);
    expect(facts).toContain("p-value, on cases like these0.125");
    expect(facts).toContain("Interval, on these 4 cases alonestratified");
    expect(facts).toContain("p-value, on these 4 cases alone0.002");
  });
});
