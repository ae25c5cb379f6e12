/** What went wrong, as the server tells it (RFC 9457), or because it could not be asked. */
export class Problem extends Error {
  readonly status: number;
  /** Stable, for programs: "not_found", "conflict", "confirmation_needed", "unreachable" … */
  readonly code: string;
  /** Every mistake, where there may be several. */
  readonly problems: readonly string[];

  constructor(status: number, code: string, detail: string, problems: readonly string[] = []) {
    super(detail);
    this.name = "Problem";
    this.status = status;
    this.code = code;
    this.problems = problems;
  }
}

/** The problem in an answer; whatever it says, there is one. */
export function problemOf(status: number, body: unknown): Problem {
  if (typeof body === "object" && body !== null && "code" in body && "detail" in body) {
    const { code, detail } = body;
    const several = "problems" in body && Array.isArray(body.problems) ? body.problems : [];
    return new Problem(status, String(code), String(detail), several.map(String));
  }
  return new Problem(status, "unknown", `HTTP ${status}`);
}

/** The problem for anything that was thrown. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  // What fetch throws when nobody answers.
  if (thrown instanceof TypeError) return new Problem(0, "unreachable", thrown.message);
  return new Problem(0, "unexpected", thrown instanceof Error ? thrown.message : String(thrown));
}
