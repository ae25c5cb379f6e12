"""Checks of skills, money and time."""

import pytest
from pydantic import JsonValue

from tests.checkers.subjects import check, costing, failure, mistakes, record
from whet.core.failure import Failure
from whet.core.trial import TrialRecord
from whet.ports.checker import Subject


def outcome(made: TrialRecord, type_: str, **fields: JsonValue) -> str:
    return check(Subject(made, None, {}), type_, **fields).outcome


@pytest.mark.parametrize(
    ("used", "expected", "result"),
    [
        (("pdf",), True, "passed"),
        ((), True, "failed"),
        (("pdf",), "pdf", "passed"),
        (("pdf",), "docx", "failed"),
        (("pdf",), False, "failed"),
        ((), False, "passed"),
        (("pdf",), {"skill": "pdf", "triggered": False}, "failed"),
        (("docx",), {"skill": "pdf", "triggered": False}, "passed"),
        (("pdf",), {"skill": "pdf", "triggered": True}, "passed"),
    ],
)
def test_skills(used: tuple[str, ...], expected: JsonValue, result: str) -> None:
    assert outcome(record(skills_used=used), "skill_triggered", expected=expected) == result


def test_without_more_words_any_skill_will_do() -> None:
    assert outcome(record(skills_used=("pdf",)), "skill_triggered") == "passed"


def test_an_agent_that_did_not_finish_has_not_left_the_skill_alone() -> None:
    stopped = failure(Failure.TIMEOUT, "too late")
    assert outcome(stopped, "skill_triggered", expected=False) == "skipped"
    assert outcome(stopped, "skill_triggered", expected=True) == "failed"
    stopped = failure(Failure.TIMEOUT, "too late", skills_used=("pdf",))
    assert outcome(stopped, "skill_triggered", expected=False) == "failed"


def test_money() -> None:
    assert outcome(costing(0.05), "max_cost", expected=0.05) == "passed"
    assert outcome(costing(0.06), "max_cost", expected=0.05) == "failed"
    assert outcome(costing(0), "max_cost", expected=0) == "passed"
    assert outcome(costing(None), "max_cost", expected=10) == "skipped"


def test_time() -> None:
    assert outcome(record(), "max_duration", expected=1.5) == "passed"
    assert outcome(record(), "max_duration", expected=1.4) == "failed"


@pytest.mark.parametrize(
    ("type_", "expected"),
    [
        ("max_cost", -1),
        ("max_cost", "1"),
        ("max_cost", True),
        ("max_duration", 0),
        ("skill_triggered", ""),
        ("skill_triggered", {"skill": "pdf"}),
    ],
)
def test_mistakes(type_: str, expected: JsonValue) -> None:
    assert len(mistakes(type_, expected=expected)) == 1
