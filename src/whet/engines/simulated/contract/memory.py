"""What the agent remembers of a conversation between its turns.

It lies beside the working folder, where no output is looked for.
"""

import contextlib
from pathlib import Path
from typing import Self

from pydantic import JsonValue, ValidationError

from whet.core.errors import UsageError
from whet.core.value import Value
from whet.engines.simulated.contract.findings import Said
from whet.ports.workdir import Workdir

_LARGEST = 16 * 1024 * 1024


class Memory(Value):
    """One conversation so far."""

    name: str
    inputs: dict[str, JsonValue] = {}
    parameters: dict[str, JsonValue] = {}
    said: tuple[Said, ...] = ()
    asked: str | None = None
    """The question that the last turn ended with."""

    answers: int = 0
    """How often the whole job was answered."""

    seen: tuple[str, ...] = ()
    """The files that were read."""

    @classmethod
    def recalled(cls, name: str, workdir: Workdir) -> Self:
        """What an earlier turn kept; raises ``UsageError`` if there was none of that name."""
        place = _place(workdir)
        with contextlib.suppress(OSError, ValidationError):
            if place.stat().st_size <= _LARGEST:
                kept = cls.model_validate_json(place.read_bytes())
                if kept.name == name:
                    return kept
        raise UsageError(f"simulated has no conversation {name[:200]!r}")

    def keep(self, workdir: Workdir) -> None:
        """For the turn after this one."""
        place = _place(workdir)
        place.parent.mkdir(exist_ok=True)
        place.write_text(self.model_dump_json(), encoding="utf-8")


def _place(workdir: Workdir) -> Path:
    return workdir.root / "home" / "conversation.json"
