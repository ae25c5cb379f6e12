"""The port of engines that need a credential."""

from typing import Protocol, runtime_checkable


@runtime_checkable
class Credentialed(Protocol):
    """An engine that asks a model in somebody's name."""

    def check_credential(self, model: str, /) -> None:
        """Look, at no cost, whether there is a credential for *model*; raises ``EngineFailure``
        with the fix where there is none."""
        ...
