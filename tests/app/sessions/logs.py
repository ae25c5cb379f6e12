"""Logs to import, and sessions on a fresh workspace."""

import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from pydantic import JsonValue

from tests.app.opening import app_on
from tests.readers.claude_log import SESSION, Row, answer, asked, result, said, use
from whet.app.sessions.intake import Intake
from whet.app.sessions.requests import PhasesByHand
from whet.app.sessions.sessions import Sessions, sessions


@contextmanager
def desk_on(workspace: Path, **environment: str) -> Generator[Sessions]:
    """As a command opens it."""
    with app_on(workspace, **environment) as app, sessions(app, paths=True) as desk:
        yield desk


def intake(desk: Sessions) -> Intake:
    return Intake(desk.shelf)


def work(
    calls: int, identity: str = SESSION, prompt: str = "Sharpen the knife.", call: str = "c"
) -> list[Row]:
    """A conversation with so many calls: a look, a change, a test that fails, and again."""
    rows = [asked(0, prompt), answer(0.5, said("I begin."), stop=None)]
    for number in range(calls):
        at, name = 1.0 + 2 * number, f"{call}{number}"
        match number % 3:
            case 0:
                made = use(name, "Read", file_path=f"/w/src/f{number}.py")
            case 1:
                made = use(name, "Edit", file_path=f"/w/src/f{number - 1}.py", old_string="a")
            case _:
                made = use(name, "Bash", command=f"pytest -q tests/t{number}.py")
        rows += [answer(at, made), result(at + 1, name, error=number % 3 == 2)]
    rows.append(answer(3.0 + 2 * calls, said("It is sharp."), stop="end_turn"))
    return [{**row, "sessionId": identity} for row in rows]


def write_log(path: Path, rows: Sequence[Row]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def session(identity: str, calls: int = 1, **more: JsonValue) -> dict[str, JsonValue]:
    """A small session of version 3."""
    return {
        "session_id": identity,
        "task_title": "Whet it",
        "user_prompt": "Whet the scythe.",
        "created_at": "2026-01-25T10:00:00.000Z",
        "completed_at": "2026-01-25T10:05:00.000Z",
        "status": "success",
        "agent": {"model_id": "m"},
        "tool_calls": [
            {
                "call_id": f"tool-{number:03}",
                "tool_name": "Read",
                "tool_category": "perception",
                "started_at": f"2026-01-25T10:00:{number:02}.000Z",
                "ended_at": f"2026-01-25T10:00:{number:02}.100Z",
                "duration_ms": 100,
                "input": {"params": {"file_path": f"/w/f{number}.py"}},
                "output": {"status": "success", "result": {"display": "Read 3 lines"}},
            }
            for number in range(1, calls + 1)
        ],
        "summary": {
            "total_duration_ms": 300_000,
            "tool_calls_count": calls,
            "files_created": [],
            "files_modified": [],
        },
        **more,
    }


def write_session(path: Path, data: JsonValue) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, ensure_ascii=False))
    return path


def by_anna(*rows: Mapping[str, JsonValue], replace: bool = False) -> PhasesByHand:
    """Phases that a person sees."""
    given = [dict(row) for row in rows]
    return PhasesByHand.parse(
        {"phase_annotations": [*given], "name": "anna", "replace": replace}, ""
    )
