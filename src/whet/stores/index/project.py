"""The folder of a project, read: how its skills did on its baselines."""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from whet.core.address import digest
from whet.core.errors import InvalidDocument
from whet.documents.project import BaselineRef, ProjectConfig
from whet.documents.result import RankingEntry, Summary
from whet.ports.board_row import BoardRow
from whet.stores.index.look import Look, mode, noted
from whet.stores.index.schema import as_column

MOST_SUMMARY = 16 * 1024 * 1024
"""Bytes; a place in a ranking takes less than one thousand."""

_CONFIG, _RESULTS, _SUMMARY = "config.json", "results", "results/summary.json"
_BEST = 100
"""Of any score."""

_MOST_CASES = 10**9
"""A number beyond is no count of anything."""


@dataclass(slots=True)
class FoundProject(Look):
    """What lies in the folder of a project."""

    id: str | None = None
    """None where nobody can tell."""

    archived: bool = False
    has_results: bool = False
    results: list[tuple[BoardRow, str]] = field(default_factory=list[tuple[BoardRow, str]])
    """Each as in a library without any asset, with the purpose that the project gives its
    baseline."""

    @property
    def fingerprint(self) -> str:
        """Of everything that was read."""
        return digest([*self.documents, *self.problems])


def read_project(folder: str) -> FoundProject:
    """Read the folder of a project."""
    found = FoundProject()
    found.watch(folder, (_CONFIG, _RESULTS, _SUMMARY))
    with noted(found):
        _read(folder, found)
    return found


def _read(folder: str, found: FoundProject) -> None:
    config = ProjectConfig.parse(found.document(folder, _CONFIG), _CONFIG)
    if not config.id:
        raise InvalidDocument(_CONFIG, "id", "must not be empty")
    found.id = as_column(config.id)
    found.archived = bool(config.archived)
    if stat.S_ISLNK(mode(folder, _RESULTS)):
        raise InvalidDocument(_RESULTS, "", "is a link, which is not followed")
    if not os.path.lexists(f"{folder}/{_SUMMARY}"):
        return
    summary = Summary.parse(found.document(folder, _SUMMARY, MOST_SUMMARY), _SUMMARY)
    if summary.project_id != config.id:
        raise InvalidDocument(_SUMMARY, "project_id", "is that of another project")
    found.results = [
        (_row(config, summary, place), place.baseline.purpose or "")
        for place in _places(config, summary)
    ]
    found.has_results = True


class _Place(NamedTuple):
    """A skill in the ranking on one baseline."""

    baseline: BaselineRef
    case_count: int
    entry: RankingEntry


def _places(config: ProjectConfig, summary: Summary) -> Iterator[_Place]:
    """Those of skills that the project names, each of them once."""
    skills = {skill.ref_id for skill in config.skills}
    seen: set[tuple[str, ...]] = set()
    for baseline, case_count, ranking in _rankings(config, summary):
        for entry in ranking:
            if entry.skill_id not in skills:
                continue
            key = (entry.skill_id, entry.skill_version, baseline.ref_id, baseline.version)
            if key in seen:
                raise InvalidDocument(_SUMMARY, "ranking", "has a version of a skill twice")
            seen.add(key)
            yield _checked(_Place(baseline, case_count, entry))


def _rankings(
    config: ProjectConfig, summary: Summary
) -> Iterator[tuple[BaselineRef, int, Sequence[RankingEntry]]]:
    """The baselines, each with its number of cases and the ranking on it alone."""
    if len(config.baselines) == 1:
        yield config.baselines[0], summary.total_cases, summary.ranking
        return
    if summary.by_baseline is None:
        reason = "is missing, and the project has several baselines: run it again"
        raise InvalidDocument(_SUMMARY, "by_baseline", reason)
    baselines = {(one.ref_id, one.version): one for one in config.baselines}
    for part in summary.by_baseline:
        baseline = baselines.get((part.baseline_id, part.baseline_version))
        if baseline is not None:
            yield baseline, part.total_cases, part.ranking


def _checked(place: _Place) -> _Place:
    _, case_count, entry = place
    if entry.avg_score is not None and not 0 <= entry.avg_score <= _BEST:
        raise InvalidDocument(_SUMMARY, "ranking", f"has a score outside 0 to {_BEST}")
    interval = entry.interval
    if interval and not (0 <= interval.low <= interval.high <= _BEST and 0 < interval.level < 1):
        raise InvalidDocument(_SUMMARY, "ranking", f"has an interval outside 0 to {_BEST}")
    if entry.check_pass_rate is not None and not 0 <= entry.check_pass_rate <= 1:
        raise InvalidDocument(_SUMMARY, "ranking", "has a check_pass_rate outside 0 to 1")
    for count in (
        case_count,
        entry.completed_cases,
        entry.failed_cases,
        entry.gate_failed_cases or 0,
    ):
        if not 0 <= count <= _MOST_CASES:
            raise InvalidDocument(_SUMMARY, "ranking", f"{str(count)[:20]} cases cannot be")
    return place


def _row(config: ProjectConfig, summary: Summary, place: _Place) -> BoardRow:
    baseline, case_count, entry = place
    interval = entry.interval.to_data() if entry.interval else None
    return BoardRow(
        skill_id=entry.skill_id,
        skill_name=entry.skill_name,
        skill_version_tested=entry.skill_version,
        skill_version_current=None,
        baseline_id=baseline.ref_id,
        baseline_name=baseline.name,
        baseline_version_tested=baseline.version,
        baseline_version_current=None,
        avg_score=entry.avg_score,
        score_breakdown=entry.score_breakdown,
        project_id=config.id,
        project_name=config.name,
        tested_at=summary.generated_at,
        case_count=case_count,
        completed_cases=entry.completed_cases,
        failed_cases=entry.failed_cases,
        simulated=summary.simulated,
        interval=interval if isinstance(interval, dict) else None,
        check_pass_rate=entry.check_pass_rate,
        gate_failed_cases=entry.gate_failed_cases,
        mixed_rubrics=entry.mixed_rubrics,
    )
