import { Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Tone } from "@/parts/Tag.tsx";
import { Tag } from "@/parts/Tag.tsx";
import { ITEM_ICONS } from "./ItemTag.tsx";
import type { ItemStatus, Run } from "./queries.ts";

const SHOWN: readonly [ItemStatus, Tone][] = [
  ["passed", "good"],
  ["failed", "bad"],
  ["error", "warn"],
  ["skipped", "idle"],
  ["cancelled", "idle"],
  ["active", "busy"],
];

/** How many cases came to what; outcomes that no case has are left out. */
export function Counts({ run, label }: { run: Run; label: string }) {
  const { t } = useTranslation();
  return (
    <Group gap="xs" role="group" aria-label={label}>
      {SHOWN.filter(([status]) => (run.counts?.[status] ?? 0) > 0).map(([status, tone]) => {
        const Icon = ITEM_ICONS[status];
        return (
          <Tag key={status} tone={tone} icon={<Icon size={13} stroke={2.2} aria-hidden />}>
            {t(`capability.counts.${status}`, { count: run.counts?.[status] ?? 0 })}
          </Tag>
        );
      })}
    </Group>
  );
}
