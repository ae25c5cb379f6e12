"""The documents a project makes from its rows: one result per trial, and the summary.

They are projections of the database: written when a row is settled, and again whenever the
project is run, so a file that was lost or is behind comes back.
"""

from collections.abc import Sequence
from datetime import datetime

from whet.core.errors import WhetError
from whet.core.instant import iso_seconds
from whet.core.verdict import Interval, Verdict
from whet.curate.library import cases
from whet.curate.places import no_link
from whet.documents import verdict as document
from whet.documents.project import Progress, SkillRef
from whet.documents.result import BaselineSummary, RankingEntry, Summary
from whet.evaluate.aggregate import Placed, Standing, Tally, placed
from whet.evaluate.case_result import DIGITS, case_result, file_name, is_simulated
from whet.evaluate.experiment import Row
from whet.evaluate.project import Project
from whet.evaluate.project_files import SUMMARY, ResultFiles
from whet.evaluate.project_places import arm_id, copy_of, refuse_unfit


class ProjectResults:
    """Takes the rows of one run of a project."""

    def __init__(self, project: Project) -> None:
        refuse_unfit(project.folder, project.config)
        self._project = project
        self._files = ResultFiles(project.folder)
        self._skills = {arm_id(s.ref_id, s.version): s for s in project.config.skills}
        self._baselines = {arm_id(b.ref_id, b.version): b for b in project.config.baselines}
        self._tally = Tally()
        several = self._baselines if len(self._baselines) > 1 else {}
        self._tallies = {name: Tally() for name in several}
        """Of each baseline, where there are several."""
        self._case_counts = {
            name: len(cases(copy_of(project.folder, baseline)).cases)
            for name, baseline in self._baselines.items()
        }
        self._simulated = False

    def add(self, row: Row) -> None:
        """Count the row and write its result file, if that is not there in this very form."""
        self.count(row)
        skill, baseline = self._skills[row.cell.arm.id], self._baselines[row.cell.case.set]
        result = case_result(row, skill, baseline, self._project.config)
        self._files.write(self._name(row), result.to_json())

    def count(self, row: Row) -> None:
        """Count the row, and leave its file as it is."""
        self.take(placed(row))
        self._simulated |= is_simulated(row)

    def take(self, place: Placed) -> None:
        """Count a place; whether it was simulated is not known from it."""
        self._tally.take(place)
        if self._tallies:
            self._tallies[place.case[0]].take(place)

    def progress(self) -> Progress:
        """How far the project is, as its configuration says it."""
        completed, failed = self._tally.pairs(self._project.repeats)
        pairs = self._total_cases * len(self._skills)
        change = {
            "total_tasks": pairs,
            "total_trials": pairs * self._project.repeats,
            "completed_tasks": completed,
            "failed_tasks": failed,
            "last_checkpoint": completed + failed,
        }
        return self._project.config.progress.model_copy(update=change)

    def summary(self, now: datetime, *, compared: bool = True) -> Summary:
        """What all rows so far come to. Unless *compared* there are no verdicts and no winner: for
        who looks while it is under way."""
        standings = self._tally.standings(compared=compared)
        return Summary(
            project_id=self._project.config.id,
            generated_at=iso_seconds(now),
            total_cases=self._total_cases,
            ranking=self._ranking(standings),
            simulated=self._simulated,
            total_trials=self._total_cases * len(self._skills) * self._project.repeats,
            winner=_winner(standings, self._skills) if compared else None,
            by_baseline=tuple(self._on(name, compared=compared) for name in self._tallies) or None,
        ).lean()

    def summarise(self, now: datetime, *, anew: bool = True) -> Summary:
        """Write and return the summary of all rows so far. Where nothing was done *anew* and it
        says what it said before, it keeps its time: a look at results is no test."""
        summary = self.summary(now)
        if not anew and (before := self._before()) is not None:
            same = before.model_copy(update={"generated_at": summary.generated_at})
            summary = before if same.to_data() == summary.to_data() else summary
        self._files.write(SUMMARY, summary.to_json())
        return summary

    def _before(self) -> Summary | None:
        try:
            return Summary.load(no_link(self._project.folder / "results" / SUMMARY))
        except WhetError:
            return None

    @property
    def _total_cases(self) -> int:
        return sum(self._case_counts.values())

    def _ranking(self, standings: Sequence[Standing]) -> tuple[RankingEntry, ...]:
        moved = _moved(standings)
        return tuple(_entry(s, self._skills, moved=s.arm.id in moved) for s in standings)

    def _on(self, name: str, *, compared: bool) -> BaselineSummary:
        """The ranking on one baseline alone."""
        baseline = self._baselines[name]
        return BaselineSummary(
            baseline_id=baseline.ref_id,
            baseline_name=baseline.name,
            baseline_version=baseline.version,
            total_cases=self._case_counts[name],
            ranking=self._ranking(self._tallies[name].standings(compared=compared)),
        )

    def _name(self, row: Row) -> str:
        cell = row.cell
        folder = f"{cell.arm.id}/{cell.case.set}" if self._tallies else cell.arm.id
        return f"{folder}/{file_name(cell.case.id, cell.attempt)}"


def _entry(standing: Standing, skills: dict[str, SkillRef], *, moved: bool) -> RankingEntry:
    skill = skills[standing.arm.id]
    against = standing.versus_next
    return RankingEntry(
        rank=standing.rank,
        skill_id=skill.ref_id,
        skill_name=skill.name,
        skill_version=skill.version,
        completed_cases=standing.completed_cases,
        failed_cases=standing.failed_cases,
        avg_score=_rounded(standing.average),
        score_breakdown={name: _rounded(value) for name, value in standing.breakdown.items()},
        interval=_interval(standing.interval),
        avg_score_failed_as_zero=_rounded(standing.failed_as_zero),
        unscored_cases=standing.unscored_cases,
        versus_next=_verdict(against) if against else None,
        order_differs=moved or None,
    ).lean()


def _moved(standings: Sequence[Standing]) -> set[str]:
    """The arms whose place would be another one if failed attempts counted as zero."""
    strict = sorted(standings, key=lambda standing: -(standing.failed_as_zero or 0))
    return {
        ours.arm.id for ours, theirs in zip(standings, strict, strict=True) if ours is not theirs
    }


def _winner(standings: Sequence[Standing], skills: dict[str, SkillRef]) -> str | None:
    """The first skill's id, if it is better than the second beyond doubt or stands alone."""
    if not standings:
        return None
    first = standings[0]
    if first.average is None or (first.versus_next and first.versus_next.label != "better"):
        return None
    return skills[first.arm.id].ref_id


def _verdict(verdict: Verdict) -> document.Verdict:
    return document.Verdict(
        label=verdict.label,
        delta=_rounded(verdict.delta),
        interval=_interval(verdict.interval),
        n_cases=verdict.n_cases,
    )


def _interval(interval: Interval | None) -> document.Interval | None:
    if interval is None:
        return None
    return document.Interval(
        low=round(interval.low, DIGITS),
        high=round(interval.high, DIGITS),
        level=interval.level,
        method=interval.method,
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)
