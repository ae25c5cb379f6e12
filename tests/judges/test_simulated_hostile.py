"""Whatever is submitted, the judge answers, in time and within its scales."""

import asyncio
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whet.core.case import Case, Standard, Stimulus
from whet.core.rubric import SIX_DIMENSIONS, Dimension, Rubric
from whet.judges.simulated import SimulatedJudge
from whet.ports.judge import Submission

FRAGMENTS = st.sampled_from(
    ["def f(x):\n", "    return x\n", "    if x:\n", "        raise E('a')\n", "class A:\n",
     "for i in x:\n", "    ", "\n", "try:\n", "except:\n", "    pass\n", "import *\n", "match x:\n",
     "    case {**rest}:\n", "lambda: ", "f'{x}'", '"""', "'\\d'", "\x00", "\ufeff", "é=1\n", "\r",
     "async def g():\n", "    yield\n", "x=1;", "# 注释\n", "\x0c"]
)  # fmt: skip
SOURCES = st.one_of(
    st.binary(max_size=200),
    st.lists(FRAGMENTS, max_size=25).map(lambda parts: "".join(parts).encode()),
)
OUTPUTS = st.dictionaries(
    st.one_of(st.sampled_from(["a.py", "test_a.py", "notes.md"]), st.text(max_size=12)),
    SOURCES,
    max_size=3,
)


@st.composite
def dimensions(draw: st.DrawFn) -> Dimension:
    low = draw(st.floats(0, 10))
    return Dimension(
        name=draw(st.text(max_size=12)),
        minimum=low,
        maximum=low + draw(st.floats(0.5, 100)),
        weight=1,
        description=draw(st.text(max_size=20)),
    )


def name_of(dimension: Dimension) -> str:
    return dimension.name


RUBRICS = st.one_of(
    st.just(SIX_DIMENSIONS),
    st.lists(dimensions(), min_size=1, max_size=3, unique_by=name_of).map(
        lambda found: Rubric(name="own", dimensions=tuple(found))
    ),
)


def assert_fits(submission: Submission, rubric: Rubric) -> None:
    scores = asyncio.run(SimulatedJudge().judge(submission, rubric, "seed")).scores
    assert rubric.misfit({name: score.score for name, score in scores.items()}) is None
    for score in scores.values():
        assert score.evidence
        assert len(score.evidence) < 1000
        assert "\n" not in score.evidence


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(OUTPUTS, st.text(max_size=60), st.text(max_size=60), RUBRICS)
def test_scores_fit_the_rubric(
    outputs: dict[str, bytes], answer: str, expected: str, rubric: Rubric
) -> None:
    case = Case(id="c", stimulus=Stimulus(prompt="p"), standard=Standard(expected=expected))
    assert_fits(Submission(case, answer, outputs), rubric)


HOSTILE = {
    "huge": b"x = 1\n" * 2_000_000,
    "not text": bytes(range(256)) * 100,
    "open brackets": b"(" * 40_000,
    "brackets": b"(" * 150 + b"1" + b")" * 150,
    "minus": b"-" * 40_000 + b"1",
    "sum": b"+".join([b"a"] * 20_000),
    "attributes": b"a" + b".b" * 20_000,
    "calls": b"a" + b"(b)" * 12_000,
    "lambdas": b"lambda:" * 5_000 + b"1",
    "deep blocks": b"".join(b" " * n + b"if a:\n" for n in range(99)) + b" " * 99 + b"b",
    "elif": b"if a:\n b\n" + b"elif a:\n b\n" * 3_000,
    "f-strings": b"f'{" * 200 + b"}'" * 200,
    "long line": b"x = '" + b"a" * 47_000 + b"'",
    "long name": b"a" * 40_000 + b" = " + b"b" * 7_000,
    "escapes": rb"'\d'" + b"\n" + rb"b'\q'" + b"\n1if 2else 3\n",
    "null": b"def f():\n    return '\x00'\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_code_is_judged_in_reasonable_time(name: str) -> None:
    case = Case(id="c", stimulus=Stimulus(prompt="写代码"), standard=Standard(expected="边界"))
    begun = time.process_time()
    assert_fits(Submission(case, "", {"a.py": HOSTILE[name]}), SIX_DIMENSIONS)
    assert_fits(Submission(case, HOSTILE[name].decode(errors="replace"), {}), SIX_DIMENSIONS)
    assert time.process_time() - begun < 2


def test_hostile_words_are_judged_in_reasonable_time() -> None:
    texts = ["```" * 300_000, "```python\n" * 100_000, "`a` " * 300_000, "不" * 1_000_000]
    begun = time.process_time()
    for text in texts:
        case = Case(id="c", stimulus=Stimulus(prompt=text), standard=Standard(expected=text))
        assert_fits(Submission(case, text, {"a\nb" * 50 + ".py": b"x"}), SIX_DIMENSIONS)
        assert_fits(Submission(case, text, {"a.md": text.encode()}), SIX_DIMENSIONS)
    assert time.process_time() - begun < 4
