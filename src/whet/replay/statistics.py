"""A session in figures: all that the neighbours of this module count, in one document."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from whet.documents.session_figures import (
    CircleFigure,
    CycleFigure,
    ErrorFigure,
    FileFigure,
    FlowFigure,
    RetryFigure,
    SessionFigures,
    SkillFigure,
)
from whet.replay.acts import Acts
from whet.replay.errors import Cluster, clusters
from whet.replay.files import FileUse, file_uses
from whet.replay.flow import Edge, edges
from whet.replay.repeats import Attempts, Circle, Cycle, circles, cycles, retries
from whet.replay.skills import SkillUse, skill_uses
from whet.replay.sources import source_type
from whet.replay.subagents import subagent, subagents
from whet.replay.subjects import one_line
from whet.replay.times import times
from whet.replay.usage import usage

MOST = 200
"""Entries of each list, and ids in each entry."""

_LONGEST = 200

Found = TypeVar("Found")
Figure = TypeVar("Figure")


def figures(acts: Acts, most: int = MOST) -> SessionFigures:
    """Count everything. Lists have at most *most* entries: errors and files with the most calls
    first, the others in order of time. What is left out is counted."""
    told = _Told(acts, most)
    files = sorted(file_uses(acts).values(), key=lambda one: (-_count(one), one.path))
    return SessionFigures(
        session_id=acts.session.session_id,
        calls=len(acts),
        failed=sum(act.failed for act in acts),
        times=times(acts),
        usage=usage(acts),
        retries=told.several("retries", retries(acts), told.retry),
        circles=told.several("circles", circles(acts), told.circle),
        cycles=told.several("cycles", cycles(acts), told.cycle),
        errors=told.several("errors", clusters(acts), told.error),
        files=told.several("files", files, told.file),
        flow=told.several("flow", edges(acts), told.edge),
        skills=told.several("skills", skill_uses(acts), told.skill),
        subagents=told.several("subagents", subagents(acts), lambda act: subagent(acts, act)),
        left_out=told.left_out,
    )


class _Told:
    """What was counted, with the ids of calls in place of their places."""

    def __init__(self, acts: Acts, most: int) -> None:
        self._acts = acts
        self._most = most
        self.left_out: dict[str, int] = {}

    def several(
        self, name: str, found: Sequence[Found], tell: Callable[[Found], Figure]
    ) -> tuple[Figure, ...]:
        if len(found) > self._most:
            self.left_out[name] = len(found) - self._most
        return tuple(tell(one) for one in found[: self._most])

    def _id(self, place: int) -> str:
        return self._acts[place].call_id

    def _ids(self, places: Sequence[int]) -> tuple[str, ...]:
        return tuple(map(self._id, places[: self._most]))

    def retry(self, one: Attempts) -> RetryFigure:
        first = self._acts[one.places[0]]
        return RetryFigure(
            tool=first.tool,
            subject=one_line(first.subject, _LONGEST),
            call_ids=self._ids(one.places),
            same_input=one.same_input,
            succeeded=one.succeeded,
        )

    def circle(self, one: Circle) -> CircleFigure:
        first = self._acts[one.places[0]]
        return CircleFigure(
            tool=first.tool,
            subject=one_line(first.subject, _LONGEST),
            call_ids=self._ids(one.places),
        )

    def cycle(self, one: Cycle) -> CycleFigure:
        return CycleFigure(
            start_call_id=self._id(one.first),
            end_call_id=self._id(one.last),
            rounds=one.rounds,
            passed=one.passed,
        )

    def error(self, one: Cluster) -> ErrorFigure:
        return ErrorFigure(
            pattern=one.pattern,
            count=len(one.places),
            tools=one.tools,
            call_ids=self._ids(one.places),
            example=one.example,
        )

    def file(self, one: FileUse) -> FileFigure:
        places = one.places
        return FileFigure(
            path=one.path,
            type=source_type(one.path),
            usage_mode=one.mode,
            reads=len(one.reads),
            writes=len(one.writes),
            failures=len(one.failures),
            created=one.created,
            first_call_id=self._id(places[0]),
            last_call_id=self._id(places[-1]),
        )

    def edge(self, one: Edge) -> FlowFigure:
        return FlowFigure(
            from_call_id=self._id(one.start),
            to_call_id=self._id(one.end),
            kind=one.kind,
            path=one.path,
            evidence=one.evidence,
        )

    def skill(self, one: SkillUse) -> SkillFigure:
        return SkillFigure(
            skill=one.skill,
            taken_up=one.taken_up,
            call_id=None if one.place is None else self._id(one.place),
            calls_after=one.calls_after,
            files_read=tuple(one.files_read[: self._most]),
            commands=self._ids(one.commands),
        )


def _count(use: FileUse) -> int:
    return len(use.reads) + len(use.writes) + len(use.failures)
