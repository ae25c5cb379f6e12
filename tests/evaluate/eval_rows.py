"""Suites and the rows of their runs by hand, without running anything."""

from collections.abc import Sequence
from pathlib import Path

from tests.evaluate.judges import PIN, arm
from whet.core.case import Case, Standard, Stimulus
from whet.core.check import CheckResult, CheckSpec
from whet.core.failure import Failure
from whet.core.grade import DimensionScore, Grade, JudgedExpectation, Judgement, Opinion
from whet.core.rubric import Dimension, Rubric
from whet.core.usage import Usage
from whet.documents.evals import Eval, EvalSuite
from whet.evaluate.benchmark import Context
from whet.evaluate.experiment import Row
from whet.evaluate.plan import Cell, Design
from whet.evaluate.run_result import Table, table_of
from whet.evaluate.suite import Suite
from whet.testing.store import execution, record

WITH, WITHOUT = "with_skill", "without_skill"
ARMS = {WITH: arm(WITH), WITHOUT: arm(WITHOUT, None), "old_skill": arm("old_skill", "other")}
QUALITY = Rubric(
    name="quality",
    dimensions=(
        Dimension(name="depth", minimum=1, maximum=5, weight=2),
        Dimension(name="tone", minimum=1, maximum=5, weight=1),
    ),
)


def eval_case(
    identity: str, checks: int = 0, expectations: Sequence[str] = (), rubric: Rubric | None = None
) -> Case:
    """An eval whose checks are called S1, S2 and so on."""
    specs = tuple(
        CheckSpec(id=f"S{n}", type="file_exists", description=f"check {n}")
        for n in range(1, checks + 1)
    )
    return Case(
        id=identity,
        set="evals",
        name=f"eval {identity}",
        stimulus=Stimulus(prompt=f"Do {identity}."),
        standard=Standard(checks=specs, expectations=tuple(expectations), rubric=rubric),
    )


def suite(*cases: Case, clusters: dict[str, str] | None = None) -> Suite:
    """A suite of these cases; ids that are numbers are numbers in its document."""
    evals = tuple(
        Eval(
            id=int(case.id) if case.id.isdigit() else case.id,
            name=case.name,
            prompt=case.stimulus.prompt,
            cluster=(clusters or {}).get(case.id),
        )
        for case in cases
    )
    return Suite(Path("skill"), EvalSuite(skill_name="knives", evals=evals), cases, {})


def cell(who: str, case: Case, number: int) -> Cell:
    return Cell(ARMS[who], case, number)


def address(who: str, case: Case, number: int) -> str:
    return f"{who} {case.id} {number}"


def run(
    who: str,
    case: Case,
    number: int = 1,
    score: float | None = None,
    *,
    checks: Sequence[bool | str] = (),
    met: Sequence[bool] = (),
    rubric: float | None = None,
    dimensions: dict[str, float] | None = None,
    opinions: Sequence[Opinion] = (),
    gate: bool = True,
    seconds: float = 1,
    tokens: int = 100,
    cost: float | None = None,
    error: str | None = None,
) -> Row:
    """A completed run; without a score it is unscored, and with an error its grade failed."""
    grade = Grade(
        address="g",
        trial=address(who, case, number),
        generation=1,
        grader="hand",
        grader_version="1",
        status="scored" if score is not None else "failed" if error else "unscored",
        score=score,
        error=error,
        checks=tuple(
            check(spec, result if isinstance(result, str) else "passed" if result else "failed")
            for spec, result in zip(case.standard.checks, checks, strict=False)
        ),
        expectations=tuple(
            JudgedExpectation(text=text, passed=passed, evidence="seen")
            for text, passed in zip(case.standard.expectations, met, strict=False)
        ),
        dimensions={name: DimensionScore(score=s) for name, s in (dimensions or {}).items()},
        rubric_score=rubric,
        opinions=tuple(opinions),
        gate_passed=gate,
        evaluated_at="2024-01-01T00:00:00.000Z",
    )
    return Row(
        cell(who, case, number),
        address(who, case, number),
        _record(who, case, number, seconds, tokens, cost),
        grade,
    )


def check(spec: CheckSpec, outcome: str) -> CheckResult:
    return CheckResult.model_validate(
        {
            "id": spec.id,
            "type": spec.type,
            "text": spec.description,
            "outcome": outcome,
            "score": outcome in ("passed", "vacuous"),
            "evidence": "looked",
        }
    )


def gave_up(who: str, case: Case, number: int = 1, seconds: float = 1) -> Row:
    """A run whose agent reached its own limit of time."""
    change = {"status": "failed", "failure": Failure.TIMEOUT, "error": "took too long"}
    done = _record(who, case, number, seconds, 100, None).model_copy(update=change)
    return Row(cell(who, case, number), address(who, case, number), done, None, "took too long")


def lost(who: str, case: Case, number: int = 1, error: str = "rate_limit: slow down") -> Row:
    """A place without a record."""
    return Row(cell(who, case, number), address(who, case, number), None, None, error)


def opinion(number: int = 1, score: float | None = None, **scores: float) -> Opinion:
    """One reading."""
    named = {name: DimensionScore(score=value) for name, value in scores.items()}
    return Opinion(
        judge="hand",
        judge_version="1",
        repeat=number,
        status="scored",
        score=score,
        judgement=Judgement(scores=named),
    )


def context(of: Suite, runs: int = 1, names: Sequence[str] = (WITH, WITHOUT)) -> Context:
    design = Design(arms=tuple(ARMS[name] for name in names), cases=of.cases, pin=PIN, repeats=runs)
    return Context(
        suite=of,
        design=design,
        skill_path="skills/knives",
        timestamp="2024-01-01T00:00:00Z",
        analyzer_model="judge-model",
    )


def table(of: Suite, rows: Sequence[Row], names: Sequence[str] = (WITH, WITHOUT)) -> Table:
    """Rows in their places, with nothing planned beside them."""
    return table_of(rows, of.cases, names, ())


def _record(who: str, case: Case, number: int, seconds: float, tokens: int, cost: float | None):
    made = record(execution(1, address(who, case, number)))
    change = {
        "duration_ms": round(seconds * 1000),
        "usage": Usage(input_tokens=tokens, cost_usd=cost),
    }
    return made.model_copy(update=change)
