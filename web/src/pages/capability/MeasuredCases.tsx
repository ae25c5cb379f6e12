import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import type { Run } from "./queries.ts";

/** How many cases the scores of a run rest on; nothing where it is all of them. */
export function MeasuredCases({ run }: { run: Pick<Run, "counts" | "measured_cases"> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const total = run.counts?.total ?? 0;
  const { measured_cases: measured } = run;
  if (measured == null || measured === 0 || measured >= total) return null;
  return (
    <Text size="xs" fw={400} c="var(--whet-warn)" data-testid="measured-cases">
      {t("capability.scores.ofCases", {
        measured: format.count(measured),
        total: format.count(total),
      })}
    </Text>
  );
}
