"""The port of capability runs."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from whet.documents import capability as doc
from whet.ports.listing import Page

Changes = Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class RunQuery:
    """Which runs, and which part of them; None does not narrow."""

    run_id: str | None = None
    user_id: str | None = None
    model_name: str | None = None
    status: doc.RunStatus | None = None
    case_set: str | None = None
    language: str | None = None

    since: str | None = None
    """The earliest start, inclusive; ISO 8601, without an offset in UTC."""

    until: str | None = None
    """The latest start, exclusive."""

    limit: int = 50
    offset: int = 0


class Evaluations(Protocol):
    """Capability runs, their items, and the case sets they used."""

    def create_eval_run(
        self, run: doc.EvaluationRun, items: Sequence[doc.EvaluationItem] = ()
    ) -> None:
        """Keep a new run with its first items; raises ``Conflict`` if its id is taken."""
        ...

    def update_eval_run(
        self, run_id: str, changes: Changes, expected: Collection[doc.RunStatus] | None = None
    ) -> doc.EvaluationRun:
        """Set fields of a run and return it; raises ``Conflict`` if its status is not among
        those *expected*, and ``NotFound``."""
        ...

    def append_eval_item(self, item: doc.EvaluationItem) -> None:
        """Keep an item, in place of what was there for the same case; raises ``NotFound``
        without its run."""
        ...

    def list_eval_runs(self, query: RunQuery) -> Page[doc.EvaluationRun]:
        """Runs that fit, newest first; raises ``UsageError`` for a part that cannot be."""
        ...

    def get_eval_run_detail(self, run_id: str) -> doc.EvaluationDetail | None:
        """A run with its items, in the order in which they were first kept."""
        ...

    def delete_eval_run(self, run_id: str) -> bool:
        """Remove a run and its items; False if there is none."""
        ...

    def put_case_set(self, digest: str, case_set: doc.CapabilityCaseSet) -> None:
        """Keep a case set; one that is there already stays as it is."""
        ...

    def get_case_set(self, digest: str) -> doc.CapabilityCaseSet | None:
        """The case set with this digest, or None."""
        ...
