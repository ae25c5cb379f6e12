"""Reports of projects made by hand: one calm, one with everything that can be wrong, one that
attacks, one that is far too large."""

from collections.abc import Sequence
from dataclasses import replace

from tests.exporters.reports import HOSTILE
from whet.core.case import Case, Standard, Stimulus
from whet.core.rubric import SIX_DIMENSIONS
from whet.documents.comparison import CaseStanding
from whet.documents.environment import PinnedAsset, PinnedRubric, ProjectEnvironment
from whet.documents.project import (
    BaselineRef,
    CliConfig,
    ContextConfig,
    GradingConfig,
    Progress,
    ProjectConfig,
    SkillRef,
)
from whet.documents.result import BaselineSummary, CaseResult, RankingEntry, Scores, Summary
from whet.documents.verdict import Interval, Label, Verdict
from whet.ports.project_exporter import ProjectReport, ReportedCase
from whet.rank.attempts import attempts

MOMENT = "2026-01-02T03:04:05Z"
FAILED, SKIPPED, UNSCORED, BROKEN = "failed", "skipped", "unscored", "broken"
Came = float | str
"""A score of 0 to 100, or why there is none."""

WRITER = SkillRef(ref_id="writer-1", name="Writer", version="v2", local_path="skills/w")
AUTHOR = SkillRef(ref_id="author-1", name="Author", version="v1", local_path="skills/a")
TESTS = BaselineRef(ref_id="tests-1", name="Tests", version="v1", local_path="baselines/t")
MORE = BaselineRef(ref_id="more-1", name="More", version="v3", local_path="baselines/m")


def config(*skills: SkillRef, baselines: Sequence[BaselineRef] = (TESTS,)) -> ProjectConfig:
    return ProjectConfig(
        id="project-1",
        name="Small project",
        description="What it is about.",
        status="completed",
        created_at=MOMENT,
        updated_at=MOMENT,
        skills=skills or (WRITER, AUTHOR),
        baselines=tuple(baselines),
        cli_config=CliConfig(model="sonnet", timeout_seconds=600, retry_count=2),
        context_config=ContextConfig(token_threshold=80_000),
        progress=Progress(total_tasks=4, completed_tasks=4, failed_tasks=0, last_checkpoint=4),
        repeats=2,
        grading_config=GradingConfig(judges=("model opus",)),
    )


def environment(given: ProjectConfig) -> ProjectEnvironment:
    return ProjectEnvironment(
        project_id=given.id,
        project_name=given.name,
        created_at=given.created_at,
        engine="claude",
        engine_version="2.1",
        model="sonnet",
        options={"max_turns": 5},
        extra_flags=("--fast",),
        sandbox="bubblewrap",
        timeout_seconds=600,
        retry_count=2,
        repeats=2,
        judges=("codex:gpt",),
        readings=3,
        rubrics=(PinnedRubric(name="six_dimensions", digest="a" * 64),),
        skills=tuple(
            PinnedAsset(id=one.ref_id, name=one.name, version=one.version, digest="b" * 64)
            for one in given.skills
        ),
        baselines=tuple(
            PinnedAsset(
                id=one.ref_id, name=one.name, version=one.version, digest="c" * 64, case_count=2
            )
            for one in given.baselines
        ),
    )


def case(number: int, name: str = "", **standard: object) -> Case:
    return Case(
        id=f"case_{number:03}",
        set="set",
        name=name or f"Case {number}",
        stimulus=Stimulus(prompt=f"Please do number {number}."),
        standard=Standard.model_validate({"expected": "It is done.", **standard}),
    )


