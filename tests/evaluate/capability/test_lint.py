"""What is wrong with a set."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.checkers.subjects import checkers
from whet.checkers.answers import Regex
from whet.documents.capability_report import CaseFinding
from whet.evaluate.capability.lint import Part, lint
from whet.evaluate.capability.options import options_of
from whet.evaluate.capability.regexes import is_suspicious
from whet.evaluate.capability.rules import RULES

CHECKERS = {**checkers(), "regex": Regex(seconds=0.3)}
QUESTION = "Which one is it?\nA) red\nB) green\nC) blue\nD) black\nReply with the letter."
GOOD: dict[str, JsonValue] = {
    "id": "one",
    "dimension": "logic",
    "prompt": QUESTION,
    "checker": "choice",
    "expected": "B",
}


def found(*cases: JsonValue, **top: JsonValue) -> list[CaseFinding]:
    data: JsonValue = {"case_set": "s", "cases": list(cases), **top}
    return list(lint([Part("s.json", "s", data)], CHECKERS).findings)


def told(**changes: Any) -> list[tuple[str, str]]:
    """The rules that a case breaks, and where."""
    return [(one.rule, one.place) for one in found({**GOOD, **changes})]


def exact(prompt: str, expected: str) -> dict[str, Any]:
    return {"prompt": prompt, "checker": "exact", "expected": expected}


def rule(type_: str, expected: JsonValue, **more: JsonValue) -> dict[str, Any]:
    return {"checker": [{"type": type_, "expected": expected, **more}], "expected": None}


def both(*given: tuple[str, JsonValue]) -> dict[str, Any]:
    return {"checker": [{"type": type_, "expected": one} for type_, one in given], "expected": None}


def test_nothing_is_wrong_with_a_good_case() -> None:
    assert told() == []
    assert told(**exact("What is 6 * 7?", "42")) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "broken"),
    [
        ({"dimension": "luck"}, [("K001", "cases[0]")]),
        ({"prompt": 3}, [("K001", "cases[0]")]),
        ({"prompt": "  "}, [("K001", "cases[0].prompt")]),
        ({"timeout": 3}, [("K002", "cases[0].timeout")]),
        ({"_remark": "kept"}, []),
        ({"checker": {"type": "choice", "anwser": "B"}},
         [("K002", "cases[0].checker.anwser"), ("K005", "cases[0].checker")]),
        ({"id": "../up"}, [("K004", "cases[0].id")]),
        ({"id": ""}, [("K004", "cases[0].id")]),
        ({"expected": "yes"}, [("K005", "cases[0].checker")]),
        ({"expected": ["B"]}, [("K005", "cases[0].checker")]),
        ({"checker": [], "expected": None}, [("K005", "cases[0].checker")]),
        (rule("tool_args", "Read"), [("K005", "cases[0].checker[0]")]),
        (rule("regex", "["), [("K005", "cases[0].checker[0]")]),
        (rule("regex", "(a+)+$"), [("K006", "cases[0].checker[0]")]),
        (rule("regex", "^(?:a|a)*$"), [("K006", "cases[0].checker[0]")]),
        (rule("regex", r"^(\w+\s?)*$"), [("K006", "cases[0].checker[0]")]),
        (rule("regex", r"(?:\d+\.)+x"), []),
        ({"prerequisites": ["Telepathy"]}, [("K007", "cases[0].prerequisites[0]")]),
        ({"prerequisites": ["读取文件", "notes@lookup", "skill@pdf", "mcp__a__b"]}, []),
        ({**rule("tool_called", "Telepathy"), "prerequisites": ["Telepathy"]},
         [("K007", "cases[0].prerequisites[0]"), ("K007", "cases[0].checker")]),
        (rule("tool_called", "read"), [("K008", "cases[0].prerequisites")]),
        ({**rule("tool_called", "read"), "prerequisites": ["read_file"]}, []),
        (exact("Say 'hello world' now.", "hello world"), [("K009", "cases[0].prompt")]),
        (exact("The answer is Canberra. Where is it?", "Canberra"), [("K009", "cases[0].prompt")]),
        (exact("澳大利亚的首都是堪培拉。首都是哪里？", "堪培拉"), [("K009", "cases[0].prompt")]),
        (exact("4 + 4 - 4 = ?", "4"), []),
        (exact("How many in 1234?", "123"), []),
        ({"prompt": QUESTION + "\nAnswer: B"}, [("K009", "cases[0].checker")]),
        ({"expected": "E"}, [("K010", "cases[0].prompt")]),
        ({"prompt": "Which?"}, [("K010", "cases[0].prompt")]),
        ({"prompt": "Which?", "options": {"a": "x", "b": "y"}}, []),
        ({"prompt": "哪一个？（Ａ）红（B）绿", "options": {"A": "红", "B": "绿"}}, []),
        ({"prompt": "Who? A. Ann B. Bob C. Cem", "expected": "b"}, []),
        (rule("contains", "one"), [("K009", "cases[0].checker")]),
        (rule("contains", ["one", "purple"]), [("K012", "cases[0].checker[0]")]),
        (rule("contains", ["pink", "purple"]), []),
        (rule("no_errors", None), [("K011", "cases[0].checker")]),
        (rule("max_duration", 60), [("K011", "cases[0].checker")]),
        (both(("contains", "red"), ("contains", "x")), [("K012", "cases[0].checker[0]")]),
        ({**both(("directory_structure", ["a"]), ("file_exists", "b")), "files": {"a": "x"}},
         [("K012", "cases[0].checker[0]")]),
        ({"prompt": QUESTION.replace("blue", "Red")}, [("K013", "cases[0].prompt")]),
        ({"files": {"../a": "x"}}, [("K014", "cases[0].files")]),
        (rule("file_exists", "/etc/passwd"), [("K014", "cases[0].checker[0]")]),
        (rule("directory_structure", ["../a"]), [("K014", "cases[0].checker[0]")]),
        ({"weight": 0}, [("K015", "cases[0].weight")]),
        ({"weight": -2}, [("K015", "cases[0].weight")]),
        ({"weight": 1e300}, [("K015", "cases[0].weight")]),
        ({"weight": 10**5000}, [("K015", "cases[0].weight")]),
        (rule("contains", "x", weight=0), [("K015", "cases[0].checker[0].weight")]),
        ({"timeout_s": 0}, [("K016", "cases[0].timeout_s")]),
        ({"timeout_s": -1}, [("K016", "cases[0].timeout_s")]),
        ({"prompt": "Grass is green. " + QUESTION}, [("K020", "cases[0].prompt")]),
        ({"prompt": "Red, green, blue or black? " + QUESTION}, []),
    ],
)  # fmt: skip
def test_each_rule(changes: dict[str, Any], broken: list[tuple[str, str]]) -> None:
    assert told(**changes) == broken


def test_ids_and_prompts_that_are_there_twice() -> None:
    again = {**GOOD, "id": "two"}
    assert [one.rule for one in found(GOOD, GOOD)] == ["K003"]
    assert [one.rule for one in found(GOOD, again)] == ["K019"]
    assert found(GOOD, {**again, "files": {"a": "other"}}) == []
    across = [Part("a.json", "s", [GOOD]), Part("b.json", "s", [GOOD])]
    (double,) = lint(across, CHECKERS).findings
    assert (double.rule, double.source) == ("K003", "b.json")
    assert "a.json" in double.message
    apart = [Part("a.json", "s", [GOOD]), Part("b.json", "t", [GOOD])]
    assert lint(apart, CHECKERS).findings == ()


def test_languages_have_their_counterparts() -> None:
    zh = {**GOOD, "language": "zh-CN", "prompt": "哪个？\nA) 红\nB) 绿"}
    en = {**GOOD, "language": "en-US"}
    assert found(en, zh) == []
    more = {**en, "id": "more", "prompt": QUESTION + "!"}
    assert [one.rule for one in found(en, zh, more)] == ["K017"]
    assert [one.rule for one in found(en, {**zh, "weight": 3, "dimension": "common"})] == ["K018"]
    assert "weight" in found(en, {**zh, "weight": 3})[0].message
    for other in ("zh_CN", "zh", "ZH-cn"):
        second = {**zh, "language": other, "id": "two", "prompt": QUESTION + "?"}
        both = {**en, "id": "two", "prompt": QUESTION + "??"}
        assert found(en, zh, both, second) == [], "one language, spelled in two ways"
    german = {**en, "id": "de1", "language": "de", "prompt": "Welche?\nA) rot\nB) grün"}
    assert found(en, zh, german) == [], "cases of its own are no translations"
    neutral = {**exact("1 + 1?", "2"), "id": "n", "dimension": "logic"}
    assert found(en, zh, neutral) == []


@pytest.mark.parametrize("data", [None, 3, "x", {}, {"cases": {}}, {"cases": []}, []])
def test_what_is_no_set(data: JsonValue) -> None:
    assert [one.rule for one in lint([Part("s", "s", data)], CHECKERS).findings] == ["K001"]


def test_a_report_counts() -> None:
    report = lint([Part("s", "s", [{**GOOD, "weight": 0, "more": 1}])], CHECKERS)
    assert (report.cases, report.errors, report.warnings) == (1, 1, 1)
    assert all(one.fix and one.message for one in report.findings)


def test_rules_have_ids_of_their_own() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(deadline=None, max_examples=60)
@given(st.sampled_from([*GOOD, "weight", "files", "options", "prerequisites", "timeout_s"]), JSON)
def test_lint_never_breaks(key: str, value: JsonValue) -> None:
    report = lint([Part("s", "s", [{**GOOD, key: value}])], CHECKERS)
    json.dumps(report.to_data())


def test_options() -> None:
    assert options_of("Who? A) a b\nB) c\nC) d\nSay it.").texts == {"A": "a b", "B": "c", "C": "d"}
    assert options_of("谁？（Ａ）甲 （Ｂ）乙").texts == {"A": "甲", "B": "乙"}
    assert options_of("谁？A、甲 B、乙").texts == {"A": "甲", "B": "乙"}
    assert options_of("Plan A: go. What is it?").texts == {}
    assert options_of("A. Smith wrote it. Options: A) x B) y").texts == {"A": "x", "B": "y"}
    assert options_of("x" * 10**6 + "A) a B) b").texts == {}


def test_suspicious_patterns() -> None:
    for pattern in ("(a+)+", "(?:a|b)*", r"(\w+\s?)*", "((a)*)*", "(?P<n>a+){2,}"):
        assert is_suspicious(pattern), pattern
    for pattern in (r"(?<!\d)4(?!\d)", r"\(a+\)+", "[(a+)]+", "a+b+", "(?i)x|y", "(ab)+"):
        assert not is_suspicious(pattern), pattern
