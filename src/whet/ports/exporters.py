"""The exporters port: that side of the parts which writes files for people and programs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from whet.ports.capability_exporter import CapabilityExporter
    from whet.ports.exporter import Exporter
    from whet.ports.project_exporter import ProjectExporter
    from whet.ports.session_exporter import SessionExporter


class Exporters(Protocol):
    """Exporters by name, loaded when first asked for; raises ``UnknownPart``."""

    def exporter(self, name: str) -> "Exporter":
        """The exporter of that name."""
        ...

    def exporters(self) -> Sequence[str]:
        """The names of all exporters."""
        ...

    def project_exporter(self, name: str) -> "ProjectExporter":
        """The exporter of that name for projects."""
        ...

    def project_exporters(self) -> Sequence[str]:
        """The names of all exporters for projects."""
        ...

    def capability_exporter(self, name: str) -> "CapabilityExporter":
        """The exporter of that name for capability runs."""
        ...

    def capability_exporters(self) -> Sequence[str]:
        """The names of all exporters for capability runs."""
        ...

    def session_exporter(self, name: str) -> "SessionExporter":
        """The exporter of that name for sessions."""
        ...

    def session_exporters(self) -> Sequence[str]:
        """The names of all exporters for sessions."""
        ...
