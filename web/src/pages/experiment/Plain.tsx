import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Shape } from "@/api/client.ts";
import { useFormat } from "@/format.ts";
import { Verbatim } from "@/parts/Verbatim.tsx";
import classes from "./Plain.module.css";

/** A text of a skill, a case or a model: as it is, never as markup, and as much as there is. */
export function Plain({
  text,
  none,
  isLow = false,
}: {
  text: Shape<"TextView">;
  none?: string;
  isLow?: boolean;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  if (text.length === 0) return none ? <Text c="dimmed">{none}</Text> : null;
  const total = format.count(text.length);
  if (text.text === "") return <Text c="dimmed">{t("experiment.trial.leftOut", { total })}</Text>;
  return (
    <>
      <Verbatim text={text.text} isLow={isLow} />
      {text.text.length < text.length && (
        <Text size="xs" c="dimmed" mt={4}>
          {t("experiment.trial.cut", { shown: format.count(text.text.length), total })}
        </Text>
      )}
    </>
  );
}

/** Something to unfold. */
export function Unfold({
  summary,
  children,
  isOpen = false,
}: {
  summary: ReactNode;
  children: ReactNode;
  isOpen?: boolean;
}) {
  return (
    <details className={classes.details} open={isOpen}>
      <summary>{summary}</summary>
      <div className={classes.inside}>{children}</div>
    </details>
  );
}
