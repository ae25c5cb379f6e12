"""The same trials with SQLite and with PostgreSQL, both on disk and durable."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.stores.postgres_server import postgres_server

SIZE = 1_000
TURNS = 2


def main() -> None:
    with (
        tempfile.TemporaryDirectory(prefix="whet-bench-") as folder,
        postgres_server(durable=True) as server,
    ):
        sqlite, postgres = 0.0, 0.0
        for turn in range(TURNS):
            sqlite = least(sqlite, seconds(Path(folder) / f"sqlite-{turn}"))
            postgres = least(postgres, seconds(Path(folder) / f"pg-{turn}", server.fresh()))
    print(f"{SIZE} trials, the better of {TURNS} turns")
    print(f"  SQLite          {sqlite / SIZE * 1000:6.2f} ms a trial")
    print(f"  PostgreSQL      {postgres / SIZE * 1000:6.2f} ms   {postgres / sqlite:4.1f} × SQLite")


def seconds(folder: Path, *url: str) -> float:
    child = [sys.executable, "-m", "bench.trials", str(folder), str(SIZE), *url]
    done = subprocess.run(child, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["seconds"]


def least(known: float, new: float) -> float:
    return min(known or new, new)


if __name__ == "__main__":
    main()
