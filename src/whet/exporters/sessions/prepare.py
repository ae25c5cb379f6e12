"""From a session to what exporters are given: without secrets, unless somebody wishes otherwise."""

from dataclasses import dataclass

from whet.core.discretion import Discretion
from whet.documents.session import Session
from whet.documents.session_report import SessionLayout, SessionReport
from whet.exporters.sessions.layout import layout_of
from whet.exporters.sessions.redact import redacted


@dataclass(frozen=True, slots=True)
class Privacy:
    """What must not leave the house."""

    redact: bool = True
    secrets: tuple[str, ...] = ()
    """Those that are known by their value, such as the keys of this machine."""

    users: tuple[str, ...] = ()
    """Names of accounts, which are replaced in paths."""


def prepared(
    session: Session, privacy: Privacy | None = None, layout: SessionLayout | None = None
) -> SessionReport:
    """The report of a session. Phases and lanes are those of *layout*, where somebody has looked
    closer; otherwise those that the session itself has."""
    told = privacy or Privacy()
    if not told.redact:
        return SessionReport(session=session, layout=layout or layout_of(session))
    discretion = Discretion(told.secrets, told.users)
    cleaned = redacted(session, discretion)
    laid_out = layout_of(cleaned) if layout is None else _redacted(layout, discretion)
    return SessionReport(session=cleaned, layout=laid_out, redactions=discretion.counts)


def _redacted(layout: SessionLayout, discretion: Discretion) -> SessionLayout:
    """What somebody wrote about phases is told as little as the session itself."""
    bands = tuple(
        band
        if band.description is None
        else band.model_copy(update={"description": discretion.text(band.description)})
        for band in layout.bands
    )
    return layout.model_copy(update={"bands": bands})
