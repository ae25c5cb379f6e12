"""Skill-eval format: which of several skills is best. An addition."""

from whet.documents.base import Document, Items, Number
from whet.documents.verdict import Verdict


class RaceCandidate(Document):
    """One of the skills."""

    name: str
    folder: str
    dropped: bool
    """Whether it was clearly beaten, and not run any further."""

    flattered_mean: Number | None
    """Its average in the race. The winner was picked by it, so it is no result."""


class RaceReport(Document):
    """``race.json``: who won, and a new measurement of the winner on evals that were held out."""

    skill_name: str
    engine: str
    engine_version: str
    model: str
    generated_at: str
    winner: str | None
    candidates: Items[RaceCandidate]
    picked_by: Items[str]
    """The evals of the race."""

    verdict: Verdict
    """The winner against no skill, on the other evals."""

    trials: int
    cut_off: bool
    """Whether the budget ended it."""

    excluded: Items[str] = ()
    simulated: bool | None = None
