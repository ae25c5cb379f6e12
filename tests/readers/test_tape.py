"""Our own tapes give the calls that the trial's own log has."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.readers.reading import codes, read_one
from tests.run.agents import spec
from whet.core.errors import InvalidDocument
from whet.core.failure import Failure
from whet.core.instant import iso
from whet.core.step import Called, Ended, Returned, Said, Spent, Step, Triggered
from whet.core.usage import Usage
from whet.documents import tape
from whet.documents.session import Session
from whet.run.session import SessionFold
from whet.run.workdir import Kept

NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)
TRIAL = spec("Sharpen the knife.\nThen stop.")
NO_FILES = Kept({}, created=(), modified=(), cut=False)

SAME = (
    *("session_id", "task_title", "user_prompt", "status", "agent", "messages", "messages_at"),
    *("skills_used", "input_tokens", "cost_usd", "engine", "engine_version", "trial_address"),
    *("final_answer", "created_at"),
)


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def written(folder: Path, *steps: Step) -> Path:
    path = folder / "a.tape"
    path.write_bytes(tape.header(TRIAL) + b"".join(map(tape.line, steps)))
    return path


@st.composite
def runs(draw: st.DrawFn) -> list[Step]:
    """Steps in the order of their times, as engines give them; each call has its own name."""
    steps: list[Step] = []
    clock, waiting = 0.0, list[str]()
    for number in range(draw(st.integers(1, 8))):
        clock += draw(st.integers(1, 5000)) / 1000
        match draw(st.sampled_from(["said", "called", "returned", "triggered"])):
            case "said":
                steps.append(Said(at(clock), draw(st.text(max_size=5))))
            case "called":
                tool = draw(st.sampled_from(["Read", "Bash", "Task", "mcp__x__y"]))
                parent = draw(st.sampled_from([None, *waiting]))
                params = {"command": draw(st.text(max_size=5))}
                steps.append(Called(at(clock), f"c{number}", tool, params, parent=parent))
                waiting.append(f"c{number}")
            case "returned" if waiting:
                name = waiting.pop(draw(st.integers(0, len(waiting) - 1)))
                said = draw(st.text(max_size=5))
                steps.append(Returned(at(clock), name, draw(st.booleans()), said))
            case _:
                steps.append(Triggered(at(clock), draw(st.sampled_from(["one", "two"]))))
    usage = Usage(input_tokens=3, output_tokens=4, cost_usd=0.5)
    failure = draw(st.sampled_from([None, Failure.MAX_TURNS]))
    return [*steps, Spent(at(clock), usage), Ended(at(clock + 1), "sharp", usage, failure)]


@given(runs())
def test_a_tape_is_read_as_the_session_of_its_trial(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Step]
) -> None:
    fold = SessionFold(TRIAL, simulated=False, started_at=iso(steps[0].at))
    for step in steps:
        fold.add(step)
    own = Session.parse(fold.log(iso(steps[-1].at), NO_FILES), "own")
    read, report = read_one(written(tmp_path_factory.mktemp("tape"), *steps))
    calls = [call.model_copy(update={"source_line": None}) for call in read.tool_calls]
    assert calls == list(own.tool_calls)
    for name in SAME:
        assert getattr(read, name) == getattr(own, name), name
    assert codes(report) <= {"result"}


def test_a_damaged_tape_keeps_its_other_steps(tmp_path: Path) -> None:
    call = Called(at(1), "1", "Read", {"file_path": "a"})
    path = written(tmp_path, call, Returned(at(2), "1", ok=True), Ended(at(3), "x"))
    head, first, second, last = path.read_bytes().splitlines(keepends=True)
    odd = b'{"type": "unheard", "at": "2024-01-01T12:00:00+00:00"}\n'
    path.write_bytes(head + first + odd + second + last[:20])
    session, report = read_one(path)
    assert [call.output.status for call in session.tool_calls] == ["success"]
    assert session.status == "in_progress"
    assert codes(report) == {"no_step", "cut_off", "status"}


def test_a_tape_without_its_trial_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, Ended(at(3), "x"))
    path.write_bytes(path.read_bytes().replace(b'"spec":{', b'"spec":{"odd":1,', 1))
    with pytest.raises(InvalidDocument, match="line 1: spec"):
        read_one(path)
