"""The parts port."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from whet.ports.exporters import Exporters

if TYPE_CHECKING:
    from whet.ports.checker import Checker
    from whet.ports.engine import Engine
    from whet.ports.judge import Judge, JudgeSetup
    from whet.ports.reader import Reader


class Parts(Exporters, Protocol):
    """Implementations by name, loaded when first asked for; raises ``UnknownPart``."""

    def engine(self, name: str) -> "Engine":
        """The engine of that name."""
        ...

    def engines(self) -> Sequence[str]:
        """The names of all engines."""
        ...

    def judge(self, name: str, setup: "JudgeSetup", /) -> "Judge":
        """A judge of that name."""
        ...

    def judges(self) -> Sequence[str]:
        """The names of all judges."""
        ...

    def checker(self, name: str) -> "Checker":
        """The checker of that type."""
        ...

    def checkers(self) -> Sequence[str]:
        """The types of all checkers."""
        ...

    def reader(self, name: str) -> "Reader":
        """The reader of that name."""
        ...

    def readers(self) -> Sequence[str]:
        """The names of all readers."""
        ...
