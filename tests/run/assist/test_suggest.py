"""An equal purpose under another name is found, and nothing is ever in the way."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.run.assist.models import MODEL, SIMULATED, Model, failure, model
from whet.core.errors import BudgetExhausted, EnvironmentProblem, UnknownPart
from whet.ports.ask import Ask, Query, Reply
from whet.run.assist.asking import How
from whet.run.assist.suggest import Suggestion, by_rule, distance, suggest_purpose

EXISTING = ["code_generate", "translation", "代码审查"]


def suggested(ask: Ask, new: str, how: How = MODEL, seconds: float = 15) -> Suggestion:
    return asyncio.run(suggest_purpose(ask, new, EXISTING, how, seconds))


@pytest.mark.parametrize(
    ("new", "purpose"),
    [
        ("Code Generate", "code_generate"),
        ("code-generate", "code_generate"),
        ("codeGenerate", "code_generate"),
        ("generate_code", "code_generate"),
        ("ＣＯＤＥ＿generate", "code_generate"),
        ("code_generat", "code_generate"),
        ("translaton", "translation"),
        ("tranlsation", "translation"),
        ("代码 审查", "代码审查"),
    ],
)
def test_what_is_written_alike_needs_no_model(new: str, purpose: str) -> None:
    ask = model()
    found = suggested(ask, new)
    assert (found.purpose, found.by) == (purpose, "rule")
    assert found.reason
    assert not ask.seen


@pytest.mark.parametrize(
    ("new", "existing"),
    [
        ("code2", ["code3"]),
        ("python_2_tests", ["python_3_tests"]),
        ("cat", ["car"]),
        ("代码生成", ["代码审查"]),
        ("!!!", ["???"]),
        ("x" * 5000, ["x" * 4999]),
    ],
)
def test_what_only_looks_alike_is_left_to_a_model(new: str, existing: list[str]) -> None:
    assert by_rule(new, existing) is None


@pytest.mark.parametrize(("new", "existing"), [("translation", EXISTING), ("anything", [])])
def test_there_is_nothing_to_suggest(new: str, existing: list[str]) -> None:
    found = by_rule(new, existing)
    assert found is not None
    assert found.purpose is None


def test_a_model_knows_meanings() -> None:
    ask = model({"purpose": "translation", "reason": "the same,\nin German"})
    assert suggested(ask, "Übersetzen") == Suggestion("translation", "the same, in German", "model")
    [query] = ask.seen
    assert "~~~\nÜbersetzen\n~~~" in query.prompt
    assert "~~~\ncode_generate\ntranslation\n代码审查\n~~~" in query.prompt
    none = suggested(model({"purpose": None, "reason": "new"}), "cooking")
    assert none == Suggestion(None, "new", "model")


def test_a_purpose_that_is_not_there_is_not_suggested() -> None:
    found = suggested(model({"purpose": "../../etc", "reason": "trust me"}), "cooking")
    assert found.purpose is None
    assert "not there" in found.reason


@pytest.mark.parametrize(
    "trouble",
    [failure("?"), EnvironmentProblem("claude: command not found"), BudgetExhausted("no money")],
)
def test_a_model_that_fails_suggests_nothing(trouble: Exception) -> None:
    found = suggested(Model([trouble]), "cooking")
    assert (found.purpose, found.by) == (None, "model")
    assert found.reason == str(trouble)


def test_a_mistake_of_the_caller_is_one() -> None:
    with pytest.raises(UnknownPart):
        suggested(Model([UnknownPart("engine", "nope", [])]), "cooking")


def test_a_slow_model_is_not_waited_for() -> None:
    ended: list[str] = []

    async def slow(query: Query) -> Reply:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(query.engine)
        raise AssertionError

    found = suggested(slow, "cooking", seconds=0.05)
    assert found == Suggestion(None, "claude did not answer within 0.05 s", "model")
    assert ended == ["claude"]


def test_without_a_model_the_rules_are_all_there_is() -> None:
    ask = model()
    assert suggested(ask, "Code Generate", SIMULATED).purpose == "code_generate"
    found = suggested(ask, "cooking", SIMULATED)
    assert (found.purpose, found.simulated) == (None, True)
    assert not ask.seen


@pytest.mark.parametrize(
    ("one", "other", "steps"),
    [("", "", 0), ("a", "", 1), ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("ab", "ba", 2)],
)
def test_the_distance_by_hand(one: str, other: str, steps: int) -> None:
    assert distance(one, other, 9) == steps
    assert distance(one, other, 1) == min(steps, 2)


words = st.text("ab", max_size=7)


@given(words, words, words)
def test_the_distance_is_one(one: str, other: str, third: str) -> None:
    assert distance(one, other, 9) == distance(other, one, 9)
    assert (distance(one, other, 9) == 0) == (one == other)
    assert distance(one, third, 9) <= distance(one, other, 9) + distance(other, third, 9)


@given(st.text(max_size=30), st.lists(st.text(max_size=30)))
def test_a_suggestion_is_always_one_of_those_there(new: str, existing: list[str]) -> None:
    found = by_rule(new, existing)
    assert found is None or found.purpose is None or found.purpose in existing
