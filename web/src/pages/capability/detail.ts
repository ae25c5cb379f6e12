/** What a checker says of a case, taken apart. Older runs may say it otherwise, or not at all. */
export interface Check {
  type: string;
  outcome: string;
  expected: unknown;
  evidence: string;
  error: string | null;
  score: number | null;
  weight: number | null;
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const numberOf = (value: unknown) => (typeof value === "number" ? value : null);

/** The checks of a verdict; none where it does not have them. */
export function checksOf(detail: unknown): Check[] {
  const checks = isFields(detail) && Array.isArray(detail.checks) ? detail.checks : [];
  return checks.filter(isFields).map((check) => ({
    type: String(check.type ?? ""),
    outcome: String(check.outcome ?? ""),
    expected: check.expected ?? null,
    evidence: typeof check.evidence === "string" ? check.evidence : "",
    error: typeof check.error === "string" ? check.error : null,
    score: numberOf(check.score),
    weight: numberOf(check.weight),
  }));
}

/** The tools for want of which a case was skipped. */
export function missingTools(detail: unknown): string[] {
  const missing = isFields(detail) ? detail.missing_tools : null;
  return Array.isArray(missing) ? missing.map(String) : [];
}

/** A detail that is of neither form, to be shown as it is; else null. */
export function otherDetail(detail: unknown): string | null {
  if (detail === null || detail === undefined) return null;
  const isKnown = isFields(detail) && ("checks" in detail || "missing_tools" in detail);
  return isKnown ? null : JSON.stringify(detail, null, 2);
}

/** A value as people read it: a text as it is, everything else as JSON. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