def result(
    skill: SkillRef, one: Case, came: Came, attempt: int = 1, baseline: BaselineRef = TESTS
) -> CaseResult:
    score = came if isinstance(came, int | float) else None
    status = came if came in (FAILED, SKIPPED) else "completed"
    graded = "scored" if score is not None else "failed" if came == BROKEN else "unscored"
    share = 0 if score is None else score / 100
    names = [dimension.name for dimension in SIX_DIMENSIONS.dimensions]
    parts = {d.name: share * d.maximum for d in SIX_DIMENSIONS.dimensions}
    ran = came != SKIPPED
    return CaseResult(
        case_id=one.id,
        skill_id=skill.ref_id,
        skill_version=skill.version,
        baseline_id=baseline.ref_id,
        baseline_version=baseline.version,
        executed_at=MOMENT if ran else None,
        status=status,  # pyright: ignore[reportArgumentType]
        input=one.stimulus.prompt,
        expected_output=one.standard.expected,
        actual_output="" if came == FAILED else f"The answer of {skill.name} to {one.id}.",
        duration_ms=1500 if ran else 0,
        cli_version="2.1",
        model_version="sonnet",
        error=f"it {came}" if isinstance(came, str) else None,
        scores=Scores.of(parts if score is not None else dict.fromkeys(names), score),
        score_reasoning="Reads well." if score is not None else "",
        score_evaluated_at=MOMENT,
        trial_address="f" * 64,
        attempt=attempt,
        grade_status=graded if status == "completed" else None,
        simulated=False,
        engine="claude",
        sandbox="bubblewrap",
        input_tokens=1000 if ran else None,
        output_tokens=200 if ran else None,
        cost_usd=0.0123 if ran else None,
    ).lean()


def reported(
    one: Case, *came: tuple[SkillRef, Sequence[Came]], baseline: BaselineRef = TESTS
) -> ReportedCase:
    """A case with what each skill's attempts came to."""
    results = tuple(
        tuple(result(skill, one, each, n, baseline) for n, each in enumerate(each_of, 1))
        for skill, each_of in came
    )
    standings: tuple[CaseStanding, ...] = tuple(attempts(each, 2).standing() for each in results)
    return ReportedCase(baseline, one, standings, results)


def interval(low: float, high: float) -> Interval:
    return Interval(low=low, high=high, level=0.95, method="t over cases")


def verdict(label: Label = "better", delta: float | None = 12.0) -> Verdict:
    around = None if delta is None else interval(delta - 8, delta + 8)
    return Verdict(label=label, delta=delta, interval=around, n_cases=2)


def entry(rank: int, skill: SkillRef, score: float | None, **more: object) -> RankingEntry:
    parts = {d.name: (score or 0) / 100 * d.maximum for d in SIX_DIMENSIONS.dimensions}
    return RankingEntry(
        rank=rank,
        skill_id=skill.ref_id,
        skill_name=skill.name,
        skill_version=skill.version,
        completed_cases=2,
        failed_cases=0,
        avg_score=score,
        score_breakdown=dict(parts) if score is not None else {},
        interval=None if score is None else interval(score - 5, score + 5),
        avg_score_failed_as_zero=score,
        unscored_cases=0,
    ).model_copy(update=more)


def summary(*ranking: RankingEntry, winner: str | None = None, **more: object) -> Summary:
    return Summary(
        project_id="project-1",
        generated_at=MOMENT,
        total_cases=2,
        ranking=ranking,
        winner=winner,
    ).model_copy(update=more)


def report(**more: object) -> ProjectReport:
    """Two skills, two cases, two attempts each; Author is listed first and ranked second."""
    given = config(AUTHOR, WRITER)
    first, second = case(1, "Create a test"), case(2, "Fix a test", weight=2)
    return replace(
        ProjectReport(
            config=given,
            environment=environment(given),
            summary=summary(
                entry(1, WRITER, 85.0, versus_next=verdict()),
                entry(2, AUTHOR, 73.0),
                winner="writer-1",
            ),
            cases=(
                reported(first, (AUTHOR, (70, 74)), (WRITER, (90, 88))),
                reported(second, (AUTHOR, (74, 74)), (WRITER, (80, 82))),
            ),
        ),
        **more,
    )


