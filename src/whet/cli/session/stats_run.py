"""What ``whet session stats`` does once its imports are worth their time."""

from collections.abc import Iterator, Sequence

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.settings import Settings
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.session.desk import desk_of, took
from whet.cli.session.options import One
from whet.cli.session.words import SessionWords, StatsWords
from whet.documents.session_figures import SessionFigures, TimeShare

MOST = 10
_MEASURED = ("wall_ms", "busy_ms", "thinking_ms", "idle_ms")


def stats(settings: Settings, options: One) -> None:
    """Print the figures of a session."""
    words = SessionWords(settings.language).stats
    with desk_of(settings) as desk:
        found = desk.view(options.session).figures()
    if options.json:
        print_json(found.to_data())
        return
    console = Console(highlight=False)
    console.print(_times(found, words))
    if found.times.timing_quality in ("self_reported", "guessed"):
        said = words.guessed.format(quality=found.times.timing_quality)
        console.print(Text(said, "yellow"))
    for phases in found.times.phases:
        _share(
            console,
            words.tables["phases"].format(annotator=line(phases.annotator, 60)),
            phases.phases,
            words,
        )
    _share(console, words.tables["categories"], found.times.categories, words)
    _share(console, words.tables["tools"], found.times.tools, words)
    for name, title in words.lists.items():
        _list(console, title, list(_lines(found, name)), words)


def _times(found: SessionFigures, words: StatsWords) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    for name in _MEASURED:
        value: int = getattr(found.times, name)
        share = f"{100 * value / found.times.wall_ms:.0f} %" if found.times.wall_ms else ""
        grid.add_row(words.times[name], Text(took(value), justify="right"), share)
    grid.add_row(words.times["most_at_once"], Text(str(found.times.most_at_once), justify="right"))
    mean = f"{found.times.mean_at_once:.1f}"
    grid.add_row(words.times["mean_at_once"], Text(mean, justify="right"))
    return grid


def _share(console: Console, title: str, shares: Sequence[TimeShare], words: StatsWords) -> None:
    if not shares:
        return
    heads = {**words.columns, "name": title}
    table = plain_table(heads.values(), [*heads.values()][1:])
    for one in shares[:MOST]:
        numbers = (
            str(one.calls),
            str(one.failed or "–"),
            took(one.summed_ms),
            took(one.thinking_ms),
        )
        table.add_row(cell(one.name, 60), *(Text(each, justify="right") for each in numbers))
    console.print(table)
    if len(shares) > MOST:
        typer.echo(words.left_out.format(count=len(shares) - MOST))


def _list(console: Console, title: str, lines: Sequence[str], words: StatsWords) -> None:
    if not lines:
        return
    console.print(Text(f"\n{title}", "bold"))
    for one in lines[:MOST]:
        console.print(Text(f"  {line(one, 200)}"), soft_wrap=True)
    if len(lines) > MOST:
        console.print(Text(f"  {words.left_out.format(count=len(lines) - MOST)}", "dim"))


def _lines(found: SessionFigures, name: str) -> Iterator[str]:
    """The entries of one list, each on a line."""
    match name:
        case "errors":
            yield from (f"{one.count}×  {one.example}" for one in found.errors)
        case "files":
            new = {True: " +", False: ""}
            for one in found.files:
                yield f"{one.reads}r {one.writes}w{new[one.created]}  {one.path}"
        case "skills":
            yield from (f"{one.skill}  {one.taken_up}  {one.calls_after}" for one in found.skills)
        case "subagents":
            for one in found.subagents:
                yield f"{one.subagent_type}  {one.calls}  {took(one.wall_ms)}  {one.subject}"
        case _:
            yield from _repeated(found, name)


def _repeated(found: SessionFigures, name: str) -> Iterator[str]:
    mark = {True: "✓", False: "✗"}
    match name:
        case "retries":
            for one in found.retries:
                yield f"{len(one.call_ids)}×  {mark[one.succeeded]} {one.tool}  {one.subject}"
        case "circles":
            yield from (f"{len(one.call_ids)}×  {one.tool}  {one.subject}" for one in found.circles)
        case _:
            for one in found.cycles:
                ends = f"{one.start_call_id} … {one.end_call_id}"
                yield f"{one.rounds}×  {mark[one.passed]} {ends}"
