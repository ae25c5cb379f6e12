import { JsonInput, NumberInput, SimpleGrid } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Wish } from "../wish.ts";
import type { Errors } from "./StartForm.tsx";

const numberOr = (value: string | number): number | "" => (typeof value === "number" ? value : "");

/** What few people want to change. */
export function MoreSettings({
  wish,
  errors,
  onChange,
}: {
  wish: Wish;
  errors: Errors;
  onChange: (changed: Partial<Wish>) => void;
}) {
  const { t } = useTranslation();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md" verticalSpacing="sm">
      <NumberInput
        label={t("capability.form.concurrency")}
        placeholder={t("capability.form.byDefault")}
        min={1}
        max={64}
        allowDecimal={false}
        value={wish.concurrency}
        error={errors.concurrency}
        onChange={(value) => onChange({ concurrency: numberOr(value) })}
      />
      <NumberInput
        label={t("capability.form.timeout")}
        placeholder={t("capability.form.byDefault")}
        min={1}
        value={wish.timeout}
        error={errors.timeout}
        onChange={(value) => onChange({ timeout: numberOr(value) })}
      />
      <JsonInput
        style={{ gridColumn: "span 2" }}
        label={t("capability.form.overrides")}
        description={t("capability.form.overridesHint")}
        placeholder={'{"weights": {"tool": 50}}'}
        autosize
        minRows={1}
        inputWrapperOrder={["label", "input", "description", "error"]}
        value={wish.more}
        error={errors.more}
        onChange={(more) => onChange({ more })}
      />
    </SimpleGrid>
  );
}
