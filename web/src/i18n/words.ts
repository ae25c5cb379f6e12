import type { words } from "./en-US/index.ts";

/** The shape of a dictionary with any words in it. */
type Same<Part> = { [Key in keyof Part]: Part[Key] extends string ? string : Same<Part[Key]> };

/** What every language has to say: a missing key is an error of the compiler. */
export type Words = Same<typeof words>;
