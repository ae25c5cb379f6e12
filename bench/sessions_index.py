"""Ten thousand sessions: following them, lists and search; and the import of a large log.

    python -m bench.sessions_index            makes the sessions and measures everything
    python -m bench.sessions_index import F   the import of one log as JSON

Half of the sessions are files, half are records of trials; each has 24 calls. Lists and search
should take less than 50 ms in 19 of 20 cases. The log has 50 MB, and limits of 5 s and 200 MB for
the whole way: the copy of the original, reading, phases, writing, index.
"""

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import JsonValue

from bench.run import peak_mb
from bench.session_import import write
from whet.app.app import opened
from whet.app.sessions.intake import Intake
from whet.app.sessions.sessions import sessions
from whet.app.settings import read
from whet.core.address import digest
from whet.core.instant import iso
from whet.core.trial import TrialRecord
from whet.ports.recorded import Recorded
from whet.ports.session_query import SessionQuery
from whet.stores.session_index import FileSessionIndex

SESSIONS = 10_000
CALLS = 24
ROUNDS = 60
NOON = datetime(2026, 1, 25, 12, tzinfo=UTC)
COMMON = (
    "parser",
    "token",
    "buffer",
    "request",
    "handler",
    "cache",
    "error",
    "报告",
    "技能",
    "评估",
)
RARE = tuple(f"word{number}" for number in range(5_000))
WORDS = COMMON * 50 + RARE
TOOLS = ("Read", "Grep", "Edit", "Bash", "Write")
QUERIES = (
    "parser",
    "技能 评估",
    "parser handler cache",
    "tool:Bash status:failed",
    "tool:Edit file:m7.py word77",
    "file:src/m3*.py",
    "engine:codex cache word4242",
    "nowhere-at-all",
)
chance = random.Random(11)


def main() -> None:
    match sys.argv[1:]:
        case ["import", file]:
            sys.stdout.write(json.dumps(imported(Path(file))))
        case _:
            with tempfile.TemporaryDirectory(prefix="whet-bench-") as folder:
                measured(Path(folder))


def measured(folder: Path) -> None:
    # First, while this process is small: a child begins with what its parent held.
    write(folder / "log.jsonl", 50, 0)
    command = [sys.executable, "-m", "bench.sessions_index", "import", folder / "log.jsonl"]
    done = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    print(f"import of 50 MB: {done['seconds']:.1f} s, peak {done['peak_mb']:.0f} MB")
    (folder / "ws/sessions").mkdir(parents=True)
    rows = [made(number) for number in range(SESSIONS)]
    for row in rows[: SESSIONS // 2]:
        path = folder / f"ws/sessions/{row['session_id']}.json"
        path.write_text(json.dumps(row, ensure_ascii=False))
    feed = Feed(rows[SESSIONS // 2 :])
    index = FileSessionIndex(folder / "ws")
    told("follow them all", [timed(lambda: index.refresh(feed))])
    time.sleep(2)  # what was written just now is read once more
    told("once more, for what was young", [timed(lambda: index.refresh(feed))])
    told("a look, nothing new", [timed(lambda: index.refresh(feed)) for _ in range(10)])
    lists = [
        timed(lambda: index.list(SessionQuery(page=chance.randrange(1, 400))))
        for _ in range(ROUNDS)
    ]
    told("list", lists)
    narrow = SessionQuery(engine="codex", status="failed")
    told("list, narrowed", [timed(lambda: index.list(narrow)) for _ in range(ROUNDS)])
    told("find", [timed(lambda: index.find(str(rows[7]["session_id"]))) for _ in range(ROUNDS)])
    every: list[float] = []
    for query in QUERIES:
        wanted = SessionQuery(text=query)
        taken = [timed(lambda: index.search(wanted)) for _ in range(ROUNDS)]  # noqa: B023
        every += taken
        total = index.search(wanted).total
        told(f"search {query!r} ({total})", taken)
    told("search, all of them", every)
    print(f"index.db: {(folder / 'ws/index.db').stat().st_size / 1e6:.0f} MB")
    index.close()


def imported(log: Path) -> dict[str, float]:
    with (
        tempfile.TemporaryDirectory(prefix="whet-bench-") as folder,
        opened(read(Path(folder) / "ws")) as app,
        sessions(app) as desk,
    ):
        begun = time.perf_counter()
        done = Intake(desk.shelf).take(log)
        assert done.status == "imported", done.error
        return {"seconds": time.perf_counter() - begun, "peak_mb": peak_mb()}


class Feed:
    """Records of trials, as a database would give them."""

    def __init__(self, rows: Sequence[dict[str, JsonValue]]) -> None:
        self._rows = rows

    def at_cursor(self, cursor: int) -> tuple[str, int] | None:
        return str(self._rows[cursor - 1]["trial_address"]), 1

    def recorded(self, after: int, limit: int) -> Sequence[Recorded]:
        return [
            Recorded(place + 1, record(str(self._rows[place]["trial_address"]), place))
            for place in range(after, min(after + limit, len(self._rows)))
        ]

    def session(self, digest: str) -> JsonValue:
        return self._rows[int(digest)]


def record(address: str, place: int) -> TrialRecord:
    return TrialRecord(
        address=address,
        execution="e",
        status="completed",
        answer="",
        started_at=iso(NOON),
        ended_at=iso(NOON),
        duration_ms=1,
        engine="e",
        engine_version="1",
        model="m",
        sandbox="none",
        simulated=False,
        session=str(place),
    )


def made(number: int) -> dict[str, JsonValue]:
    begun = NOON + timedelta(minutes=number)
    return {
        "session_id": f"{begun:%Y-%m-%d}-{number:05}-{chance.choice(WORDS)}",
        "task_title": some(5),
        "user_prompt": some(40),
        "created_at": iso(begun),
        "completed_at": iso(begun + timedelta(minutes=5)),
        "status": chance.choice(("success", "success", "failed")),
        "agent": {"model_id": "m"},
        "engine": chance.choice(("claude", "codex", "gemini")),
        "trial_address": digest(number),
        "messages": [some(20) for _ in range(6)],
        "final_answer": some(60),
        "tool_calls": [call(place) for place in range(CALLS)],
        "summary": {
            "total_duration_ms": 300_000,
            "tool_calls_count": CALLS,
            "files_created": [],
            "files_modified": [],
        },
    }


def call(place: int) -> dict[str, JsonValue]:
    tool = chance.choice(TOOLS)
    params: dict[str, JsonValue] = {"file_path": f"/w/src/m{chance.randrange(200)}.py"}
    if tool in ("Bash", "Grep"):
        params = {"command": some(6)}
    failed = chance.random() < 0.1
    output: dict[str, JsonValue] = {"status": "failed" if failed else "success"}
    output["error" if failed else "result"] = some(8) if failed else {"content": some(200)}
    return {
        "call_id": f"tool-{place:03}",
        "tool_name": tool,
        "tool_category": "action",
        "started_at": iso(NOON),
        "ended_at": iso(NOON),
        "duration_ms": 0,
        "input": {"params": params},
        "output": output,
    }


def some(count: int) -> str:
    return " ".join(chance.choices(WORDS, k=count))


def timed(work: Callable[[], object]) -> float:
    """Processor time: the rest is other people's noise."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def told(name: str, taken: Sequence[float]) -> None:
    ordered = sorted(taken)
    late = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    middle = ordered[len(ordered) // 2]
    print(f"{name:44} median {middle * 1000:8.1f} ms   p95 {late * 1000:8.1f} ms")


if __name__ == "__main__":
    main()
