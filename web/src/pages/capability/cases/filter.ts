import type { Dimension, Item, ItemStatus } from "../queries.ts";

export interface Filter {
  dimension: Dimension | null;
  status: ItemStatus | null;
  text: string;
}

export const EVERYTHING: Filter = { dimension: null, status: null, text: "" };

/** The cases that fit, in their order. */
export function fitting(items: readonly Item[], { dimension, status, text }: Filter): Item[] {
  const wanted = text.trim().toLocaleLowerCase();
  const has = (value: string | null) => value?.toLocaleLowerCase().includes(wanted);
  return items.filter(
    (item) =>
      (dimension === null || item.dimension === dimension) &&
      (status === null || item.status === status) &&
      (wanted === "" || has(item.case_id) || has(item.prompt) || has(item.final_answer)),
  );
}
