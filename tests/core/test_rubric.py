"""Rubrics: two scales, one arithmetic, and nothing out of range."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from whet.core.rubric import SIX_DIMENSIONS, Dimension, Rubric

SIX = {
    "functional_correctness": 24.0,
    "robustness": 15.0,
    "readability": 12.0,
    "conciseness": 9.0,
    "complexity_control": 8.0,
    "format_compliance": 10.0,
}
FIVE = Rubric(
    name="one to five",
    dimensions=(
        Dimension(name="structure", minimum=1, maximum=5, weight=0.5),
        Dimension(name="accuracy", minimum=1, maximum=5, weight=0.3),
        Dimension(name="tone", minimum=1, maximum=5, weight=0.2),
    ),
)


def test_the_hundred_points_are_added_up() -> None:
    """24 + 15 + 12 + 9 + 8 + 10 = 78 of 30 + 20 + 15 + 15 + 10 + 10 = 100."""
    assert SIX_DIMENSIONS.misfit(SIX) is None
    assert SIX_DIMENSIONS.normalized(SIX) == pytest.approx(0.78)
    assert sum(dimension.maximum for dimension in SIX_DIMENSIONS.dimensions) == 100


def test_one_to_five_is_a_weighted_mean_over_five() -> None:
    """0.5 · 4 + 0.3 · 5 + 0.2 · 3 = 4.1, and 4.1 / 5 = 0.82."""
    scores = {"structure": 4, "accuracy": 5, "tone": 3}
    assert FIVE.misfit(scores) is None
    assert FIVE.normalized(scores) == pytest.approx(0.82)


def test_weights_that_do_not_add_up_to_one_are_relative() -> None:
    doubled = Rubric(
        name="doubled",
        dimensions=tuple(
            dimension.model_copy(update={"weight": dimension.weight * 2})
            for dimension in FIVE.dimensions
        ),
    )
    scores = {"structure": 4, "accuracy": 5, "tone": 3}
    assert doubled.normalized(scores) == pytest.approx(FIVE.normalized(scores))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"structure": None}, "missing dimension 'structure'"),
        ({"beauty": 3}, "unknown dimension 'beauty'"),
        ({"structure": 0}, "structure is 0, outside 1..5"),
        ({"structure": 5.5}, "structure is 5.5, outside 1..5"),
        ({"structure": math.nan}, "structure is nan, outside 1..5"),
        ({"structure": math.inf}, "structure is inf, outside 1..5"),
    ],
)
def test_scores_that_do_not_fit_are_named(change: dict[str, float | None], reason: str) -> None:
    scores = {"structure": 4, "accuracy": 5, "tone": 3, **change}
    given_scores = {name: score for name, score in scores.items() if score is not None}
    assert FIVE.misfit(given_scores) == reason


@pytest.mark.parametrize("edge", [1, 5])
def test_both_ends_of_a_scale_fit(edge: float) -> None:
    assert FIVE.misfit({"structure": edge, "accuracy": edge, "tone": edge}) is None


@settings(max_examples=100)
@given(
    rubric=st.sampled_from([SIX_DIMENSIONS, FIVE]),
    shares=st.lists(st.floats(0, 1), min_size=6, max_size=6),
    place=st.integers(0, 5),
    more=st.floats(0, 1),
)
def test_a_total_lies_in_its_range_and_grows_with_each_score(
    rubric: Rubric, shares: list[float], place: int, more: float
) -> None:
    def score(dimension: Dimension, share: float) -> float:
        return dimension.minimum + share * (dimension.maximum - dimension.minimum)

    scores = {d.name: score(d, share) for d, share in zip(rubric.dimensions, shares, strict=False)}
    better = rubric.dimensions[place % len(rubric.dimensions)]
    higher = {**scores, better.name: max(scores[better.name], score(better, more))}
    assert rubric.misfit(scores) is None
    assert -1e-9 <= rubric.normalized(scores) <= 1 + 1e-9
    assert rubric.normalized(higher) >= rubric.normalized(scores) - 1e-9


@given(
    st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.7, 1, 1.1, 2.5]), min_size=1, max_size=5),
    st.sampled_from([3, 5, 7, 10]),
    st.data(),
)
def test_what_all_dimensions_have_is_the_total(
    weights: list[float], maximum: int, data: st.DataObject
) -> None:
    """Full marks are not a little more than 1, and 3 of 5 everywhere is not a little less than 0.6:
    differences have bounds, and passing has a limit."""
    rubric = Rubric(
        name="any",
        dimensions=tuple(
            Dimension(name=str(number), maximum=maximum, weight=weight)
            for number, weight in enumerate(weights)
        ),
    )
    score = data.draw(st.integers(0, maximum))
    found = rubric.normalized({dimension.name: score for dimension in rubric.dimensions})
    assert found == score / maximum


def test_full_marks_are_one_exactly() -> None:
    for rubric in (SIX_DIMENSIONS, FIVE):
        full = {dimension.name: dimension.maximum for dimension in rubric.dimensions}
        assert rubric.normalized(full) == 1


@pytest.mark.parametrize(
    "dimensions",
    [
        (),
        (Dimension(name="a", maximum=5, weight=0),),
        (Dimension(name="a", maximum=5, weight=1), Dimension(name="a", maximum=9, weight=1)),
    ],
    ids=["none", "no weight", "twice"],
)
def test_a_rubric_without_a_total_is_refused(dimensions: tuple[Dimension, ...]) -> None:
    with pytest.raises(ValidationError):
        Rubric(name="broken", dimensions=dimensions)


@pytest.mark.parametrize(
    "scale", [{"maximum": 0}, {"minimum": -1, "maximum": 5}, {"minimum": 5, "maximum": 5}]
)
def test_a_scale_needs_room_above_zero(scale: dict[str, float]) -> None:
    """Otherwise a total could leave 0..1, or say nothing."""
    with pytest.raises(ValidationError):
        Dimension.model_validate({"name": "a", "weight": 1, **scale})
