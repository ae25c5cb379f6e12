import { memo } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { ItemTag } from "../ItemTag.tsx";
import type { Item } from "../queries.ts";
import classes from "./Cases.module.css";

export const ROW_HEIGHT = 52;

const firstLine = (text: string) => text.trimStart().slice(0, 200).split("\n", 1)[0] ?? "";

/** A case in a line; it opens when it is clicked. */
export const CaseRow = memo(function CaseRow({
  item,
  isAtWork,
  onOpen,
}: {
  item: Item;
  isAtWork: boolean;
  onOpen: (id: string) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const isUnderway = isAtWork && item.status === "active" && item.started_at !== null;
  const said = item.error ?? item.final_answer;
  return (
    <button
      type="button"
      className={classes.row}
      style={{ height: ROW_HEIGHT }}
      data-case={item.case_id}
      data-status={item.status}
      onClick={() => onOpen(item.case_id)}
    >
      <span className={classes.status}>
        <ItemTag status={item.status} isUnderway={isUnderway} />
      </span>
      <span className={classes.names}>
        <span className={classes.id}>{item.case_id}</span>
        <span className={classes.faint}>{t(`capability.dimensions.${item.dimension}`)}</span>
      </span>
      <span className={classes.texts}>
        <span className={classes.line}>{firstLine(item.prompt)}</span>
        <span className={`${classes.line} ${classes.faint}`}>{said ? firstLine(said) : ""}</span>
      </span>
      <span className={classes.figures}>
        <span>{item.score === null ? t("numbers.none") : format.number(item.score, 2)}</span>
        <span className={classes.faint}>
          {item.elapsed_s === null ? "" : format.duration(item.elapsed_s)}
        </span>
      </span>
    </button>
  );
});
