"""A session as a file for somebody else."""

from dataclasses import dataclass, replace
from typing import Literal

from whet.app.sessions.view import View
from whet.exporters.sessions.prepare import Privacy, prepared
from whet.ports.session_exporter import ExportWish

Form = Literal["html", "md", "markdown", "json", "otlp"]
FORMS: tuple[Form, ...] = ("html", "md", "json", "otlp")
_NAMES = {"md": "markdown"}


@dataclass(frozen=True, slots=True)
class Exported:
    """What is written."""

    name: str
    """For the file."""

    media_type: str
    text: str
    redactions: dict[str, int] | None
    """How many private things were replaced, by kind; None where nothing was looked for."""


def export(view: View, form: str, wish: ExportWish, *, redact: bool = True) -> Exported:
    """Write a session; raises ``UnknownPart`` for a format that there is not. What is private is
    taken out unless somebody wishes otherwise."""
    app = view.app
    exporter = app.parts.session_exporter(_NAMES.get(form, form))
    machine = app.settings.machine
    privacy = Privacy(redact, app.settings.secrets, (machine.home.name,))
    report = prepared(view.loaded.session, privacy)
    return Exported(
        name=f"{view.loaded.entry.name}{exporter.suffix}",
        media_type=exporter.media_type,
        text=exporter.export(report, replace(wish)),
        redactions=report.redactions,
    )
