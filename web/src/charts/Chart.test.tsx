import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { begin } from "@/i18n/index.ts";
import { Chart } from "./Chart.tsx";

beforeAll(() => begin());
afterEach(cleanup);

const FIGURES = {
  columns: ["Skill", "Score"],
  rows: [
    ["Careful", 87.8],
    ["Brief", 63.8],
  ],
};

describe("a chart", () => {
  it("gives its numbers as a table to whoever wants it", async () => {
    const option = { series: [] };
    render(
      <MantineProvider>
        <Chart title="Scores" option={option} figures={FIGURES} />
      </MantineProvider>,
    );
    expect(screen.queryByRole("table")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Show as a table" }));
    const cells = screen.getAllByRole("cell").map((cell) => cell.textContent);
    expect(cells).toEqual(["Careful", "87.8", "Brief", "63.8"]);
    expect(screen.getByRole("table", { name: "Scores" })).toBeDefined();
    fireEvent.click(screen.getByRole("button", { name: "Show as a chart" }));
    // The library is large, and loaded only now.
    const drawn = await screen.findByRole("img", { name: "Scores" }, { timeout: 30_000 });
    expect(drawn).toBeDefined();
  }, 40_000);
});
