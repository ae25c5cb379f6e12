"""What is to be noticed on a timeline: errors, questions, prompts, skills, evidence of verdicts."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from whet.documents.session_timeline import MarkKind, TimelineMark, VerdictLink
from whet.replay.acts import Acts
from whet.replay.errors import told
from whet.replay.skills import skill_uses
from whet.replay.subjects import one_line

MOST = 80
"""Marks of a kind; where there are more, those near each other are one."""

_LONGEST = 60


class _Note(NamedTuple):
    kind: MarkKind
    at: int
    call: int | None
    text: str


def marks(acts: Acts, links: Sequence[VerdictLink] = ()) -> list[TimelineMark]:
    """All marks, in order of time."""
    every = sorted(_notes(acts, links), key=lambda note: (note.kind, note.at))
    found: list[TimelineMark] = []
    for _, group in groupby(every, key=lambda note: note.kind):
        found += _thinned(list(group), acts.wall)
    return sorted(found, key=lambda mark: mark.at_ms)


def marked(acts: Acts, links: Sequence[VerdictLink]) -> dict[int, tuple[MarkKind, ...]]:
    """The kinds of marks that each call has."""
    found: dict[int, dict[MarkKind, None]] = {}
    for note in _notes(acts, links):
        if note.call is not None:
            found.setdefault(note.call, {})[note.kind] = None
    return {place: tuple(kinds) for place, kinds in found.items()}


def _notes(acts: Acts, links: Iterable[VerdictLink]) -> Iterator[_Note]:
    for act in acts:
        if act.failed:
            yield _Note("error", act.start, act.index, told(act.call, _LONGEST))
        if act.kind == "ask":
            yield _Note("question", act.start, act.index, act.subject)
    for prompt in (acts.session.prompts or ())[1:]:
        if (at := acts.since(prompt.at)) is not None:
            yield _Note("prompt", max(at, 0), None, prompt.text)
    for use in skill_uses(acts):
        if use.place is not None:
            yield _Note("skill", acts[use.place].start, use.place, use.skill)
    for link in links:
        if 0 <= link.index < len(acts):
            yield _Note("verdict", acts[link.index].start, link.index, link.text)


def _thinned(own: Sequence[_Note], wall: int) -> list[TimelineMark]:
    """One mark for each note, or for those near each other where there are too many."""
    if len(own) <= MOST:
        return [_mark(note, 1) for note in own]
    width = wall // MOST + 1
    near = groupby(own, key=lambda note: min(note.at // width, MOST - 1))
    groups = [list(group) for _, group in near]
    return [_mark(group[0], len(group)) for group in groups]


def _mark(note: _Note, count: int) -> TimelineMark:
    return TimelineMark(
        kind=note.kind,
        call=note.call,
        at_ms=note.at,
        text=one_line(note.text, _LONGEST),
        count=count,
    )
