"""Work that may never end, in a process that is ended when it has used its time."""

import asyncio
import json
import signal
from collections.abc import Mapping
from pathlib import Path

from pydantic import JsonValue

from whet.core.errors import EnvironmentProblem
from whet.shell.command import Command, Limits
from whet.shell.process import run

SECONDS = 5.0
"""Time on the processor for one question."""

_PATIENCE = 60
"""How much longer by the clock on the wall: the machine may be busy."""

_MOST_ANSWER = 1024 * 1024


class TookTooLong(Exception):
    """The work was ended unfinished."""


def answer(argv: tuple[str, ...], question: Mapping[str, JsonValue], seconds: float) -> JsonValue:
    """Ask the script *argv*, which sets its own timer; raises ``TookTooLong``.

    It starts a process and waits for it, so it must not be called in an event loop.
    """
    command = Command(
        argv=argv,
        cwd=Path("/"),
        env={},
        timeout=seconds + _PATIENCE,
        stdin=json.dumps({**question, "seconds": seconds}),
        limits=Limits(line=_MOST_ANSWER, output=_MOST_ANSWER),
    )
    done = asyncio.run(run(command))
    if done.exit.timed_out or done.exit.signal == signal.SIGPROF or done.exit.exceeded:
        raise TookTooLong
    if not done.exit.ok:
        said = done.exit.stderr.strip().rpartition("\n")[2]
        raise EnvironmentProblem(f"cannot check in a process of its own: {said or done.exit}")
    return json.loads(done.stdout)
