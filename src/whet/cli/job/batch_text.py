"""How a batch looks on the terminal."""

import json

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.cli.asset_output import cell, line, plain_table, print_json, short_ids
from whet.cli.job.words import FindWords
from whet.documents.job import BatchRow, BatchStatus

MOST_ROWS = 200
COLOURS = {"succeeded": "green", "failed": "red", "refused": "red", "cancelled": "yellow"}

_COLUMNS = ("row", "job", "engine", "status", "data")


def print_batch(found: BatchStatus, words: FindWords, *, as_json: bool) -> None:
    """Every job of a batch, and how many are how far."""
    if as_json:
        print_json(found.to_data())
        return
    Console(highlight=False).print(rows_table(found.items[:MOST_ROWS], words))
    if (more := len(found.items) - MOST_ROWS) > 0:
        typer.echo(words.more.format(count=more))
    parts = (f"{words.states.get(name, name)} {count}" for name, count in found.counts.items())
    typer.echo(words.counts.format(total=found.total, parts=", ".join(parts)))


def rows_table(rows: tuple[BatchRow, ...], words: FindWords) -> Table:
    """A table of jobs, and of those that there are not."""
    names = short_ids([row.request_id for row in rows if row.request_id])
    heads = [words.columns[one] for one in _COLUMNS]
    table = plain_table(heads, heads[:4])
    for row in rows:
        state = row.status or "waiting_upload"
        who = f"{row.engine}:{row.model}" if row.model not in (None, row.engine) else row.engine
        table.add_row(
            Text(str(row.index + 1), justify="right"),
            Text(names.get(row.request_id or "", "–")),
            cell(who, 60),
            Text(words.states.get(state, state), COLOURS.get(state, "")),
            _came_to(row),
        )
    return table


def _came_to(row: BatchRow) -> Text:
    if row.error is not None:
        return Text(line(f"{row.error.code}: {row.error.message}", 300), "yellow")
    if row.data is None:
        return Text(line(", ".join(row.artifacts), 200) or "–")
    return cell(json.dumps(row.data, ensure_ascii=False), 300)
