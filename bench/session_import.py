"""Reading large session logs: time and memory, beside another program for the same files.

    python -m bench.session_import             makes the logs and measures each in its own process
    python -m bench.session_import read FILE   the figures of one as JSON

A transcript of Claude Code with 50 MB, and its limits of 5 s and 200 MB; claude-code-log reads the
same one, if it can be installed into a folder that is thrown away. Then logs that are larger, or
have one line of 64 MB. *Bare* is the decoding of the lines by themselves.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import JsonValue
from pydantic_core import from_json

from bench.run import peak_mb
from whet.app.parts import InstalledParts, every_reader
from whet.core.instant import iso
from whet.ports.machine import Machine
from whet.readers.sessions import read_log

PEER = "claude-code-log==1.7.0"
SIZE = 50
LIMIT_SECONDS, LIMIT_MB = 5.0, 200.0
PATIENCE = 600.0
NOON = datetime(2026, 1, 25, 12, tzinfo=UTC)
TOOLS = ("Bash", "Read", "Grep", "Edit", "Write")
chance = random.Random(7)


@dataclass(frozen=True)
class Cost:
    """What it took to read a log."""

    seconds: float
    peak_mb: float


def main() -> None:
    match sys.argv[1:]:
        case ["read", file]:
            sys.stdout.write(json.dumps(measured(Path(file))))
        case ["write", file, size, line]:
            write(Path(file), int(size), int(line))
        case _:
            with tempfile.TemporaryDirectory(prefix="whet-bench-") as folder:
                compared(Path(folder))


def compared(folder: Path) -> None:
    project = folder / "projects" / "-work"
    project.mkdir(parents=True)
    log = project / "0a1b2c3d-0000-4000-8000-000000000001.jsonl"
    made(log, SIZE)
    figures = told(log)
    print(f"{log.stat().st_size / 1e6:.0f} MB of Claude Code, {figures['calls']:.0f} calls")
    said("whet", Cost(figures["seconds"], figures["peak_mb"]))
    print(f"  {'limit':24}{LIMIT_SECONDS:7.1f} s {LIMIT_MB:8.0f} MB")
    print(f"  {'bare':24}{figures['bare_seconds']:7.2f} s, decoding only")
    peer(folder, log)
    for name, size, line in (("a log of 200 MB", 200, 0), ("a line of 64 MB", 5, 64)):
        other = folder / f"{size}-{line}.jsonl"
        made(other, size, line)
        more = told(other)
        print(f"{name}, {more['calls']:.0f} calls, {more['findings']:.0f} findings")
        said("whet", Cost(more["seconds"], more["peak_mb"]))
        other.unlink()


def said(who: str, cost: Cost) -> None:
    print(f"  {who:24}{cost.seconds:7.2f} s {cost.peak_mb:8.0f} MB at most")


def made(log: Path, size: int, line: int = 0) -> None:
    """Write a log, in another process: what this one has held would count for its children."""
    child = [sys.executable, "-m", "bench.session_import", "write", str(log), str(size), str(line)]
    subprocess.run(child, check=True)


def told(log: Path) -> dict[str, float]:
    child = [sys.executable, "-m", "bench.session_import", "read", str(log)]
    done = subprocess.run(child, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def measured(log: Path) -> dict[str, float]:
    readers = every_reader(InstalledParts(Machine({}, Path())))
    begun = time.perf_counter()
    reading = read_log(log, readers)
    calls = sum(len(calls_of(session)) for session in reading.sessions())
    seconds, peak = time.perf_counter() - begun, peak_mb()
    begun = time.perf_counter()
    with log.open("rb") as lines:
        for line in lines:
            from_json(line)
    return {
        "seconds": seconds,
        "peak_mb": peak,
        "calls": calls,
        "findings": len(reading.report().findings),
        "bare_seconds": time.perf_counter() - begun,
    }


def calls_of(session: dict[str, JsonValue]) -> list[JsonValue]:
    calls = session["tool_calls"]
    assert isinstance(calls, list)
    return calls


def peer(folder: Path, log: Path) -> None:
    """The other program, in an environment of its own."""
    programs = folder / "peer" / "bin"
    install = [
        [sys.executable, "-m", "venv", str(programs.parent)],
        [str(programs / "pip"), "install", "-q", PEER],
    ]
    for step in install:
        done = subprocess.run(step, check=False, capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            print(f"  {PEER} is left out: it cannot be installed ({reason[:120]})")
            return
    command = [str(programs / "claude-code-log"), str(log), "-o", str(folder / "peer.html")]
    begun = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - begun
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        print(f"  {PEER} is left out: it ended with {child.returncode}")
    else:
        said(PEER, Cost(seconds, used.ru_maxrss / 1024))


def write(log: Path, megabytes: int, line: int) -> None:
    """A transcript as the program writes it, with one result of *line* MB in its middle."""
    written, number = 0, 0
    with log.open("w", encoding="utf-8") as file:
        for row in rows(line):
            text = json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"
            file.write(text)
            written += len(text)
            number += 1
            if written >= (megabytes + line) * 1e6 and row["type"] == "user":
                break


def rows(line: int) -> Iterator[dict[str, JsonValue]]:
    before = None
    number = 0
    yield row("user", number, before, {"role": "user", "content": "Tidy the project up."})
    while True:
        number += 1
        tool = chance.choice(TOOLS)
        call = f"toolu_{number:024}"
        if number % 5 == 0:
            yield assistant(number, {"type": "text", "text": words(40)})
        yield assistant(number, {"type": "tool_use", "id": call, "name": tool, **given(tool)})
        output = words(chance.choice((5, 40, 200, 900)))
        if line and number == 100:
            output = words(1000) * (line * 1_000_000 // len(words(1000)))
        result: JsonValue = {"tool_use_id": call, "type": "tool_result", "content": output}
        told = row("user", number, f"u{number}", {"role": "user", "content": [result]})
        told["toolUseResult"] = {"stdout": output[:60_000], "stderr": "", "interrupted": False}
        yield told


def given(tool: str) -> dict[str, JsonValue]:
    path = f"/project/src/{chance.randint(1, 400)}.py"
    params: dict[str, dict[str, JsonValue]] = {
        "Bash": {"command": f"rg {words(2)}", "description": words(4)},
        "Read": {"file_path": path},
        "Grep": {"pattern": words(1)},
        "Edit": {"file_path": path, "old_string": words(30), "new_string": words(35)},
        "Write": {"file_path": path, "content": words(250)},
    }
    return {"input": params[tool]}


def assistant(number: int, block: dict[str, JsonValue]) -> dict[str, JsonValue]:
    usage: dict[str, JsonValue] = {
        "input_tokens": 4,
        "output_tokens": 120,
        "cache_read_input_tokens": 18_000,
        "cache_creation_input_tokens": 300,
        "service_tier": "standard",
    }
    message: dict[str, JsonValue] = {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5",
        "content": [block],
        "stop_reason": "tool_use" if block["type"] == "tool_use" else "end_turn",
        "usage": usage,
    }
    return row("assistant", number, f"p{number}", message)


def row(
    kind: str, number: int, parent: str | None, message: dict[str, JsonValue]
) -> dict[str, JsonValue]:
    return {
        "parentUuid": parent,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/project",
        "sessionId": "0a1b2c3d-0000-4000-8000-000000000001",
        "version": "2.1.325",
        "gitBranch": "main",
        "type": kind,
        "message": message,
        "uuid": f"00000000-0000-4000-8000-{number:08}{kind[:4]}",
        "timestamp": iso(NOON + timedelta(seconds=number)),
    }


WORDS = "the quick agent reads λ files and writes 报告 into src/main.py: error, line 42 → fixed\n"


def words(count: int) -> str:
    return " ".join(chance.choices(WORDS.split(" "), k=count))


if __name__ == "__main__":
    main()
