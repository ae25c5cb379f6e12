import { describe, expect, it } from "vitest";
import { words as en } from "./en-US/index.ts";
import { preferred } from "./index.ts";
import { words as zh } from "./zh-CN/index.ts";

type Part = string | { readonly [key: string]: Part };

function flat(part: Part, path = ""): [string, string][] {
  if (typeof part === "string") return [[path, part]];
  return Object.entries(part).flatMap(([key, inner]) => flat(inner, path ? `${path}.${key}` : key));
}

const holes = (text: string) => [...text.matchAll(/\{\{\w+\}\}/g)].map(([hole]) => hole).sort();
const ours = new Map(flat(en));
const theirs = new Map(flat(zh));

describe("the two dictionaries", () => {
  it("have the same words, with the same holes", () => {
    expect([...theirs.keys()].sort()).toEqual([...ours.keys()].sort());
    for (const [key, text] of ours) {
      expect([key, holes(theirs.get(key) ?? "")]).toEqual([key, holes(text)]);
    }
  });

  it("leave nothing empty, and say Chinese in Chinese", () => {
    for (const text of [...ours.values(), ...theirs.values()]) expect(text.trim()).not.toBe("");
    const untranslated = [...theirs].filter(
      ([key, text]) => text === ours.get(key) && /[a-z]{3}/.test(text),
    );
    expect(untranslated).toEqual([]);
  });

  it("have both numbers of whatever is counted", () => {
    for (const key of ours.keys()) {
      if (key.endsWith("_one")) expect(ours.has(key.replace(/_one$/, "_other"))).toBe(true);
    }
  });
});

describe("the language", () => {
  it("is what was chosen, else what the browser speaks", () => {
    expect(preferred("zh-CN", ["en-GB"])).toBe("zh-CN");
    expect(preferred(null, ["zh-TW", "en"])).toBe("zh-CN");
    expect(preferred("fr", ["fr-FR", "zh"])).toBe("en-US");
    expect(preferred(null, [])).toBe("en-US");
  });
});
