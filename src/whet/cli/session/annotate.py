"""``whet session annotate``."""

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer
from pydantic import JsonValue

from whet.app.asking import who_is_asked
from whet.app.config import defaults
from whet.app.pins import is_paid
from whet.app.sessions.annotate import Annotating
from whet.app.sessions.requests import EngineAsked, PhasesByHand
from whet.app.sessions.sessions import Sessions
from whet.app.sessions.views import AnnotatedSession, RemovedAnnotations
from whet.cli.asset_output import line, print_json
from whet.cli.command import Call
from whet.cli.request_options import Spelling
from whet.cli.session.output import Reference, opened_sessions
from whet.cli.spending import confirm
from whet.core.bilingual import Both, Words
from whet.core.errors import UsageError
from whet.core.foreign import obj
from whet.documents.session import PhaseType, Session
from whet.documents.text import parse_json, read_json

_MOST_STDIN = 16 * 1024 * 1024


class AnnotateWords(Words):
    """What is said of phases."""

    annotated = Both(
        "{name}: phases by {annotator}: {count}", "{name}：{annotator} 标注了 {count} 个阶段"
    )
    removed = Both("{name}: phases are left by {annotators}", "{name}：仍有标注者 {annotators}")
    nobody = Both("nobody", "无")
    asks = Both("1 answer of {who}", "{who} 的 1 次回答")


By = Annotated[
    Literal["auto", "engine", "hand"], typer.Option(help="Who says what the phases are.")
]
Asked = Annotated[
    EngineAsked,
    Spelling({"confirmed": ("--yes", "-y")}, help={"confirmed": "Do not ask before spending."}),
]
Remove = Annotated[
    str | None,
    typer.Option(help="Take away all of an annotator, or one annotation.", metavar="WHO"),
]


@dataclass(frozen=True, kw_only=True)
class ByHand:
    """What a person says of a session."""

    file: Annotated[
        Path | None,
        typer.Option(
            help="By hand: phases as a JSON list, in place of what you said before; - is stdin."
        ),
    ] = None
    phase: Annotated[PhaseType | None, typer.Option(help="By hand: one phase more.")] = None
    calls: Annotated[
        str | None,
        typer.Option(help="Its first and last call, by number or id.", metavar="FIRST..LAST"),
    ] = None
    description: Annotated[str | None, typer.Option(help="What was done in it.")] = None
    name: Annotated[str | None, typer.Option(help="By hand: who you are.")] = None

    @property
    def is_given(self) -> bool:
        """Whether anything is said."""
        said = (self.file, self.phase, self.calls, self.description)
        return any(one is not None for one in said)


def annotate(
    call: Call,
    session: Reference,
    asked: Asked,
    hand: ByHand,
    by: By = "auto",
    remove: Remove = None,
) -> None:
    """Annotate, or take annotations away, and tell who has said what."""
    with opened_sessions(call.settings) as sessions:
        if remove is not None:
            _remove(call, sessions, session, remove)
            return
        if by != "hand" and hand.is_given:
            raise UsageError("--file, --phase, --calls and --description are for --by hand")
        work = Annotating(sessions.shelf)
        match by:
            case "auto":
                done = work.auto(session)
            case "engine":
                done = asyncio.run(_ask(call, sessions, session, asked))
            case "hand":
                done = work.by_hand(session, _phases(sessions, session, hand))
    if call.json:
        data = obj(done.to_data())
        print_json({**data, "annotations": data["phase_annotations"]})
        return
    shown = {"name": done.name, "annotator": done.annotator, "count": len(done.phase_annotations)}
    typer.echo(line(AnnotateWords(call.language).annotated.format(**shown)))


def _remove(call: Call, sessions: Sessions, session: str, what: str) -> None:
    name = sessions.find(session).name
    left = Annotating(sessions.shelf).remove(name, what)
    if call.json:
        print_json(RemovedAnnotations(name=name, removed=what, annotators=left))
        return
    words = AnnotateWords(call.language)
    who = ", ".join(left) or words.nobody
    typer.echo(line(words.removed.format(name=name, annotators=who)))


async def _ask(
    call: Call, sessions: Sessions, session: str, asked: EngineAsked
) -> AnnotatedSession:
    app = sessions.app
    how = who_is_asked(app, asked.engine, asked.model)
    if is_paid(app.parts.engine(how.engine)):
        who = how.engine if how.model == "default" else f"{how.engine}:{how.model}"
        told = AnnotateWords(call.language).asks.format(who=who)
        confirm(told, yes=asked.confirmed, hint="")
    ask = app.ask(None, defaults(app).retries)
    return await Annotating(sessions.shelf).by_engine(session, how, ask)


def _phases(sessions: Sessions, session: str, hand: ByHand) -> PhasesByHand:
    """What a person says, from a file or from options."""
    if hand.file is not None and hand.phase is not None:
        raise UsageError("give --file, or --phase with --calls, not both")
    if hand.file is not None:
        rows = _read(hand.file)
    elif hand.phase is None or hand.calls is None:
        raise UsageError("by hand: give --phase and --calls FIRST..LAST, or --file")
    else:
        rows = [_row(sessions.load(session).session, hand.phase, hand.calls, hand.description)]
    data: dict[str, JsonValue] = {"phase_annotations": rows, "replace": hand.file is not None}
    return PhasesByHand.parse({**data, "name": hand.name}, str(hand.file or "--phase"))


def _row(session: Session, phase: PhaseType, calls: str, description: str | None) -> JsonValue:
    """One phase; its first and last call may be given by number."""
    first, dots, last = calls.partition("..")
    ends: dict[str, JsonValue] = {
        "start_call_id": _call_id(session, first),
        "end_call_id": _call_id(session, last if dots else first),
    }
    return {"phase_type": phase, "tool_call_range": ends, "description": description}


def _read(file: Path) -> list[JsonValue]:
    if str(file) == "-":
        data = parse_json(sys.stdin.buffer.read(_MOST_STDIN), "stdin")
    else:
        data = read_json(file)
    match data:
        case {"phase_annotations": [*rows]} | [*rows]:
            return rows
        case _:
            raise UsageError(f"{file}: must be a list of phases")


def _call_id(session: Session, text: str) -> str:
    calls = session.tool_calls
    if any(call.call_id == text for call in calls):
        return text
    if text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= len(calls):
        return calls[int(text) - 1].call_id
    raise UsageError(f"{text[:60]!r} is no call; give a number from 1 to {len(calls)}, or an id")
