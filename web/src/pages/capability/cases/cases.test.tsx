import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { begin } from "@/i18n/index.ts";
import type { Item, Run } from "../queries.ts";
import { Scores } from "../Scores.tsx";
import { CaseView } from "./CaseView.tsx";
import { EVERYTHING, fitting } from "./filter.ts";

const HOSTILE = '<img src=x onerror="alert(1)"><b>bold</b>';

const item = (more: Partial<Item> = {}): Item =>
  ({
    run_id: "r",
    case_id: "logic_1",
    dimension: "logic",
    status: "failed",
    score: 0.5,
    max_score: 1,
    weight: 1,
    prompt: HOSTILE,
    final_answer: "an answer",
    tool_calls: [{ name: "Read", args: { file_path: HOSTILE } }],
    checker_detail: {
      score: 0.5,
      checks: [
        {
          type: "tool_args",
          expected: { path: "a" },
          outcome: "failed",
          score: 0.5,
          weight: 1,
          evidence: HOSTILE,
        },
      ],
    },
    elapsed_s: 1.5,
    error: null,
    tags: [],
    ...more,
  }) as Item;

beforeAll(begin);
afterEach(cleanup);

const show = (what: React.ReactNode) => render(<MantineProvider>{what}</MantineProvider>).container;

describe("a case", () => {
  it("is shown as text, whatever is in it", () => {
    const shown = show(<CaseView item={item()} />);
    expect(shown.querySelector("img, b")).toBeNull();
    expect(shown.textContent?.split(HOSTILE).length).toBe(4);
    expect(screen.getByText("met in part")).toBeTruthy();
    expect(screen.getByText("0.50 of 1")).toBeTruthy();
  });

  it("says which tools it was skipped for, and has no score", () => {
    const skipped = item({
      status: "skipped",
      score: null,
      final_answer: null,
      tool_calls: [],
      checker_detail: { missing_tools: ["ptc"] },
    });
    const shown = show(<CaseView item={skipped} />);
    expect(screen.getByText("Skipped: the agent lacks ptc.")).toBeTruthy();
    expect(shown.textContent).not.toContain("0 of 1");
  });

  it("shows a verdict of another form as it is", () => {
    show(<CaseView item={item({ checker_detail: { matched: true } })} />);
    expect(screen.getByText(/"matched": true/)).toBeTruthy();
  });
});

describe("cases", () => {
  const items = [
    item(),
    item({ case_id: "tool_1", dimension: "tool", status: "passed", prompt: "Lies die Datei" }),
  ];
  const found = (filter: object) =>
    fitting(items, { ...EVERYTHING, ...filter }).map(({ case_id }) => case_id);

  it("are found by dimension, outcome and words", () => {
    expect(found({})).toEqual(["logic_1", "tool_1"]);
    expect(found({ dimension: "tool" })).toEqual(["tool_1"]);
    expect(found({ status: "failed" })).toEqual(["logic_1"]);
    expect(found({ text: " DATEI " })).toEqual(["tool_1"]);
    expect(found({ text: "an answer", dimension: "tool", status: "failed" })).toEqual([]);
  });
});

describe("scores", () => {
  const run = {
    status: "finished",
    model_name: "simulated",
    dimension_scores: { tool: null, logic: 0, common: 25, complex: null },
    weights: { tool: 35, logic: 25, common: 20, complex: 20 },
    total_score: 11.1,
    total_score_measured: 20,
    counts: { total: 4, passed: 1, failed: 1, error: 1, skipped: 1, active: 0, cancelled: 0 },
  } as unknown as Run;

  it("tell what was not measured from nothing", () => {
    show(<Scores run={run} />);
    const rows = screen.getAllByRole("row").map((row) => row.textContent);
    expect(rows.filter((row) => row?.includes("not measured")).length).toBe(2);
    expect(rows.some((row) => row?.startsWith("Logic") && row.endsWith("0.0"))).toBe(true);
    expect(screen.getByText("A profile needs three measured dimensions.")).toBeTruthy();
  });

  it("stand beside those without errors", () => {
    show(<Scores run={run} />);
    expect(screen.getByTestId("total").textContent).toBe("11.1");
    expect(screen.getByTestId("measured").textContent).toBe("20.0 without errors");
    expect(screen.getByText("1 error")).toBeTruthy();
  });

  it("say how many cases they rest on where it is not all of them", () => {
    show(<Scores run={{ ...run, measured_cases: 3 }} />);
    expect(screen.getByTestId("measured-cases").textContent).toBe("3 of 4 cases measured");
  });

  it("do not say so where it is all of them", () => {
    show(<Scores run={{ ...run, measured_cases: 4 }} />);
    expect(screen.queryByTestId("measured-cases")).toBeNull();
  });

  it("have a total only where something was measured", () => {
    show(<Scores run={{ ...run, total_score: null, total_score_measured: null }} />);
    expect(screen.getByTestId("total").textContent).toBe("–");
  });
});
