import i18next, { type TFunction } from "i18next";
import { initReactI18next } from "react-i18next";
import type { Words } from "./words.ts";

export type { Words } from "./words.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "whet";
    resources: { whet: Words };
  }
}

export const LANGUAGES = ["en-US", "zh-CN"] as const;
export type Language = (typeof LANGUAGES)[number];
export type Translate = TFunction<"whet">;

const PLACE = "whet.language";

/** Each dictionary is fetched when it is first spoken. */
const dictionaries: Record<Language, () => Promise<{ words: Words }>> = {
  "en-US": async () => ({ words: (await import("./en-US/index.ts")).words }),
  "zh-CN": async () => ({ words: (await import("./zh-CN/index.ts")).words }),
};

/** What a person chose, else what the browser speaks. */
export function preferred(
  stored: string | null = known(),
  spoken: readonly string[] = navigator.languages,
): Language {
  const known = LANGUAGES.find((language) => language === stored);
  if (known) return known;
  return spoken[0]?.toLowerCase().startsWith("zh") ? "zh-CN" : "en-US";
}

/** What was chosen before; nothing where a page has no memory, as one from a file may not. */
function known(): string | null {
  try {
    return localStorage.getItem(PLACE);
  } catch {
    return null;
  }
}

function kept(language: Language) {
  try {
    localStorage.setItem(PLACE, language);
  } catch {
    // It is spoken all the same, until the page is closed.
  }
}

export async function speak(language: Language, { remember = false } = {}) {
  if (!i18next.hasResourceBundle(language, "whet")) {
    const { words } = await dictionaries[language]();
    i18next.addResourceBundle(language, "whet", words);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  if (remember) kept(language);
}

/** The language that is spoken now. */
export function spoken(): Language {
  return i18next.language === "zh-CN" ? "zh-CN" : "en-US";
}

export async function begin() {
  await i18next.use(initReactI18next).init({
    resources: {},
    lng: "en-US",
    fallbackLng: false,
    defaultNS: "whet",
    ns: ["whet"],
    // React escapes what it shows.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  await speak(preferred());
}
