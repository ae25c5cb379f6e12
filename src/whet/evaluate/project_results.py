"""The documents a project makes from its rows: one result per trial, and the summary.

They are projections of the database: written when a row is settled, and again whenever the
project is run, so a file that was lost or is behind comes back.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from whet.core.errors import WhetError
from whet.core.instant import iso_seconds
from whet.core.verdict import Interval
from whet.curate.library import cases
from whet.curate.places import no_link
from whet.documents import verdict as document
from whet.documents.base import Number
from whet.documents.project import Progress, SkillRef
from whet.documents.result import BaselineSummary, RankingEntry, Summary
from whet.evaluate.aggregate import Placed, Standing, Tally, placed
from whet.evaluate.case_result import case_result, file_name, is_simulated, rounded_rate
from whet.evaluate.case_score import DIGITS
from whet.evaluate.experiment import Row
from whet.evaluate.project import Project
from whet.evaluate.project_files import SUMMARY, ResultFiles
from whet.evaluate.project_places import arm_id, copy_of, refuse_unfit
from whet.evaluate.verdict_values import told_verdict

ONE_DECIMAL = 0.05 + 1e-9
"""What rounding to one decimal changes at most."""


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
        self._latest = ""
        """When the last answer so far came."""

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
        if row.record is not None and (ended := _seconds(row.record.ended_at)):
            self._latest = max(self._latest, ended)

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
        """Write and return the summary of all rows so far. Where nothing was done *anew* it keeps
        its time, and the averages that are only rounded otherwise: a look at results is no test.
        Where its figures were not those of the results it says when they were recomputed."""
        summary = self.summary(now)
        if not anew:
            summary = self._kept(summary)
        self._files.write(SUMMARY, summary.to_json())
        return summary

    def recomputed(self, now: datetime) -> list[str]:
        """What the summary on disk says otherwise than the rows so far."""
        before = self.before()
        return [] if before is None else [*_differences(before, self.summary(now))]

    def _kept(self, summary: Summary) -> Summary:
        """The summary with the time of the results, and with what was said of them before."""
        before = self.before()
        if before is None:
            return summary.model_copy(update={"generated_at": self._latest or summary.generated_at})
        change: dict[str, object] = {"generated_at": before.generated_at}
        if before.model_copy(update={"generated_at": summary.generated_at}) == summary:
            return before
        said = {(one.skill_id, one.skill_version): one for one in before.ranking}
        change["ranking"] = tuple(
            _as_said(one, said.get((one.skill_id, one.skill_version))) for one in summary.ranking
        )
        if any(_differences(before, summary)):
            change["recomputed_at"] = summary.generated_at
        elif before.recomputed_at:
            change["recomputed_at"] = before.recomputed_at
        return summary.model_copy(update=change)

    def before(self) -> Summary | None:
        """The summary on disk, if it can be read."""
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


def _as_said(entry: RankingEntry, said: RankingEntry | None) -> RankingEntry:
    """The entry with the averages that were written before, where they are the same but for
    rounding."""
    if said is None:
        return entry
    parts = {
        name: _same_or(value, said.score_breakdown.get(name))
        for name, value in entry.score_breakdown.items()
    }
    average = _same_or(entry.avg_score, said.avg_score)
    return entry.model_copy(update={"avg_score": average, "score_breakdown": parts})


def _same_or(value: Number | None, said: Number | None) -> Number | None:
    return said if said is not None and value is not None and _is_same(value, said) else value


def _is_same(value: float | None, said: float | None) -> bool:
    """Whether two averages are one but for rounding to one decimal."""
    if value is None or said is None:
        return value is said
    return abs(value - said) <= ONE_DECIMAL


def _differences(before: Summary, summary: Summary) -> Iterator[str]:
    """What *before* says of a skill that its results do not come to."""
    said = {(one.skill_id, one.skill_version): one for one in before.ranking}
    for one in summary.ranking:
        other = said.pop((one.skill_id, one.skill_version), None)
        if other is None:
            yield f"{one.skill_name} {one.skill_version} is missing in the ranking"
        elif not _is_same(one.avg_score, other.avg_score):
            yield (
                f"the score of {one.skill_name} {one.skill_version} is {_told(other.avg_score)},"
                f" its results come to {_told(one.avg_score)}"
            )
    for other in said.values():
        yield f"{other.skill_name} {other.skill_version} is ranked without results"


def _told(score: float | None) -> str:
    return "none" if score is None else f"{score:g}"


def _seconds(moment: str) -> str:
    """A time as summaries have it, or nothing where it is none."""
    try:
        return iso_seconds(datetime.fromisoformat(moment))
    except ValueError:
        return ""


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
        versus_next=told_verdict(against) if against else None,
        order_differs=moved or None,
        check_pass_rate=rounded_rate(standing.checks.pass_rate),
        gate_failed_cases=standing.checks.gate_failed_cases,
        mixed_rubrics=standing.scales if len(standing.scales) > 1 else None,
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
