"""What of a written score is believed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whet.app.takeover.scores import believed
from whet.core.case import Case, Standard, Stimulus
from whet.core.check import CheckSpec
from whet.core.rubric import SIX_DIMENSIONS, Dimension, Rubric
from whet.documents.result import Scores

STARS = Rubric(
    name="stars",
    dimensions=(
        Dimension(name="good", minimum=1, maximum=5, weight=3),
        Dimension(name="short", minimum=1, maximum=5, weight=1),
    ),
)


def case(rubric: Rubric | None = STARS, checks: int = 0) -> Case:
    specs = tuple(CheckSpec(id=f"S{n}", type="contains") for n in range(checks))
    return Case(
        id="c", stimulus=Stimulus(prompt="?"), standard=Standard(rubric=rubric, checks=specs)
    )


def scored(total: float | None, **dimensions: float | None) -> Scores:
    return Scores.of(dimensions, total)


def test_the_total_is_that_of_the_rubric() -> None:
    # (3 · 4/5 + 1 · 2/5) / 4
    found = believed(scored(70, good=4, short=2), case(), with_checks=False)
    assert (found.score, found.problem) == (pytest.approx(0.7), None)
    assert found.dimensions == {"good": 4, "short": 2}
    again = believed(scored(12, good=4, short=2), case(), with_checks=False)
    assert again.score == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("scores", "problem"),
    [
        (scored(None, good=4, short=2), "without a score"),
        (scored(70, good=4), "missing dimension 'short'"),
        (scored(70, good=4, short=None), "missing dimension 'short'"),
        (scored(70, good=4, short=2, more=1), "unknown dimension 'more'"),
        (scored(70, good=4, short=0), "short is 0, outside 1..5"),
        (scored(70, good=4, short=5.01), "outside 1..5"),
        (scored(-1, good=4, short=2), "its total is -1"),
        (scored(100.01, good=4, short=2), "its total is 100.01"),
        (scored(1e20, good=4, short=2), "far out"),
        (scored(70), "missing dimension 'good'"),
    ],
)
def test_what_does_not_fit_is_no_score(scores: Scores, problem: str) -> None:
    found = believed(scores, case(), with_checks=False)
    assert found.score is None
    assert problem in str(found.problem)


@pytest.mark.parametrize("total", [70, 82, 42, 55.33, 12])
def test_checks_are_no_part_of_the_total(total: float) -> None:
    """Whatever somebody mixed into it, it is that of the dimensions."""
    found = believed(scored(total, good=4, short=2), case(checks=3), with_checks=True)
    assert found.score == pytest.approx(0.7)


@pytest.mark.parametrize("given", [{}, {"good": None, "short": None}, {"good": 0, "short": 0}])
def test_where_a_critical_check_failed_nobody_was_asked(given: dict[str, float | None]) -> None:
    found = believed(scored(13.33, **given), case(checks=3), with_checks=True)
    assert (found.score, found.dimensions, found.problem) == (0, {}, None)


def test_checks_alone_decide_where_there_is_no_rubric() -> None:
    assert believed(scored(66.67), case(None, 3), with_checks=True).score == pytest.approx(2 / 3)
    assert believed(scored(60), case(None, 3), with_checks=True).score is None


def test_a_score_of_who_knew_no_checks_is_not_that_of_the_case() -> None:
    found = believed(scored(70, good=4, short=2), case(checks=3), with_checks=False)
    assert found.problem == "it was scored without the checks of its case"


def test_halves_of_the_last_decimal_are_added_as_they_are_written() -> None:
    six = Case(id="c", stimulus=Stimulus(prompt="?"), standard=Standard(rubric=SIX_DIMENSIONS))
    points = dict.fromkeys((d.name for d in SIX_DIMENSIONS.dimensions), 0.0)
    points |= {"complexity_control": 1.25, "format_compliance": 1.125}
    found = believed(Scores.of(points, 2.38), six, with_checks=False)
    assert found.dimensions["format_compliance"] == 1.12
    assert found.score == pytest.approx(0.0237)


@given(
    st.dictionaries(st.sampled_from([d.name for d in SIX_DIMENSIONS.dimensions]), st.floats(-5, 40))
)
def test_a_score_that_is_believed_fits(points: dict[str, float]) -> None:
    six = Case(id="c", stimulus=Stimulus(prompt="?"), standard=Standard(rubric=SIX_DIMENSIONS))
    total = sum(points.values())
    found = believed(Scores.of(points, total), six, with_checks=False)
    fits = SIX_DIMENSIONS.misfit(points) is None and 0 <= total <= 100
    assert (found.score is not None) == fits
    if found.score is not None:
        # Dimensions are written with two decimals, and the total is their sum as it is written.
        assert found.score * 100 == pytest.approx(sum(round(p, 2) for p in points.values()))
