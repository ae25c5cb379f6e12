"""Skill-eval format: the eval suite of a skill, and what its runs say about the suite."""

from pydantic import JsonValue

from whet.documents.base import Document, Items, Number, Written
from whet.documents.checks import Check
from whet.documents.rubrics import QualityRubric
from whet.documents.shapes import renamed


class EvalConfig(Document):
    """How the suite is run."""

    runs_per_eval: Written[int] = 3
    structural_gate: Written[bool] = True
    judge_model: str | None = None
    baseline_comparison: Written[bool] = True


class Eval(Document):
    """One task, its checks and its rubric; ``expectations`` are judged in words."""

    id: int | str
    name: str | None = None
    prompt: str
    expected_output: Written[str] = ""
    files: Items[str] = ()
    expectations: Items[str] = ()
    structural_expectations: Items[Check] = ()
    quality_rubric: QualityRubric | None = None

    timeout_seconds: Number | None = None
    cluster: str | None = None
    """Evals with the same word are not independent: they share a fixture or a topic."""

    @classmethod
    def _modern(cls, data: JsonValue) -> JsonValue:
        data = renamed(data, "assertions", "expectations")
        return renamed(data, "rubric", "quality_rubric")


class EvalSuite(Document):
    """``evals/evals.json`` in the folder of a skill."""

    skill_name: str
    eval_config: EvalConfig | None = None
    evals: Items[Eval]


class AggregatedSuggestion(Document):
    """A suggestion, and how many runs made it."""

    frequency: int
    assertion: Written[str | None] = None
    reason: str
    action: str

    eval_ids: Items[int | str] | None = None
    """The evals whose runs made it."""


class EvalFeedbackAggregate(Document):
    """``eval_feedback_aggregate.json``: how the suite itself should be improved."""

    skill_name: str
    iteration: int
    total_runs: int
    suggestions: Items[AggregatedSuggestion]

    simulated: bool | None = None
