"""The port of what was recorded, in the order in which that happened."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from whet.core.grade import Grade
from whet.core.trial import TrialRecord


class Recorded(NamedTuple):
    """A record, and its place in that order."""

    cursor: int
    record: TrialRecord


class RecordLog(Protocol):
    """For whoever keeps a mirror of the records, and for whoever wants all that is said of one."""

    def recorded(self, after: int, limit: int) -> Sequence[Recorded]:
        """The records after a cursor, imported ones too, the oldest first. A record gets a larger
        cursor than all that were committed before it."""
        ...

    def at_cursor(self, cursor: int) -> tuple[str, int] | None:
        """Address and generation of the record there; None where there is none."""
        ...

    def generations(self, address: str) -> Sequence[TrialRecord]:
        """Every record of an address, imported or not, by generation."""
        ...

    def grades_of(self, trial: str) -> Sequence[Grade]:
        """All grades of a trial, of whichever generation, the oldest first."""
        ...
