"""Rubrics as people write them into cases and evals."""

from pydantic import JsonValue

from whet.documents.base import Document, Items, Number
from whet.documents.shapes import renamed


class RubricDimension(Document):
    """One thing a judge scores; ``scoring`` says what a score of 1, 3 or 5 looks like."""

    id: str | None = None
    name: str
    description: str = ""
    weight: Number
    scoring: dict[str, str] = {}

    minimum: Number | None = None
    maximum: Number | None = None
    """The scale, where it is not 1 to 5."""

    @classmethod
    def _modern(cls, data: JsonValue) -> JsonValue:
        return renamed(data, "anchors", "scoring")


class QualityRubric(Document):
    """Weighted dimensions."""

    dimensions: Items[RubricDimension]

    name: str | None = None
