"""The documents a project makes from its rows: one result per trial, and the summary.

They are projections of the database: written when a row is settled, and again whenever the
project is run, so a file that was lost or is behind comes back.
"""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from whet.core.errors import EnvironmentProblem
from whet.core.grade import Grade
from whet.core.instant import iso_seconds
from whet.core.rubric import Rubric
from whet.core.verdict import Interval, Verdict
from whet.curate.library import cases
from whet.documents import verdict as document
from whet.documents.files import write_atomic
from whet.documents.project import Progress, SkillRef
from whet.documents.result import BaselineSummary, CaseResult, RankingEntry, Scores, Summary
from whet.evaluate.aggregate import PERCENT, Standing, Tally
from whet.evaluate.experiment import Row
from whet.evaluate.project import Project, arm_id

DIGITS = 2


class ProjectResults:
    """Takes the rows of one run of a project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._skills = {arm_id(s.ref_id, s.version): s for s in project.config.skills}
        self._baselines = {arm_id(b.ref_id, b.version): b for b in project.config.baselines}
        self._tally = Tally()
        several = self._baselines if len(self._baselines) > 1 else {}
        self._tallies = {name: Tally() for name in several}
        """Of each baseline, where there are several."""
        self._case_counts = {
            name: len(cases(project.folder / baseline.local_path).cases)
            for name, baseline in several.items()
        }
        self._simulated = False
        self._made: set[Path] = set()

    def add(self, row: Row) -> None:
        """Count the row and write its result file, if that is not there in this very form."""
        self._tally.add(row)
        if self._tallies:
            self._tallies[row.cell.case.set].add(row)
        self._simulated |= _is_simulated(row)
        self._write(self._path(row), self._result(row).to_json())

    def progress(self) -> Progress:
        """How far the project is, as its configuration says it."""
        completed, failed = self._tally.pairs()
        change = {
            "completed_tasks": completed,
            "failed_tasks": failed,
            "last_checkpoint": completed + failed,
        }
        return self._project.config.progress.model_copy(update=change)

    def summarise(self, now: datetime) -> Summary:
        """Write and return the summary of all rows so far."""
        standings = self._tally.standings()
        summary = Summary(
            project_id=self._project.config.id,
            generated_at=iso_seconds(now),
            total_cases=self._project.config.progress.total_tasks // len(self._skills),
            ranking=self._ranking(standings),
            simulated=self._simulated,
            total_trials=self._project.config.progress.total_trials,
            winner=_winner(standings, self._skills),
            by_baseline=tuple(map(self._on, self._tallies)) or None,
        ).lean()
        self._write(self._project.folder / "results" / "summary.json", summary.to_json())
        return summary

    def _ranking(self, standings: Sequence[Standing]) -> tuple[RankingEntry, ...]:
        moved = _moved(standings)
        return tuple(_entry(s, self._skills, moved=s.arm.id in moved) for s in standings)

    def _on(self, name: str) -> BaselineSummary:
        """The ranking on one baseline alone."""
        baseline = self._baselines[name]
        return BaselineSummary(
            baseline_id=baseline.ref_id,
            baseline_name=baseline.name,
            baseline_version=baseline.version,
            total_cases=self._case_counts[name],
            ranking=self._ranking(self._tallies[name].standings()),
        )

    def _write(self, path: Path, text: str) -> None:
        """Bring a file into this very form."""
        try:
            if path.parent not in self._made:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._made.add(path.parent)
            if path.read_text() == text:
                return
        except (FileNotFoundError, UnicodeDecodeError):
            pass
        except OSError as error:
            raise EnvironmentProblem(f"cannot write {path}: {error.strerror}") from error
        write_atomic(path, text, durable=False)

    def _path(self, row: Row) -> Path:
        folder = self._project.folder / "results" / row.cell.arm.id
        if len(self._baselines) > 1:
            folder /= row.cell.case.set
        attempt = row.cell.attempt
        return folder / f"{row.cell.case.id}{'' if attempt == 1 else f'.run-{attempt}'}.json"

    def _result(self, row: Row) -> CaseResult:
        skill = self._skills[row.cell.arm.id]
        baseline = self._baselines[row.cell.case.set]
        record, grade = row.record, row.grade
        usage = record.usage if record else None
        return CaseResult(
            case_id=row.cell.case.id,
            skill_id=skill.ref_id,
            skill_version=skill.version,
            baseline_id=baseline.ref_id,
            baseline_version=baseline.version,
            executed_at=record.started_at if record else None,
            status=row.status,
            input=row.cell.case.stimulus.prompt,
            expected_output=row.cell.case.standard.expected,
            actual_output=record.answer if record else "",
            duration_ms=record.duration_ms if record else 0,
            cli_version=record.engine_version if record else None,
            model_version=self._project.config.cli_config.model,
            error=row.error or (grade.error if grade else None),
            scores=_scores(grade, row.cell.case.standard.rubric),
            score_reasoning=grade.reasoning if grade else "",
            score_evaluated_at=grade.evaluated_at if grade else None,
            trial_address=row.trial,
            attempt=row.cell.attempt,
            generation=record.generation if record else None,
            grade_status=grade.status if grade else None,
            simulated=_is_simulated(row),
            engine=record.engine if record else None,
            sandbox=record.sandbox if record else None,
            input_tokens=usage.input_tokens if usage else None,
            output_tokens=usage.output_tokens if usage else None,
            cost_usd=usage.cost_usd if usage else None,
            session=record.session if record else None,
        ).lean()


def _is_simulated(row: Row) -> bool:
    """Whether the agent or the judge behind it is a simulated one."""
    return any(source is not None and source.simulated for source in (row.record, row.grade))


def _scores(grade: Grade | None, rubric: Rubric | None) -> Scores:
    """Every dimension of the rubric, null where nobody scored it."""
    found: dict[str, int | float | None] = {}
    if rubric is not None:
        found = dict.fromkeys(dimension.name for dimension in rubric.dimensions)
    if grade is None or grade.score is None:
        return Scores.of(found, None)
    found |= {name: _number(dimension.score) for name, dimension in grade.dimensions.items()}
    return Scores.of(found, _number(round(grade.score * PERCENT, DIGITS)))


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


def _number(value: float) -> int | float:
    """Whole scores are written as whole numbers."""
    return int(value) if value.is_integer() else value
