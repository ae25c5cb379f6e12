"""What would never end is ended."""

import asyncio
from dataclasses import replace

import pytest
from pydantic import JsonValue

from tests.checkers.subjects import left, said, spec
from whet.checkers.answers import Regex
from whet.checkers.files import FileContains, FileNotContains
from whet.checkers.script import CustomScript
from whet.checkers.search import Needle
from whet.checkers.structure import JsonSchema
from whet.ports.checker import Subject

TRAP = "a" * 40 + "!"
SECONDS = 0.3


@pytest.mark.slow
def test_a_catastrophic_expression_is_a_failure_with_a_reason() -> None:
    wanted = spec("file_contains", pattern="*", match_regex="^(a+)+$")
    result = FileContains(SECONDS).check(wanted, left({"a": TRAP}))
    assert (result.outcome, result.score) == ("failed", 0)
    assert "took too long" in (result.error or "")


@pytest.mark.slow
def test_what_could_not_be_searched_is_not_free_of_it() -> None:
    wanted = spec("file_not_contains", pattern="*", match_regex="^(a+)+$")
    result = FileNotContains(SECONDS).check(wanted, left({"a": TRAP}))
    assert result.outcome == "failed"
    assert "took too long" in (result.error or "")


@pytest.mark.slow
def test_an_answer_cannot_hold_a_check_up() -> None:
    # Not even a harmless expression is quick on every text: this one takes the square of it.
    result = Regex(SECONDS).check(spec("regex", expected="a*b"), said("a" * 1_000_000))
    assert "took too long" in (result.error or "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "answer"),
    [
        ({"pattern": "^(a+)+$"}, f'"{TRAP}"'),
        ({"patternProperties": {"^(a+)+$": False}}, f'{{"{TRAP}": 1}}'),
    ],
)
def test_a_value_cannot_hold_a_schema_up(schema: JsonValue, answer: str) -> None:
    wanted = spec("json_schema", expected={"schema": schema})
    result = JsonSchema(SECONDS).check(wanted, said(answer))
    assert "took too long" in (result.error or "")


@pytest.mark.slow
def test_many_items_are_compared_by_what_they_say_and_not_each_with_each() -> None:
    answer = "[" + ",".join(f'{{"a":{n}}}' for n in range(20_000)) + ', {"a": 7}]'
    wanted = spec("json_schema", expected={"schema": {"uniqueItems": True}})
    result = JsonSchema(SECONDS).check(wanted, said(answer))
    assert (result.outcome, result.error) == ("failed", None)
    assert "twice" in result.evidence


@pytest.mark.parametrize("regex", ["foo", r"foo\(bar\)", "[abc]x|^y$", r"\d\.\*", "a.b"])
def test_plain_expressions_need_no_process(regex: str) -> None:
    assert not Needle(regex=regex).may_take_long


@pytest.mark.parametrize("regex", ["a*", "a+b", "a?", "a{3}", "(a)", r"\\*", "(?i)a", "[a]+"])
def test_whatever_repeats_may_take_long(regex: str) -> None:
    assert Needle(regex=regex).may_take_long


def test_both_ways_of_searching_find_the_same() -> None:
    subject = left({"a": "x\nneedle 1\n", "b/c": "needle 2 ok\nneedle 3\nneedle 4\nneedle 5"})
    for plain, grouped in [("needle", "(needle)"), ("le 3", "(?:le) 3"), ("nothing", "(nothing)")]:
        one = spec("file_contains", pattern="*", match_regex=plain)
        other = spec("file_contains", pattern="*", match_regex=grouped)
        assert FileContains().check(one, subject) == FileContains().check(other, subject)
        fields: dict[str, JsonValue] = {"pattern": "*", "except_context": ["ok"]}
        one = spec("file_not_contains", match_regex=plain, **fields)
        other = spec("file_not_contains", match_regex=grouped, **fields)
        assert FileNotContains().check(one, subject) == FileNotContains().check(other, subject)


def test_half_an_emoji_can_be_searched() -> None:
    result = Regex().check(spec("regex", expected="(x)"), said("\ud83d x"))
    assert result.passed
    result.evidence.encode()


def test_no_session_is_no_reason_to_break() -> None:
    subject = Subject(said("a").record, None, {})
    assert Regex().check(spec("regex", expected="a"), subject).passed


async def _many() -> list[bool]:
    subject = left({"a": "x needle"})
    regex = spec("file_contains", pattern="*", match_regex="(needle)")
    script = spec("custom_script", script="grep -q needle a")
    trusted = replace(subject, script_sandbox="none")
    waiting = [asyncio.to_thread(FileContains().check, regex, subject) for _ in range(6)]
    waiting += [asyncio.to_thread(CustomScript().check, script, trusted) for _ in range(6)]
    return [result.passed for result in await asyncio.gather(*waiting)]


@pytest.mark.slow
def test_many_checks_run_at_once_beside_an_event_loop() -> None:
    assert asyncio.run(_many()) == [True] * 12


def test_an_expression_that_python_warns_about_is_one() -> None:
    assert FileContains().validate(spec("file_contains", pattern="*", match_regex="[[]a")) == []
