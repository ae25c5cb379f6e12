"""What is asked of jobs, over HTTP and on the command line."""

from typing import Annotated

from pydantic import Field

from whet.core.asset_query import LARGEST_PAGE
from whet.core.job import JobState
from whet.core.value import RequestModel
from whet.ports.jobs import JobQuery

PartSize = Annotated[int, Field(ge=1, le=LARGEST_PAGE, description="So many at most.")]


class JobFilter(RequestModel):
    """Which jobs, and which part of them; what is not given does not narrow."""

    status: JobState | None = Field(default=None, description="Only these.")
    skill_id: str | None = Field(
        default=None, description="Only of this skill, as it was asked for."
    )
    engine: str | None = Field(default=None, description="Only by this one.")
    batch_id: str | None = Field(default=None, description="Only of this batch.")
    limit: PartSize = 50
    offset: int = Field(default=0, ge=0, lt=2**63, description="Leave out so many of the newest.")

    @property
    def query(self) -> JobQuery:
        """The question to the store."""
        return JobQuery(
            states=(self.status,) if self.status else None,
            skill_id=self.skill_id,
            engine=self.engine,
            batch=self.batch_id,
            limit=self.limit,
            offset=self.offset,
        )
