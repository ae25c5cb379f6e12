"""What the commands of sessions share: how a session is named, its words, and lengths of time."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated

import typer

from whet.app.app import opened
from whet.app.sessions.sessions import Sessions, sessions
from whet.app.settings import Settings
from whet.core.bilingual import Both, Words
from whet.exporters.amounts import amount

SESSION = (
    "Its name, its id or what its log called it, the address of its trial, a unique beginning of "
    "one of them; or: latest; or a log file."
)
Reference = Annotated[str, typer.Argument(help=SESSION, metavar="ID")]

COLOURS = {"success": "green", "failed": "red", "in_progress": "yellow"}
_MINUTE, _HOUR = 60, 3600


class EntryWords(Words):
    """Where a session comes from, and how it ended."""

    kinds = Both(
        {"job": "job", "import": "import", "file": "file", "trial": "trial", "ask": "question"},
        {"job": "作业", "import": "导入", "file": "文件", "trial": "试验", "ask": "提问"},
    )
    statuses = Both(
        {"success": "success", "failed": "failed", "in_progress": "open"},
        {"success": "成功", "failed": "失败", "in_progress": "未结束"},
    )


@contextmanager
def opened_sessions(settings: Settings) -> Generator[Sessions]:
    """The sessions of a workspace, where a reference may also be a file of this machine."""
    with opened(settings) as app, sessions(app, paths=True) as found:
        yield found


def duration(milliseconds: float | None) -> str:
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
