"""Items of runs for tests of the arithmetic."""

from whet.documents.base import Number
from whet.documents.capability import Dimension, EvaluationItem, EvaluationRun, ItemStatus


def item(
    case: str,
    status: ItemStatus = "passed",
    score: Number | None = 1,
    *,
    dimension: Dimension = "logic",
    weight: Number = 1,
    prompt: str = "How many?",
) -> EvaluationItem:
    """An item that came to something; of what was skipped there is no score."""
    return EvaluationItem(
        run_id="r1",
        case_id=case,
        dimension=dimension,
        status=status,
        score=None if status in ("skipped", "cancelled", "active") else score,
        max_score=1,
        weight=weight,
        prompt=prompt,
        final_answer="7",
        tool_calls=(),
        checker_detail={},
        started_at=None,
        finished_at=None,
        elapsed_s=None,
        error=None,
    )


def run(run_id: str = "r1", case_set: str = "default", digest: str = "d1") -> EvaluationRun:
    """A run that is over."""
    return EvaluationRun(
        run_id=run_id,
        user_id="u",
        model_name="simulated",
        language="en-US",
        status="finished",
        case_set=case_set,
        config_snapshot={},
        tool_snapshot=[],
        dimension_scores={},
        total_score=None,
        started_at="2024-01-01T00:00:00.000Z",
        finished_at=None,
        elapsed_s=None,
        error=None,
        case_set_digest=digest,
    )
