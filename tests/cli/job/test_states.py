"""Every state of a job has its word, and its line in the log."""

from pydantic import JsonValue

from whet.app.jobs.telling import lines
from whet.cli.job.states import StateWords
from whet.core.event import Event
from whet.core.job import MOVES


def test_every_state_has_a_word() -> None:
    assert MOVES.keys() <= StateWords("en").states.keys()


def test_a_state_is_a_line_of_the_log_and_so_is_each_step() -> None:
    moved = Event(cursor=1, at="2026-01-01T00:00:00Z", kind="job.queued", subject="x")
    assert lines(moved) == [{"at": moved.at, "kind": "queued", "text": ""}]
    steps: list[JsonValue] = [{"kind": "said", "text": "hello"}, "no step", {"kind": "ended"}]
    told = Event(cursor=2, at="", kind="job.steps", subject="x", data={"steps": steps})
    assert [each["kind"] for each in lines(told)] == ["said", "ended"]
