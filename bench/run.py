"""Speed and memory of the harness, each beside a limit measured in the same run.

    make bench                     everything
    make bench ARGS="help"         one of: help, trials, postgres, checks, evals, library,
                                   leaderboard, projects, capability, jobs, load, sessions, shelf,
                                   pages, replay, exports, verdicts, web, views, walk, lists,
                                   agents

A trial here is the whole road: plan, claim, simulated agent without latency that writes files,
session log, record, grade, event, result file. The floor is what the disk alone needs to commit
the same number of rows in groups of the same size.
"""

import json
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZES = (1_000, 5_000)
GROUP = 32
MODULES = {
    "postgres": "postgres",
    "checks": "checks",
    "evals": "evals",
    "library": "library",
    "replay": "sessions",
    "leaderboard": "leaderboard",
    "projects": "project_pages",
    "capability": "capability",
    "jobs": "jobs",
    "load": "load",
    "sessions": "session_import",
    "shelf": "sessions_index",
    "pages": "session_pages",
    "exports": "session_export",
    "verdicts": "verdicts",
    "adaptive": "verdicts",
    "web": "web",
    "walk": "walk",
    "lists": "lists",
    "views": "experiment_view",
    "agents": "agents",
}
"""``agents`` are the real programs, as make agents installs them."""

ALL = ("help", "trials", *MODULES)


def main() -> None:
    wanted = sys.argv[1:] or ALL
    if "help" in wanted:
        startup()
    if "trials" in wanted:
        # All folders go at the end: some file systems create files slowly for seconds after
        # many were removed.
        with tempfile.TemporaryDirectory(prefix="whet-bench-") as folder:
            for size in SIZES:
                trials(Path(folder) / str(size), size)
    for name, module in MODULES.items():
        if name in wanted and not (name == "adaptive" and "verdicts" in wanted):
            subprocess.run([sys.executable, "-m", f"bench.{module}"], check=True)


def startup() -> None:
    whet = Path(sys.executable).with_name("whet")
    bare = best([sys.executable, "-c", ""])
    shown = best([str(whet), "--help"])
    imported = best([sys.executable, "-c", "import whet"])
    print(f"python -c ''      {bare * 1000:6.0f} ms")
    print(f"import whet       {imported * 1000:6.0f} ms   {imported / bare:4.1f} × bare Python")
    print(f"whet --help       {shown * 1000:6.0f} ms   {shown / bare:4.1f} × bare Python")


def best(command: list[str], times: int = 7) -> float:
    """The shortest of several runs: the rest is other people's noise."""
    taken: list[float] = []
    for _ in range(times):
        begun = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        taken.append(time.perf_counter() - begun)
    return min(taken)


def trials(folder: Path, size: int) -> None:
    child = [sys.executable, "-m", "bench.trials", str(folder), str(size)]
    done = subprocess.run(child, check=True, capture_output=True, text=True)
    figures = json.loads(done.stdout)
    limit = floor(folder, size)
    each, again = figures["seconds"] / size, figures["again_seconds"] / size
    alone, bare = figures["alone_seconds"], limit / size
    print(f"{size} trials, {each * size:.1f} s, peak {figures['peak_mb']:.0f} MB")
    print(f"  a trial         {each * 1000:6.2f} ms")
    print(f"  its agent+judge {alone * 1000:6.2f} ms by themselves")
    ours = each - alone
    print(f"  the harness     {ours * 1000:6.2f} ms   {ours / bare:4.1f} × bare commits")
    print(f"  bare commits    {bare * 1000:6.2f} ms")
    print(f"  run again       {again * 1000:6.2f} ms a trial, none executed")


def floor(folder: Path, size: int) -> float:
    """Seconds to commit *size* rows of a trial's weight, durable, in groups."""
    database = sqlite3.connect(folder / "floor.db", isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, data BLOB)")
    row = b"x" * 6_000
    begun = time.perf_counter()
    for start in range(0, size, GROUP):
        database.execute("BEGIN IMMEDIATE")
        count = min(GROUP, size - start)
        database.executemany("INSERT INTO rows (data) VALUES (?)", [(row,)] * count)
        database.execute("COMMIT")
    database.close()
    return time.perf_counter() - begun


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
