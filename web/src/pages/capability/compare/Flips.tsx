import { Group, SegmentedControl, Select, Text, Title } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { PageLink } from "@/parts/Links.tsx";
import { VirtualList } from "@/parts/VirtualList.tsx";
import { ItemTag } from "../ItemTag.tsx";
import classes from "./Compare.module.css";
import { CHANGES, type Change, type ComparedItem, casesOf, type Difference } from "./compared.ts";

const ROW_HEIGHT = 44;

/** The cases of two runs side by side; at first those that flipped. */
export function Flips({
  difference,
  run,
  reference,
}: {
  difference: Difference;
  run: string;
  reference: string;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const [wanted, want] = useState<Change | "flipped" | "every">("flipped");
  const cases = useMemo(() => casesOf(difference, wanted), [difference, wanted]);
  const there = CHANGES.filter((change) => (difference.changes[change] ?? 0) > 0);
  return (
    <div>
      <Group justify="space-between" mb="xs" gap="sm">
        <Title order={3}>{t("capability.compare.flips")}</Title>
        <Group gap="sm">
          <SegmentedControl
            size="xs"
            aria-label={t("capability.compare.flips")}
            data={(["flipped", "every"] as const).map((value) => ({
              value,
              label: `${t(`capability.compare.${value}`)} (${format.count(casesOf(difference, value).length)})`,
            }))}
            value={wanted === "every" ? "every" : wanted === "flipped" ? "flipped" : ""}
            onChange={(value) => want(value === "every" ? "every" : "flipped")}
          />
          <Select
            size="xs"
            w={210}
            aria-label={t("capability.cases.status")}
            placeholder={t("capability.cases.status")}
            clearable
            data={there.map((value) => ({
              value,
              label: `${t(`capability.compare.change.${value}`)} (${format.count(difference.changes[value] ?? 0)})`,
            }))}
            value={wanted === "every" || wanted === "flipped" ? null : wanted}
            onChange={(value) => want(there.find((one) => one === value) ?? "flipped")}
          />
        </Group>
      </Group>
      {cases.length === 0 ? (
        <Text c="dimmed" size="sm">
          {t(
            wanted === "flipped" ? "capability.compare.noFlips" : "capability.compare.noneOfThese",
          )}
        </Text>
      ) : (
        <div className={classes.frame}>
          <VirtualList
            rows={cases}
            keyOf={({ case_id }) => case_id}
            rowHeight={ROW_HEIGHT}
            most={420}
            label={t("capability.compare.flips")}
          >
            {(item) => (
              <Row
                item={item}
                run={run}
                reference={reference}
                ids={[difference.reference_id, difference.run_id]}
              />
            )}
          </VirtualList>
        </div>
      )}
    </div>
  );
}

function Row({
  item,
  run,
  reference,
  ids,
}: {
  item: ComparedItem;
  run: string;
  reference: string;
  ids: readonly [string, string];
}) {
  const { t } = useTranslation();
  return (
    <div className={classes.row} style={{ height: ROW_HEIGHT }} data-change={item.change}>
      <span className={classes.change}>{t(`capability.compare.change.${item.change}`)}</span>
      <span className={classes.id}>
        <PageLink
          to="/capability/runs/$run"
          params={{ run: item.run ? ids[1] : ids[0] }}
          search={{ case: item.case_id }}
          size="sm"
        >
          {item.case_id}
        </PageLink>
        <span className={classes.faint}>{t(`capability.dimensions.${item.dimension}`)}</span>
      </span>
      <Side name={reference} standing={item.reference} />
      <span aria-hidden>→</span>
      <Side name={run} standing={item.run} />
    </div>
  );
}

function Side({ name, standing }: { name: string; standing: ComparedItem["run"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <span className={classes.side} title={name}>
      {standing ? <ItemTag status={standing.status} /> : t("numbers.none")}
      {standing?.score != null && (
        <span className={classes.faint}>{format.number(standing.score, 2)}</span>
      )}
    </span>
  );
}
