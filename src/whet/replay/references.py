"""What the agent drew upon: files, skills, what the user said, what tools gave.

The type is told by where a thing lies and by which tool brought it. The usage mode of a file is
what became of it in the whole session: a file that is read here and written later is
``read_then_modified`` in both places.

Relevance is high for what says how to work, for files that were written, and for what the user
said; medium for files that were read more than once or that the prompt names, and for results that
named such a file; else low.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from whet.documents.session import Confidence, ContextReference
from whet.replay.acts import Act, Acts, output_of
from whet.replay.files import FileUse, file_uses
from whet.replay.flow import Edge, edges
from whet.replay.sources import is_named, source_type
from whet.replay.subjects import one_line

MOST = 30
"""References of one phase; the least relevant ones are left out."""

PROMPT = "user_prompt"
_LONGEST = 200
_ORDER: Mapping[Confidence, int] = {"high": 0, "medium": 1, "low": 2}


@dataclass(frozen=True)
class Drawn:
    """All that a session draws upon, worked out once."""

    acts: Acts
    leading: Mapping[int, Sequence[Edge]]
    """By the place of the call that they lead to: the results that named its file."""

    files: Mapping[str, ContextReference]
    """How each file is referred to."""


def drawn(acts: Acts) -> Drawn:
    """Look through a session."""
    leading: dict[int, list[Edge]] = {}
    for edge in edges(acts):
        if edge.kind == "found":
            leading.setdefault(edge.end, []).append(edge)
    prompt = acts.session.user_prompt
    files = {path: _file(path, use, prompt) for path, use in file_uses(acts).items()}
    return Drawn(acts, leading, files)


def references(drawn: Drawn, places: Sequence[int], *, first: bool) -> tuple[ContextReference, ...]:
    """What the calls at these places draw upon, the most relevant first, each thing once. The
    first calls of a session also draw upon what the user asked for."""
    found = [*_beginning(drawn.acts)] if first else []
    for place in places:
        found += _of(drawn, drawn.acts[place])
    distinct: dict[tuple[str, str], ContextReference] = {}
    for one in found:
        distinct.setdefault((one.type, one.source), one)
    ordered = sorted(distinct.values(), key=lambda one: _ORDER[one.relevance])
    return tuple(ordered[:MOST])


def _beginning(acts: Acts) -> Iterator[ContextReference]:
    session = acts.session
    if session.user_prompt.strip():
        summary = one_line(session.user_prompt, _LONGEST)
        yield _reference("user_message", PROMPT, "high", summary)
    if session.agent.capability_snapshot:
        yield _reference("capability", session.agent.capability_snapshot, "low")


def _of(drawn: Drawn, act: Act) -> Iterator[ContextReference]:
    if act.failed:
        return
    for path in dict.fromkeys((*act.reads, *act.writes)):
        yield drawn.files[path]
    if act.kind == "skill":
        yield _reference("skill", act.subject or act.tool, "high")
    elif act.kind == "ask":
        answer = one_line(output_of(act.call), _LONGEST)
        yield _reference("user_message", act.call_id, "high", answer or None)
    for edge in drawn.leading.get(act.index, ()):
        search = drawn.acts[edge.start]
        said = f"{search.tool} {one_line(search.subject, _LONGEST)}".strip()
        yield _reference("tool_result", search.call_id, "medium", f"{said} named {edge.path}")


def _file(path: str, use: FileUse, prompt: str) -> ContextReference:
    kind = source_type(path)
    relevance: Confidence = "low"
    if kind != "file" or use.writes:
        relevance = "high"
    elif len(use.reads) > 1 or is_named(path, prompt):
        relevance = "medium"
    if use.mode is None:
        return ContextReference(type=kind, source=path, relevance=relevance)
    return ContextReference(type=kind, source=path, relevance=relevance, usage_mode=use.mode)


def _reference(
    kind: Literal["user_message", "tool_result", "capability", "skill"],
    source: str,
    relevance: Confidence,
    summary: str | None = None,
) -> ContextReference:
    if summary is None:
        return ContextReference(type=kind, source=source, relevance=relevance)
    return ContextReference(type=kind, source=source, relevance=relevance, summary=summary)
