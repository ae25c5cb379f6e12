"""The exporter port for sessions."""

from dataclasses import dataclass
from typing import Protocol

from whet.documents.session_report import SessionReport


@dataclass(frozen=True, slots=True)
class ExportWish:
    """How somebody wants a session exported."""

    language: str = "en"
    """``en`` or ``zh``, for whoever reads it. What is for machines does not depend on it."""

    full: bool = False
    """Every text whole. Otherwise long ones are cut, which is said where it is done."""


class SessionExporter(Protocol):
    """Writes a session in a format of its own. Made without arguments.

    What it is given has been redacted already, unless somebody wished otherwise.
    """

    name: str
    suffix: str
    """Of its files, with the dot."""

    media_type: str

    def export(self, report: SessionReport, wish: ExportWish) -> str:
        """The session as the text of a file in UTF-8, line ends as they are."""
        ...
