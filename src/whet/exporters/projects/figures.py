"""The figures of a project, in the order in which reports show them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from whet.documents.project import SkillRef
from whet.documents.result import CaseResult, RankingEntry
from whet.exporters.plain import line
from whet.ports.project_exporter import ProjectReport, ReportedCase
from whet.stats.describe import mean

MOST_SKILLS = 50
MOST_DIMENSIONS = 30
FULL = 100


class Column(NamedTuple):
    """A skill, by its place in the configuration."""

    place: int
    title: str
    entry: RankingEntry | None
    """In the ranking over all cases."""


class Resources(NamedTuple):
    """What a case takes on average; None where nobody knows."""

    seconds: float | None
    tokens: float | None
    cost: float | None


Trouble = Literal["failed", "skipped", "unscored", "judge_failed"]


class Lost(NamedTuple):
    """An attempt without a score."""

    skill: str
    case: str
    attempt: int
    kind: Trouble
    reason: str


def columns(report: ProjectReport) -> list[Column]:
    """All skills, in the order of the ranking; those that are not in it come last."""
    ranking = report.summary.ranking if report.summary else ()
    places = {(one.skill_id, one.skill_version): place for place, one in enumerate(ranking)}
    found: list[tuple[int, Column]] = []
    for place, skill in enumerate(report.config.skills):
        rank = places.get((skill.ref_id, skill.version))
        entry = None if rank is None else ranking[rank]
        found.append((len(ranking) if rank is None else rank, Column(place, title(skill), entry)))
    return [column for _, column in sorted(found, key=lambda one: (one[0], one[1].place))]


def title(skill: SkillRef) -> str:
    """A skill for people, on one line."""
    return line(f"{skill.name or skill.ref_id} {skill.version}", 80)


def entry_title(entry: RankingEntry) -> str:
    """The same from a ranking."""
    return line(f"{entry.skill_name or entry.skill_id} {entry.skill_version}", 80)


def case_title(report: ProjectReport, one: ReportedCase) -> str:
    """A case for people; with its baseline where there are several."""
    name = line(one.case.name or one.case.id, 120)
    if len(report.config.baselines) == 1:
        return name
    return f"{line(one.baseline.name or one.baseline.ref_id, 60)} · {name}"


def dimensions(ranking: Sequence[RankingEntry]) -> list[str]:
    """All dimensions of a ranking."""
    return list(dict.fromkeys(name for one in ranking for name in one.score_breakdown))[
        :MOST_DIMENSIONS
    ]


def simulated(report: ProjectReport) -> bool:
    """Whether any of it was produced or judged by something simulated."""
    return any(result.simulated for result in results(report))


def results(report: ProjectReport) -> Iterator[CaseResult]:
    """All of them, case by case."""
    for one in report.cases:
        for attempts in one.results:
            yield from attempts


def resources(report: ProjectReport, place: int) -> Resources:
    """Of one skill: averaged inside a case first."""

    def average(amount: Callable[[CaseResult], float | None]) -> float | None:
        cases: list[float] = []
        for one in report.cases:
            ran = [each for each in one.results[place] if each.executed_at is not None]
            known = [value for each in ran if (value := amount(each)) is not None]
            cases += [mean(known)] if known else []
        return mean(cases) if cases else None

    return Resources(
        average(lambda each: each.duration_ms / 1000),
        average(_tokens),
        average(lambda e: e.cost_usd),
    )


def _tokens(result: CaseResult) -> float | None:
    if result.input_tokens is None or result.output_tokens is None:
        return None
    return result.input_tokens + result.output_tokens


def lost(report: ProjectReport) -> Iterator[Lost]:
    """Every attempt that has no score, and why."""
    every = columns(report)
    for one in report.cases:
        name = case_title(report, one)
        for column in every:
            for result in one.results[column.place]:
                if kind := trouble(result):
                    reason = line(result.error or "", 300)
                    yield Lost(column.title, name, result.attempt or 1, kind, reason)


def trouble(result: CaseResult) -> Trouble | None:
    """Why a result has no score; None where it has one."""
    if result.status != "completed":
        return result.status
    if result.scores.total is not None:
        return None
    return "judge_failed" if result.grade_status == "failed" else "unscored"
