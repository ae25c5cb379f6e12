import { Autocomplete, Group, Text } from "@mantine/core";
import { IconCircleCheck, IconCircleDashed } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Shape } from "@/api/client.ts";
import { engines } from "../queries.ts";

type Engine = Shape<"EngineReport">;

export const isReady = (engine: Engine) => engine.installed && !engine.problem;

/** An engine, or engine:model; those that could run here come first. */
export function ModelInput({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation();
  const known = useQuery(engines()).data?.engines ?? [];
  const byName = new Map(known.map((engine) => [engine.name, engine]));
  const groups = [
    { group: t("capability.form.ready"), items: known.filter(isReady) },
    { group: t("capability.form.notReady"), items: known.filter((one) => !isReady(one)) },
  ].map(({ group, items }) => ({ group, items: items.map(({ name }) => name) }));
  const chosen = byName.get(value.split(":")[0] ?? "");
  const trouble = chosen && !isReady(chosen) ? chosen : null;
  return (
    <div>
      <Autocomplete
        label={t("capability.form.model")}
        placeholder={t("capability.form.modelHint")}
        data={groups}
        // Whoever opens it wants to see what there is, and not only what is chosen.
        filter={({ options }) => options}
        value={value}
        error={error ?? (value.trim() === "" ? t("capability.form.modelHint") : undefined)}
        onChange={onChange}
        renderOption={({ option }) => <Choice engine={byName.get(option.value)} />}
        maxDropdownHeight={340}
        comboboxProps={{ width: 320, position: "bottom-start" }}
      />
      {trouble && !error && (
        <Text size="xs" c="var(--whet-warn)" mt={4}>
          {t("capability.form.notReadyYet", {
            engine: trouble.name,
            problem: trouble.problem ?? "",
          })}
          {trouble.fix && ` ${t("capability.form.fix", { fix: trouble.fix })}`}
        </Text>
      )}
    </div>
  );
}

function Choice({ engine }: { engine: Engine | undefined }) {
  const { t } = useTranslation();
  if (!engine) return null;
  const Icon = isReady(engine) ? IconCircleCheck : IconCircleDashed;
  const { problem, version } = engine;
  const note = problem ?? (version && t("capability.form.version", { version }));
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Icon
        size={16}
        style={{ flex: "none", marginTop: 2 }}
        color={isReady(engine) ? "var(--whet-good)" : "var(--whet-idle)"}
        aria-hidden
      />
      <div>
        <Text size="sm">{engine.name}</Text>
        {note && (
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        )}
      </div>
    </Group>
  );
}
