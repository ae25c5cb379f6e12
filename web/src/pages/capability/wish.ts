import type { Shape } from "@/api/client.ts";
import type { Problem } from "@/api/problem.ts";
import { DIMENSIONS, type Dimension } from "./queries.ts";

/** What a person has put into the form. */
export interface Wish {
  model: string;
  language: string;
  caseSet: string;
  dimensions: readonly Dimension[];
  userId: string;
  /** Null lets the agent use all that it has. */
  tools: readonly string[] | null;
  concurrency: number | "";
  timeout: number | "";
  /** Other settings of `config_overrides`, as JSON. */
  more: string;
}

export type Field =
  | "model"
  | "language"
  | "caseSet"
  | "dimensions"
  | "userId"
  | "tools"
  | "concurrency"
  | "timeout"
  | "more";

/** With these a run starts at once, without a key and without cost. */
export const plainWish = (language: string): Wish => ({
  model: "simulated",
  language,
  caseSet: "default",
  dimensions: DIMENSIONS,
  userId: "",
  tools: null,
  concurrency: "",
  timeout: "",
  more: "",
});

export type Body = Shape<"EvaluationStart">;

/** The request for a wish; null where it is none yet: no model, no dimension, no JSON. */
export function bodyOf(wish: Wish): Body | null {
  const more = overridesOf(wish.more);
  if (more === null || wish.model.trim() === "" || wish.dimensions.length === 0) return null;
  const overrides = {
    ...more,
    ...(wish.concurrency === "" ? {} : { concurrency: wish.concurrency }),
    ...(wish.timeout === "" ? {} : { timeout_s: wish.timeout }),
  };
  const label = wish.userId.trim();
  const isEveryDimension = wish.dimensions.length === DIMENSIONS.length;
  return {
    model_name: wish.model,
    // The server refuses languages that it does not have.
    language: wish.language as NonNullable<Body["language"]>,
    case_set: wish.caseSet,
    stream: false,
    confirmed: false,
    ...(label ? { user_id: label } : {}),
    ...(isEveryDimension ? {} : { dimensions: [...wish.dimensions] }),
    ...(wish.tools === null ? {} : { tool_names: [...wish.tools] }),
    ...(Object.keys(overrides).length > 0 ? { config_overrides: overrides as Settings } : {}),
  };
}

type Settings = NonNullable<Body["config_overrides"]>;
/** Some of the settings; the server knows the others. */
type Overrides = Partial<Settings>;

/** What the further settings say; null where they are no JSON object. */
export function overridesOf(text: string): Overrides | null {
  if (text.trim() === "") return {};
  try {
    const read: unknown = JSON.parse(text);
    const isObject = typeof read === "object" && read !== null && !Array.isArray(read);
    return isObject ? (read as Overrides) : null;
  } catch {
    return null;
  }
}

/** What the server calls the fields, the longer names first. */
const NAMES: readonly [RegExp, Field][] = [
  [/^config_overrides\.concurrency\b/, "concurrency"],
  [/^config_overrides\.timeout_s\b/, "timeout"],
  [/^(config_overrides|weights)\b/, "more"],
  [/^model_name\b/, "model"],
  [/ agent has no model /, "model"],
  [/^tool_names\b/, "tools"],
  [/^user_id\b/, "userId"],
  [/^language\b/, "language"],
  [/^dimensions\b/, "dimensions"],
  [/ has no cases .*; its languages: /, "language"],
  [/ has no cases .*; its dimensions: /, "dimensions"],
  [/^(case_set\b|no case set )/, "caseSet"],
];

const CODES: Partial<Record<string, Field>> = { invalid_suite: "caseSet", unknown_part: "model" };

/** The field that a refusal is about; null where it is about none of them. */
export function placeOf(problem: Problem): Field | null {
  const named = NAMES.find(([pattern]) => pattern.test(problem.message));
  return named?.[1] ?? CODES[problem.code] ?? null;
}

/** A wish like that of an earlier run, as far as the run tells it. */
export function wishLike(run: Shape<"EvaluationRun">): Wish {
  const snapshot = fieldsOf(run.config_snapshot);
  const options = fieldsOf(fieldsOf(snapshot.pin).options);
  // The run keeps these among the options; a start wants them elsewhere.
  const { allowed_tools: _tools, mcp_servers: _servers, ...rest } = options;
  const chosen = Array.isArray(snapshot.dimensions) ? snapshot.dimensions : DIMENSIONS;
  return {
    model: run.model_name,
    language: run.language ?? "en-US",
    caseSet: run.case_set,
    dimensions: DIMENSIONS.filter((dimension) => chosen.includes(dimension)),
    userId: run.user_id ?? "",
    tools: Array.isArray(snapshot.tool_names) ? snapshot.tool_names.map(String) : null,
    concurrency: typeof snapshot.concurrency === "number" ? snapshot.concurrency : "",
    timeout: typeof snapshot.timeout_s === "number" ? snapshot.timeout_s : "",
    more: Object.keys(rest).length > 0 ? JSON.stringify({ options: rest }) : "",
  };
}

export function fieldsOf(value: unknown): Record<string, unknown> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : {};
}
