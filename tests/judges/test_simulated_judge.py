"""The simulated judge on code that people wrote."""

import asyncio
from collections.abc import Mapping

import pytest

from whet.core.case import Case, Standard, Stimulus
from whet.core.grade import DimensionScore
from whet.core.rubric import SIX_DIMENSIONS, Dimension, Rubric
from whet.judges.simulated import SimulatedJudge
from whet.ports.judge import Judge, Submission

JUDGE: Judge = SimulatedJudge()
EXPECTED = "Iterative; negative numbers are refused with ValueError; a docstring."
CASE = Case(
    id="case",
    stimulus=Stimulus(prompt="Write a function for the n-th Fibonacci number."),
    standard=Standard(expected=EXPECTED),
)
GOOD = '''\
def fibonacci(position: int) -> int:
    """Return the Fibonacci number at a position."""
    try:
        position = int(position)
    except ValueError as error:
        raise ValueError("position must be a number") from error
    if position < 0:
        raise ValueError("position must not be negative")
    previous, current = 0, 1
    for _ in range(position):
        previous, current = current, previous + current
    return previous
'''


def judged(
    source: str | None, answer: str = "", *, seed: str = "seed", case: Case = CASE
) -> Mapping[str, DimensionScore]:
    outputs = {} if source is None else {"fib.py": source.encode()}
    submission = Submission(case, answer, outputs)
    return asyncio.run(JUDGE.judge(submission, SIX_DIMENSIONS, seed)).scores


def worth(source: str | None, dimension: str, answer: str = "", case: Case = CASE) -> float:
    """The score without the noise, which averages out."""
    seeds = [f"seed {number}" for number in range(40)]
    return sum(judged(source, answer, seed=s, case=case)[dimension].score for s in seeds) / 40


def total(scores: Mapping[str, DimensionScore]) -> float:
    return sum(score.score for score in scores.values())


def test_it_says_what_it_is() -> None:
    assert (JUDGE.name, JUDGE.version, JUDGE.simulated) == ("simulated", "1", True)


def test_good_code_gets_a_good_grade_with_reasons_that_can_be_checked() -> None:
    scores = judged(GOOD)
    assert total(scores) > 92
    assert scores["functional_correctness"].evidence.startswith("fib.py:1 defines fibonacci()")
    assert "fib.py:7 refuses bad input" in scores["robustness"].evidence
    assert all(score.evidence for score in scores.values())
    assert all(score.score == int(score.score) for score in scores.values())


def test_reasons_are_in_the_language_of_the_case() -> None:
    chinese = Case(id="case", stimulus=Stimulus(prompt="写一个斐波那契函数"))
    scores = judged("def f(n):\n    return n\n", case=chinese)
    assert "没有检查输入" in scores["robustness"].evidence


@pytest.mark.parametrize(
    ("old", "new", "dimension"),
    [
        ("return previous", "return previuos", "functional_correctness"),
        ('    if position < 0:\n        raise ValueError("position must not be negative")\n', "",
         "robustness"),
        ('    """Return the Fibonacci number at a position."""\n', "", "readability"),
        ("previous", "a", "readability"),
        ("    for _", "    # now loop\n    # and add\n    # them up\n    for _", "conciseness"),
        ("return previous", "return fibonacci(previous) + fibonacci(current)",
         "complexity_control"),
        ("(position: int) -> int", "(position)", "format_compliance"),
        ("previous, current = 0, 1", "previous=0;  current=1" + " " * 80, "format_compliance"),
    ],
)  # fmt: skip
def test_each_fault_costs_where_it_belongs(old: str, new: str, dimension: str) -> None:
    assert old in GOOD
    assert worth(GOOD.replace(old, new), dimension) < worth(GOOD, dimension) - 0.8


