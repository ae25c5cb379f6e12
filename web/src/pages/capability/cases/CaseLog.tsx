import { Card, Group, Select, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { VirtualList } from "@/parts/VirtualList.tsx";
import { DIMENSIONS, type Item, type ItemStatus } from "../queries.ts";
import { CaseDrawer } from "./CaseDrawer.tsx";
import { CaseRow, ROW_HEIGHT } from "./CaseRow.tsx";
import { EVERYTHING, fitting } from "./filter.ts";

const STATUSES: readonly ItemStatus[] = [
  "passed",
  "failed",
  "error",
  "skipped",
  "cancelled",
  "active",
];
const MOST_HEIGHT = 620;

/** Every case of a run; which one is open stands in the address. */
export function CaseLog({
  items,
  isAtWork,
}: {
  items: readonly Item[];
  /** Whether anybody is at the run; else nothing that was begun is under way. */
  isAtWork: boolean;
}) {
  const { t } = useTranslation();
  const [filter, narrow] = useState(EVERYTHING);
  const [settled] = useDebouncedValue(filter, 150);
  const found = useMemo(() => fitting(items, settled), [items, settled]);
  const { case: opened } = useSearch({ from: "/capability/runs/$run" });
  const navigate = useNavigate({ from: "/capability/runs/$run" });
  const open = useCallback(
    (id: string | undefined) =>
      void navigate({ search: id === undefined ? {} : { case: id }, resetScroll: false }),
    [navigate],
  );
  const place = found.findIndex(({ case_id }) => case_id === opened);
  const item = found[place] ?? items.find(({ case_id }) => case_id === opened);
  return (
    <>
      <Group gap="sm" mb="sm">
        <TextInput
          flex={1}
          miw={200}
          size="xs"
          aria-label={t("capability.cases.search")}
          placeholder={t("capability.cases.search")}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={filter.text}
          onChange={({ currentTarget }) => narrow({ ...filter, text: currentTarget.value })}
        />
        <Choice
          label={t("capability.cases.dimension")}
          data={DIMENSIONS.map((value) => ({
            value,
            label: t(`capability.dimensions.${value}`),
          }))}
          value={filter.dimension}
          onChange={(dimension) => narrow({ ...filter, dimension })}
        />
        <Choice
          label={t("capability.cases.status")}
          data={STATUSES.map((value) => ({ value, label: t(`capability.item.${value}`) }))}
          value={filter.status}
          onChange={(status) => narrow({ ...filter, status })}
        />
        <Text size="sm" c="dimmed" aria-live="polite">
          {t("capability.cases.shown", { count: found.length })}
        </Text>
      </Group>
      <Card p={0}>
        {found.length === 0 ? (
          <Text c="dimmed" p="md">
            {t("capability.cases.none")}
          </Text>
        ) : (
          <VirtualList
            rows={found}
            keyOf={({ case_id }) => case_id}
            rowHeight={ROW_HEIGHT}
            most={MOST_HEIGHT}
            label={t("capability.cases.list")}
          >
            {(row) => <CaseRow item={row} isAtWork={isAtWork} onOpen={open} />}
          </VirtualList>
        )}
      </Card>
      <CaseDrawer
        item={item}
        isAtWork={isAtWork}
        previous={found[place - 1]?.case_id}
        next={place < 0 ? undefined : found[place + 1]?.case_id}
        onOpen={open}
      />
    </>
  );
}

function Choice<Value extends string>({
  label,
  data,
  value,
  onChange,
}: {
  label: string;
  data: readonly { value: Value; label: string }[];
  value: Value | null;
  onChange: (value: Value | null) => void;
}) {
  return (
    <Select
      size="xs"
      w={150}
      aria-label={label}
      placeholder={label}
      data={[...data]}
      value={value}
      clearable
      onChange={(chosen) => onChange(data.find((one) => one.value === chosen)?.value ?? null)}
    />
  );
}
