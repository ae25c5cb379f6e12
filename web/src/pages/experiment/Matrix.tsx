import { Card, Group, NativeSelect, Pagination, Switch, Text, Title } from "@mantine/core";
import { IconChecks } from "@tabler/icons-react";
import { memo, useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { MarkIcon } from "./Marks.tsx";
import classes from "./Matrix.module.css";
import {
  armNames,
  type Case,
  type Cell,
  deltaText,
  isTroubled,
  type Leg,
  type Mark,
  marksOf,
  type Order,
  ordered,
  type Place,
  STEPS,
  scoreText,
  stepOf,
} from "./view.ts";

const ORDERS: readonly Order[] = ["plan", "name", "lowest", "widest"];
const MARKS: readonly Mark[] = ["failed", "gate", "unscored", "missing", "waiting", "flaky"];

export interface Paging {
  page: number;
  size: number;
  turn: (page: number) => void;
}

/** Every case with every arm: colour and number say the score, signs say the rest. */
export function Matrix({
  leg,
  number,
  isRunning,
  chosen,
  choose,
  paging,
}: {
  leg: Leg;
  number: number;
  isRunning: boolean;
  chosen: Place | null;
  choose: (place: Place) => void;
  paging: Paging;
}) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [order, setOrder] = useState<Order>("plan");
  const [isNarrow, setNarrow] = useState(false);
  const rows = useMemo(
    () => ordered(leg.cases, order, i18n.language),
    [leg.cases, order, i18n.language],
  );
  const shown = isNarrow ? rows.filter((row) => isTroubled(row, isRunning)) : rows;
  const names = armNames(leg, t);
  const columns = leg.columns.map((id) => names.get(id) ?? id);
  const sets = new Map(leg.sets.map(({ id, name }) => [id, name]));
  const hasDelta = leg.cases.some(({ delta }) => delta !== null);
  const open = useCallback(
    (row: Case, column: number) => {
      const arm = leg.columns[column];
      if (arm !== undefined) choose({ leg: number, arm, case: row.id, set: row.set, attempt: 1 });
    },
    [leg.columns, number, choose],
  );
  const pages = Math.ceil(leg.total_cases / paging.size);
  const first = (paging.page - 1) * paging.size;
  return (
    <Card className={classes.steps ?? ""}>
      <Group justify="space-between" mb="sm" gap="sm">
        <Title order={2}>{t("experiment.matrix.title")}</Title>
        <Group gap="md">
          <Switch
            size="xs"
            label={t("experiment.matrix.troubled")}
            checked={isNarrow}
            onChange={(event) => setNarrow(event.currentTarget.checked)}
          />
          <NativeSelect
            size="xs"
            aria-label={t("experiment.matrix.sort")}
            value={order}
            onChange={(event) => setOrder(event.currentTarget.value as Order)}
            data={ORDERS.map((value) => ({ value, label: t(`experiment.matrix.orders.${value}`) }))}
          />
        </Group>
      </Group>
      {shown.length === 0 ? (
        <Text c="dimmed">{t("experiment.matrix.nothing")}</Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by keys
        <section className={classes.scroll} tabIndex={0} aria-label={t("experiment.matrix.title")}>
          <table className={classes.matrix} data-testid="matrix">
            <thead>
              <tr>
                <th scope="col">{t("experiment.matrix.case")}</th>
                {columns.map((name, column) => (
                  <th key={leg.columns[column]} scope="col">
                    <div className={classes.arm}>{name}</div>
                  </th>
                ))}
                {hasDelta && <th scope="col">{t("experiment.matrix.difference")}</th>}
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <Row
                  key={`${row.set} ${row.id}`}
                  row={row}
                  set={sets.get(row.set) ?? ""}
                  columns={columns.join("\0")}
                  scale={leg.scale}
                  isRunning={isRunning}
                  hasDelta={hasDelta}
                  chosen={isOf(chosen, row, number) ? leg.columns.indexOf(chosen?.arm ?? "") : -1}
                  open={open}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
      <Group justify="space-between" mt="sm" gap="sm">
        <Legend leg={leg} isRunning={isRunning} />
        {pages > 1 && (
          <Group gap="sm">
            <Text size="xs" c="dimmed">
              {t("experiment.matrix.showing", {
                first: format.count(first + 1),
                last: format.count(first + leg.cases.length),
                total: format.count(leg.total_cases),
              })}
              {". "}
              {t("experiment.matrix.onPage")}
            </Text>
            <Pagination
              size="xs"
              total={pages}
              value={paging.page}
              onChange={paging.turn}
              aria-label={t("experiment.matrix.page")}
              getControlProps={(control) => ({ "aria-label": control })}
              getItemProps={(page) => ({ "aria-label": String(page) })}
            />
          </Group>
        )}
      </Group>
    </Card>
  );
}

function isOf(place: Place | null, row: Case, leg: number): boolean {
  return place?.leg === leg && place.case === row.id && place.set === row.set;
}

function same(a: RowProps, b: RowProps): boolean {
  return (
    a.columns === b.columns &&
    a.set === b.set &&
    a.scale === b.scale &&
    a.isRunning === b.isRunning &&
    a.hasDelta === b.hasDelta &&
    a.chosen === b.chosen &&
    a.open === b.open &&
    // A fetch gives new objects; most of them say what they said before.
    JSON.stringify(a.row) === JSON.stringify(b.row)
  );
}

interface RowProps {
  row: Case;
  /** The name of its baseline, where there are several. */
  set: string;
  /** The names of the arms, joined: a string is compared quicker than a list. */
  columns: string;
  scale: number;
  isRunning: boolean;
  hasDelta: boolean;
  chosen: number;
  open: (row: Case, column: number) => void;
}

const Row = memo(function Row({
  row,
  set,
  columns,
  scale,
  isRunning,
  hasDelta,
  chosen,
  open,
}: RowProps) {
  const format = useFormat();
  const names = columns.split("\0");
  return (
    <tr>
      <th scope="row" title={row.name}>
        <span className={classes.name}>{row.name}</span>
        {set && <span className={classes.set}>{set}</span>}
      </th>
      {row.cells.map((cell, column) => (
        <td key={names[column]}>
          <CellButton
            cell={cell}
            name={row.name}
            arm={names[column] ?? ""}
            scale={scale}
            isRunning={isRunning}
            isChosen={chosen === column}
            open={() => open(row, column)}
          />
        </td>
      ))}
      {hasDelta && <td className={classes.delta}>{deltaText(row.delta, scale, format)}</td>}
    </tr>
  );
}, same);

function CellButton({
  cell,
  name,
  arm,
  scale,
  isRunning,
  isChosen,
  open,
}: {
  cell: Cell;
  name: string;
  arm: string;
  scale: number;
  isRunning: boolean;
  isChosen: boolean;
  open: () => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const marks = marksOf(cell, isRunning);
  const score = scoreText(cell.mean, scale, format);
  const rate = cell.check_pass_rate ?? null;
  const checks = rate === null ? null : format.percent(rate);
  const said = [
    t("experiment.matrix.cell", {
      case: name,
      arm,
      score: cell.mean === null ? t("experiment.matrix.noScore") : score,
    }),
    // What is seen in the cell comes first, in its order.
    checks === null ? "" : t("experiment.matrix.cellChecks", { share: checks }),
    cell.scored > 0 ? t("experiment.matrix.scored", { count: cell.scored }) : "",
    cell.failed > 0 ? t("experiment.matrix.cellFailed", { count: cell.failed }) : "",
    cell.gate_failed ? t("experiment.matrix.cellGate", { count: cell.gate_failed }) : "",
    cell.unscored > 0 ? t("experiment.matrix.cellUnscored", { count: cell.unscored }) : "",
    cell.missing > 0
      ? t(isRunning ? "experiment.matrix.cellWaiting" : "experiment.matrix.cellMissing", {
          count: cell.missing,
        })
      : "",
    cell.flaky ? t("experiment.matrix.flaky") : "",
  ];
  const words = said.filter(Boolean).join("; ");
  return (
    <button
      type="button"
      className={classes.cell}
      data-step={stepOf(cell.mean, scale) ?? "none"}
      data-marks={marks.join(" ")}
      aria-label={words}
      aria-pressed={isChosen}
      title={words}
      onClick={open}
    >
      {score}{" "}
      {checks !== null && (
        <span className={classes.checks}>
          <IconChecks size={12} stroke={2} aria-hidden />
          {checks}
        </span>
      )}
      {marks.map((mark) =>
        // Beside a score, that more is to come would only be noise.
        mark === "waiting" && cell.mean !== null ? null : <MarkIcon key={mark} mark={mark} />,
      )}
    </button>
  );
}

function Legend({ leg, isRunning }: { leg: Leg; isRunning: boolean }) {
  const { t } = useTranslation();
  const seen = new Set(
    leg.cases.flatMap(({ cells }) => cells.flatMap((cell) => marksOf(cell, isRunning))),
  );
  const hasChecks = leg.cases.some(({ cells }) =>
    cells.some(({ check_pass_rate }) => typeof check_pass_rate === "number"),
  );
  return (
    <ul className={classes.legend} aria-label={t("experiment.matrix.legend")}>
      {Array.from({ length: STEPS }, (_, step) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is its number
        <li key={step}>
          <span className={classes.swatch} data-step={step} />
          {(100 / STEPS) * step}–{(100 / STEPS) * (step + 1)}
        </li>
      ))}
      {hasChecks && (
        <li>
          <IconChecks size={13} stroke={2} aria-hidden />
          {t("experiment.matrix.checks")}
        </li>
      )}
      {MARKS.filter((mark) => seen.has(mark)).map((mark) => (
        <li key={mark} title={t(`experiment.matrix.hints.${mark}`)}>
          <MarkIcon mark={mark} />
          {t(`experiment.matrix.${mark}`)}
        </li>
      ))}
    </ul>
  );
}
