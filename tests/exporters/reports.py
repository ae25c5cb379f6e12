"""Reports made by hand: one calm, one with everything that can be wrong, one that attacks."""

from collections.abc import Sequence

from whet.documents.benchmark import (
    Benchmark,
    BenchmarkMetadata,
    BenchmarkRun,
    ConfigurationSummary,
    MissingRun,
    RunResult,
    RunSummary,
    Stats,
)
from whet.documents.checks import Check
from whet.documents.eval_statistics import (
    EvalDifference,
    EvalFinding,
    EvalStatistics,
    PairwiseSummary,
    PassAt,
    PowerRow,
    Reliability,
)
from whet.documents.evals import Eval
from whet.documents.grading import Expectation
from whet.documents.rubrics import QualityRubric, RubricDimension
from whet.documents.verdict import Interval, Label, Verdict
from whet.ports.exporter import EvalReport, Leg

SENTENCE = "The skill helps: +12.0 points (95 % interval +4.0 … +20.0) over 2 evals and 8 runs."


def stats(mean: float, deviation: float = 0.0) -> Stats:
    return Stats(mean=mean, stddev=deviation, min=mean - deviation, max=mean + deviation)


def summary(score: float, *, tokens: float = 3800, **more: object) -> ConfigurationSummary:
    return ConfigurationSummary(
        pass_rate=stats(score, 0.05),
        rubric_normalized=stats(score, 0.04),
        overall_efficiency=stats(score, 0.03),
        consistency=0.96,
        time_seconds=stats(45.25, 12),
        tokens=stats(tokens, 400),
        cost_usd=stats(0.0123, 0.001),
    ).model_copy(update=more)


def expectation(text: str, *, passed: bool, id_: str | None = None, why: str = "") -> Expectation:
    return Expectation(
        text=text,
        passed=passed,
        evidence=why or ("found" if passed else "not there"),
        id=id_,
        critical=id_ == "S1" or None,
    ).lean()


def run(
    eval_id: int | str,
    number: int,
    configuration: str = "with_skill",
    *,
    score: float | None = 0.8,
    expectations: Sequence[Expectation] = (),
    name: str | None = None,
    failure: str | None = None,
) -> BenchmarkRun:
    met = sum(one.passed for one in expectations)
    total = len(expectations)
    return BenchmarkRun(
        eval_id=eval_id,
        eval_name=name,
        configuration=configuration,
        run_number=number,
        result=RunResult(
            pass_rate=met / total if total else 0,
            passed=met,
            failed=total - met,
            total=total,
            time_seconds=32.5,
            tokens=3800,
            tool_calls=4,
            errors=0,
            overall_efficiency=score,
            gate_passed=not failure,
            cost_usd=0.012,
            status="failed" if failure else "completed",
            grade_status="scored" if score is not None else "failed",
            failure=failure,
        ),
        expectations=tuple(expectations),
    )


def verdict(
    label: Label = "better", delta: float | None = 0.12, words: str | None = SENTENCE
) -> Verdict:
    around = None if delta is None else interval(delta - 0.08, delta + 0.08)
    return Verdict(
        label=label,
        delta=delta,
        interval=around,
        n_cases=2,
        n_runs=8,
        cost_usd=0.1,
        smallest_detectable_effect=0.15,
        p_value=0.0123,
        words=words,
    )


def interval(low: float, high: float) -> Interval:
    return Interval(low=low, high=high, level=0.95, method="paired t")


def metadata(engine: str = "claude", **more: object) -> BenchmarkMetadata:
    return BenchmarkMetadata(
        skill_name="testing",
        skill_path="skills/testing",
        executor_model="sonnet",
        analyzer_model="opus",
        timestamp="2026-01-02T03:04:05Z",
        evals_run=(1, 2),
        runs_per_configuration=2,
        engine=engine,
        engine_version="2.1",
        sandbox="bubblewrap",
        efficiency_weights={"pass_rate": 0.4, "rubric_normalized": 0.6},
        judges=("model codex:gpt",),
        status="completed",
    ).model_copy(update=more)


def difference(eval_id: int | str, ours: float | None, theirs: float | None) -> EvalDifference:
    delta = None if ours is None or theirs is None else ours - theirs
    pairs = 0 if delta is None else 2
    return EvalDifference(eval_id=eval_id, with_skill=ours, other=theirs, delta=delta, pairs=pairs)


def statistics(**more: object) -> EvalStatistics:
    whole = interval(0.2, 0.95)
    passes = PassAt(
        k=2,
        pass_at_k=0.75,
        pass_at_k_interval=whole,
        pass_hat_k=0.5,
        pass_hat_k_interval=whole,
        n_evals=2,
    )
    return EvalStatistics(
        measure="overall_efficiency",
        by_eval=(difference(1, 0.9, 0.7), difference(2, 0.7, 0.66)),
        reliability={
            "with_skill": Reliability(stddev=0.03, band="very reliable", pass_at=(passes,))
        },
        power=(
            PowerRow(evals=2, runs=2, trials=8, smallest_effect=None),
            PowerRow(evals=12, runs=2, trials=48, smallest_effect=0.15),
        ),
        findings=(
            EvalFinding(kind="flaky", eval_id=2, configuration="with_skill", text="1 of 2 pass"),
            EvalFinding(kind="vacuous", eval_id=1, check="S2", text="matched no file"),
        ),
        pairwise=PairwiseSummary(wins=3, losses=1, ties=0, failed=0, interval=whole),
    ).model_copy(update=more)


