"""Rubrics as values: scales differ, the arithmetic does not."""

from collections.abc import Mapping
from functools import cached_property
from typing import Self

from pydantic import Field, model_validator

from whet.core.address import digest
from whet.core.value import Value


class Dimension(Value):
    """One thing a judge scores, on its own scale."""

    name: str
    maximum: float = Field(gt=0)
    minimum: float = Field(default=0, ge=0)
    weight: float = Field(ge=0)
    description: str = ""
    anchors: dict[str, str] = {}

    @model_validator(mode="after")
    def _has_room(self) -> Self:
        if self.minimum >= self.maximum:
            raise ValueError(f"the scale of {self.name} ends where it begins")
        return self


class Rubric(Value):
    """Weighted dimensions. The total is computed here and never believed from a judge."""

    name: str
    dimensions: tuple[Dimension, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _has_a_total(self) -> Self:
        names = [dimension.name for dimension in self.dimensions]
        if len(set(names)) < len(names):
            raise ValueError("two dimensions have one name")
        if not any(dimension.weight for dimension in self.dimensions):
            raise ValueError("no dimension has any weight")
        return self

    @cached_property
    def digest(self) -> str:
        """The part of a grade's address that comes from the rubric."""
        return digest(self.model_dump(mode="json"))

    def misfit(self, scores: Mapping[str, float]) -> str | None:
        """Say why *scores* do not fit this rubric, or None when they do."""
        names = {dimension.name for dimension in self.dimensions}
        if missing := sorted(names - scores.keys()):
            return f"missing dimension {missing[0]!r}"
        if extra := sorted(scores.keys() - names):
            return f"unknown dimension {extra[0]!r}"
        for dimension in self.dimensions:
            score = scores[dimension.name]
            if not dimension.minimum <= score <= dimension.maximum:
                scale = f"{dimension.minimum:g}..{dimension.maximum:g}"
                return f"{dimension.name} is {score:g}, outside {scale}"
        return None

    def normalized(self, scores: Mapping[str, float]) -> float:
        """Weighted mean of score/maximum, 0..1; *scores* must fit."""
        total = sum(dimension.weight for dimension in self.dimensions)
        share = sum(d.weight * scores[d.name] / d.maximum for d in self.dimensions) / total
        # Rounding must not push it off what all dimensions have, least of all above 1.
        shares = [scores[d.name] / d.maximum for d in self.dimensions if d.weight]
        return min(max(share, min(shares)), max(shares))


def points(name: str, maximum: int, description: str) -> Dimension:
    """Make a dimension whose weight is its number of points, as on a 100-point scale."""
    return Dimension(name=name, maximum=maximum, weight=maximum, description=description)


SIX_DIMENSIONS = Rubric(
    name="six_dimensions",
    dimensions=(
        points("functional_correctness", 30, "Does it do what was asked, in every named case?"),
        points("robustness", 20, "Does it survive bad, missing and extreme input?"),
        points("readability", 15, "Can a stranger read it: names, comments, structure?"),
        points("conciseness", 15, "Is there nothing that is not needed?"),
        points("complexity_control", 10, "Are time, memory and nesting in hand?"),
        points("format_compliance", 10, "Does it follow the format and style that was asked for?"),
    ),
)
"""The six-dimension 100-point scale for code."""
