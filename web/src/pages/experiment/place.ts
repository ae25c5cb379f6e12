import type { Place } from "./view.ts";

/** The trial that is looked at, as the address of the page has it. */
export interface Chosen {
  leg?: number;
  arm?: string;
  case?: string;
  set?: string;
  attempt?: number;
}

const text = (value: unknown) =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;

const count = (value: unknown, least: number) =>
  typeof value === "number" && Number.isInteger(value) && value >= least ? value : undefined;

/** What of an address makes sense; it may have been typed by hand. */
export function readChosen(search: Record<string, unknown>): Chosen {
  const [arm, name] = [text(search.arm), text(search.case)];
  if (arm === undefined || name === undefined) return {};
  const [set, leg, attempt] = [text(search.set), count(search.leg, 0), count(search.attempt, 1)];
  return {
    arm,
    case: name,
    ...(set === undefined || set === "" ? {} : { set }),
    ...(leg === undefined || leg === 0 ? {} : { leg }),
    ...(attempt === undefined || attempt === 1 ? {} : { attempt }),
  };
}

export function placeOf({ leg, arm, case: name, set, attempt }: Chosen): Place | null {
  if (arm === undefined || name === undefined) return null;
  return { leg: leg ?? 0, arm, case: name, set: set ?? "", attempt: attempt ?? 1 };
}

export function chosenOf(place: Place | null): Chosen {
  return place === null ? {} : readChosen({ ...place });
}
