"""The hostile agent: all attempts together, as a program."""

from tests.shell.escapes import excess, files, kernel, processes, shared
from tests.shell.escapes.attempts import ATTEMPTS, Attempt, main

MODULES = (excess, files, kernel, processes, shared)
ALONE = (excess.MEMORY, excess.HIDDEN, excess.PROCESSES, excess.FILE, excess.TOTAL)
"""Each attempt of these kinds has a run of its own, as it may be ended for it."""


def tried_together() -> list[str]:
    return [one.name for one in ATTEMPTS.values() if one.kind not in (*ALONE, excess.STAY)]


def tried_alone() -> list[Attempt]:
    return [one for one in ATTEMPTS.values() if one.kind in ALONE]


def staying() -> list[str]:
    return [one.name for one in ATTEMPTS.values() if one.kind == excess.STAY]


if __name__ == "__main__":
    main()