def runs() -> tuple[BenchmarkRun, ...]:
    """Two evals, two configurations, two runs each."""
    made: list[BenchmarkRun] = []
    for eval_id, name in ((1, "Create a test"), (2, "Fix a test")):
        for configuration in ("with_skill", "without_skill"):
            ours = configuration == "with_skill"
            for number in (1, 2):
                expected = (
                    expectation("Test file created", passed=True, id_="S1"),
                    expectation("Uses a fixture", passed=ours and number == 1, why="line 12"),
                )
                made.append(run(eval_id, number, configuration, expectations=expected, name=name))
    return tuple(made)


def benchmark(**more: object) -> Benchmark:
    return Benchmark(
        metadata=metadata(),
        runs=runs(),
        run_summary=RunSummary(with_skill=summary(0.8), without_skill=summary(0.68)),
        verdict=verdict(),
        statistics=statistics(),
    ).model_copy(update=more)


def eval_(eval_id: int, name: str) -> Eval:
    rubric = QualityRubric(dimensions=(RubricDimension(name="clarity", weight=1),))
    return Eval(
        id=eval_id,
        name=name,
        prompt=f"Please {name.lower()}.",
        expected_output="A test that fails first.",
        expectations=("Uses a fixture",),
        structural_expectations=(
            Check(id="S1", type="file_exists", description="Test file created"),
        ),
        quality_rubric=rubric,
    )


def report(*benchmarks: Benchmark, **more: object) -> EvalReport:
    legs = tuple(Leg(one, folder="iteration-1") for one in benchmarks or (benchmark(),))
    evals = {"1": eval_(1, "Create a test"), "2": eval_(2, "Fix a test")}
    given: dict[str, object] = {"skill_name": "testing", "legs": legs, "evals": evals, **more}
    return EvalReport(**given)  # pyright: ignore[reportArgumentType]


def alone() -> Benchmark:
    """A suite that was run with the skill only."""
    ours = tuple(one for one in runs() if one.configuration == "with_skill")
    return benchmark(
        runs=ours, run_summary=RunSummary(with_skill=summary(0.8)), verdict=None, statistics=None
    )


def broken() -> Benchmark:
    """Runs are missing, a judge failed, an agent failed: eval 3 has nothing."""
    fails = (expectation("Test file created", passed=False, id_="S1", why="timeout"),)
    return benchmark(
        metadata=metadata(evals_run=(1, 2, 3), status="partial", simulated=True),
        runs=(
            run(1, 1, expectations=fails, score=0.0, failure="timeout", name="Create a test"),
            run(1, 2, expectations=fails, score=0.0, failure="timeout", name="Create a test"),
            run(2, 1, score=None, name="Fix a test"),
            run(2, 1, "without_skill", score=0.5, name="Fix a test"),
        ),
        run_summary=RunSummary(
            with_skill=summary(0.0, rubric_unscored=3, rubric_normalized=None),
            without_skill=summary(0.5),
        ),
        verdict=verdict("inconclusive", None, None).model_copy(
            update={"excluded": ("eval 2, run 1: the judge failed",)}
        ),
        statistics=statistics(
            by_eval=(difference(1, None, None), difference(2, None, 0.5)),
            findings=(),
            reliability={},
            power=(),
            pairwise=None,
        ),
        missing=(
            MissingRun(eval_id=3, configuration="with_skill", run_number=1, reason="rate limit"),
            MissingRun(eval_id=3, configuration="without_skill", run_number=1, reason="budget"),
        ),
    )


HOSTILE = (
    "</script></style><script>alert(1)</script> | `x` **b** [l](javascript:alert(1)) "
    "![i](https://example.invalid/i.png) <img src=x onerror=alert(1)> &amp; \" ' "
    "www.example.invalid a@example.invalid @somebody ]]> <!-- \x1b[31m \x00\x08\x0b \u202e"
    "\ud800 \uffff\r\n# heading\n\n- item\n| a | b |\n$x$ ~~s~~ [bold]rich[/] [/]"
)
"""Everything that means something somewhere."""


def attacked() -> Benchmark:
    """A benchmark in which whatever comes from outside is ``HOSTILE``."""
    bad = expectation(HOSTILE, passed=False, id_=HOSTILE, why=HOSTILE)
    return benchmark(
        metadata=metadata(
            skill_name=HOSTILE,
            executor_model=HOSTILE,
            engine=HOSTILE,
            engine_version=HOSTILE,
            sandbox=HOSTILE,
            judges=(HOSTILE,),
            timestamp=HOSTILE,
            evals_run=(HOSTILE,),
            status="partial",
        ),
        runs=(
            run(HOSTILE, 1, expectations=(bad,), name=HOSTILE, failure=HOSTILE, score=0.0),
            run(HOSTILE, 2, expectations=(bad,), name=HOSTILE),
            run(HOSTILE, 1, HOSTILE, expectations=(bad,)),
        ),
        verdict=verdict(words=HOSTILE).model_copy(update={"excluded": (HOSTILE,)}),
        statistics=statistics(
            by_eval=(difference(HOSTILE, 0.1, 0.2),),
            findings=(
                EvalFinding(
                    kind="flaky",
                    eval_id=HOSTILE,
                    check=HOSTILE,
                    configuration=HOSTILE,
                    text=HOSTILE,
                ),
            ),
            reliability={HOSTILE: Reliability(stddev=0.1, band=HOSTILE)},
        ),
        missing=(MissingRun(eval_id=HOSTILE, configuration=HOSTILE, run_number=3, reason=HOSTILE),),
    )


def hostile() -> EvalReport:
    """A report of it."""
    leg = Leg(
        attacked(),
        folder=HOSTILE,
        words={"zh": HOSTILE},
    )
    task = eval_(1, "x").model_copy(
        update={"name": HOSTILE, "prompt": HOSTILE, "expected_output": HOSTILE}
    )
    return EvalReport(HOSTILE, (leg,), {HOSTILE: task}, (HOSTILE,))
