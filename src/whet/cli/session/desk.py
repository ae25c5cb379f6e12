"""The sessions of a workspace as a command has them."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from whet.app.app import opened
from whet.app.sessions.sessions import Sessions, sessions
from whet.app.settings import Settings
from whet.cli.asset_output import command
from whet.evaluate.review import printable
from whet.exporters.amounts import amount

_MINUTE, _HOUR = 60, 3600


@contextmanager
def desk_of(settings: Settings) -> Generator[Sessions]:
    """The sessions, where a reference may also be a file of this machine."""
    with opened(settings) as app, sessions(app, paths=True) as found:
        yield found


def hint(words: str, workspace: Path | None) -> str:
    """A command to be typed next."""
    return printable(command(f"session {words}", workspace))


def took(milliseconds: float | None) -> str:
    """A length of time as people say it."""
    if milliseconds is None:
        return "–"
    seconds = milliseconds / 1000
    if seconds < _MINUTE:
        return amount(seconds, "seconds")
    whole = round(seconds)  # before it is taken apart, or there is a sixtieth second
    if whole < _HOUR:
        return f"{whole // _MINUTE}:{whole % _MINUTE:02} min"
    return f"{whole // _HOUR}:{whole % _HOUR // _MINUTE:02} h"
