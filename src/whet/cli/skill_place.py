"""Skills that are named by a path, or by what they are called in the library."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from whet.app.library.library import Library, library
from whet.app.settings import Settings
from whet.core.errors import NotFound


@contextmanager
def shelf_of(settings: Settings, given: Path) -> Generator[Library | None]:
    """The library, if *given* is a skill in it and no path on disk; raises ``NotFound``."""
    if given.exists() or not settings.workspace.is_dir():
        yield None
        return
    with library(settings.workspace, "skill") as shelf:
        try:
            shelf.entry(str(given))
        except NotFound as error:
            raise NotFound(f"no folder {given}, and {error}") from None
        yield shelf
