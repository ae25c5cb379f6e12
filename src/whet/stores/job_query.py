"""Questions for jobs, whichever store keeps them."""

from whet.core.asset_query import LARGEST_PAGE
from whet.core.errors import UsageError
from whet.core.job import Job
from whet.ports.jobs import JobQuery

EQUAL = ("skill_id", "engine", "owner", "key", "run_id", "batch", "wants_cancel")
"""Fields of a job that have to be equal to those of the query."""


def checked(query: JobQuery) -> JobQuery:
    """The same query; raises ``UsageError`` if there can be no answer."""
    if query.offset < 0 or not 1 <= query.limit <= LARGEST_PAGE:
        raise UsageError(f"a part begins with 0 or later and has 1 to {LARGEST_PAGE} jobs")
    return query


def page_number(query: JobQuery) -> int:
    """The page that the part begins on."""
    return query.offset // query.limit + 1


def raised(job: Job, revision: int) -> Job:
    """The job as it is kept after that revision."""
    return job.model_copy(update={"revision": revision + 1})
