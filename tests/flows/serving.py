"""The real server as a process, and clients that follow it."""

import json
import signal
import subprocess
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import httpx

from tests.flows.command import started

SKILLS = ["5e6f33d1", "80777b16", "c5cd34a9"]
BASELINES = ["9297bc90"]
"""Of the sample that ``whet demo`` installs."""


class Sent(NamedTuple):
    """One event as a client got it."""

    cursor: int
    kind: str
    data: dict[str, Any]


@dataclass
class Serving:
    """``whet serve`` on a free port, until the block ends or somebody ends it."""

    process: subprocess.Popen[str]
    client: httpx.Client

    @classmethod
    def on(cls, workspace: Path, *arguments: str, **environment: str) -> Self:
        """Start, and wait until it listens. What its machine allows lies beside the workspace."""
        environment = {"WHET_CONFIG_DIR": str(workspace.with_name("config")), **environment}
        process = started(
            "serve", "--port", "0", "--json", "--workspace", workspace, *arguments, **environment
        )
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, process.communicate()
        news = json.loads(line)
        assert news["workspace"] == str(workspace)
        return cls(process, httpx.Client(base_url=news["url"], timeout=30))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.client.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def end(self, how: signal.Signals) -> tuple[float, str, str]:
        """Send a signal; returns seconds until the end, and the rest of both streams."""
        begun = time.monotonic()
        self.process.send_signal(how)
        out, errors = self.process.communicate(timeout=20)
        return time.monotonic() - begun, out, errors

    def start(self, **more: Any) -> dict[str, Any]:
        """Start a comparison of the sample's skills."""
        comparison = {"name": "Flow", "skills": SKILLS, "baselines": BASELINES, **more}
        answer = self.client.post("/v1/runs", json=comparison)
        assert answer.status_code == 202, answer.text
        return answer.json()

    def get(self, identity: str) -> dict[str, Any]:
        """An experiment with its summary."""
        return self.client.get(f"/v1/runs/{identity}").json()

    def resume(self, identity: str) -> dict[str, Any]:
        """Go on with it."""
        answer = self.client.post(f"/v1/runs/{identity}/resume")
        assert answer.status_code == 202, answer.text
        return answer.json()

    @contextmanager
    def following(self, identity: str, last: int = 0) -> Generator[Iterator[Sent]]:
        """The events after *last*, for as long as the client wants."""
        path = f"/v1/runs/{identity}/events"
        headers = {"last-event-id": str(last)} if last else {}
        with self.client.stream("GET", path, headers=headers) as answer:
            assert answer.status_code == 200
            yield sent(answer.iter_lines())

    def until(self, identity: str, kind: str, last: int = 0) -> list[Sent]:
        """Follow until an event of that kind has come."""
        seen: list[Sent] = []
        with self.following(identity, last) as events:
            for event in events:
                seen.append(event)
                if event.kind == kind:
                    break
        return seen


def sent(lines: Iterator[str]) -> Iterator[Sent]:
    """Events from the lines of a stream."""
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif "id" in fields:
            data = json.loads(fields["data"])
            # Streams of runs name the kind in their data, those of the capability format do not.
            yield Sent(int(fields["id"]), data.get("kind", fields["event"]), data)
            fields = {}
