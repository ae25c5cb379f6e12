import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { begin, speak } from "@/i18n/index.ts";
import type { Difference } from "./compared.ts";
import { DifferenceTable } from "./DifferenceTable.tsx";

beforeAll(begin);
afterEach(cleanup);

const none = { label: "inconclusive", interval: null, needs: "repeats" };
const line = (label: string, n_cases: number, needs: "cases" | null = null) => ({
  reference: 70,
  run: 60,
  verdict: { label, delta: -10, interval: null, n_cases, needs, on_these: none },
});
const difference = {
  total: line("worse", 12),
  dimensions: [
    { ...line("inconclusive", 8), dimension: "logic" },
    { ...line("inconclusive", 4, "cases"), dimension: "common" },
  ],
} as unknown as Difference;

describe("two capability runs", () => {
  it("say what their verdicts speak of, and where cases are too few", async () => {
    for (const [language, verdicts, scope] of [
      ["en-US", ["worse", "inconclusive", "too few cases"], /at least 6 of them, better 12.*run 2/],
      ["zh-CN", ["更差", "尚无定论", "用例太少"], /至少需要 6 道，最好 12 道.*至少须运行 2 次/],
    ] as const) {
      await speak(language);
      render(
        <MantineProvider>
          <DifferenceTable difference={difference} />
        </MantineProvider>,
      );
      const rows = screen.getAllByRole("row").slice(1);
      expect(rows.map((row) => row.lastElementChild?.textContent)).toEqual(verdicts);
      expect(screen.getByText(scope)).toBeDefined();
      cleanup();
    }
  });
});
