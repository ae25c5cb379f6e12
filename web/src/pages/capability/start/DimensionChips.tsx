import { Chip, Group, Input } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { DIMENSIONS, type Dimension, setCoverage } from "../queries.ts";

/** Which dimensions, each with the number of its cases. */
export function DimensionChips({
  value,
  caseSet,
  language,
  error,
  onChange,
}: {
  value: readonly Dimension[];
  caseSet: string;
  language: string;
  error: string | undefined;
  onChange: (value: Dimension[]) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const cases = useQuery({ ...setCoverage(caseSet, language), retry: false }).data?.dimensions;
  return (
    <Input.Wrapper
      label={t("capability.form.dimensions")}
      labelElement="div"
      error={error}
      role="group"
      aria-label={t("capability.form.dimensions")}
    >
      <Chip.Group
        multiple
        value={[...value]}
        onChange={(chosen) => onChange(DIMENSIONS.filter((one) => chosen.includes(one)))}
      >
        <Group gap="xs" mt={4}>
          {DIMENSIONS.map((dimension) => (
            <Chip key={dimension} value={dimension} size="sm" variant="light">
              {t(`capability.dimensions.${dimension}`)}
              {cases?.[dimension] && ` · ${format.count(cases[dimension].cases)}`}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}
