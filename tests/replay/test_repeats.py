"""Calls that are made again."""

import pytest
from hypothesis import given

from tests.replay.drawn import OFTEN, sessions
from tests.replay.making import acts
from whet.documents.session import Session
from whet.replay.acts import acts_of
from whet.replay.repeats import Attempts, Circle, Cycle, circles, cycles, retries


def test_attempts_go_on_until_one_succeeds() -> None:
    found = retries(acts("Bash npm ci!", "Bash npm ci!", "Grep x", "Bash npm ci", "Bash npm ci"))
    assert found == [Attempts((0, 1, 3), same_input=True, succeeded=True)]


def test_the_same_file_with_other_input_is_another_attempt() -> None:
    found = retries(acts("Edit a.py!", "Read a.py", "Edit a.py"))
    assert found == [Attempts((0, 2), same_input=True, succeeded=True)]
    assert retries(acts("Edit a.py!", "Edit b.py")) == []
    found = retries(acts("Bash npm ci --fast!", "Bash npm ci --slow!"))
    assert found == [Attempts((0, 1), same_input=False, succeeded=False)]


@pytest.mark.parametrize(
    "lines",
    [
        ["Bash pytest!", "Edit a.py", "Bash pytest"],
        ["Bash npm ci!", *["Grep x"] * 6, "Bash npm ci"],
        ["Bash npm ci!", "Bash ls npm ci"],
        ["Task x", ". Bash npm ci!", "Bash npm ci"],
        ["Bash npm ci", "Bash npm ci"],
    ],
)
def test_no_other_attempt(lines: list[str]) -> None:
    assert retries(acts(*lines)) == []


def test_going_round_in_circles() -> None:
    lines = ["Grep x", "Read a.py", "Grep x", "Grep x"]
    assert circles(acts(*lines)) == [Circle((0, 2, 3))]
    assert circles(acts("Grep x", "Grep x", "Edit a.py", "Grep x")) == []
    assert circles(acts("Edit a.py!", "Edit a.py!", "Edit a.py!")) == [Circle((0, 1, 2))]
    assert circles(acts("Task x", ". Grep x", ". Grep x", "Grep x")) == []


def test_changes_and_checks_in_turn() -> None:
    lines = ["Edit a.py", "Bash pytest!", "Read a.py", "Edit a.py", "Bash pytest!", "Edit a.py"]
    assert cycles(acts(*lines, "Bash pytest")) == [Cycle(0, 6, 3, passed=True)]
    assert cycles(acts(*lines)) == [Cycle(0, 4, 2, passed=False)]


def test_a_check_that_passes_at_once_is_no_cycle() -> None:
    assert cycles(acts("Edit a.py", "Bash pytest", "Edit b.py", "Bash pytest")) == []
    assert cycles(acts("Bash pytest!", "Bash pytest!")) == []
    assert cycles(acts("Edit a.py", "Bash pytest!", "Bash pytest!")) == []


def test_after_it_passed_another_cycle_begins() -> None:
    round_ = ["Edit a.py", "Bash pytest!", "Edit a.py", "Bash pytest"]
    assert cycles(acts(*round_, *round_)) == [
        Cycle(0, 3, 2, passed=True),
        Cycle(4, 7, 2, passed=True),
    ]


@OFTEN
@given(sessions())
def test_no_call_is_in_two_attempts_or_circles(made: Session) -> None:
    found = acts_of(made)
    for groups in ([one.places for one in retries(found)], [one.places for one in circles(found)]):
        every = [place for places in groups for place in places]
        assert len(set(every)) == len(every)
        for places in groups:
            assert list(places) == sorted(places)
            assert len({found[place].tool for place in places}) == 1
            assert len({found[place].parent for place in places}) == 1
    for one in retries(found):
        assert all(found[place].failed for place in one.places[:-1])
        assert found[one.places[-1]].failed is not one.succeeded
    for cycle in cycles(found):
        assert cycle.rounds > 1
        assert found[cycle.first].kind == "change"
        assert found[cycle.last].kind == "check"
        assert found[cycle.last].failed is not cycle.passed
