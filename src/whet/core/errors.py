"""Every error whet raises on purpose.

::

    WhetError
    ├── UsageError            the caller asked for something that cannot be (exit 2)
    │   ├── NotFound          no such skill, project, file, …
    │   ├── UnknownPart       no engine, judge, … of that name
    │   ├── InvalidDocument   a JSON document that does not fit its format
    │   ├── InvalidSuite      a suite of evals with mistakes; lists them all
    │   │   ├── InvalidImport a file to import with mistakes; lists them all
    │   │   ├── InvalidSkill  a skill with errors, which is not packed; lists them all
    │   │   └── InvalidJob    inputs of a job that do not fit its skill; lists them all
    │   ├── Unsupported       a skill cannot be run in this way; its code says in which
    │   ├── NotHigher         a package to install whose version is not above the installed one
    │   ├── ConfirmationNeeded  it may cost money, and nobody has said yes
    │   ├── ConsentNeeded     it widens what an agent may reach, and nobody here has agreed
    │   └── Conflict          somebody changed it first; names expected and actual
    │       └── WrongStatus   it is running, or over, and can only be done while it is not
    ├── EnvironmentProblem    this machine cannot do it now: disk, port, permission (exit 3)
    │   └── QueueFull         so many jobs wait that no more are taken
    ├── Halted                a person paused or stopped what was under way
    ├── Draining              this process is about to end and begins nothing more (exit 143)
    ├── BudgetExhausted       the next trial would exceed the budget
    ├── EngineFailure         an agent's attempt ended badly; carries the kind of failure
    ├── AskFailure            a model that was asked something gave nothing usable
    └── JudgeFailure          a judge broke or gave nothing usable

A message is one line that names the thing and, where there is one, the fix.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from whet.core.failure import Failure

if TYPE_CHECKING:  # errors are there before any library is
    from whet.core.usage import Usage


class WhetError(Exception):
    """Base of all errors with a message for people; ``code`` is stable for machines."""

    code = "error"
    exit_code = 1


class UsageError(WhetError):
    """The caller asked for something that cannot be."""

    code = "invalid_request"
    exit_code = 2


class NotFound(UsageError):
    """The named thing does not exist."""

    code = "not_found"


class UnknownPart(UsageError):
    """No part of that name is known."""

    code = "unknown_part"

    def __init__(self, kind: str, name: str, known: list[str]) -> None:
        from difflib import get_close_matches  # seldom needed, and not free

        close = get_close_matches(name.lower(), known, n=1)
        meant = f"did you mean {close[0]}? " if close else ""
        super().__init__(f"unknown {kind} {name!r}; {meant}known: {', '.join(known) or 'none'}")


class InvalidDocument(UsageError):
    """A document that does not fit its format."""

    code = "invalid_document"

    def __init__(self, source: Path | str, field: str, reason: str) -> None:
        where = f"{source}: {field}" if field else f"{source}"
        super().__init__(f"{where}: {reason}")
        self.source = source
        self.field = field
        self.reason = reason


class InvalidSuite(UsageError):
    """A suite of evals, or a set of queries, with mistakes in it; nothing of it was run."""

    code = "invalid_suite"

    def __init__(self, source: Path | str, problems: Sequence[str]) -> None:
        count = f"{len(problems)} mistakes" if len(problems) > 1 else "a mistake"
        said = f"has {count}: {'; '.join(problems)}"
        if len(problems) == 1 and problems[0].startswith(("is ", "has ", "says ")):
            said = problems[0]
        super().__init__(f"{source} {said}")
        self.source = source
        self.problems = tuple(problems)


class InvalidImport(InvalidSuite):
    """Something to import with mistakes in it; nothing of it was taken."""

    code = "invalid_import"


class InvalidSkill(InvalidSuite):
    """A skill with errors in it, which nobody should be given."""

    code = "invalid_skill"


class InvalidJob(InvalidSuite):
    """Inputs, parameters or files that do not fit the skill; nothing of it was run."""

    code = "invalid_job"


class Unsupported(UsageError):
    """A skill cannot be run by that engine, or in that mode; ``code`` says which."""

    code = "unsupported"

    def __init__(self, what: Literal["engine", "mode"], message: str) -> None:
        super().__init__(message)
        self.code = f"{what}_unsupported"


class NotHigher(UsageError):
    """A package whose version is not higher than that of the installed one."""

    code = "version_not_higher"

    def __init__(self, package: str, installed: str, uploaded: str) -> None:
        super().__init__(
            f"{package!r} is updated by a strictly higher version only: "
            f"installed={installed}, uploaded={uploaded}"
        )
        self.installed = installed
        self.uploaded = uploaded


class ConfirmationNeeded(UsageError):
    """It may cost money, and nobody has agreed to that yet."""

    code = "confirmation_needed"


class ConsentNeeded(UsageError):
    """It widens what an agent sees and reaches, and nobody on this machine has agreed to that."""

    code = "consent_needed"


class Conflict(UsageError):
    """A compare-and-set found another value than the caller expected."""

    code = "conflict"

    def __init__(self, what: str, expected: object, actual: object) -> None:
        super().__init__(f"{what} changed meanwhile: expected {expected}, found {actual}")
        self.expected = expected
        self.actual = actual


class WrongStatus(Conflict):
    """It cannot be done to something in this status."""

    code = "wrong_status"

    def __init__(self, message: str, expected: str, actual: str) -> None:
        super().__init__("", expected, actual)
        self.args = (message,)


class EnvironmentProblem(WhetError):
    """This machine cannot do it now."""

    code = "environment"
    exit_code = 3


class QueueFull(EnvironmentProblem):
    """So much waits already that no more is taken on for now."""

    code = "queue_full"


class Halted(WhetError):
    """A person paused or stopped what was under way; it can be picked up again."""

    code = "halted"

    def __init__(self, what: str, wish: Literal["paused", "stopped"]) -> None:
        super().__init__(f"{what} was {wish}; it can be resumed")
        self.wish: Literal["paused", "stopped"] = wish


class Draining(WhetError):
    """This process was told to end (SIGTERM): what is left is for the next one."""

    code = "draining"
    exit_code = 143

    def __init__(self, message: str = "whet was told to end; the next start goes on") -> None:
        super().__init__(message)


class BudgetExhausted(WhetError):
    """Starting the next trial could exceed the budget."""

    code = "budget_exhausted"


class EngineFailure(WhetError):
    """An agent's attempt ended badly."""

    code = "engine_failure"

    def __init__(self, kind: Failure, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class AskFailure(WhetError):
    """A model was asked something, and there is no usable answer.

    Without any JSON the kind is ``no_json``, with JSON that does not fit the schema ``invalid``.
    ``engine`` means that the agent failed or reached a limit. ``text`` is what was said last.
    """

    code = "ask_failure"

    addresses: tuple[str, ...] = ()
    """Of the trials behind it: they tell what it cost."""

    is_recorded = False
    """Whether all of it was on record: asking the same again gives the same."""

    def __init__(
        self,
        kind: Literal["no_json", "invalid", "engine"],
        engine: str,
        reason: str,
        text: str,
        usage: "Usage",
    ) -> None:
        line = " ".join(reason.split())
        super().__init__(f"no usable answer from {engine}: {line[:500]}")
        self.kind = kind
        self.text = text
        self.usage = usage


class JudgeFailure(WhetError):
    """A judge broke or gave nothing usable."""

    code = "judge_failure"

    asked: tuple[str, ...] = ()
    """The addresses of the trials behind it, if a model was asked: they tell what it cost."""
