import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Shape } from "@/api/client.ts";
import { useFormat } from "@/format.ts";

const MOST_TOOLS = 4;

/** What would be done, in a line. */
export function PlanLine({ planned }: { planned: Shape<"EvaluationPlanned"> | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!planned) return null;
  const { paid_runs, cost_usd, skipped } = planned;
  const parts = [t("capability.form.plan", { count: planned.case_count })];
  if (skipped.length > 0) {
    parts.push(
      t("capability.form.planSkipped", { count: skipped.length, tools: lacking(skipped) }),
    );
  }
  if (paid_runs === 0) parts.push(t("capability.form.costFree"));
  else if (cost_usd === null) parts.push(t("capability.form.costUnknown"));
  else parts.push(t("capability.form.costKnown", { cost: format.money(cost_usd) }));
  return (
    <Text size="sm" c="dimmed" data-testid="plan">
      {parts.join(" · ")}
    </Text>
  );
}

function lacking(skipped: readonly Shape<"SkippedCase">[]): string {
  const tools = [...new Set(skipped.flatMap(({ missing_tools }) => missing_tools))];
  const shown = tools.slice(0, MOST_TOOLS).join(", ");
  return tools.length > MOST_TOOLS ? `${shown} …` : shown;
}
