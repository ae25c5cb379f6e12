"""Changing a capability run, whichever store keeps it."""

from collections.abc import Collection, Mapping
from typing import cast

from pydantic import JsonValue, ValidationError

from whet.core.errors import Conflict, NotFound, UsageError
from whet.documents.capability import EvaluationRun, RunStatus


def changed(
    run: EvaluationRun | None,
    run_id: str,
    changes: Mapping[str, JsonValue],
    expected: Collection[RunStatus] | None,
) -> EvaluationRun:
    """The run with its changes; raises ``NotFound``, ``Conflict``, or ``UsageError`` for what a
    run cannot be."""
    if run is None:
        raise NotFound(f"no evaluation {run_id}")
    if expected is not None and run.status not in expected:
        raise Conflict(f"evaluation {run_id}", " or ".join(sorted(expected)), run.status)
    if changes.get("run_id", run_id) != run_id:
        raise UsageError(f"the id of evaluation {run_id} cannot be changed")
    merged = {**cast(dict[str, JsonValue], run.to_data()), **changes}
    try:
        return EvaluationRun.model_validate(merged)
    except ValidationError:
        [mistake, *_] = EvaluationRun.mistakes(merged)
        raise UsageError(f"evaluation {run_id} cannot be changed so: {mistake}") from None
