"""The port of engines that can do some tasks only."""

from typing import Protocol, runtime_checkable


@runtime_checkable
class Capable(Protocol):
    """An engine that knows beforehand which tasks are none for it."""

    def can_do(self, prompt: str, /) -> bool:
        """Whether an attempt at *prompt* would be one; what it makes of others says nothing."""
        ...
