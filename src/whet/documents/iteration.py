"""Skill-eval format: what tells one iteration from another. An addition."""

from whet.documents.base import Document


class IterationMark(Document):
    """``iteration.json``: which plan the runs beside it belong to."""

    plan_digest: str
    eval_id: str
    created_at: str
    skill_digest: str
    old_skill_digest: str | None = None
    series: int = 0
