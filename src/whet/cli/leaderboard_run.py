"""What ``whet leaderboard`` does once its imports are worth their time."""

import sys
from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from whet.app import leaderboard
from whet.app.leaderboard import GroupPage, RecordPage, Slice, Wanted
from whet.app.library.library import index_of
from whet.app.settings import Settings
from whet.cli.asset_output import command, line, print_json
from whet.cli.leaderboard_options import GROUPS, RECORDS, History, Show
from whet.cli.leaderboard_table import points, records, title
from whet.cli.leaderboard_words import BoardWords
from whet.core.errors import UsageError
from whet.core.naming import short
from whet.documents.files import write_atomic
from whet.documents.leaderboard import LeaderboardGroup, LeaderboardRecord
from whet.ports.index import Index

STDOUT = "-"
POINTS = 30
"""Of a history that are shown, the latest."""

_SOURCE = "the index"


def show(settings: Settings, options: Show) -> None:
    """Print a page of the leaderboard, or write all of it into a table."""
    if options.csv is not None:
        _write(settings, options, options.csv)
        return
    with index_of(settings.workspace) as index:
        index.refresh()
        page = _page(index, options)
    if options.json:
        print_json(page)
        return
    words = BoardWords(settings.language)
    console = Console()
    if isinstance(page, RecordPage):
        _records(console, page, options, words)
    elif options.baseline is None:
        _groups(console, page, options, words)
    else:
        _group(console, page, options, words)


def history(settings: Settings, options: History) -> None:
    """Print how a skill did over time."""
    with index_of(settings.workspace) as index:
        index.refresh()
        found = leaderboard.skill_history(index, options.skill)
    if options.json:
        print_json(found)
        return
    words = BoardWords(settings.language)
    console = Console()
    if not found.baselines:
        typer.echo(words.untested.format(name=line(found.skill_name, 80)))
    for number, one in enumerate(found.baselines):
        name = Text("\n" if number else "").append(line(one.baseline_name, 80), "bold")
        version = one.baseline_version_current
        console.print(name.append(f"  {line(version, 20) if version else words.gone}", "dim"))
        console.print(points(one.points[-POINTS:], words))
        if (left := len(one.points) - POINTS) > 0:
            hint = f"leaderboard history {short(found.skill_id)} --json"
            told = words.earlier.format(count=left, command=command(hint, options.workspace))
            typer.echo(line(told))


def _page(index: Index, options: Show) -> GroupPage | RecordPage:
    wanted = _wanted(options)
    page, size = options.page, options.page_size
    if options.flat:
        return leaderboard.records(index, wanted, Slice(page=page, page_size=size or RECORDS))
    if options.baseline is None:
        return leaderboard.groups(index, wanted, Slice(page=page, page_size=size or GROUPS))
    # There is one group, and what has pages are its records.
    part = Slice(page_size=1, records_page=page, records_page_size=size or RECORDS)
    return leaderboard.groups(index, wanted, part)


def _wanted(options: Show) -> Wanted:
    return Wanted(
        baseline=options.baseline,
        skill=options.skill,
        purpose=options.purpose,
        since=options.since,
        until=options.until,
        include_stale=options.include_stale,
        by_version=options.by_version,
        archived=options.archived,
    )


def _write(settings: Settings, options: Show, target: str) -> None:
    if target == STDOUT and options.json:
        raise UsageError("--json and --csv - both want stdout; leave one of them out")
    path = Path(target)
    if target != STDOUT and (path.is_symlink() or path.exists()):
        raise UsageError(f"{path} is there already; choose another file for --csv")
    with index_of(settings.workspace) as index:
        index.refresh()
        pieces = leaderboard.exported(index, _wanted(options), "csv")
        if target == STDOUT:
            for piece in pieces:
                sys.stdout.buffer.write(piece)
            return
        data = b"".join(pieces)
    write_atomic(path, data, durable=True)
    if options.json:
        print_json({"path": str(path), "bytes": len(data)})
    else:
        typer.echo(BoardWords(settings.language).written.format(path=line(str(path), 4096)))


def _groups(console: Console, page: GroupPage, options: Show, words: BoardWords) -> None:
    for data in page.groups:
        group = LeaderboardGroup.parse(data, _SOURCE)
        _told(console, group, words)
        left = (group.record_count or 0) - len(group.records)
        if left > 0:
            hint = command(f"leaderboard --baseline {short(group.baseline_id)}", options.workspace)
            typer.echo(line(words.more.format(count=left, command=hint)))
        typer.echo()
    total, size = page.total, page.page_size
    _end((page.page, size, total, len(page.groups)), words.extent_groups, options, words)


def _group(console: Console, page: GroupPage, options: Show, words: BoardWords) -> None:
    groups = [LeaderboardGroup.parse(data, _SOURCE) for data in page.groups]
    for group in groups:
        _told(console, group, words)
    total = sum(group.record_count or 0 for group in groups)
    shown = sum(len(group.records) for group in groups)
    size = page.records_page_size
    _end((page.records_page, size, total, shown), words.extent_records, options, words)


def _told(console: Console, group: LeaderboardGroup, words: BoardWords) -> None:
    if group.records:
        console.print(title(group, words))
        console.print(records(group.records, words, is_flat=False))


def _records(console: Console, page: RecordPage, options: Show, words: BoardWords) -> None:
    found = [LeaderboardRecord.parse(data, _SOURCE) for data in page.records]
    if found:
        console.print(records(found, words, is_flat=True))
    _end((page.page, page.page_size, page.total, len(found)), words.extent_records, options, words)


def _end(extent: tuple[int, int, int, int], told: str, options: Show, words: BoardWords) -> None:
    """Which part of all this is, and how to get at the next; or why there is none."""
    page, size, total, shown = extent
    if not shown:
        typer.echo(_nothing(page, total, options, words))
        return
    first = (page - 1) * size + 1
    last = first + shown - 1
    said = told.format(first=first, last=last, total=total)
    more = words.next_page.format(page=page + 1)
    typer.echo(f"{said}  ({more})" if last < total else said)


def _nothing(page: int, total: int, options: Show, words: BoardWords) -> str:
    if total:
        return words.no_page.format(page=page, total=total)
    narrowed = (options.baseline, options.skill, options.purpose, options.since, options.until)
    if any(narrowed) or options.archived or not options.include_stale:
        return words.none_fit
    return words.none_yet.format(command=line(command("demo", options.workspace)))
