import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { begin, speak } from "@/i18n/index.ts";
import { Matrix } from "./Matrix.tsx";
import { Plain } from "./Plain.tsx";
import { TrialPanel } from "./TrialPanel.tsx";
import type { Cell, Leg, Trial } from "./view.ts";

beforeAll(async () => {
  await begin();
  await speak("en-US");
});
afterEach(cleanup);

const HOSTILE = "<img src=x onerror=alert(1)>";
const cell = (change: Partial<Cell>): Cell => ({
  mean: null,
  scored: 0,
  failed: 0,
  unscored: 0,
  missing: 0,
  flaky: false,
  gate_failed: 0,
  ...change,
});

const leg = {
  scale: 1,
  columns: ["with_skill", "without_skill"],
  arms: [
    { id: "with_skill", name: "with_skill", version: null },
    { id: "without_skill", name: "without_skill", version: null },
  ],
  sets: [],
  total_cases: 2,
  cases: [
    {
      set: "",
      id: "1",
      name: HOSTILE,
      category: "",
      delta: 0.3,
      cells: [cell({ mean: 0.9, scored: 2 }), cell({ mean: 0.6, scored: 1, failed: 1 })],
    },
    {
      set: "",
      id: "2",
      name: "Second",
      category: "",
      delta: null,
      cells: [cell({ missing: 2 }), cell({ unscored: 2 })],
    },
  ],
} as unknown as Leg;

function shown(isRunning = false, of: Leg = leg) {
  const choose = vi.fn();
  const turn = vi.fn();
  render(
    <MantineProvider>
      <Matrix
        leg={of}
        number={0}
        isRunning={isRunning}
        chosen={null}
        choose={choose}
        paging={{ page: 1, size: 100, turn }}
      />
    </MantineProvider>,
  );
  return { choose, matrix: within(screen.getByTestId("matrix")) };
}

describe("the matrix", () => {
  it("says every cell in words", () => {
    const { matrix } = shown();
    const names = matrix.getAllByRole("button").map((one) => one.getAttribute("aria-label"));
    expect(names).toEqual([
      `${HOSTILE}, with skill: 90.0; 2 scored`,
      `${HOSTILE}, without skill: 60.0; 1 scored; 1 failed`,
      "Second, with skill: no score; 2 missing",
      "Second, without skill: no score; 2 without a score",
    ]);
    const steps = matrix.getAllByRole("button").map((one) => one.dataset.step);
    expect(steps).toEqual(["4", "3", "none", "none"]);
  });

  it("says which share of checks passed, and that a critical one failed", () => {
    const [with_skill, without] = [
      cell({ mean: 0.9, scored: 2, check_pass_rate: 0.75 }),
      cell({ mean: 0, scored: 2, check_pass_rate: 0.5, gate_failed: 1 }),
    ];
    const row = { ...leg.cases[0], name: "Checked", cells: [with_skill, without] };
    const { matrix } = shown(false, { ...leg, cases: [row] } as unknown as Leg);
    const [one, other] = matrix.getAllByRole("button");
    expect(one?.textContent).toBe("90.0 75%");
    expect(one?.title).toContain("75% of checks passed");
    expect(other?.title).toContain("1 failed a critical check");
    expect(other?.dataset.marks).toBe("gate");
    const legend = screen.getByRole("list", { name: "Legend" }).textContent;
    expect(legend).toContain("checks that passed");
    expect(legend).toContain("failed a critical check");
  });

  it("says of what is under way that it is still to come", () => {
    const { matrix } = shown(true);
    expect(matrix.getByRole("button", { name: /Second, with skill/ }).title).toContain("2 to come");
  });

  it("opens what is chosen", () => {
    const { choose, matrix } = shown();
    fireEvent.click(matrix.getByRole("button", { name: /Second, without skill/ }));
    expect(choose).toHaveBeenCalledWith({
      leg: 0,
      arm: "without_skill",
      case: "2",
      set: "",
      attempt: 1,
    });
  });

  it("can show trouble only", () => {
    const { matrix } = shown();
    fireEvent.click(screen.getByRole("switch", { name: "Only with trouble" }));
    expect(matrix.getAllByRole("row")).toHaveLength(3);
  });

  it("takes a name for a name", () => {
    shown();
    expect(document.querySelector("img")).toBeNull();
    expect(screen.getByText(HOSTILE)).toBeDefined();
  });
});

describe("a text", () => {
  const view = (text: { text: string; length: number }) =>
    render(
      <MantineProvider>
        <Plain text={text} none="nothing" />
      </MantineProvider>,
    );

  it("is shown as it is, and says where it is cut", () => {
    view({ text: HOSTILE, length: 200_000 });
    expect(document.querySelector("img")).toBeNull();
    expect(document.querySelector("pre")?.textContent).toBe(HOSTILE);
    expect(screen.getByText("The first 28 of 200,000 characters.")).toBeDefined();
  });

  it("that is empty is told from one that is left out", () => {
    view({ text: "", length: 0 });
    expect(screen.getByText("nothing")).toBeDefined();
    cleanup();
    view({ text: "", length: 12 });
    expect(screen.getByText(/12 characters, left out here/)).toBeDefined();
  });
});

const none = { text: "", length: 0 };
const trial = {
  leg: 0,
  arm: "with_skill",
  arm_name: "with_skill",
  set: "",
  case: "1",
  case_name: "One",
  attempt: 1,
  scale: 1,
  attempts: [
    { attempt: 1, status: "completed", grade_status: "scored", score: 0.5 },
    { attempt: 2, status: "failed", grade_status: null, score: 0 },
  ],
  status: "completed",
  grade_status: "scored",
  score: 0.5,
  failure: null,
  error: null,
  prompt: none,
  expected: none,
  answer: { text: HOSTILE, length: 28 },
  files: [],
  files_left_out: 0,
  gate_passed: false,
  checks: [
    {
      id: "S1",
      text: "A file",
      type: "file_exists",
      outcome: "failed",
      critical: true,
      judged: false,
      evidence: { text: "there is no answer.py", length: 21 },
      error: null,
    },
  ],
  dimensions: [],
  reasoning: none,
  opinions: [],
  claims: [],
  started_at: null,
  duration_ms: null,
  input_tokens: null,
  output_tokens: null,
  cost_usd: null,
  engine: "claude",
  model: "opus",
  simulated: false,
  session_id: null,
  messages: [],
  calls: [
    { number: 1, tool: "Bash", subject: "ls", failed: true, duration_ms: 1200, output: none },
  ],
  calls_total: 700,
} as unknown as Trial;

describe("a trial", () => {
  it("tells what is unknown, what failed and why", () => {
    const choose = vi.fn();
    render(
      <MantineProvider>
        <TrialPanel trial={trial} choose={choose} />
      </MantineProvider>,
    );
    expect(screen.getByText("cost unknown")).toBeDefined();
    expect(screen.getByText("tokens unknown")).toBeDefined();
    fireEvent.click(screen.getByRole("tab", { name: /Checks/ }));
    expect(screen.getByText("A critical check failed.")).toBeDefined();
    expect(screen.getByText("there is no answer.py")).toBeDefined();
    fireEvent.click(screen.getByRole("tab", { name: "What it did" }));
    expect(screen.getByText("The first 1 of 700 calls.")).toBeDefined();
    fireEvent.click(screen.getByRole("radio", { name: /Attempt 2/ }));
    expect(choose).toHaveBeenCalledWith(2);
  });
});
