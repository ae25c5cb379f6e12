import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { Confirm } from "@/parts/Confirm.tsx";
import { Loaded } from "@/parts/States.tsx";
import { plan } from "../queries.ts";
import type { Starting } from "./useStart.ts";

/** Says what a run will do and how much that may cost, and asks whether to go on. */
export function ConfirmCost({ start }: { start: Starting }) {
  const { t } = useTranslation();
  const format = useFormat();
  const planned = useQuery(plan(start.unconfirmed));
  return (
    <Confirm
      isOpen={start.unconfirmed !== null}
      title={t("capability.confirm.title")}
      yes={t("capability.confirm.yes")}
      isBusy={start.isBusy}
      onYes={start.agree}
      onNo={start.forget}
    >
      <Loaded query={planned} rows={2}>
        {({ model_name, paid_runs, cost_usd }) => (
          <Stack gap="xs">
            <Text>{t("capability.confirm.runs", { model: model_name, count: paid_runs })}</Text>
            <Text>
              {cost_usd === null
                ? t("capability.confirm.unknown")
                : t("capability.confirm.cost", { cost: format.money(cost_usd) })}
            </Text>
          </Stack>
        )}
      </Loaded>
    </Confirm>
  );
}
