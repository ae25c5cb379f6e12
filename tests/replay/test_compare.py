"""Two sessions, call by call."""

from typing import Any

import pytest
from hypothesis import given

from tests.replay.drawn import OFTEN, sessions
from tests.replay.making import acts, moment
from whet.documents.session import Session
from whet.documents.session_comparison import SessionComparison
from whet.replay.acts import Acts, acts_of
from whet.replay.compare import compare
from whet.replay.compare_words import in_words, parted_in_words

LEFT = ["Grep foo", "Read /t1/w/a.py", "Edit /t1/w/a.py", "Bash cd /t1/w && pytest"]
RIGHT = ["Grep foo", "Read /t2/q/w/a.py", "Edit /t2/q/w/a.py", "Bash cd /t2/q/w && pytest"]


def runs(found: SessionComparison) -> list[tuple[str, int, int, int]]:
    return [(one.kind, one.left_start, one.right_start, one.count) for one in found.runs]


def test_the_same_work_in_two_folders_is_the_same() -> None:
    found = compare(acts(*LEFT), acts(*RIGHT))
    assert runs(found) == [("same", 0, 0, 4)]
    assert (found.same, found.similarity, found.divergence) == (4, 1.0, None)
    assert (found.tools, found.files, found.errors) == ((), (), ())
    assert in_words(found, "en") == ("Both made the same 4 calls, which ended alike.",)
    assert in_words(found, "zh") == ("两边的 4 次调用相同，结果也相同。",)


def test_where_they_part_is_named_with_both_calls() -> None:
    found = compare(acts(*LEFT), acts(*RIGHT[:2], "Read /t2/q/w/b.py", *RIGHT[2:]))
    assert runs(found) == [("same", 0, 0, 2), ("right", 2, 2, 1), ("same", 2, 3, 2)]
    assert found.divergence is not None
    assert (found.divergence.kind, found.divergence.shared) == ("call", 2)
    assert found.divergence.left is not None
    assert (found.divergence.left.call_id, found.divergence.left.tool) == ("tool-003", "Edit")
    assert parted_in_words(found.divergence, "en") == (
        "Calls alike at the beginning: 2. Then the left calls Edit /t1/w/a.py, the right Read "
        "/t2/q/w/b.py."
    )
    assert [(one.path, one.left, one.right) for one in found.files] == [("w/b.py", None, "read")]
    assert [(one.name, one.left, one.right) for one in found.tools] == [("Read", 1, 2)]


def test_the_same_tool_about_something_else_is_changed() -> None:
    found = compare(acts("Grep a", "Grep b", "LS x"), acts("Grep a", "Grep c", "LS x"))
    assert runs(found) == [("same", 0, 0, 1), ("changed", 1, 1, 1), ("same", 2, 2, 1)]


@pytest.mark.parametrize(
    ("left", "right", "kind", "words"),
    [
        (
            ["Grep a", "Bash pytest!"],
            ["Grep a", "Bash pytest"],
            "status",
            "Then both call Bash pytest, which fails on the left and succeeds on the right.",
        ),
        (
            ["Grep a", "Grep b"],
            ["Grep a"],
            "ended",
            "Then the left goes on with Grep b; the right has no more calls.",
        ),
        (
            [],
            ["Grep {b}"],
            "ended",
            "Then the right goes on with Grep {b}; the left has no more calls.",
        ),
    ],
)
def test_other_ways_to_part(left: list[str], right: list[str], kind: str, words: str) -> None:
    found = compare(acts(*left), acts(*right)).divergence
    assert found is not None
    assert found.kind == kind
    assert parted_in_words(found, "en").partition(". ")[2] == words


def test_calls_of_subagents_stand_together_however_they_were_mixed() -> None:
    one = acts("Task a", ". Grep x", ". Grep y", "Task b", ". Grep z")
    data: Any = one.session.to_data()
    mixed: Any = [data["tool_calls"][place] for place in (0, 3, 4, 1, 2)]
    other = acts_of(Session.parse(data | {"tool_calls": mixed}, "mixed"))
    found = compare(one, other)
    assert (found.same, found.divergence, found.left_order) == (5, None, None)
    assert found.right_order == (0, 3, 4, 1, 2)


def test_what_each_did_more_and_what_it_came_to() -> None:
    left = acts(
        "Bash ls! => Error: no /a/b",
        "Edit a.py",
        "Edit a.py",
        status="failed",
        error="gave up",
        input_tokens=1_200,
        cost_usd=0.25,
        completed_at=moment(9_500),
        final_answer="x",
    )
    right = acts("Edit a.py", input_tokens=200, completed_at=moment(2_000), final_answer="y")
    found = compare(left, right)
    amounts = {one.name: (one.left, one.right, one.delta) for one in found.amounts}
    assert amounts["wall_ms"] == (9_500, 2_000, 7_500)
    assert amounts["cost_usd"] == (0.25, None, None)
    assert (found.outcome.left, found.outcome.right) == ("failed", "success")
    assert (found.outcome.left_error, found.outcome.same_answer) == ("gave up", False)
    _, tools, errors, more, outcome = in_words(found, "en")
    assert tools == "Tools: Bash 1 to 0, Edit 2 to 1."
    assert errors == "Errors: Error: no ‹path› 1 to 0."
    assert more == (
        "7.5 s more on the left from beginning to end, 6.5 s more on the left without any call "
        "running, 1,000 input tokens more on the left."
    )
    assert outcome == "The left ended as failed, the right as success."
    assert in_words(found, "zh")[-1] == "左边的结果是失败，右边是成功。"


def test_long_lists_are_cut_and_counted() -> None:
    found = compare(acts(*[f"Read {n}.py" for n in range(9)]), acts("Grep x"), most=2)
    assert len(found.files) == 2
    assert found.left_out == {"files": 7}


def covers(found: SessionComparison, left: Acts, right: Acts) -> None:
    one = [run.count for run in found.runs if run.kind != "right"]
    other = [run.count for run in found.runs if run.kind != "left"]
    assert (sum(one), sum(other)) == (len(left), len(right))
    assert found.same + found.changed + found.only_left == len(left)
    assert found.same + found.changed + found.only_right == len(right)
    at = beside = 0
    for run in found.runs:
        assert (run.left_start, run.right_start) == (at, beside)
        at += run.count if run.kind != "right" else 0
        beside += run.count if run.kind != "left" else 0


@OFTEN
@given(sessions(), sessions())
def test_any_two_sessions_are_compared_alike_from_both_sides(one: Session, other: Session) -> None:
    left, right = acts_of(one), acts_of(other)
    found, turned = compare(left, right), compare(right, left)
    covers(found, left, right)
    assert (found.same, found.similarity) == (turned.same, turned.similarity)
    assert [(a.name, a.left, a.right) for a in found.tools] == [
        (a.name, a.right, a.left) for a in turned.tools
    ]
    assert (found.divergence is None) == (turned.divergence is None)
    if found.divergence is not None and turned.divergence is not None:
        assert found.divergence.shared == turned.divergence.shared
        assert found.divergence.left == turned.divergence.right
    for language in ("en", "zh"):
        assert all(in_words(found, language))
    assert SessionComparison.parse(found.to_data(), "again") == found


@OFTEN
@given(sessions())
def test_every_session_is_the_same_as_itself(made: Session) -> None:
    own = acts_of(made)
    found = compare(own, own)
    assert (found.divergence, found.similarity, found.other_status) == (None, 1.0, 0)
