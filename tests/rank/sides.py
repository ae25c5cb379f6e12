"""Sides of comparisons by hand: a skill, its cases, and what its attempts came to."""

from collections.abc import Mapping, Sequence

from whet.core.case import Case, Standard, Stimulus
from whet.core.rubric import SIX_DIMENSIONS, Rubric
from whet.documents.comparison import SkillComparison
from whet.documents.project import (
    BaselineRef,
    CliConfig,
    ContextConfig,
    Progress,
    ProjectConfig,
    SkillRef,
)
from whet.documents.result import CaseResult, Scores
from whet.rank.compare import CaseKey, Side, compare

FAILED, SKIPPED, UNSCORED, LOST = "failed", "skipped", "unscored", "lost"
Came = float | str
"""A score of 0 to 100, or why there is none; ``LOST`` failed without having been run."""

BASELINE = "tests"


def config(name: str = "P", repeats: int = 1) -> ProjectConfig:
    return ProjectConfig(
        id=f"id of {name}",
        name=name,
        status="completed",
        created_at="",
        updated_at="",
        skills=(SkillRef(ref_id="s", version="v1", local_path="s"),),
        baselines=(BaselineRef(ref_id=BASELINE, version="v1", local_path="b"),),
        cli_config=CliConfig(model="m", timeout_seconds=60, retry_count=0),
        context_config=ContextConfig(token_threshold=1),
        progress=Progress(total_tasks=0, completed_tasks=0, failed_tasks=0, last_checkpoint=0),
        repeats=repeats,
    )


def case(identity: str, **change: object) -> Case:
    """*change* is of the standard, or the ``prompt``."""
    prompt = str(change.pop("prompt", f"Do {identity}."))
    standard = {"expected": "Done.", "rubric": SIX_DIMENSIONS, **change}
    return Case(
        id=identity,
        set="set",
        name=f"Case {identity}",
        category="boundary",
        stimulus=Stimulus(prompt=prompt),
        standard=Standard.model_validate(standard),
    )


def result(
    skill: SkillRef,
    key: CaseKey,
    came: Came,
    attempt: int = 1,
    rubric: Rubric | None = SIX_DIMENSIONS,
    **change: object,
) -> CaseResult:
    """A score gives every dimension the same share of its points."""
    score = None if isinstance(came, str) else came
    status = {SKIPPED: SKIPPED, FAILED: FAILED, LOST: FAILED}.get(str(came), "completed")
    share = (score or 0) / 100
    parts = {d.name: share * d.maximum for d in rubric.dimensions} if rubric else {}
    ran = came not in (SKIPPED, LOST)
    return CaseResult(
        case_id=key.case_id,
        skill_id=skill.ref_id,
        skill_version=skill.version,
        baseline_id=key.baseline_id,
        baseline_version=key.baseline_version,
        executed_at="2024-01-01T12:00:00Z" if ran else None,
        status=status,  # pyright: ignore[reportArgumentType]
        input="",
        expected_output="",
        actual_output="42",
        duration_ms=1000 if ran else 0,
        cli_version=None,
        model_version="m",
        error=None,
        scores=Scores.of(parts if score is not None else dict.fromkeys(parts), score),
        score_reasoning="",
        score_evaluated_at=None,
        attempt=attempt,
        trial_address=f"{skill.ref_id} {key.case_id} {attempt}",
        input_tokens=100,
        output_tokens=10,
        cost_usd=0.5,
    ).model_copy(update=change)


def key_of(identity: str, version: str = "v1") -> CaseKey:
    return CaseKey(BASELINE, version, identity)


def side(
    name: str,
    came: Mapping[str, Sequence[Came]],
    *,
    project: str = "P",
    repeats: int = 1,
    cases: Mapping[CaseKey, Case] | None = None,
    **change: object,
) -> Side:
    """*came* has the attempts at each case; *change* is of every result."""
    skill = SkillRef(ref_id=name, name=name.title(), version="v1", local_path="s")
    known = cases or {key_of(identity): case(identity) for identity in came}
    by_id = {key.case_id: key for key in known}
    results = [
        result(skill, by_id[identity], each, n, known[by_id[identity]].standard.rubric, **change)
        for identity, attempts in came.items()
        for n, each in enumerate(attempts, 1)
    ]
    return Side(config(project, repeats), skill, known, results)


def compared(
    left: Mapping[str, Sequence[Came]], right: Mapping[str, Sequence[Came]], repeats: int = 1
) -> SkillComparison:
    """Two skills of one project."""
    return compare(side("a", left, repeats=repeats), side("b", right, repeats=repeats))


def once(*scores: Came) -> dict[str, list[Came]]:
    """One attempt at each case, cases numbered from 1."""
    return {str(number): [score] for number, score in enumerate(scores, 1)}
