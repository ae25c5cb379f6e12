import { describe, expect, it } from "vitest";
import { drawable, radar } from "@/charts/radar.ts";
import { casesOf, type Difference, namesOf } from "./compared.ts";

describe("runs that are compared", () => {
  it("have a name each", () => {
    const names = namesOf([
      { run_id: "a", model_name: "simulated" },
      { run_id: "b", model_name: "claude" },
      { run_id: "c", model_name: "simulated" },
    ]);
    expect([...names.values()]).toEqual(["simulated #1", "claude", "simulated #3"]);
  });

  it("show the cases that flipped, those of one kind, or all", () => {
    const changes = ["still_passed", "newly_failed", "not_measured", "newly_passed"] as const;
    const difference = {
      cases: changes.map((change) => ({ case_id: change, change })),
    } as unknown as Difference;
    const ids = (wanted: Parameters<typeof casesOf>[1]) =>
      casesOf(difference, wanted).map(({ case_id }) => case_id);
    expect(ids("flipped")).toEqual(["newly_failed", "newly_passed"]);
    expect(ids("not_measured")).toEqual(["not_measured"]);
    expect(ids("every").length).toBe(4);
  });
});

describe("a radar", () => {
  const corner = (name: string, ...values: (number | null)[]) => ({ name, most: 100, values });

  it("has no corner that some series did not measure: it would look like zero", () => {
    const drawn = drawable([
      corner("a", 0, 10),
      corner("b", 50, null),
      corner("c", 50, 60),
      corner("d", 50, 60),
    ]);
    expect(drawn?.map(({ name }) => name)).toEqual(["a", "c", "d"]);
    expect(radar(drawn ?? [], ["x", "y"], "light")).toMatchObject({
      series: [{ data: [{ value: [0, 50, 50] }, { value: [10, 60, 60] }] }],
    });
  });

  it("is not drawn with fewer than three corners", () => {
    expect(drawable([corner("a", 1), corner("b", 2), corner("c", null)])).toBeNull();
  });
});
