import { Group, Text } from "@mantine/core";
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleHalf2,
  IconCircleX,
  type IconProps,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { Tag, type Tone } from "@/parts/Tag.tsx";
import { type Check, shown } from "../detail.ts";
import classes from "./Cases.module.css";

type Outcome = "passed" | "failed" | "error" | "partial";

const LOOKS: Record<Outcome, [Tone, ComponentType<IconProps>]> = {
  passed: ["good", IconCircleCheck],
  failed: ["bad", IconCircleX],
  partial: ["warn", IconCircleHalf2],
  error: ["warn", IconAlertTriangle],
};

function outcomeOf({ outcome, score }: Check): Outcome | null {
  if (outcome === "failed" && score !== null && score > 0 && score < 1) return "partial";
  return outcome in LOOKS ? (outcome as Outcome) : null;
}

/** One rule: what it expects, what it found, and what came of it. */
export function CheckView({ check }: { check: Check }) {
  const { t } = useTranslation();
  const format = useFormat();
  const outcome = outcomeOf(check);
  const [tone, Icon] = LOOKS[outcome ?? "error"];
  const expected = shown(check.expected);
  return (
    <div className={classes.check}>
      <Group gap="xs">
        <Tag tone={tone} icon={<Icon size={13} stroke={2.2} aria-hidden />}>
          {outcome ? t(`capability.cases.outcome.${outcome}`) : check.outcome}
        </Tag>
        <Text fw={560} size="sm">
          {check.type}
        </Text>
        {outcome === "partial" && check.score !== null && (
          <Text size="sm" c="dimmed">
            {format.number(check.score, 2)}
          </Text>
        )}
        {check.weight !== null && check.weight !== 1 && (
          <Text size="xs" c="dimmed" ml="auto">
            {t("capability.cases.weight")} {shown(check.weight)}
          </Text>
        )}
      </Group>
      <dl>
        {expected && (
          <>
            <dt>{t("capability.cases.expected")}</dt>
            <dd>{expected}</dd>
          </>
        )}
        {(check.error ?? check.evidence) && (
          <>
            <dt>{t("capability.cases.found")}</dt>
            <dd>{check.error ?? check.evidence}</dd>
          </>
        )}
      </dl>
    </div>
  );
}