def test_chatter_costs_conciseness_and_code_in_the_answer_does_not() -> None:
    fence = f"```python\n{GOOD}```"
    chatter = "Great question! Let me explain. " * 20
    plain = worth(GOOD, "conciseness")
    assert worth(GOOD, "conciseness", fence) == plain
    assert worth(GOOD, "conciseness", f"{chatter}\n{fence}\n{chatter}") < plain - 2
    assert worth(GOOD, "conciseness", "这是一个非常好的问题！" * 20) < plain - 2


@pytest.mark.parametrize(
    ("expected", "code"),
    [
        ("Handles None values.", "    if x is None:\n        return []\n"),
        ("过滤空值。", "    x = [y for y in x if y is not None]\n"),
        ("Ignores case.", "    x = x.lower()\n"),
        ("忽略大小写和标点。", "    x = ''.join(c for c in x.lower() if c.isalnum())\n"),
        ("Catches KeyError.", "    try:\n        x()\n    except KeyError:\n        pass\n"),
        ("结果按升序排序。", "    x = sorted(x)\n"),
        ("Uses `bisect`.", "    import bisect\n"),
    ],
)
def test_what_was_expected_is_looked_for(expected: str, code: str) -> None:
    case = CASE.model_copy(update={"standard": Standard(expected=expected)})
    with_it = worth(f"def f(x):\n{code}    return x\n", "functional_correctness", case=case)
    without = worth("def f(x):\n    return x\n", "functional_correctness", case=case)
    assert with_it > without + 3


def test_tests_count() -> None:
    outputs = {"fib.py": GOOD.encode(), "test_fib.py": b"def test_it():\n    assert True\n"}
    submission = Submission(CASE, "", outputs)
    scores = asyncio.run(JUDGE.judge(submission, SIX_DIMENSIONS, "seed")).scores
    assert "has tests" in scores["functional_correctness"].evidence


def test_nothing_produced_is_said_and_scored_low() -> None:
    scores = judged(None)
    assert total(scores) < 15
    assert {score.evidence for score in scores.values()} == {"no file was produced"}


def test_code_in_the_answer_alone_is_judged_too() -> None:
    assert total(judged(None, f"Here:\n```python\n{GOOD}```")) > 85
    assert total(judged(None, GOOD)) > 85


def test_words_alone_are_not_code() -> None:
    scores = judged(None, "Negative numbers are refused.")
    assert total(scores) < 60
    assert "no code was produced" in scores["functional_correctness"].evidence


def test_code_that_does_not_parse_is_scored_low() -> None:
    scores = judged("def f(:\n    return\n")
    assert total(scores) < 40
    assert "does not parse: line 1" in scores["robustness"].evidence


def test_the_seed_moves_scores_by_a_point_at_most() -> None:
    every = [judged(GOOD, seed=f"seed {number}") for number in range(50)]
    assert judged(GOOD) == judged(GOOD)
    for dimension in SIX_DIMENSIONS.dimensions:
        scores = {scores[dimension.name].score for scores in every}
        assert max(scores) - min(scores) <= 2
        assert len(scores) > 1


def judged_by(*dimensions: Dimension) -> dict[str, float]:
    rubric = Rubric(name="own", dimensions=dimensions)
    submission = Submission(CASE, "", {"fib.py": GOOD.encode()})
    scores = asyncio.run(JUDGE.judge(submission, rubric, "seed")).scores
    assert rubric.misfit({name: score.score for name, score in scores.items()}) is None
    return {name: score.score for name, score in scores.items()}


def test_other_rubrics_are_placed_on_their_own_scales() -> None:
    scores = judged_by(
        Dimension(name="completeness", minimum=1, maximum=5, weight=1),
        Dimension(name="风格", minimum=1, maximum=5, weight=1, description="代码格式"),
        Dimension(name="vibe", minimum=0, maximum=1.5, weight=1),
        Dimension(name="x", maximum=100, weight=1, description="How readable are the names?"),
    )
    assert scores["completeness"] in (4, 5)
    assert scores["风格"] in (4, 5)
    assert 1 < scores["vibe"] <= 1.5
    assert scores["x"] > 85
