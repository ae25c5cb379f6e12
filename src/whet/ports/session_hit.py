"""What a search over sessions finds."""

from whet.core.value import Value
from whet.ports.session_entry import SessionEntry


class CallHit(Value):
    """A call that fits what was looked for."""

    index: int
    call_id: str
    tool: str
    failed: bool
    file: str | None = None
    snippet: str
    """Plain text on one line: what the call was about, around the first word that was found."""


class SessionHit(Value):
    """A session that fits what was looked for."""

    entry: SessionEntry
    snippet: str
    """Plain text on one line, around the first place; empty where only a call has the words."""

    calls: tuple[CallHit, ...]
    more_calls: int
    """How many fit beside those that are shown, among the calls that the index has."""
