"""What ``whet model-server`` does once its imports are worth their time."""

import json
import shlex
import signal
import sys
import threading
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import FrameType

from whet.testing.model_server import (
    AgentSettings,
    LoggedRequest,
    ModelServer,
    Script,
    agent_settings,
)


def run(path: Path, port: int, *, as_json: bool) -> None:
    """Serve until a signal."""
    script = Script.load(path)
    signal.signal(signal.SIGTERM, _end)
    with ModelServer(script, port=port, on_request=_report) as server:
        known = agent_settings(server.url, script.models[0])
        if as_json:
            agents = {name: asdict(settings) for name, settings in known.items()}
            lines = [json.dumps({"url": server.url, "agents": agents})]
        else:
            lines = [f"the scripted model listens on {server.url}", ""]
            lines += [_typed(name, settings) for name, settings in known.items()]
        sys.stdout.write("\n".join(lines) + "\n")
        sys.stdout.flush()
        threading.Event().wait()


def _end(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)


def _typed(name: str, settings: AgentSettings) -> str:
    """What a person types in a shell."""
    variables = [f"{key}={shlex.quote(value)}" for key, value in settings.environment.items()]
    return " ".join([*variables, name, *map(shlex.quote, settings.arguments)])


def _report(request: LoggedRequest) -> None:
    """One line per request, in one piece so that lines of several do not mix."""
    what = f"{request.method} {request.path}"
    if request.turn is not None:
        what += f": {request.marker or 'default'}, turn {request.turn}, hit {request.hit}"
    # Nobody may be reading any more; the model goes on answering.
    with suppress(OSError):
        sys.stderr.write(f"{what}: {request.status or 'no answer'}\n")
        sys.stderr.flush()
