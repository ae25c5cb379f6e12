"""Workspace format: cases that a model wrote, before a person has said anything to them."""

from whet.documents.base import Document, Items
from whet.documents.cases import BaselineCase


class Generated(Document):
    """Who wrote the cases, and what became of those that are not there."""

    session_id: str
    generated_at: str
    engine: str
    model: str
    missing: dict[str, int]
    """By category: cases that were wanted and that the model did not write."""

    left_out: int
    """Cases of the model that were no use, said the same as another, or were more than wanted."""

    simulated: bool | None = None


class BaselineDraftFile(Document):
    """``cli/drafts/{session_id}.json``: it can be imported as a baseline."""

    name: str
    description: str
    source: str
    purpose: str
    provider: str
    cases: Items[BaselineCase]
    generated: Generated
