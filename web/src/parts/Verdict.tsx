import { Group, Text } from "@mantine/core";
import {
  IconArrowDownRight,
  IconArrowUpRight,
  IconEqual,
  IconHelpCircle,
  type IconProps,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import type { Words } from "@/i18n/index.ts";
import { Tag, type Tone } from "./Tag.tsx";

/** A verdict, or what is missing for one. */
export type Said = keyof Words["states"]["verdict"];
export type Scope = "like_these" | "on_these";

/** Cases below which nothing is said of others like them; `stats/comparison.py` says why. */
export const FEWEST_CASES = 6;
export const COMFORTABLE_CASES = 12;

/** Runs of each case below which nothing is said of so many cases by themselves. */
export const fewestRuns = (cases: number) => ({ 1: 4, 2: 3 })[cases] ?? 2;

export const LOOKS: Record<Said, [Tone, ComponentType<IconProps>]> = {
  better: ["good", IconArrowUpRight],
  worse: ["bad", IconArrowDownRight],
  no_difference: ["idle", IconEqual],
  inconclusive: ["idle", IconHelpCircle],
  too_few_cases: ["idle", IconHelpCircle],
  too_few_runs: ["idle", IconHelpCircle],
};

interface Scoped {
  label: string;
  needs?: "cases" | null;
  on_these?: { label: string; needs?: "repeats" | null } | null;
}

/** What is said in one scope; a label that nobody has told us of decides nothing. */
export function saidOf(label: string, needs: "cases" | "repeats" | null | undefined): Said {
  if (needs) return needs === "cases" ? "too_few_cases" : "too_few_runs";
  return label in LOOKS ? (label as Said) : "inconclusive";
}

/** What a list has room for: cases like these, and these alone if they are too few for others. */
export function shortVerdict({ label, needs, on_these }: Scoped): [Said, Scope] {
  if (needs && on_these && !on_these.needs) return [saidOf(on_these.label, null), "on_these"];
  return [saidOf(label, needs), "like_these"];
}

export function VerdictTag({ said }: { said: Said }) {
  const { t } = useTranslation();
  const [tone, Icon] = LOOKS[said];
  return (
    <Tag tone={tone} icon={<Icon size={13} stroke={2.4} aria-hidden />}>
      {t(`states.verdict.${said}`)}
    </Tag>
  );
}

/** A verdict where there is little room, with what it speaks of. */
export function ShortVerdict({ verdict, cases }: { verdict: Scoped; cases: number | null }) {
  const { t } = useTranslation();
  const [said, scope] = shortVerdict(verdict);
  return (
    <Group gap="0 0.375rem" component="span">
      <VerdictTag said={said} />
      <Text size="xs" c="dimmed" span>
        {said === "too_few_cases"
          ? t("states.needsCases", { least: FEWEST_CASES })
          : t(`states.scopes.${scope}`, { count: cases ?? 0 })}
      </Text>
    </Group>
  );
}
