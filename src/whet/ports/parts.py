"""The parts port."""

from collections.abc import Sequence
from typing import Protocol

from whet.ports.capability_exporter import CapabilityExporter
from whet.ports.checker import Checker
from whet.ports.engine import Engine
from whet.ports.exporter import Exporter
from whet.ports.judge import Judge, JudgeSetup
from whet.ports.project_exporter import ProjectExporter


class Parts(Protocol):
    """Implementations by name, loaded when first asked for; raises ``UnknownPart``."""

    def engine(self, name: str) -> Engine:
        """The engine of that name."""
        ...

    def engines(self) -> Sequence[str]:
        """The names of all engines."""
        ...

    def judge(self, name: str, setup: JudgeSetup, /) -> Judge:
        """A judge of that name."""
        ...

    def judges(self) -> Sequence[str]:
        """The names of all judges."""
        ...

    def checker(self, name: str) -> Checker:
        """The checker of that type."""
        ...

    def checkers(self) -> Sequence[str]:
        """The types of all checkers."""
        ...

    def exporter(self, name: str) -> Exporter:
        """The exporter of that name."""
        ...

    def exporters(self) -> Sequence[str]:
        """The names of all exporters."""
        ...

    def project_exporter(self, name: str) -> ProjectExporter:
        """The exporter of that name for projects."""
        ...

    def project_exporters(self) -> Sequence[str]:
        """The names of all exporters for projects."""
        ...

    def capability_exporter(self, name: str) -> CapabilityExporter:
        """The exporter of that name for capability runs."""
        ...

    def capability_exporters(self) -> Sequence[str]:
        """The names of all exporters for capability runs."""
        ...
