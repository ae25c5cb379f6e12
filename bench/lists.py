"""What a person waits for when a list is asked for, beside the import of the libraries alone.

    make bench ARGS=lists

Processor time of whole processes, the best of several, on a workspace with the demo, 90 sessions
and a few runs. The floor is ``python -c "import typer, pydantic, sqlalchemy"``.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.walk import run

TIMES = 5
MOST = 1.7
FLOOR = "import typer, pydantic, sqlalchemy"
COMMANDS = (
    ("skill", "list"),
    ("baseline", "list"),
    ("project", "list"),
    ("session", "list"),
    ("runs", "list"),
    ("capability", "list"),
    ("job", "list"),
    ("package", "list"),
    ("leaderboard",),
)
SESSIONS = 90


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as name:
        folder = Path(name)
        workspace = folder / "workspace"
        run(workspace, "demo")
        logs = folder / "logs"
        logs.mkdir()
        for number in range(SESSIONS):
            (logs / f"{number}.jsonl").write_text(transcript(number))
        run(workspace, "session", "import", str(logs))
        floor = seconds(FLOOR)
        print(f"{'import of the libraries':<24} {floor:5.2f} s")
        for command in COMMANDS:
            words = [*command, "--workspace", str(workspace)]
            taken = seconds(f"import sys; sys.argv[1:] = {words!r}; {ENTRY}")
            print(f"whet {' '.join(command):<19} {taken:5.2f} s  {taken / floor:4.2f} × the floor")
        print(f"at most {MOST} × are wanted")


ENTRY = "from whet.cli.main import main; main()"


def seconds(code: str) -> float:
    """The processor time of a process, at best."""
    found: list[float] = []
    for _ in range(TIMES):
        before = os.times()
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        found.append(sum(after[2:4]) - sum(before[2:4]))
    return min(found)


def transcript(number: int) -> str:
    """A short log as Claude Code writes it."""
    session = f"00000000-0000-4000-8000-{number:012}"
    common = {"sessionId": session, "cwd": "/project", "version": "2.0.0", "isSidechain": False}
    lines = [
        {
            "type": "user",
            "uuid": f"{session}-1",
            "parentUuid": None,
            "timestamp": "2026-01-01T00:00:00.000Z",
            "message": {"role": "user", "content": f"Say {number}."},
        },
        {
            "type": "assistant",
            "uuid": f"{session}-2",
            "parentUuid": f"{session}-1",
            "timestamp": "2026-01-01T00:00:02.000Z",
            "message": {
                "id": f"msg_{number}",
                "role": "assistant",
                "model": "claude-sonnet-4-5",
                "content": [{"type": "text", "text": f"{number}"}],
                "usage": {"input_tokens": 10, "output_tokens": 1},
            },
        },
    ]
    return "".join(json.dumps({**common, **line}) + "\n" for line in lines)


if __name__ == "__main__":
    main()
