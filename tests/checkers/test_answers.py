"""Checks of the answer."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.checkers.subjects import check, mistakes, record, said, session
from whet.checkers.blocks import said as cleaned
from whet.checkers.letter import chosen
from whet.ports.checker import Subject


@pytest.mark.parametrize(
    ("answer", "letter"),
    [
        ("B", "B"),
        ("b", "B"),
        ("(C).", "C"),
        ("<B>", "B"),
        ("**D**", "D"),
        ("Answer: B", "B"),
        ("The answer is B.", "B"),
        ("answer is: **C**", "C"),
        ("**Answer:** (D)", "D"),
        ("最终答案：B", "B"),
        ("答案是 C。", "C"),
        ("Answer: A\nWait. Final answer: D", "D"),
        ("A is tempting, but\n\nB", "B"),
        ("> C", "C"),
        ("Option B it is", "B"),
        ("Having looked at each of them, I think the correct option is B, as A is too small.", "B"),
        ("Having looked at each of them, the right option is not B; I cannot say which is.", None),
        ("Answer: b", "B"),
        ("the answer is (c).", "C"),
        ("Ａ", "A"),
        ("ｂ", "B"),
        ("答案：Ｃ", "C"),
        ("（Ｄ）", "D"),
        ("答案 B", "B"),
        ("答案B。", "B"),
        ("正确答案是选项 C", "C"),
        ("综上所述，故选 D。其余选项都与题意不符，因此可以全部排除。", "D"),
        ("我选择B，因为它符合题目给出的全部条件，而其他几项都不符合。", "B"),
        ("不选A，也不应选 C，这两项都与题目给出的条件相矛盾，应该选D。", "D"),
        ("B 是正确的，其余三项都与题目中给出的条件不一致，所以排除。", "B"),
        ("<answer>B</answer>", "B"),
        ("Some words first, and a few more of them.\n<answer> C </answer>", "C"),
        ("So it follows that the result is \\boxed{D}, which was to be shown.", "D"),
        ("\\boxed{\\text{A}}", "A"),
        ("<b>B</b>", "B"),
        ("`C`", "C"),
        ("### Answer: **B**\n\nBecause A and C are wrong.", "B"),
        ("Answer = D", "D"),
        ("B) 42, since the sum of the two is larger than all the others.", "B"),
        ("C. Paris\n\nThis is so because the others lie elsewhere on the map.", "C"),
        ("I would not choose A here for many reasons, so I choose B instead.", "B"),
        ("After some thought I am sure that C is correct, all things considered.", "C"),
        ("A is not correct and neither are the others that I looked at in turn", None),
        ("Answer: A\nAnswer: C\nAnswer: B", "B"),
        ("A) 2\nB) 3\nC) 4\nD) 5\n\nB", "B"),
        ("A) 2\nB) 3\nC) 4\nD) 5", None),
        ("A) 2 B) 3 C) 4 D) 5 is what you asked, and I will not say which.", None),
        ("选项：A) 2 B) 3 C) 4 D) 5", None),
        ("Choice: A. two B. three C. four", None),
        ("A) is 2, B) is 3 and C) is 4, so the answer is C", "C"),
        ("Please only output Answer: A/B/C/D.", None),
        ("请只输出 答案：A/B/C/D。", None),
        ("答案：A或B", None),
        ("答案：A、B", None),
        ("Answer: A, B", None),
        ("Answer: A B C D", None),
        ("Answer: (A) or (B)", None),
        ("The answer is not B", None),
        ("答案不是B，也不是其他任何一个选项，因为题目本身就自相矛盾了。", None),
        ("A good question", None),
        ("A cat sat", None),
        ("选项A是错的，选项B也是错的，剩下的两项我都不能确定究竟对不对。", None),
        ("Answer: A/B/C/D.", None),
        ("Answer: A or B", None),
        ("A) 2 B) 3 C) 4 D) 5", None),
        ("A\nB\nC\nD", None),
        ("Answer: Because", None),
        ("answer: a good one", None),
        ("It could be A, or else it could well be C, who knows", None),
        ("", None),
        ("Z", None),
    ],
)
def test_the_option_that_is_chosen(answer: str, letter: str | None) -> None:
    assert chosen(answer) == letter


LABELS = [
    "Answer: {}",
    "The final answer is **{}**.",
    "答案：{}",
    "最终答案是（{}）。",
    "<answer>{}</answer>",
    "\\boxed{{{}}}",
    "故选{}。",
    "{}",
    "({})",
    "**{}**",
    "> {}",
    "<{}>",
    "I choose {}.",
]
FILLING = st.text("xyz 很好,.\n", max_size=80)


@settings(deadline=None)
@given(st.sampled_from(LABELS), st.sampled_from("ABCDＡＢＣＤ"), FILLING)
def test_a_clear_choice_is_found_behind_anything(label: str, letter: str, before: str) -> None:
    plain = letter if letter.isascii() else chr(ord(letter) - 0xFEE0)
    assert chosen(f"{before}\n{label.format(letter)}") == plain
    assert chosen(f"Answer: {plain}\n<think>") == plain


@settings(deadline=None)
@given(st.text("ABCD answeris:/\n()*<>", max_size=60))
def test_choosing_never_breaks(answer: str) -> None:
    assert chosen(answer) in (None, *"ABCDEFGH")


@pytest.mark.slow
def test_long_answers_are_no_trap() -> None:
    begun = time.process_time()
    for part in (
        "<think ",
        "选 A",
        "\\boxed{",
        "（",
        "A) ",
        "<a",
        "answer ",
        "Answer: A/",
        "<think>",
        "answer:" + " " * 50,
        "A ",
        "<tool_call>",
        "</think>",
        "*",
    ):
        check(said(part * 100_000), "choice", expected="A")
    assert time.process_time() - begun < 20


def test_a_choice_is_right_or_wrong() -> None:
    right = check(said("<think>Answer: C</think>Answer: B"), "choice", expected="b")
    assert (right.outcome, right.evidence) == ("passed", "B is chosen, expected B")
    wrong = check(said("Answer: A"), "choice", expected="B")
    assert (wrong.outcome, wrong.score) == ("failed", 0)
    none = check(said("I do not know"), "choice", expected="B")
    assert none.evidence == "No single option is chosen: answer: I do not know"


def test_an_exact_answer() -> None:
    assert check(said(" 42\n"), "exact", expected="42").passed
    assert check(said("<think>41?</think>\n42"), "exact", expected="42").passed
    assert not check(said("42."), "exact", expected="42").passed
    for answer in ("Answer: 42", "**42**", "`42`", "The answer is **42**", "答案：４２", "４２"):
        assert check(said(answer), "exact", expected="42").passed, answer
    assert check(said("思考</think>42"), "exact", expected="42").passed
    for answer in ("It is 42", "Answer: 42\nOr so", "42 42", "Answer: 4 2", ""):
        assert not check(said(answer), "exact", expected="42").passed, answer
    assert check(said("ｆｕｌｌ"), "exact", expected="ｆｕｌｌ").passed
    assert not check(said("paris"), "exact", expected="Paris").passed


def test_an_answer_contains_all_or_a_share() -> None:
    assert check(said("In Paris."), "contains", expected="Paris").passed
    some = check(said("In Paris."), "contains", expected=["Paris", "Rome", "Oslo", "In"])
    assert (some.outcome, some.score, some.evidence) == ("failed", 0.5, "Missing: Rome; Oslo")
    assert check(said("a b"), "contains", expected=["a", "b"]).score == 1


def test_a_thought_is_not_said() -> None:
    assert not check(said("<think>Paris</think>Rome"), "contains", expected="Paris").passed
    assert not check(said("<think>Paris</think>Rome"), "regex", expected="Paris").passed
    assert cleaned("a<think>b") == "a"
    assert cleaned("b</think>a") == "a"
    assert cleaned("b</think>\n") == "b"
    assert cleaned("a<THINK>b</THINK>c") == "a\nc"
    assert cleaned("<thinking effort='high'>b</thinking>c") == "c"
    assert cleaned("<tool name='x'>{}</tool>c") == "c"
    assert cleaned("<tool_call>{}") == ""
    assert cleaned("a <thinker> b") == "a <thinker> b"
    assert cleaned("x<tool_call>{}</tool_call>y") == "x\ny"


def test_a_regular_expression() -> None:
    found = check(said("one\nversion 1.2.3"), "regex", expected=r"\d+\.\d+")
    assert (found.outcome, found.evidence) == ("passed", "answer:2: version 1.2.3")
    assert check(
        said("一推进二完成三下一步"), "regex", expected="(?s)^.*推进.*完成.*下一步.*$"
    ).passed
    assert not check(said("version"), "regex", expected=r"^\d").passed


@pytest.mark.parametrize("type_", ["choice", "exact", "contains"])
def test_what_the_case_expects_stands_in(type_: str) -> None:
    assert check(Subject(record("B"), session(), {}, expected="B"), type_).passed
    none = check(Subject(record("B"), session(), {}), type_)
    assert (none.outcome, bool(none.error)) == ("failed", True)


@pytest.mark.parametrize(
    ("type_", "fields"),
    [
        ("choice", {"expected": "yes"}),
        ("choice", {"answer": "A"}),
        ("exact", {"expected": ["a"]}),
        ("contains", {"expected": []}),
        ("regex", {}),
        ("regex", {"expected": "["}),
    ],
)
def test_mistakes(type_: str, fields: dict[str, str]) -> None:
    assert len(mistakes(type_, **fields)) == 1
