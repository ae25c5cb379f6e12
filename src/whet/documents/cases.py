"""Workspace format: the cases of a baseline."""

from typing import Literal

from pydantic import JsonValue

from whet.documents.base import Document, Items, Number, Written
from whet.documents.checks import Check
from whet.documents.rubrics import QualityRubric
from whet.documents.shapes import renamed


class BaselineCase(Document):
    """One case: what the agent is asked, and what a good answer has."""

    id: str
    name: str
    category: Literal["standard", "boundary", "exception"]
    input: str
    expected_output: str
    description: Written[str] = ""
    created_at: str
    updated_at: str

    checks: Items[Check] | None = None
    files: Items[str] | None = None
    weight: Number | None = None
    timeout_seconds: Number | None = None
    rubric: str | QualityRubric | None = None
    """The name of a rubric, or the rubric itself."""

    @classmethod
    def _modern(cls, data: JsonValue) -> JsonValue:
        return renamed(data, "case_id", "id")


class BaselineCases(Document):
    """``cases.json`` of a baseline version.

    A bare list of cases is read too; it does not say which baseline it belongs to, so
    ``baseline_id`` is empty then.
    """

    baseline_id: str
    version: str
    cases: Items[BaselineCase]

    rubric: str | QualityRubric | None = None
    """For every case that has none of its own."""

    @classmethod
    def _modern(cls, data: JsonValue) -> JsonValue:
        return (
            {"baseline_id": "", "version": "v1", "cases": data} if isinstance(data, list) else data
        )
