"""Questions to the index of sessions."""

from dataclasses import dataclass

from whet.ports.session_entry import SessionKind, SessionStatus

LISTED: tuple[SessionKind, ...] = ("job", "import", "file", "trial")
"""What a list shows if nobody says otherwise: what judges ask is somebody else's business."""


@dataclass(frozen=True, slots=True)
class SessionQuery:
    """Which sessions, and which page of them, newest first; None does not narrow."""

    text: str = ""
    """Words, and ``tool:``, ``status:``, ``file:``, ``engine:``, ``skill:``, ``session:``."""

    kinds: tuple[SessionKind, ...] = LISTED
    status: SessionStatus | None = None
    engine: str | None = None
    model: str | None = None
    skill: str | None = None
    since: float | None = None
    """It began then or later, in seconds since 1970."""

    until: float | None = None
    page: int = 1
    page_size: int = 20
