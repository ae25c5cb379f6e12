import { Chip, Group, Input, Stack, Switch, TagsInput, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { plan } from "../queries.ts";
import { bodyOf, type Wish } from "../wish.ts";

/** Not a tool that could be taken away. */
const ANSWER = "final_response";

/** Whether the agent may use all tools, and else which. */
export function ToolSwitch({
  wish,
  error,
  onChange,
}: {
  wish: Wish;
  error: string | undefined;
  onChange: (tools: string[] | null) => void;
}) {
  const { t } = useTranslation();
  const [settled] = useDebouncedValue(wish, 300);
  // What it would have if nothing were taken away.
  const offered = useQuery({
    ...plan(bodyOf({ ...settled, tools: null })),
    placeholderData: keepPreviousData,
  }).data;
  const has = offered?.tools?.filter((tool) => tool !== ANSWER) ?? null;
  return (
    <Input.Wrapper
      label={t("capability.form.tools")}
      labelElement="div"
      error={error}
      role="group"
      aria-label={t("capability.form.tools")}
    >
      <Stack gap="xs" mt={6}>
        <Switch
          label={t("capability.form.allTools")}
          checked={wish.tools === null}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : (has ?? []))}
        />
        {wish.tools !== null &&
          (has === null ? (
            <Named tools={wish.tools} onChange={onChange} />
          ) : (
            <Chosen tools={wish.tools} has={has} onChange={onChange} />
          ))}
      </Stack>
    </Input.Wrapper>
  );
}

function Chosen({
  tools,
  has,
  onChange,
}: {
  tools: readonly string[];
  has: readonly string[];
  onChange: (tools: string[]) => void;
}) {
  const { t } = useTranslation();
  return (
    <>
      <Chip.Group multiple value={[...tools]} onChange={onChange}>
        <Group gap={6}>
          {has.map((tool) => (
            <Chip key={tool} value={tool} size="xs" variant="light">
              {tool}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {tools.length === 0 && (
        <Text size="xs" c="dimmed">
          {t("capability.form.noTools")}
        </Text>
      )}
    </>
  );
}

function Named({
  tools,
  onChange,
}: {
  tools: readonly string[];
  onChange: (tools: string[]) => void;
}) {
  const { t } = useTranslation();
  return (
    <TagsInput
      aria-label={t("capability.form.tools")}
      description={t("capability.form.unknownTools")}
      placeholder={t("capability.form.toolsHint")}
      value={[...tools]}
      onChange={onChange}
    />
  );
}
