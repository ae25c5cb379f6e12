"""``whet session list`` and ``whet session search``."""

from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.sessions.requests import SessionFilter, SessionSearch
from whet.app.sessions.sessions import Sessions
from whet.app.sessions.views import SessionHits, SessionPage
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.command import Call
from whet.cli.options import say, usable_values
from whet.cli.session.output import COLOURS, EntryWords, duration, opened_sessions
from whet.core.bilingual import Both
from whet.core.counts import CountedText
from whet.core.text import printable
from whet.exporters.amounts import amount
from whet.ports.listing import Page
from whet.ports.session_entry import SessionEntry
from whet.ports.session_hit import SessionHit

ROOMY = 120
"""Columns of a terminal that has room for everything."""

Query = Annotated[
    list[str],
    typer.Argument(help=SessionSearch.model_fields["q"].description, metavar="QUERY…"),
]


class ListWords(EntryWords):
    """What is said of lists of sessions."""

    columns = Both(
        {
            "name": "session",
            "kind": "from",
            "engine": "engine",
            "status": "status",
            "created": "begun",
            "took": "took",
            "calls": "calls",
            "cost": "cost",
            "title": "task",
        },
        {
            "name": "会话",
            "kind": "来源",
            "engine": "引擎",
            "status": "状态",
            "created": "开始",
            "took": "用时",
            "calls": "调用",
            "cost": "费用",
            "title": "任务",
        },
    )
    extent = Both("{first} to {last} of {total}", "第 {first} 至 {last} 个，共 {total} 个")
    none_fit = Both("No session fits.", "没有符合条件的会话。")
    none_yet = Both(
        "No session yet. Run something, or read in what your agents did: {command}",
        "尚无会话。运行任务，或导入智能体的日志：{command}",
    )
    broken = Both(
        CountedText("{count:file|files} in sessions/ cannot be read, {path}: {reason}"),
        "sessions/ 中有 {count} 个文件无法读取，{path}：{reason}",
    )
    more_calls = Both(CountedText("… and {count:more call|more calls}"), "……另有 {count} 次调用")


def list_(call: Call, wanted: SessionFilter) -> None:
    """Print one page of sessions."""
    words = ListWords(call.language)
    with opened_sessions(call.settings) as sessions:
        page = sessions.list(wanted.query())
        if call.json:
            print_json(SessionPage.of(page))
            return
        if page.items:
            console = Console(highlight=False)
            console.print(_table(page.items, console.width, words))
            _print_extent(page, words)
        elif wanted.is_narrow:
            typer.echo(words.none_fit)
        else:
            begin = printable(call.command("session import --history all"))
            typer.echo(words.none_yet.format(command=begin))
        _warn_of_broken(sessions, words)


def search(call: Call, query: Query, wanted: SessionFilter) -> None:
    """Print what was found, with the calls that fit."""
    words = ListWords(call.language)
    with usable_values():
        asked = SessionSearch(q=" ".join(query), **wanted.model_dump())
    with opened_sessions(call.settings) as sessions:
        page = sessions.search(asked.query(asked.q))
    if call.json:
        print_json(SessionHits.of(page))
        return
    console = Console(highlight=False)
    for hit in page.items:
        _print_hit(console, hit, words)
    if page.items:
        _print_extent(page, words)
    else:
        typer.echo(words.none_fit)


def _print_extent(page: Page[SessionEntry] | Page[SessionHit], words: ListWords) -> None:
    first = (page.page - 1) * page.page_size + 1
    last = first + len(page.items) - 1
    typer.echo(words.extent.format(first=first, last=last, total=page.total))


def _warn_of_broken(sessions: Sessions, words: ListWords) -> None:
    if broken := sessions.index.broken():
        first = broken[0]
        say(words.broken.format(count=len(broken), path=first.path, reason=first.reason))


def _table(entries: Sequence[SessionEntry], width: int, words: ListWords) -> Table:
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
    columns["took"] = lambda one: Text(duration(one.duration_ms), justify="right")
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


def _print_hit(console: Console, hit: SessionHit, words: ListWords) -> None:
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
