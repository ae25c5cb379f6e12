"""Questions for runs and changes of them, whichever store keeps them."""

from whet.core.asset_query import LARGEST_PAGE
from whet.core.errors import Conflict, UsageError
from whet.core.run import Run
from whet.ports.runs import RunQuery


def checked(query: RunQuery) -> RunQuery:
    """The same query; raises ``UsageError`` if there can be no answer."""
    if query.offset < 0 or not 1 <= query.limit <= LARGEST_PAGE:
        raise UsageError(f"a part begins with 0 or later and has 1 to {LARGEST_PAGE} runs")
    return query


def page_number(query: RunQuery) -> int:
    """The page that the part begins on."""
    return query.offset // query.limit + 1


def claimed(run: Run, there: Run | None, expected: int | None) -> Run:
    """The run as the next process that is at it keeps it; raises ``Conflict``."""
    epoch = there.epoch if there else 0
    if expected not in (None, epoch):
        raise Conflict(f"run {run.id}", f"epoch {expected}", f"epoch {epoch}")
    change: dict[str, object] = {"epoch": epoch + 1, "wish": None}
    if there is not None:
        change |= {"created_at": there.created_at, "wishes": there.wishes}
    return run.model_copy(update=change)


def with_wishes_of(run: Run, there: Run) -> Run:
    """The run with the wishes that came meanwhile."""
    if run.wishes >= there.wishes:
        return run
    return run.model_copy(update={"wish": there.wish, "wishes": there.wishes})


def fits(run: Run, query: RunQuery) -> bool:
    """Whether a query is for that run."""
    return (
        (query.kinds is None or run.kind in query.kinds)
        and (query.statuses is None or run.status in query.statuses)
        and query.parent in (None, run.parent)
        and query.is_unattended in (None, run.is_unattended)
        and run.id.startswith(query.prefix)
    )
