"""The checker port."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from whet.core.check import CheckResult, CheckSpec
from whet.core.trial import TrialRecord
from whet.documents.session import Session


@dataclass(frozen=True, slots=True)
class Subject:
    """What is checked: a record and all that was kept of its trial."""

    record: TrialRecord
    """The answer, the usage, the duration, the skills taken up, the error."""

    session: Session | None
    """The tool calls and what the agent said; None where no log is kept."""

    outputs: Mapping[str, bytes]
    """The kept files by relative path; each is read when it is asked for."""

    expected: str = ""
    """The expected result of the case."""

    script_sandbox: str | None = None
    """The sandbox for scripts of the suite; None where the suite is not trusted to run any."""

    inputs: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """The input files of the case by relative path, as they were before the trial."""


class Checker(Protocol):
    """Decides one type of check, by rule and without chance.

    Sync, and called in a thread: what may take long is bounded by the checker itself. Raises
    ``EnvironmentProblem`` when this machine cannot check at all.
    """

    name: str
    """The type of check."""

    version: str

    def validate(self, spec: CheckSpec) -> Sequence[str]:
        """Every mistake in *spec*, each in a few words; called before anything runs."""
        ...

    def check(self, spec: CheckSpec, subject: Subject) -> CheckResult:
        """Decide. *spec* has no mistakes."""
        ...
