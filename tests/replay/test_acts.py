"""Calls with their places and times, whoever wrote them down."""

import pytest
from hypothesis import given
from pydantic import JsonValue

from tests.replay.drawn import OFTEN, sessions
from tests.replay.making import acts, call, moment, session
from whet.documents.session import Session
from whet.replay.acts import acts_of, output_of, same_file


def test_times_are_counted_from_the_beginning() -> None:
    found = acts("Read a.py @500+250", "Bash ls @1000+0")
    assert [(act.start, act.end, act.length) for act in found] == [(500, 750, 250), (1000, 1000, 0)]
    assert (found.wall, found.began) == (1000, 1769342400000)
    assert found.since(moment(2000)) == 2000
    assert found.since("later") is None


@pytest.mark.parametrize(
    ("change", "span"),
    [
        ({}, (1000, 1500)),
        ({"ended_at": "never"}, (1000, 1900)),
        ({"ended_at": moment(1000)}, (1000, 1900)),
        ({"ended_at": moment(200)}, (1000, 1900)),
        ({"ended_at": moment(200), "duration_ms": -7}, (1000, 1000)),
        ({"ended_at": "", "duration_ms": 10**400}, (1000, 1000 + 10**12)),
        ({"started_at": ""}, (0, 1500)),
        ({"started_at": "", "ended_at": ""}, (0, 900)),
        ({"started_at": "2026-01-25T13:00:01+01:00"}, (1000, 1500)),
        ({"started_at": "2026-01-25T12:00:01"}, (1000, 1500)),
    ],
)
def test_a_call_ends_when_it_says_unless_that_cannot_be(
    change: dict[str, str], span: tuple[int, int]
) -> None:
    one = call(0, "Read a.py @1000+500") | {"duration_ms": 900} | change
    [act] = acts_of(session([one], completed_at=moment(0)))
    assert (act.start, act.end) == span


def test_a_call_without_a_time_starts_with_the_one_before() -> None:
    calls = [call(0, "LS a @1000+500"), call(1, "LS b") | {"started_at": "?", "ended_at": "?"}]
    assert [(act.start, act.end) for act in acts_of(session(calls))] == [(1000, 1500), (1000, 1500)]


def test_a_session_without_any_time() -> None:
    nothing = {"started_at": "", "ended_at": "", "duration_ms": 5}
    found = acts_of(session([call(0, "LS a") | nothing], created_at="", completed_at=""))
    assert (found[0].start, found[0].end, found.wall, found.began) == (0, 5, 5, 0)


def test_inner_calls_belong_to_the_call_of_their_subagent() -> None:
    found = acts("Task a", ". Read a.py", ". Task b", "Read b.py")
    assert [act.parent for act in found] == [None, 0, 0, None]
    assert found.inner == {0: (1, 2)}
    assert found.roots == (0, 0, 0, 3)
    assert [act.index for act in found.below(0)] == [1, 2]


def test_parents_in_a_circle_or_nowhere_are_none() -> None:
    calls = [call(place, "Task x") for place in range(4)]
    ring = zip(calls, ["tool-002", "tool-003", "tool-001", "nobody"], strict=True)
    found = acts_of(session([one | {"parent_call_id": parent} for one, parent in ring]))
    assert sum(act.parent is None for act in found) == 2
    assert found[3].parent is None
    assert len(set(found.roots[:3])) == 1


def test_of_two_calls_with_one_id_the_first_is_meant() -> None:
    twice = [call(0, "Task a"), call(1, "Task b") | {"call_id": "tool-001"}, call(2, "Read a.py")]
    found = acts_of(session([*twice[:2], twice[2] | {"parent_call_id": "tool-001"}]))
    assert (found.places["tool-001"], found[2].parent) == (0, 0)


def test_a_relative_path_is_the_absolute_one_that_it_ends() -> None:
    found = acts("Read /w/src/a.py", "Bash cat src/a.py", "Bash cat a.py", "Read b.py")
    assert [act.reads for act in found] == [("/w/src/a.py",)] * 3 + [("b.py",)]
    unclear = acts("Read /w/src/a.py", "Read /w/test/a.py", "Bash cat a.py")
    assert unclear[2].reads == ("a.py",)


def test_names_of_tools_and_arguments_are_the_shared_ones() -> None:
    given: JsonValue = {"params": {"absolute_path": "./a//b.py"}}
    [act] = acts_of(session([{**call(0, "LS x"), "tool_name": "read_file", "input": given}]))
    assert (act.tool, act.kind, act.subject, act.reads) == (
        "Read",
        "look",
        "./a//b.py",
        ("a/b.py",),
    )


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ({"status": "success"}, ""),
        ({"status": "success", "result": {"display": "2 lines"}}, "2 lines"),
        ({"status": "success", "result": {"display": "2", "content": "a\nb"}}, "a\nb"),
        ({"status": "success", "result": {"files": ["a", "b", 3]}}, "a\nb"),
        ({"status": "failed", "error": "no"}, "no"),
    ],
)
def test_what_a_call_gave_back(output: JsonValue, text: str) -> None:
    [act] = acts_of(session([{**call(0, "LS x"), "output": output}]))
    assert output_of(act.call) == text


def test_one_file_by_two_names() -> None:
    assert same_file("/w/src/a.py", "src/a.py")
    assert same_file("a.py", "a.py")
    assert not same_file("/w/src/a.py", "c/a.py")
    assert not same_file("/w/a.py", "/x/w/a.py")
    assert not same_file("x/a.py", "a.py")


@OFTEN
@given(sessions())
def test_whatever_a_session_says_its_times_make_sense(made: Session) -> None:
    found = acts_of(made)
    assert [act.call for act in found] == list(made.tool_calls)
    for act in found:
        assert 0 <= act.start <= act.end <= found.wall
        assert act.parent is None or 0 <= act.parent < len(found)
        at, steps = act.index, 0
        while (parent := found[at].parent) is not None:
            at, steps = parent, steps + 1
            assert steps <= len(found)
        assert found.roots[act.index] == at
    below = [one.index for act in found if act.parent is None for one in found.below(act.index)]
    assert sorted(below) == [act.index for act in found if act.parent is not None]
