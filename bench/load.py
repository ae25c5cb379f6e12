"""Many clients at once: each posts a job, uploads its file, waits for the end, fetches the result.

    make bench ARGS=load

A real server in a process of its own, on loopback. Beside the rate stand how many requests were not
answered as they should be, and how long ``GET /v1/health`` took meanwhile, also with event streams
open. The clients share this machine's processors with the server, so the times are upper bounds.
"""

import asyncio
import tempfile
import time
from pathlib import Path

from tests.flows.load import PACKAGE, Load
from tests.flows.serving import Serving
from whet.app.library.library import library
from whet.app.packages.packages import Packages

CLIENTS = 200
JOBS = 600
STREAMS = 50
MOST_HEALTH_SECONDS = 0.2


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as name:
        workspace = Path(name) / "workspace"
        install(Path(name) / "ping", workspace)
        with Serving.on(workspace, WHET_SANDBOX="off") as serving:
            asyncio.run(measure(serving.client.base_url.port or 0))


def install(folder: Path, workspace: Path) -> None:
    """Put the skill of the jobs into the library."""
    for path, text in PACKAGE.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    with library(workspace, "skill") as shelf:
        Packages(shelf, ["simulated"]).install(folder)


async def measure(port: int) -> None:
    load = Load(port)
    streams = [await asyncio.open_connection("127.0.0.1", port) for _ in range(STREAMS)]
    for _, writer in streams:
        writer.write(b"GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    begun = time.monotonic()
    await load.work(CLIENTS, JOBS)
    taken = time.monotonic() - begun
    for _, writer in streams:
        writer.close()
    print(f"{CLIENTS} clients, {STREAMS} event streams, {JOBS} jobs")
    print(f"  jobs            {load.done / taken:6.1f} /s")
    print(f"  errors          {sum(load.errors.values()):6}    0 are wanted")
    for error, count in load.errors.most_common(5):
        print(f"    {count} × {error}")
    for share in (0.5, 0.99, 1.0):
        print(f"  health p{share * 100:<5g}   {load.health_at(share) * 1000:6.0f} ms")
    print(f"  health p99 is wanted below {MOST_HEALTH_SECONDS * 1000:.0f} ms")


if __name__ == "__main__":
    main()
