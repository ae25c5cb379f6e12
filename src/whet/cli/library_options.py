"""What commands for skills and baselines take: references, versions, texts of files or stdin."""

import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Annotated

import typer

from whet.core.errors import InvalidImport, UsageError
from whet.curate.archive import MOST_IN_ONE
from whet.curate.intake.given import decoded, read_bytes
from whet.curate.segments import shown

STDIN = "-"
NOTHING_CHANGED = "stopped; nothing was changed"
"""What is said after Ctrl-C where nothing is written before the end."""

Reference = Annotated[
    str, typer.Argument(help="Its id, the unique beginning of that, or its name.", metavar="ID")
]
References = Annotated[
    list[str],
    typer.Argument(
        help="Ids, the unique beginnings of those, or names.", metavar="ID...", show_default=False
    ),
]
Expect = Annotated[
    str | None,
    typer.Option(
        "--expect", help="The version it is meant for, v3 say; another one is a conflict."
    ),
]
Version = Annotated[
    str | None, typer.Option("--version", help="An older version, v2 say. Default: the newest.")
]


def text_of(path: str) -> str:
    """The text in a file, or in stdin where *path* is ``-``."""
    return text_of_stdin() if path == STDIN else decoded(read_bytes(Path(path)), path)


def text_of_stdin() -> str:
    """The text in stdin; raises ``InvalidImport`` where it is too large."""
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
