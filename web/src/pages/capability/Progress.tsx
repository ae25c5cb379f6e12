import { Progress as Bar, Card, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { Tag } from "@/parts/Tag.tsx";
import type { Detail, Item, Run } from "./queries.ts";

const MOST_SHOWN = 6;

/** How far a run is, what it is at, and how long it will still take. */
export function Progress({ detail }: { detail: Detail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { run, items } = detail;
  const { done, total } = doneOf(run);
  return (
    <Card padding="lg">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Text fw={600} data-testid="done">
            {t("numbers.ofTotal", { done: format.count(done), total: format.count(total) })}
          </Text>
          <Text size="sm" c="dimmed">
            {left(run)}
          </Text>
        </Group>
        <Bar
          value={total > 0 ? (done / total) * 100 : 0}
          size="md"
          aria-label={t("capability.run.progress")}
          transitionDuration={300}
        />
        {!run.reclaimable && <Current items={items} />}
      </Stack>
    </Card>
  );

  function left({ reclaimable, seconds_left }: Run): string {
    if (reclaimable) return "";
    if (seconds_left == null) return t("capability.run.estimating");
    return t("numbers.left", { time: format.duration(seconds_left) });
  }
}

/** Cases that came to something, skipped ones too, of all. */
export function doneOf({ counts }: Run): { done: number; total: number } {
  const total = counts?.total ?? 0;
  return { done: total - (counts?.active ?? 0) - (counts?.cancelled ?? 0), total };
}

function Current({ items }: { items: readonly Item[] }) {
  const { t } = useTranslation();
  const current = items.filter(({ status, started_at }) => status === "active" && started_at);
  const shown = current.slice(0, MOST_SHOWN);
  return (
    <Group gap="xs" mih={24} data-testid="current">
      <Text size="sm" c="dimmed">
        {shown.length > 0 ? t("capability.run.current") : t("capability.run.starting")}
      </Text>
      {shown.map(({ case_id }) => (
        <Tag key={case_id} tone="busy">
          {case_id}
        </Tag>
      ))}
      {current.length > shown.length && (
        <Text size="sm" c="dimmed">
          {t("capability.run.currentMore", { count: current.length - shown.length })}
        </Text>
      )}
    </Group>
  );
}
