"""The ledger port."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from whet.core.execution import Execution
from whet.core.grade import Grade
from whet.core.trial import TrialRecord
from whet.core.usage import Usage
from whet.ports.recorded import RecordLog


class Ledger(RecordLog, Protocol):
    """Executions, the records they led to, and the grades of those. Append-only.

    At most one execution of an (address, generation) is open while its owner lives, and none
    once it has a record.
    """

    def claim(self, execution: Execution) -> Execution | TrialRecord | None:
        """Open *execution*: returns it when granted, the record when there is one already, or
        None while another living owner holds the claim. A dead owner's claim is closed as
        abandoned and granted anew."""
        ...

    def close(self, execution: Execution, record: TrialRecord | None) -> None:
        """Close an execution with its outcome, and keep the record if it led to one."""
        ...

    def generation(self, address: str) -> int:
        """The generation that is wanted of an address: 1 unless there were retries."""
        ...

    def retry(self, addresses: Iterable[str]) -> int:
        """Want another answer of those that have a record: it stays, and counts no more. What
        is waiting for another answer already is left. Returns how many are wanted now."""
        ...

    def executions(self, address: str) -> Sequence[Execution]:
        """All executions of an address, oldest first."""
        ...

    def execution(self, identity: str) -> Execution | None:
        """One execution."""
        ...

    def spent(self, addresses: Iterable[str]) -> Usage:
        """All that the executions of these addresses used up, also those that led to nothing."""
        ...

    def latest(self, limit: int) -> Sequence[TrialRecord]:
        """The records of the executions that were answered last, newest first."""
        ...

    def record(self, address: str, *, imported: bool = False) -> TrialRecord | None:
        """The record of the generation that is wanted, or None."""
        ...

    def records(
        self, addresses: Iterable[str], *, imported: bool = False
    ) -> dict[str, TrialRecord]:
        """The record that counts of each address that has one: of the newest generation, if that
        is not older than the one wanted; imported ones only if asked for."""
        ...

    def addresses(self) -> Sequence[str]:
        """Every address that has a record, imported or not, in order."""
        ...

    def add_imported(self, new: Iterable[TrialRecord]) -> int:
        """Keep records from elsewhere as generation 0, beside any of our own; one that is there
        already stays as it is. Returns how many are new."""
        ...

    def add_grades(self, new: Iterable[Grade]) -> None:
        """Keep grades; one that is there already stays as it is."""
        ...

    def grades(self, addresses: Iterable[str]) -> dict[str, Grade]:
        """Those of the grades with these addresses that exist."""
        ...
