"""What ``whet session annotate`` does once its imports are worth their time."""

import asyncio
import sys
from collections.abc import Mapping, Sequence

import typer
from pydantic import JsonValue

from whet.app.asking import who_is_asked
from whet.app.config import defaults
from whet.app.pins import is_paid
from whet.app.sessions.annotate import Annotated, Annotating
from whet.app.sessions.sessions import Sessions
from whet.app.settings import Settings
from whet.cli.asset_output import line, print_json
from whet.cli.session.desk import desk_of
from whet.cli.session.options import Annotate, By
from whet.cli.session.words import DoWords, SessionWords
from whet.cli.spending import confirm
from whet.core.errors import UsageError
from whet.core.value import Value
from whet.documents.session import Session
from whet.documents.text import parse_json, read_json
from whet.replay.annotators import Annotator

_MOST_STDIN = 16 * 1024 * 1024


class Left(Value):
    """Who is left after something was taken away."""

    name: str
    removed: str
    annotators: tuple[str, ...]


def annotate(settings: Settings, options: Annotate) -> None:
    """Annotate, or take annotations away, and tell who has said what."""
    words = SessionWords(settings.language).do
    with desk_of(settings) as desk:
        work = Annotating(desk.shelf)
        if options.remove is not None:
            entry = desk.find(options.session)
            left = work.remove(entry.name, options.remove)
            _tell_left(
                Left(name=entry.name, removed=options.remove, annotators=left), words, options
            )
            return
        done = _annotated(desk, work, options, words)
    if options.json:
        print_json(done)
        return
    told = words.annotated.format(
        name=done.name, count=len(done.annotations), annotator=done.annotator
    )
    typer.echo(line(told))


def _annotated(desk: Sessions, work: Annotating, options: Annotate, words: DoWords) -> Annotated:
    by_hand = (options.file, options.phase, options.calls, options.description)
    if options.by is not By.HAND and any(one is not None for one in by_hand):
        raise UsageError("--file, --phase, --calls and --description are for --by hand")
    match options.by:
        case By.AUTO:
            return work.auto(options.session)
        case By.HAND:
            return _by_hand(desk, work, options)
        case By.ENGINE:
            how = who_is_asked(desk.app, options.engine, options.model)
            if is_paid(desk.app.parts.engine(how.engine)):
                who = how.engine if how.model == "default" else f"{how.engine}:{how.model}"
                confirm(words.asks.format(who=who), yes=options.yes, hint="")
            ask = desk.app.ask(None, defaults(desk.app).retries)
            return asyncio.run(work.by_engine(options.session, how, ask))


def _by_hand(desk: Sessions, work: Annotating, options: Annotate) -> Annotated:
    who = Annotator("human", options.name or None)
    if options.file is not None:
        if options.phase is not None:
            raise UsageError("give --file, or --phase with --calls, not both")
        return work.by_hand(options.session, who, _rows(options), replace=True)
    if options.phase is None or options.calls is None:
        raise UsageError("by hand: give --phase and --calls FIRST..LAST, or --file")
    session = desk.load(options.session).session
    first, last = _range(session, options.calls)
    row: dict[str, JsonValue] = {
        "phase_type": options.phase.value,
        "tool_call_range": {"start_call_id": first, "end_call_id": last},
        **({} if options.description is None else {"description": options.description}),
    }
    return work.by_hand(options.session, who, [row])


def _rows(options: Annotate) -> Sequence[Mapping[str, JsonValue]]:
    assert options.file is not None, "asked for"
    if str(options.file) == "-":
        data = parse_json(sys.stdin.buffer.read(_MOST_STDIN), "stdin")
    else:
        data = read_json(options.file)
    match data:
        case {"phase_annotations": [*rows]} | [*rows]:
            pass
        case _:
            raise UsageError(f"{options.file}: must be a list of phases")
    found = [row for row in rows if isinstance(row, dict)]
    if len(found) < len(rows):
        raise UsageError(f"{options.file}: every phase must be an object")
    return found


def _range(session: Session, text: str) -> tuple[str, str]:
    """The ids of the first and the last call, which may be given by number."""
    first, dots, last = text.partition("..")
    return _call(session, first), _call(session, last if dots else first)


def _call(session: Session, text: str) -> str:
    calls = session.tool_calls
    if any(call.call_id == text for call in calls):
        return text
    if text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= len(calls):
        return calls[int(text) - 1].call_id
    raise UsageError(f"{text[:60]!r} is no call; give a number from 1 to {len(calls)}, or an id")


def _tell_left(left: Left, words: DoWords, options: Annotate) -> None:
    if options.json:
        print_json(left)
        return
    who = ", ".join(left.annotators) or words.nobody
    typer.echo(line(words.removed.format(name=left.name, annotators=who)))
