import { Group, Progress, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";

/** How far something is, as a bar and in numbers. */
export function Meter({ done, total, label }: { done: number; total: number; label: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const share = total > 0 ? Math.min(1, done / total) : 0;
  return (
    <Group gap="sm" wrap="nowrap">
      <Progress
        value={share * 100}
        flex={1}
        miw={60}
        size="sm"
        aria-label={label}
        transitionDuration={300}
      />
      <Text size="sm" className="numbers" style={{ whiteSpace: "nowrap" }}>
        {t("numbers.ofTotal", { done: format.count(done), total: format.count(total) })}
      </Text>
    </Group>
  );
}
