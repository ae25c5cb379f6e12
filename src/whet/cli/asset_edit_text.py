"""Texts for an edit: from a file, from stdin, or from a person's editor."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from whet.app.library.library import Shelved
from whet.app.settings import Settings
from whet.cli.asset_edit_words import EditWords
from whet.cli.options import say
from whet.core.errors import InvalidImport, UsageError, WhetError
from whet.curate.archive import MOST_IN_ONE
from whet.curate.intake.given import decoded, read_bytes
from whet.curate.segments import shown
from whet.shell.editor import edit_file

STDIN = "-"


def text_of(path: str) -> str:
    """The text in a file, or in stdin where *path* is ``-``."""
    if path != STDIN:
        return decoded(read_bytes(Path(path)), path)
    data = sys.stdin.buffer.read(MOST_IN_ONE + 1)
    if len(data) > MOST_IN_ONE:
        raise InvalidImport("stdin", [f"is larger than {MOST_IN_ONE // 1024 // 1024} MB"])
    return decoded(data, "stdin")


def named_texts(given: Iterable[str], known: Collection[str] = ()) -> dict[str, str]:
    """Options written as NAME=TEXT, where ``3`` is a text as well; raises ``UsageError``, also for
    a name that is none of those *known*."""
    found: dict[str, str] = {}
    for each in given:
        name, equals, text = each.partition("=")
        if not name or not equals:
            raise UsageError(f"{shown(each)} sets nothing; write NAME=TEXT")
        if known and name not in known:
            raise UsageError(f"{shown(name)} cannot be set; these can: {', '.join(known)}")
        found[name] = text
    return found


def is_terminal() -> bool:
    """Whether somebody can type and see."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def in_editor(
    settings: Settings, name: str, data: bytes, save: Callable[[bytes], Shelved]
) -> Shelved | None:
    """Let a person edit *data* in a file of that *name*, and save it; None where it is the same.

    What cannot be saved is kept, and where that is is said.
    """
    folder = Path(tempfile.mkdtemp(prefix="whet-"))
    path = folder / name
    is_kept = False
    try:
        path.write_bytes(data)
        edit_file(path, settings.machine.environment)
        edited = read_bytes(path)
        return None if edited == data else save(edited)
    except (WhetError, KeyboardInterrupt):
        is_kept = path.is_file() and path.read_bytes() != data
        if is_kept:
            say(EditWords(settings.language).kept.format(path=path))
        raise
    finally:
        if not is_kept:
            shutil.rmtree(folder, ignore_errors=True)
