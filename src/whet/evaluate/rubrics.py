"""Rubrics as people write them, and those that have a name."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from whet.core.errors import UsageError
from whet.core.rubric import SIX_DIMENSIONS, Dimension, Rubric
from whet.documents.base import Number
from whet.documents.rubrics import QualityRubric, RubricDimension

MOST_WEIGHT = 1_000_000
"""Beyond it, and below its inverse, sums of weighted scores would no longer be right."""

EMPTY_RUBRIC = ("has no dimensions", "no dimension has any weight")
"""What is wrong with a rubric that scores nothing."""

_NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")

UNIVERSAL = Rubric(
    name="universal",
    dimensions=(
        Dimension(
            name="correctness",
            minimum=1,
            maximum=5,
            weight=2.0,
            description="Is what it says and does right?",
        ),
        Dimension(
            name="completeness",
            minimum=1,
            maximum=5,
            weight=1.5,
            description="Is everything there that was asked for?",
        ),
        Dimension(
            name="instruction_fidelity",
            minimum=1,
            maximum=5,
            weight=1.5,
            description="Does it keep to what was said about how to do it?",
        ),
        Dimension(
            name="usability",
            minimum=1,
            maximum=5,
            weight=1.0,
            description="Can the person who asked use it as it is?",
        ),
    ),
)
"""For work of any kind."""

NAMED = {rubric.name: rubric for rubric in (SIX_DIMENSIONS, UNIVERSAL)}


def named_rubric(name: str) -> Rubric:
    """The rubric of that name; raises ``UsageError``."""
    if name not in NAMED:
        raise UsageError(f"no rubric {name!r}; there are {', '.join(NAMED)}, or write your own")
    return NAMED[name]


def read_rubric(given: QualityRubric | None, where: str) -> tuple[Rubric | None, list[str]]:
    """The rubric, or every mistake in it; *where* it is written begins each."""
    if given is None:
        return None, []
    if mistakes := [f"{where}: {mistake}" for mistake in _mistakes(given)]:
        return None, mistakes
    dimensions = tuple(
        Dimension(
            name=each.name,
            minimum=_scale(each)[0],
            maximum=_scale(each)[1],
            weight=each.weight,
            description=each.description,
            anchors=each.scoring,
        )
        for each in given.dimensions
    )
    return Rubric(name=given.name or "quality_rubric", dimensions=dimensions), []


def _mistakes(given: QualityRubric) -> Iterator[str]:
    if not given.dimensions:
        yield EMPTY_RUBRIC[0]
    elif not any(each.weight for each in given.dimensions):
        yield EMPTY_RUBRIC[1]
    for name, count in Counter(each.name for each in given.dimensions).items():
        if count > 1:
            yield f"{count} dimensions are called {name!r}"
    for each in given.dimensions:
        minimum, maximum = _scale(each)
        if each.weight != 0 and not 1 / MOST_WEIGHT <= each.weight <= MOST_WEIGHT:
            yield f"{each.name!r}: weight: must be 0, or {1 / MOST_WEIGHT:f} to {MOST_WEIGHT}"
        if not 0 <= minimum < maximum <= MOST_WEIGHT:
            yield f"{each.name!r}: the scale must rise, within 0 to {MOST_WEIGHT}"
        for anchor in _beyond(each.scoring, minimum, maximum):
            yield f"{each.name!r}: the anchor {anchor} is not on the scale {minimum:g}..{maximum:g}"


def _beyond(anchors: Iterable[str], minimum: float, maximum: float) -> Iterator[str]:
    """A scale that ends before its anchors do would squeeze every score."""
    plain = (anchor for anchor in anchors if _NUMBER.fullmatch(anchor))
    yield from (anchor for anchor in plain if not minimum <= float(anchor) <= maximum)


def _scale(given: RubricDimension) -> tuple[Number, Number]:
    return (
        1 if given.minimum is None else given.minimum,
        5 if given.maximum is None else given.maximum,
    )
