"""Cases of a set become cases of the core."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.checkers.subjects import checkers
from tests.evaluate.capability.cases import case
from whet.core.case import Case
from whet.documents.capability import CapabilityCase
from whet.evaluate.capability.cases import (
    ORIGINAL_FILES,
    Names,
    checks_of,
    core_case,
    fixtures,
    rules,
    tools_of,
)

NAMES = Names("run-1", "ann")


def problems(given: CapabilityCase, names: Names = NAMES) -> list[str]:
    return list(checks_of(given, checkers(), names).problems)


def made(given: CapabilityCase, set_name: str) -> tuple[Case, Sequence[bytes]]:
    return core_case(given, set_name, checks_of(given, checkers(), NAMES).specs, NAMES, 60)


@pytest.mark.parametrize(
    ("changes", "written"),
    [
        ({"checker": "exact", "expected": "a"}, {"type": "exact", "expected": "a"}),
        ({"checker": {"type": "exact"}, "expected": "a"}, {"type": "exact", "expected": "a"}),
        (
            {"checker": {"type": "exact", "expected": "b", "weight": 2}, "expected": "a"},
            {"type": "exact", "expected": "b", "weight": 2},
        ),
        ({"checker": {"type": "choice", "answer": "B"}}, {"type": "choice", "expected": "B"}),
        ({"checker": {"type": "exact", "answer": "42"}}, {"type": "exact", "expected": "42"}),
        ({"checker": {"type": "contains", "text": "a"}}, {"type": "contains", "expected": "a"}),
        ({"checker": {"type": "regex", "pattern": "a+"}}, {"type": "regex", "expected": "a+"}),
        (
            {"checker": {"type": "tool_called", "tool": "read_file"}},
            {"type": "tool_called", "expected": "read_file"},
        ),
        (
            {"checker": {"type": "tool_args", "tool": "x", "required": {"a": 1}}},
            {"type": "tool_args", "expected": {"tool": "x", "args": {"a": 1}}},
        ),
        (
            {"checker": {"type": "file_exists", "path": "a"}},
            {"type": "file_exists", "expected": "a"},
        ),
        (
            {"checker": {"type": "file_exists", "pattern": "*.md"}},
            {"type": "file_exists", "pattern": "*.md"},
        ),
        (
            {"checker": {"type": "file_contains", "path": "a", "text": "t"}},
            {"type": "file_contains", "expected": {"path": "a", "text": "t"}},
        ),
        (
            {"checker": {"type": "file_contains", "pattern": "*.md", "match": "t"}},
            {"type": "file_contains", "pattern": "*.md", "match": "t"},
        ),
        (
            {"checker": {"type": "json_contains", "path": "a", "required": {"n": 3}}},
            {"type": "json_contains", "expected": {"path": "a", "required": {"n": 3}}},
        ),
        (
            {"checker": {"type": "json_schema", "schema": {"type": "object"}}},
            {"type": "json_schema", "expected": {"schema": {"type": "object"}}},
        ),
        (
            {"checker": "file_count", "expected": {"pattern": "*.md", "count": 2}},
            {"type": "file_count", "pattern": "*.md", "count": 2},
        ),
        (
            {"checker": {"type": "file_count", "pattern": "*.md", "count": 2}},
            {"type": "file_count", "pattern": "*.md", "count": 2},
        ),
        ({"checker": "no_errors", "expected": None}, {"type": "no_errors"}),
        (
            {"checker": "skill_triggered", "expected": "pdf"},
            {"type": "skill_triggered", "expected": "pdf"},
        ),
    ],
)
def test_every_way_to_write_a_rule(changes: dict[str, Any], written: JsonValue) -> None:
    changes = {"expected": None} | changes
    given = case(**changes)
    assert rules(given) == [written]
    assert problems(given) == []


def test_several_rules_keep_their_weights() -> None:
    several = [
        {"type": "file_exists", "expected": "a", "weight": 1},
        {"type": "contains", "text": "x", "weight": 3},
    ]
    core, _ = made(case(checker=several, expected=None), "s")
    assert [(spec.id, spec.type, spec.weight) for spec in core.standard.checks] == [
        ("S1", "file_exists", 1),
        ("S2", "contains", 3),
    ]


def test_a_case_of_the_core() -> None:
    given = case(
        dimension="complex",
        prompt="{user_id}: write eval/{run_id}/a.txt",
        checker="json_contains",
        expected={"path": "eval/{run_id}/a.txt", "required": {"{user_id}": ["{run_id}", 1]}},
        files={"in/{run_id}.txt": "for {user_id}: {other}"},
        weight=2.5,
    )
    core, content = made(given, "mine")
    assert core.stimulus.prompt == "ann: write eval/run-1/a.txt"
    assert [file.path for file in core.stimulus.files] == ["in/run-1.txt"]
    assert content == (b"for ann: {other}",)
    assert core.stimulus.limits.timeout_seconds == 60
    assert (core.id, core.set, core.category, core.standard.weight) == (
        "one",
        "mine",
        "complex",
        2.5,
    )
    assert core.standard.checks[0].fields == {
        "expected": {"path": "eval/run-1/a.txt", "required": {"ann": ["run-1", 1]}}
    }
    timed, _ = made(case(timeout_s=5), "mine")
    assert timed.stimulus.limits.timeout_seconds == 5


def test_sets_of_the_original_find_their_fixtures() -> None:
    old = case(
        prompt="Read eval/{run_id}/fixtures/alpha.txt.",
        checker={"type": "tool_called", "tool": "read_file"},
    )
    assert fixtures(old) == ORIGINAL_FILES
    core, _ = made(old, "default")
    assert "eval/run-1/fixtures/list/b.txt" in [file.path for file in core.stimulus.files]
    assert fixtures(case()) == {}
    assert fixtures(case(prompt="eval/{run_id}/x", files={"a": "b"})) == {"a": "b"}


def test_what_an_agent_must_have() -> None:
    given = case(
        prerequisites=["read_file"],
        checker=[
            {"type": "tool_args", "expected": {"tool": "notes@add", "args": {}}},
            {"type": "skill_triggered", "expected": "pdf"},
            {"type": "tool_called", "tool": "read_file"},
        ],
        expected=None,
    )
    assert tools_of(given) == ("read_file", "notes@add", "skill@pdf")


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"identity": "../up"}, "id:"),
        ({"identity": ""}, "id:"),
        ({"identity": "a" * 200}, "id:"),
        ({"identity": "nul"}, "id:"),
        ({"prompt": " "}, "prompt:"),
        ({"weight": 0}, "weight:"),
        ({"weight": -1}, "weight:"),
        ({"timeout_s": 0}, "timeout_s:"),
        ({"timeout_s": 10**9}, "timeout_s:"),
        ({"checker": [], "expected": None}, "checker:"),
        ({"checker": "choice", "expected": "yes"}, "check S1: expected"),
        ({"checker": "regex", "expected": "["}, "check S1: expected"),
        ({"checker": "file_exists", "expected": "../a"}, "check S1: expected"),
        ({"checker": "tool_args", "expected": "Read"}, "check S1: expected"),
        ({"files": {"../a": ""}}, "files:"),
        ({"files": {"/a": ""}}, "files:"),
        ({"files": {"a": "", "a/b": ""}}, "files:"),
    ],
)
def test_mistakes(changes: dict[str, Any], place: str) -> None:
    found = problems(case(**changes))
    assert len(found) == 1
    assert f": {place}" in found[0]


def test_a_hostile_user_cannot_leave_the_folder() -> None:
    given = case(files={"{user_id}/a.txt": "x"})
    assert problems(given, Names("r", "../.."))
    assert not problems(given, Names("r", "ann"))


@given(st.text(), st.text(), st.text())
def test_names_are_put_in_once(text: str, run_id: str, user_id: str) -> None:
    names = Names(run_id, user_id)
    assert names.text(text.replace("{", "")) == text.replace("{", "")
    assert names.value({"{run_id}": [text.replace("{", ""), None, 3]}) == {
        names.text("{run_id}"): [text.replace("{", ""), None, 3]
    }
