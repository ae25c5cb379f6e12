"""Jobs over HTTP: how many are done in a second when the agent takes no time, and how many times a
second a client may ask where one is.

A real server in a process of its own, clients on open connections as another program would have
them. A job is asked for, followed by its status to its end, and has an input of its own, so that
none is answered by another. Beside them stand the plainest request that the server knows, and what
the program that first had this protocol reached on two cores of the same kind (3.8 jobs and 305 to
358 status reads a second).
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from whet.app.library.library import library
from whet.app.packages.packages import Packages

CLIENTS = 16
JOBS = 480
READS = 6_400
TURNS = 3
PAUSE_SECONDS = 0.002
ORIGINAL_JOBS, ORIGINAL_READS = 3.8, 358

PACKAGE = {
    "SKILL.md": "---\nname: ping\ndescription: Answers with a pong.\n---\nSay pong.\n",
    "assets/runner.json": json.dumps(
        {"id": "ping", "version": "1.0", "execution_modes": ["auto"], "engines": ["simulated"]}
    ),
    "assets/input.schema.json": json.dumps(
        {
            "type": "object",
            "properties": {"n": {"type": "integer", "x-input-source": "inline"}},
            "required": ["n"],
        }
    ),
    "assets/output.schema.json": json.dumps(
        {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
    ),
}


class Client:
    """One open connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def ask(self, method: str, path: str, body: object = None) -> bytes:
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(data)}\r\n"
        self._writer.write(f"{head}Content-Type: application/json\r\n\r\n".encode() + data)
        told = await self._reader.readuntil(b"\r\n\r\n")
        assert told.startswith(b"HTTP/1.1 200"), told
        lines = told.lower().split(b"\r\n")
        length = next(line for line in lines if line.startswith(b"content-length"))
        return await self._reader.readexactly(int(length.partition(b":")[2]))

    async def job(self, number: int) -> str:
        wanted = {"skill_id": "ping", "input": {"n": number}}
        made = json.loads(await self.ask("POST", "/v1/jobs", wanted))
        path = f"/v1/jobs/{made['request_id']}"
        while (status := json.loads(await self.ask("GET", path))["status"]) != "succeeded":
            assert status in ("queued", "running"), status
            await asyncio.sleep(PAUSE_SECONDS)
        return path


Act = Callable[[Client], Awaitable[None]]


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as name:
        workspace = Path(name) / "workspace"
        install(Path(name) / "ping", workspace)
        command = [str(Path(sys.executable).with_name("whet")), "serve", "--port", "0", "--json"]
        server = subprocess.Popen(
            [*command, "--workspace", str(workspace)], stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            port = int(json.loads(server.stdout.readline())["url"].rpartition(":")[2])
            asyncio.run(Bench(port, server.pid).measure())
        finally:
            server.terminate()
            server.communicate()


def install(folder: Path, workspace: Path) -> None:
    for path, text in PACKAGE.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    with library(workspace, "skill") as shelf:
        Packages(shelf, ["simulated"]).install(folder)


@dataclass(frozen=True)
class Bench:
    """A server that is measured."""

    port: int
    pid: int

    async def best(self, act: Act, clients: int, count: int) -> tuple[float, float]:
        """Acts a second, and milliseconds of the server's processor for each: of the best turn."""
        rates: list[tuple[float, float]] = []
        for _ in range(TURNS):
            pairs = [await asyncio.open_connection("127.0.0.1", self.port) for _ in range(clients)]
            begun, spent = time.monotonic(), cpu(self.pid)
            await asyncio.gather(*(_often(act, Client(*pair), count // clients) for pair in pairs))
            rate = count / (time.monotonic() - begun)
            rates.append((rate, (cpu(self.pid) - spent) / count * 1000))
            for _, writer in pairs:
                writer.close()
        return max(rates)

    async def measure(self) -> None:
        numbers, paths = iter(range(10**9)), list[str]()

        async def a_job(client: Client) -> None:
            paths.append(await client.job(next(numbers)))

        async def a_read(client: Client) -> None:
            await client.ask("GET", paths[-1])

        async def a_ping(client: Client) -> None:
            await client.ask("GET", "/v1/health")

        print(f"{CLIENTS} clients, the best of {TURNS} turns; in brackets one client alone")
        alone, _ = await self.best(a_job, 1, JOBS // 8)
        rate, each = await self.best(a_job, CLIENTS, JOBS)
        print(f"  jobs            {rate:6.0f} /s  ({alone:.0f})   {each:.1f} ms of processor each")
        print(f"                  {rate / ORIGINAL_JOBS:6.0f} × the original's {ORIGINAL_JOBS} /s")
        ping, _ = await self.best(a_ping, CLIENTS, READS)
        alone, _ = await self.best(a_read, 1, READS // 8)
        rate, each = await self.best(a_read, CLIENTS, READS)
        print(f"  status reads    {rate:6.0f} /s  ({alone:.0f})   {each:.2f} ms of processor each")
        print(
            f"                  {rate / ORIGINAL_READS:6.1f} × the original's {ORIGINAL_READS} /s"
        )
        print(f"  plain requests  {ping:6.0f} /s")


async def _often(act: Act, client: Client, count: int) -> None:
    for _ in range(count):
        await act(client)


def cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
