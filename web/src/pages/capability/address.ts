/** What of an address these pages read; everything else in it is dropped. */
const textOf = (search: Record<string, unknown>, name: string) =>
  typeof search[name] === "string" || typeof search[name] === "number" ? String(search[name]) : "";

export interface LikeRun {
  /** The run whose settings the form begins with. */
  like?: string;
}

export function readLike(search: Record<string, unknown>): LikeRun {
  const like = textOf(search, "like");
  return like ? { like } : {};
}

export interface OpenCase {
  case?: string;
}

export function readCase(search: Record<string, unknown>): OpenCase {
  const opened = textOf(search, "case");
  return opened ? { case: opened } : {};
}

export interface Compared {
  /** The ids of runs with commas between them; the first is the reference. */
  runs: string;
}

export const readCompared = (search: Record<string, unknown>): Compared => ({
  runs: textOf(search, "runs"),
});