def broken() -> ProjectReport:
    """Failed, unscored, skipped and missing attempts; two baselines; interrupted; simulated."""
    given = config(AUTHOR, WRITER, baselines=(TESTS, MORE))
    given = given.model_copy(update={"status": "interrupted"})
    open_ = entry(
        1,
        WRITER,
        90.0,
        versus_next=verdict("inconclusive", 5.0),
        order_differs=True,
        avg_score_failed_as_zero=45.0,
        failed_cases=1,
    )
    parts = (
        BaselineSummary(
            baseline_id=MORE.ref_id,
            baseline_name=MORE.name,
            baseline_version=MORE.version,
            total_cases=1,
            ranking=(entry(1, WRITER, None), entry(1, AUTHOR, None)),
        ),
    )
    first = reported(case(1), (AUTHOR, (10, UNSCORED)), (WRITER, (90, FAILED)))
    simulated = first.results[0][0].model_copy(update={"simulated": True})
    return ProjectReport(
        config=given,
        environment=environment(given),
        summary=summary(open_, entry(2, AUTHOR, 10.0), by_baseline=parts),
        cases=(
            replace(first, results=((simulated, first.results[0][1]), first.results[1])),
            reported(case(2), (AUTHOR, (BROKEN, SKIPPED)), (WRITER, (FAILED, FAILED))),
            reported(case(1), (AUTHOR, ()), (WRITER, (55,)), baseline=MORE),
        ),
        warnings=("results/x.json: has no score",),
    )


def hostile() -> ProjectReport:
    """Whatever comes from outside is ``HOSTILE``."""
    skill = WRITER.model_copy(update={"ref_id": HOSTILE, "name": HOSTILE})
    tests = TESTS.model_copy(update={"ref_id": HOSTILE, "name": HOSTILE})
    given = config(skill, AUTHOR, baselines=(tests,)).model_copy(
        update={"id": HOSTILE, "name": HOSTILE, "description": HOSTILE, "created_at": HOSTILE}
    )
    one = case(1).model_copy(
        update={
            "id": HOSTILE,
            "name": HOSTILE,
            "category": HOSTILE,
            "stimulus": Stimulus(prompt=HOSTILE),
            "standard": Standard(expected=HOSTILE),
        }
    )
    named = ("actual_output", "score_reasoning", "error", "model_version", "cli_version")
    change = dict.fromkeys((*named, "executed_at", "trial_address"), HOSTILE)
    key = HOSTILE.replace("\ud800", "")  # which no document has in its keys
    scores = Scores.of({key: 1}, 50)
    made = [
        result(who, one, came, 1, tests).model_copy(update={**change, "scores": scores})
        for who, came in ((skill, 50), (AUTHOR, FAILED))
    ]
    ranked = entry(1, skill, 50.0, versus_next=verdict(), score_breakdown={key: 1})
    around = environment(given).model_copy(
        update={"engine": HOSTILE, "options": {key: HOSTILE}, "judges": (HOSTILE,)}
    )
    part = BaselineSummary(
        baseline_id=HOSTILE,
        baseline_name=HOSTILE,
        baseline_version=HOSTILE,
        total_cases=1,
        ranking=(ranked,),
    )
    return ProjectReport(
        config=given,
        environment=around,
        summary=summary(ranked, entry(2, AUTHOR, 40.0), by_baseline=(part,)),
        cases=(
            ReportedCase(
                tests,
                one,
                tuple(attempts([each], 2).standing() for each in made),
                tuple((each,) for each in made),
            ),
        ),
        warnings=(HOSTILE,),
    )


def large(skills: int, cases: int, repeats: int, text: str) -> ProjectReport:
    """As many skills, cases and attempts, and every text is *text*."""
    known = [
        SkillRef(ref_id=f"skill-{n}", name=f"Skill {n} {text[:60]}", version="v1", local_path="s")
        for n in range(skills)
    ]
    given = config(*known)

    def of(one: Case, skill: SkillRef) -> tuple[CaseResult, ...]:
        came = result(skill, one, 50)
        long = {"actual_output": text, "score_reasoning": text, "error": text}
        return tuple(came.model_copy(update={**long, "attempt": n}) for n in range(1, repeats + 1))

    made: list[ReportedCase] = []
    for number in range(cases):
        one = case(number, text[:200])
        one = one.model_copy(
            update={"stimulus": Stimulus(prompt=text), "standard": Standard(expected=text)}
        )
        results = tuple(of(one, skill) for skill in known)
        standings = tuple(attempts(each, repeats).standing() for each in results)
        made.append(ReportedCase(TESTS, one, standings, results))
    ranking = [entry(n, skill, 50.0, versus_next=verdict()) for n, skill in enumerate(known, 1)]
    return ProjectReport(
        config=given,
        environment=environment(given),
        summary=summary(*ranking),
        cases=tuple(made),
        warnings=(text,) * 300,
    )
