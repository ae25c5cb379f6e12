import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Shape } from "@/api/client.ts";
import { caseSets } from "../queries.ts";

interface Choosing {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

const SPOKEN: Record<string, string> = { "en-US": "English (en-US)", "zh-CN": "中文 (zh-CN)" };

export function LanguageInput({ value, error, onChange }: Choosing) {
  const { t } = useTranslation();
  const found = useQuery(caseSets()).data?.case_sets ?? [];
  const spoken = found.map(({ language }) => language).filter((one) => one !== null);
  const codes = [...new Set([...Object.keys(SPOKEN), ...spoken, value])];
  return (
    <Select
      label={t("capability.form.language")}
      data={codes.map((code) => ({ value: code, label: SPOKEN[code] ?? code }))}
      value={value}
      error={error}
      allowDeselect={false}
      onChange={(chosen) => chosen && onChange(chosen)}
    />
  );
}

export function CaseSetInput({ value, error, onChange }: Choosing) {
  const { t } = useTranslation();
  const found = useQuery(caseSets()).data?.case_sets ?? [];
  const broken = brokenIn(found, value);
  return (
    <Select
      label={t("capability.form.caseSet")}
      data={namesOf(found, value).map((name) => ({
        value: name,
        label: brokenIn(found, name) ? `${name} (${t("capability.form.broken")})` : name,
      }))}
      value={value}
      error={error ?? broken}
      allowDeselect={false}
      onChange={(chosen) => chosen && onChange(chosen)}
    />
  );
}

type Found = readonly Shape<"CaseSetSummary">[];

function namesOf(found: Found, value: string): string[] {
  return [...new Set([...found.map(({ case_set }) => case_set), value])];
}

function brokenIn(found: Found, name: string): string | undefined {
  const broken = found.find(({ case_set, problem }) => case_set === name && problem);
  return broken ? `${broken.source}: ${broken.problem}` : undefined;
}
