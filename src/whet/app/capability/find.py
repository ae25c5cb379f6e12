"""Which run is meant by what somebody types."""

from collections.abc import Iterator

from whet.app.app import App
from whet.core.asset_query import LARGEST_PAGE
from whet.core.errors import NotFound, UsageError
from whet.documents.capability import EvaluationRun
from whet.ports.evaluations import RunQuery

SHORTEST = 4
"""Characters of an id that may stand for all of it."""

LATEST = "latest"
_SHOWN = 80


def find(app: App, reference: str) -> str:
    """The id of a run: it whole, its unique beginning, or ``latest`` for the newest. Raises
    ``NotFound``, and ``UsageError`` where a beginning fits several."""
    if reference == LATEST:
        newest = app.store.evaluations.list_eval_runs(RunQuery(limit=1)).items
        if not newest:
            raise NotFound("there is no capability run yet")
        return newest[0].run_id
    fitting = [run.run_id for run in _every(app) if _fits(run, reference)]
    if reference in fitting:
        return reference
    if len(fitting) > 1:
        raise UsageError(f"several runs fit {reference!r}: {', '.join(fitting)}")
    if not fitting:
        shown = f"no capability run {reference[:_SHOWN]!r}"
        if len(reference) < SHORTEST:
            raise NotFound(f"{shown}; the beginning of an id has {SHORTEST} characters or more")
        raise NotFound(f"{shown}; see whet capability list")
    return fitting[0]


def _fits(run: EvaluationRun, reference: str) -> bool:
    is_long = len(reference) >= SHORTEST
    return run.run_id == reference or (is_long and run.run_id.startswith(reference))


def _every(app: App) -> Iterator[EvaluationRun]:
    offset = 0
    while True:
        page = app.store.evaluations.list_eval_runs(RunQuery(limit=LARGEST_PAGE, offset=offset))
        yield from page.items
        offset += LARGEST_PAGE
        if offset >= page.total:
            return
