"""``whet model-server``: a scripted model for trying agents without a provider."""

import json
import shlex
import signal
import sys
import threading
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer

from whet.cli.command import Call
from whet.testing.model_server import (
    AgentSettings,
    LoggedRequest,
    ModelServer,
    Script,
    agent_settings,
)

ScriptFile = Annotated[Path, typer.Argument(help="What the model says, as JSON.", metavar="SCRIPT")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")]


def model_server(call: Call, script: ScriptFile, port: Port = 0) -> None:
    """Serve until a signal."""
    loaded = Script.load(script)
    signal.signal(signal.SIGTERM, _end)
    with ModelServer(loaded, port=port, on_request=_report) as server:
        known = agent_settings(server.url, loaded.models[0])
        if call.json:
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
