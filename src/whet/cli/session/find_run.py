"""What ``whet session list`` and ``search`` do once their imports are worth their time."""

from collections.abc import Callable, Sequence

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.sessions.sessions import Sessions
from whet.app.sessions.wanted import Wanted
from whet.app.settings import Settings
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.options import say
from whet.cli.session.desk import desk_of, hint, took
from whet.cli.session.options import Narrowed, Search
from whet.cli.session.words import FindWords, SessionWords
from whet.exporters.amounts import amount
from whet.ports.listing import Page
from whet.ports.session_entry import SessionEntry
from whet.ports.session_hit import SessionHit

COLOURS = {"success": "green", "failed": "red", "in_progress": "yellow"}
ROOMY = 120
"""Columns of a terminal that has room for everything."""


def list_(settings: Settings, options: Narrowed) -> None:
    """Print one page of sessions."""
    words = SessionWords(settings.language).find
    with desk_of(settings) as desk:
        page = desk.list(_wanted(options).query())
        if options.json:
            _print_page("sessions", page)
            return
        if page.items:
            console = Console(highlight=False)
            console.print(_table(page.items, console.width, words))
        _tell_extent(page, words, options)
        _tell_broken(desk, words)


def search(settings: Settings, options: Search) -> None:
    """Print what was found, with the calls that fit."""
    words = SessionWords(settings.language).find
    with desk_of(settings) as desk:
        page = desk.search(_wanted(options).query(" ".join(options.query)))
    if options.json:
        _print_page("hits", page)
        return
    console = Console(highlight=False)
    for hit in page.items:
        _tell_hit(console, hit, words)
    _tell_extent(page, words, options)


def _wanted(options: Narrowed) -> Wanted:
    return Wanted(
        kind=[one.value for one in options.kind or ()],
        status=None if options.status is None else options.status.value,
        engine=options.engine,
        model=options.model,
        skill=options.skill,
        since=options.since,
        until=options.until,
        page=options.page,
        page_size=options.page_size,
    )


def _print_page(name: str, page: Page[SessionEntry] | Page[SessionHit]) -> None:
    print_json(
        {
            name: [one.model_dump(mode="json") for one in page.items],
            "total": page.total,
            "page": page.page,
            "page_size": page.page_size,
        }
    )


def _tell_extent(
    page: Page[SessionEntry] | Page[SessionHit], words: FindWords, options: Narrowed
) -> None:
    if page.items:
        first = (page.page - 1) * page.page_size + 1
        last = first + len(page.items) - 1
        typer.echo(words.extent.format(first=first, last=last, total=page.total))
        return
    is_narrow = isinstance(options, Search) or options.page > 1
    is_narrow |= any((options.kind, options.status, options.engine, options.model, options.skill))
    is_narrow |= any((options.since, options.until))
    begin = hint("import --history all", options.workspace)
    typer.echo(words.none_fit if is_narrow else words.none_yet.format(command=begin))


def _tell_broken(desk: Sessions, words: FindWords) -> None:
    broken = desk.index.broken()
    if broken:
        first = broken[0]
        say(words.broken.format(count=len(broken), path=first.path, reason=first.reason))


def _table(entries: Sequence[SessionEntry], width: int, words: FindWords) -> Table:
    """A table of sessions; a narrow terminal has room for the most needed columns only."""
    roomy = width >= ROOMY
    columns: dict[str, Callable[[SessionEntry], Text]] = {
        "name": (lambda one: cell(one.name, 80)) if roomy else _named
    }
    if roomy:
        columns["title"] = lambda one: cell(one.title, 60)
        columns["kind"] = lambda one: Text(words.kinds[one.kind])
        columns["engine"] = lambda one: cell(one.engine or "–", 20)
    columns["status"] = lambda one: Text(words.statuses[one.status], COLOURS[one.status])
    columns["created"] = lambda one: cell(one.created_at[:16].replace("T", " "), 20)
    columns["took"] = lambda one: Text(took(one.duration_ms), justify="right")
    columns["calls"] = _calls
    if any(entry.cost_usd for entry in entries):
        columns["cost"] = lambda one: Text(amount(one.cost_usd, "usd"), justify="right")
    fixed = [words.columns[one] for one in columns if one not in ("name", "title")]
    table = plain_table([words.columns[one] for one in columns], fixed)
    for entry in entries:
        table.add_row(*(told(entry) for told in columns.values()))
    return table


def _named(entry: SessionEntry) -> Text:
    """The name; of a trial, which says nothing, with the task beneath."""
    if entry.path is not None:
        return cell(entry.name, 80)
    return Text.assemble(cell(entry.name, 80), "\n", (line(entry.title, 60), "dim"))


def _calls(entry: SessionEntry) -> Text:
    failed = f" ({entry.failed}✗)" if entry.failed else ""
    return Text(f"{entry.calls}{failed}", justify="right")


def _tell_hit(console: Console, hit: SessionHit, words: FindWords) -> None:
    entry = hit.entry
    head = Text.assemble(
        (line(entry.name), "bold"),
        "  ",
        (words.statuses[entry.status], COLOURS[entry.status]),
        f"  {line(entry.engine or '–', 20)}  ",
        line(entry.created_at[:16].replace("T", " "), 20),
        f"  {line(entry.title, 80)}",
    )
    console.print(head, soft_wrap=True)
    if hit.snippet:
        console.print(Text(f"  {line(hit.snippet)}"), soft_wrap=True)
    for call in hit.calls:
        mark = ("✗", "red") if call.failed else ("✓", "green")
        said = f" {line(call.tool, 40)}  {line(call.snippet)}"
        console.print(Text.assemble(f"  {call.index + 1:>5} ", mark, said), soft_wrap=True)
    if hit.more_calls:
        console.print(Text(f"        {words.more_calls.format(count=hit.more_calls)}", "dim"))
