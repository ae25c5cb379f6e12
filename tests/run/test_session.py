"""The one fold from steps to a session log."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.run.agents import spec
from whet.core.failure import Failure
from whet.core.instant import iso
from whet.core.step import Called, Ended, Returned, Said, Spent, Step
from whet.core.usage import Usage
from whet.documents.session import Session
from whet.documents.session_fold import MOST_OUTPUT, MOST_SPENDING
from whet.run.session import SessionFold
from whet.run.workdir import Kept

NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)
KEPT = Kept({"a.txt": b"a", "b.txt": b"b"}, created=("a.txt",), modified=("b.txt",), cut=False)
END = iso(NOON + timedelta(seconds=9))
TRIAL = spec("Sharpen the knife.\nThen stop.")
ANSWER = Ended(NOON, "sharp", Usage(input_tokens=3, output_tokens=4, cost_usd=0.5))


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def folded(*steps: Step) -> dict[str, JsonValue]:
    fold = SessionFold(TRIAL, simulated=True, started_at=iso(NOON))
    for step in steps:
        fold.add(step)
    return fold.log(END, KEPT)


def session(*steps: Step) -> Session:
    """The fold as the document that it must be."""
    return Session.parse(folded(*steps), "fold")


def test_a_session_tells_the_task_the_end_and_the_files() -> None:
    made = session(Said(NOON, "I begin."), ANSWER)
    assert made.task_title == "Sharpen the knife."
    assert made.user_prompt == TRIAL.stimulus.prompt
    assert made.status == "success"
    assert (made.created_at, made.completed_at) == ("2024-01-01T12:00:00.000Z", END)
    assert made.agent.model_id == "m"
    assert made.summary.total_duration_ms == 9000
    assert made.summary.files_created == ("a.txt",)
    assert made.summary.files_modified == ("b.txt",)
    assert made.summary.errors_encountered == 0


def test_what_is_ours_stands_in_declared_fields() -> None:
    made = session(ANSWER)
    assert (made.engine, made.engine_version, made.sandbox) == ("hand", "1", "none")
    assert made.simulated is True
    assert made.trial_address == TRIAL.address
    assert made.final_answer == "sharp"
    assert (made.input_tokens, made.output_tokens, made.cost_usd) == (3, 4, 0.5)
    failed = session(Ended(NOON, "", failure=Failure.MAX_TURNS, error="too long"))
    assert failed.error == "too long"
    assert failed.status == "failed"
    assert "cost_usd" not in folded(Ended(NOON, ""))


def test_a_session_comes_back_from_its_document_unchanged() -> None:
    steps = (
        Said(NOON, "磨"),
        Called(at(1), "1", "Task", {"prompt": "look", "deep": {"a": [1, None]}}, "Looks"),
        Called(at(2), "2", "Read", {"file_path": "a.txt"}, parent="1"),
        Returned(at(3), "2", ok=True, output="x" * (MOST_OUTPUT + 1), display="Read 1 line"),
        Returned(at(4), "1", ok=False, output="it broke"),
        Called(at(5), "3", "Bash", {"command": "make"}),
        ANSWER,
    )
    data = folded(*steps)
    written = Session.parse(data, "fold").to_json()
    assert json.loads(written) == data
    assert list(json.loads(written)) == list(data)


def test_calls_are_in_order_with_their_times() -> None:
    first, second = session(
        Called(at(1), "1", "Read", {"file_path": "a.txt"}, "Looks"),
        Called(at(2), "2", "Bash", {"command": "make all"}),
        Returned(at(2.5), "2", ok=True, output="done"),
        Returned(at(4), "1", ok=True, output="text"),
        ANSWER,
    ).tool_calls
    assert (first.started_at, first.ended_at) == (iso(at(1)), iso(at(4)))
    assert (first.duration_ms, second.duration_ms) == (3000, 500)
    assert first.input.params == {"file_path": "a.txt"}
    assert first.input.description == "Looks"
    assert first.input.raw_command == "Read(a.txt)"
    assert second.input.raw_command == "$ make all"
    assert (first.tool_category, second.tool_category) == ("perception", "action")


def test_what_the_agent_learnt_from_a_call_is_noted() -> None:
    read, failed, written = session(
        Called(NOON, "1", "Read", {"file_path": "a"}),
        Returned(NOON, "1", ok=True, output="first line\nsecond"),
        Called(NOON, "2", "Grep", {"pattern": "x"}),
        Returned(NOON, "2", ok=False, output="no such folder"),
        Called(NOON, "3", "Write", {"file_path": "b"}),
        Returned(NOON, "3", ok=True),
        ANSWER,
    ).tool_calls
    assert read.context_contribution is not None
    assert read.context_contribution.type == "file_content"
    assert read.context_contribution.summary == "first line"
    assert failed.context_contribution is None
    assert written.context_contribution is None


def test_a_failed_call_has_its_error_and_is_counted() -> None:
    made = session(
        Called(NOON, "1", "Bash", {"command": "make"}),
        Returned(NOON, "1", ok=False, output="exit 2", display="failed"),
        ANSWER,
    )
    [call] = made.tool_calls
    assert call.output.status == "failed"
    assert call.output.error == "exit 2"
    assert made.summary.errors_encountered == 1
    assert made.status == "success"


def test_a_call_that_never_came_back_failed_at_the_end() -> None:
    ended = Ended(at(9), "sharp")
    made = session(Called(at(1), "1", "Bash", {"command": "sleep 99"}), ended)
    [call] = made.tool_calls
    assert call.output.status == "failed"
    assert call.output.error == "the call did not return"
    assert call.ended_at == END
    assert call.duration_ms == 8000
    assert made.summary.errors_encountered == 1


@pytest.mark.parametrize("ok", [True, False])
@pytest.mark.parametrize("more", [0, 1])
def test_a_long_output_is_cut_and_marked(*, ok: bool, more: int) -> None:
    [call] = session(
        Called(NOON, "1", "Bash", {"command": "yes"}),
        Returned(NOON, "1", ok=ok, output="y" * (MOST_OUTPUT + more), display="long"),
        ANSWER,
    ).tool_calls
    assert call.output.truncated is (True if more else None)
    kept = json.dumps(call.output.to_data())
    assert "y" * MOST_OUTPUT in kept
    assert "y" * (MOST_OUTPUT + 1) not in kept


def test_a_call_that_started_a_subagent_says_what_it_used() -> None:
    task, *below = session(
        Called(NOON, "1", "Task", {"subagent_type": "Explore"}),
        Called(at(1), "2", "Read", {"file_path": "a"}, parent="1"),
        Called(at(2), "3", "Bash", {"command": "ls"}, parent="1"),
        Called(at(3), "4", "Read", {"file_path": "b"}, parent="1"),
        ANSWER,
    ).tool_calls
    info = task.subagent_info
    assert info is not None
    assert (info.subagent_type, info.tool_uses) == ("Explore", 3)
    counts = [(each.tool_name, each.count) for each in info.tools_breakdown or ()]
    assert counts == [("Read", 2), ("Bash", 1)]
    assert [call.subagent_info for call in below] == [None] * 3


def test_every_message_has_its_time() -> None:
    made = session(Said(at(1), "I begin."), Said(at(2), "I end."), ANSWER)
    assert made.messages == ("I begin.", "I end.")
    assert made.messages_at == (iso(at(1)), iso(at(2)))


def test_what_was_used_up_by_and_by() -> None:
    once, twice = Usage(input_tokens=1, output_tokens=2), Usage(input_tokens=3, cost_usd=0.25)
    made = session(Spent(at(1), once), Spent(at(2), once), Spent(at(3), twice), ANSWER)
    assert [point.to_data() for point in made.spending or ()] == [
        {"at": iso(at(1)), "input_tokens": 1, "output_tokens": 2},
        {"at": iso(at(3)), "input_tokens": 3, "output_tokens": 0, "cost_usd": 0.25},
        {"at": iso(NOON), "input_tokens": 3, "output_tokens": 4, "cost_usd": 0.5},
    ]
    assert session(ANSWER).spending is None


def test_a_long_story_of_spending_is_told_in_steps() -> None:
    steps = [Spent(at(n), Usage(input_tokens=n)) for n in range(1, 1_000)]
    points = session(*steps, Ended(at(1_000), "", Usage(input_tokens=1_000))).spending
    assert points is not None
    assert 50 < len(points) <= MOST_SPENDING
    assert points[-1].input_tokens == 1_000
    assert [point.at for point in points] == sorted(point.at for point in points)


def test_a_return_that_nobody_called_for_is_left_out() -> None:
    made = session(Returned(NOON, "9", ok=False, output="?"), ANSWER)
    assert made.tool_calls == ()
    assert made.summary.errors_encountered == 0


def test_a_log_can_be_had_before_the_end() -> None:
    made = session(Called(at(1), "1", "Read", {"file_path": "a"}))
    assert made.status == "failed"
    assert len(made.tool_calls) == 1


def test_a_long_title_is_cut() -> None:
    long = SessionFold(spec("x" * 200), simulated=False, started_at=iso(NOON))
    title = Session.parse(long.log(END, KEPT), "fold").task_title
    assert len(title) == 80
    assert title.endswith("…")


CALLS = st.builds(
    Called,
    st.integers(0, 60).map(at),
    st.sampled_from("abc"),
    st.sampled_from(["Read", "Bash", "Task", "mcp__x__y"]),
    st.dictionaries(st.sampled_from(["command", "file_path"]), st.text(max_size=5)),
)
RETURNS = st.builds(
    Returned, st.integers(0, 60).map(at), st.sampled_from("abcd"), st.booleans(), st.text()
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(CALLS | RETURNS | st.builds(Said, st.just(NOON), st.text(max_size=5)), max_size=8))
def test_numbers_agree_whatever_an_agent_does(steps: list[Step]) -> None:
    made = session(*steps, ANSWER)
    assert made.summary.tool_calls_count == len(made.tool_calls)
    failed = [call for call in made.tool_calls if call.output.status == "failed"]
    assert made.summary.errors_encountered == len(failed)
    assert len(made.tool_calls) == len([step for step in steps if isinstance(step, Called)])
    assert all(call.duration_ms >= 0 for call in made.tool_calls)


def test_the_model_is_the_one_that_answered() -> None:
    assert folded()["agent"] == {"model_id": TRIAL.model}
    assert folded(Ended(NOON, "sharp", model="the real one"))["agent"] == {
        "model_id": "the real one"
    }
