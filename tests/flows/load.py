"""Many clients of a server at once, and how soon it answers a plain question meanwhile."""

import asyncio
import io
import json
import select
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

HEALTH_PAUSE_SECONDS = 0.02
OVER = ("succeeded", "failed", "cancelled")

PACKAGE = {
    "SKILL.md": "---\nname: ping\ndescription: Answers with a pong.\n---\nSay pong.\n",
    "assets/runner.json": json.dumps(
        {
            "id": "ping",
            "version": "1.0",
            "execution_modes": ["auto"],
            "engines": ["simulated"],
            "schemas": {
                "input": "assets/input.schema.json",
                "output": "assets/output.schema.json",
            },
        }
    ),
    "assets/input.schema.json": json.dumps(
        {
            "type": "object",
            "properties": {
                "n": {"type": "integer", "x-input-source": "inline"},
                "document": {"type": "string"},
            },
            "required": ["n", "document"],
        }
    ),
    "assets/output.schema.json": json.dumps(
        {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
    ),
}
"""A skill whose jobs need an upload."""


@dataclass
class Load:
    """What clients met at a server on this machine."""

    port: int
    seconds: float = 60.0
    """For one answer; whatever takes longer is an error."""

    errors: Counter[str] = field(default_factory=Counter[str])
    health: list[float] = field(default_factory=list[float])
    """Seconds until each answer to ``GET /v1/health``."""

    done: int = 0
    """Jobs that were fetched."""

    async def ask(
        self, method: str, path: str, body: bytes = b"", kind: str = "application/json"
    ) -> bytes:
        """One request on a connection of its own; raises ``OSError`` unless it is answered 200."""
        async with asyncio.timeout(self.seconds):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            try:
                head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
                sizes = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
                writer.write((head + sizes).encode() + body)
                answer = await reader.read()
            finally:
                writer.close()
        told, _, data = answer.partition(b"\r\n\r\n")
        if not told.startswith(b"HTTP/1.1 200"):
            raise OSError(f"{method}: {told[:40]!r} {data[:200]!r}")
        return data

    async def job(self, number: int) -> None:
        """Post, upload, wait, fetch."""
        wanted = {"skill_id": "ping", "input": {"n": number}}
        made = await self._json("POST", "/v1/jobs", json.dumps(wanted).encode())
        path = f"/v1/jobs/{made['request_id']}"
        await self.ask("POST", f"{path}/upload", _zipped(number), "application/zip")
        status = ""
        while status not in OVER:
            status = (await self._json("GET", f"{path}/wait?timeout=20"))["status"]
        result = await self._json("GET", f"{path}/result")
        if status != "succeeded":
            raise OSError(f"job: {status} {result}")
        await self.ask("GET", f"{path}/bundle")
        self.done += 1

    async def work(self, clients: int, jobs: int) -> None:
        """*clients* at once do *jobs* jobs together; health is asked for all the while."""
        numbers = iter(range(jobs))

        async def client() -> None:
            for number in numbers:
                try:
                    await self.job(number)
                except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError) as error:
                    self.errors[f"{type(error).__name__} {error}"[:200]] += 1

        with self.watched_health():
            await asyncio.gather(*(client() for _ in range(clients)))

    @contextmanager
    def watched_health(self) -> Generator[None]:
        """Ask whether the server is up, over and over, during the block. In a process of its own:
        beside busy clients it would measure how late those make it."""
        command = [sys.executable, "-m", "tests.flows.load", str(self.port)]
        asking = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            yield
        finally:
            told, _ = asking.communicate("enough\n", timeout=self.seconds)
            found = json.loads(told)
            self.health += found["seconds"]
            self.errors.update(found["errors"])

    def health_at(self, share: float) -> float:
        """The seconds that this share of the answers of health took at most."""
        ordered = sorted(self.health)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    async def _json(self, method: str, path: str, body: bytes = b"") -> dict[str, Any]:
        return json.loads(await self.ask(method, path, body))


def _zipped(number: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("document", f"text {number}")
    return buffer.getvalue()


def watch_health(port: int) -> None:
    """Ask for health until something comes on the standard input; print what was seen."""
    seconds: list[float] = []
    errors: Counter[str] = Counter()
    client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60)
    while not select.select([sys.stdin], [], [], HEALTH_PAUSE_SECONDS)[0]:
        begun = time.monotonic()
        try:
            answer = client.get("/v1/health", headers={"connection": "close"})
            answer.raise_for_status()
        except httpx.HTTPError as error:
            errors[f"health {error!r}"[:200]] += 1
        seconds.append(time.monotonic() - begun)
    sys.stdout.write(json.dumps({"seconds": seconds, "errors": errors}))


if __name__ == "__main__":
    watch_health(int(sys.argv[1]))
