"""Decisions that calls give evidence of."""

import pytest
from hypothesis import given

from tests.replay.drawn import OFTEN, sessions
from tests.replay.making import acts
from whet.documents.session import Session
from whet.replay.acts import acts_of
from whet.replay.decisions import decisions


def told(*lines: str) -> list[str]:
    found = decisions(acts(*lines))
    return [
        f"{one.decision.type} {one.place}: {','.join(one.decision.call_ids or ())}" for one in found
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["Bash npm ci!", "Bash npm ci"], ["retry 1: tool-001,tool-002"]),
        (["Bash npm ci -a!", "Bash npm ci -b"], ["retry 1: tool-001,tool-002"]),
        (["Edit a.py!", "Read b.py", "Edit a.py"], ["retry 2: tool-001,tool-003"]),
        (
            ["Edit a.py!", "Read a.py", "Edit a.py"],
            ["error_handling 2: tool-001,tool-002,tool-003"],
        ),
        (
            ["Bash pytest -q!", "Edit a.py", "Bash pytest -q"],
            ["error_handling 2: tool-001,tool-002,tool-003"],
        ),
        (
            ["Bash python x.py!", "Edit x.py", "Bash python x.py"],
            ["error_handling 2: tool-001,tool-002,tool-003"],
        ),
        (["WebFetch http://a/b!", "Bash curl http://a/b"], ["tool_selection 1: tool-001,tool-002"]),
        (["Read a.py!", "Bash cat a.py"], ["tool_selection 1: tool-001,tool-002"]),
        (["Read a.py!", "Grep x"], ["skip 0: tool-001"]),
        (["TodoWrite a, b", "TodoWrite a:completed, b:cancelled"], ["skip 1: tool-002"]),
        (["Read a.py!", "Write a.py"], []),
        (["Grep x!", "Grep y"], []),
        (["Bash npm ci!", *["Grep x"] * 6, "Bash npm ci"], []),
        (["Task x", ". Read a.py!", "Read a.py"], []),
        (["Read a.py", "Read a.py"], []),
    ],
)
def test_only_what_is_clear(lines: list[str], expected: list[str]) -> None:
    assert told(*lines) == expected


def test_words_say_what_happened_and_no_reason() -> None:
    lines = ["Edit a.py! => String to replace not found in file.", "Read a.py", "Edit a.py"]
    [one] = decisions(acts(*lines))
    assert one.decision.description == (
        "Edit a.py failed (String to replace not found in file.); Read a.py came before trying "
        "again with the same input"
    )
    assert one.decision.reasoning is None
    assert one.decision.decision_id == "dec-001"


def test_the_tool_that_failed_is_the_alternative() -> None:
    [one] = decisions(acts("Read a.py!", "Bash cat a.py"))
    assert one.decision.alternatives_considered == ("Read",)


@OFTEN
@given(sessions())
def test_every_decision_of_any_session_names_calls_of_it(made: Session) -> None:
    found = acts_of(made)
    ids = {call.call_id for call in made.tool_calls}
    for one in decisions(found):
        assert {*(one.decision.call_ids or ())} <= ids
        assert found[one.place].call_id in (one.decision.call_ids or ())
