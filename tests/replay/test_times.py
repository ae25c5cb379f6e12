"""Where the time goes: by hand, and what always holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.replay.drawn import OFTEN, sessions
from tests.replay.making import AT, acts, moment
from whet.documents.session import Session
from whet.documents.session_figures import SessionTimes, TimeShare
from whet.replay.acts import acts_of
from whet.replay.annotate import auto_annotations
from whet.replay.annotators import AUTO, with_annotations
from whet.replay.spans import covered, mean_at_once, most_at_once
from whet.replay.times import times

SPANS = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 8)), max_size=12).map(
    lambda drawn: [(start, start + length) for start, length in drawn]
)


def share(found: SessionTimes, name: str) -> TimeShare:
    every = (*found.tools, *found.categories)
    return next(one for one in every if one.name == name)


def test_by_hand() -> None:
    # Two reads at once from 1 to 4 s, a pause, a test from 6 to 9 s, and 1 s for the answer.
    found = times(
        acts(
            "Read a.py @1000+2000",
            "Read b.py @2000+2000",
            "Bash pytest! @6000+3000",
            completed_at=moment(10_000),
        )
    )
    assert (found.wall_ms, found.busy_ms, found.summed_ms) == (10_000, 6_000, 7_000)
    assert (found.thinking_ms, found.answering_ms, found.idle_ms) == (4_000, 1_000, 0)
    assert (found.most_at_once, found.mean_at_once) == (2, 1.1667)
    read, bash = share(found, "Read"), share(found, "Bash")
    assert (read.calls, read.summed_ms, read.busy_ms, read.thinking_ms) == (2, 4_000, 3_000, 1_000)
    assert (bash.calls, bash.failed, bash.summed_ms, bash.thinking_ms) == (1, 1, 3_000, 2_000)
    assert share(found, "perception").calls == 2


def test_a_subagent_is_a_frame_around_its_calls() -> None:
    found = times(acts("Task x @1000+9000", ". Grep a @2000+1000", ". Grep b @5000+1000"))
    assert (found.busy_ms, found.summed_ms, found.most_at_once) == (2_000, 2_000, 1)
    assert found.thinking_ms == found.wall_ms - 2_000 == 8_000
    task = share(found, "Task")
    assert (task.calls, task.summed_ms, task.thinking_ms) == (1, 0, 1_000)


def test_waiting_for_the_user_is_no_thinking() -> None:
    found = times(
        acts(
            "Grep a @1000+1000",
            "Grep b @9000+1000",
            messages=["done", "well"],
            messages_at=[moment(3_000), moment(10_500)],
            prompts=[
                {"at": moment(0), "text": "do"},
                {"at": moment(7_000), "text": "go on"},
                {"at": moment(12_000), "text": "thanks"},
            ],
            completed_at=moment(12_000),
        )
    )
    # 3 to 7 s, and 10.5 to 12 s.
    assert (found.idle_ms, found.busy_ms, found.thinking_ms) == (5_500, 2_000, 4_500)
    assert found.answering_ms == 500


def test_a_call_is_in_the_shortest_phase_around_it() -> None:
    plain = acts("EnterPlanMode", "Grep a", "Grep b", "Grep c", "ExitPlanMode", "Bash echo x")
    session = with_annotations(plain.session, AUTO, auto_annotations(plain, AT))
    [found] = times(acts_of(session)).phases
    assert found.annotator == "auto:signals"
    assert {one.name: one.calls for one in found.phases} == {
        "explore": 3,
        "plan": 2,
        "unclassified": 1,
    }


def test_no_calls_at_all() -> None:
    found = times(acts(completed_at=moment(500)))
    assert (found.wall_ms, found.thinking_ms, found.answering_ms) == (500, 500, 500)
    assert (found.most_at_once, found.mean_at_once) == (0, 0)


@OFTEN
@given(sessions())
def test_sums_agree_and_every_call_counts_once(made: Session) -> None:
    plain = acts_of(made)
    annotated = made.model_copy(update={"phase_annotations": auto_annotations(plain, AT)})
    found = times(acts_of(annotated))
    groups = [found.tools, found.categories, *(one.phases for one in found.phases)]
    for group in groups:
        assert sum(one.calls for one in group) == len(made.tool_calls)
        assert sum(one.summed_ms for one in group) == found.summed_ms
        assert sum(one.thinking_ms for one in group) == found.thinking_ms - found.answering_ms
        for one in group:
            assert 0 <= one.failed <= one.calls
            assert 0 <= one.busy_ms <= one.summed_ms
            assert one.busy_ms <= found.busy_ms
            assert one.thinking_ms >= 0
    assert found.wall_ms == found.busy_ms + found.thinking_ms + found.idle_ms
    assert min(found.busy_ms, found.thinking_ms, found.idle_ms, found.answering_ms) >= 0


@given(SPANS)
def test_as_many_at_once_as_counted_moment_by_moment(spans: list[tuple[int, int]]) -> None:
    counts = [sum(start <= at < end for start, end in spans) for at in range(30)]
    assert most_at_once(spans) == (max(counts) or min(len(spans), 1))
    busy = sum(count > 0 for count in counts)
    assert covered(spans) == busy
    assert mean_at_once(spans) == pytest.approx(sum(counts) / busy if busy else 0)
