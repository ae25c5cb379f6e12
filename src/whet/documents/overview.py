"""Skill-eval format: one suite on several engines and models, side by side. An addition."""

from whet.documents.base import Document, Items, Number
from whet.documents.verdict import Label, Verdict


class OverviewLeg(Document):
    """One engine and model."""

    engine: str
    model: str
    iteration: int
    folder: str
    """Relative to the file that says it."""

    status: str
    mean: Number | None
    """Of the skill's own scores."""

    verdict: Verdict | None = None
    label: Label | None = None
    """What still stands when all legs are one family of comparisons."""

    p_value_adjusted: Number | None = None


class Overview(Document):
    """``overview.json`` above the folders of the engines."""

    skill_name: str
    eval_id: str
    generated_at: str
    legs: Items[OverviewLeg]
    warnings: Items[str] = ()
    simulated: bool | None = None
