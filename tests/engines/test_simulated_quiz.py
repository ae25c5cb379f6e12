"""Questions, as the simulated agent answers them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engines.clerking import do, trial, work
from whet.engines.simulated.quiz.arithmetic import evaluated, shown
from whet.engines.simulated.quiz.question import asked


def options(*texts: str) -> str:
    return "\n".join(f"{letter}) {text}" for letter, text in zip("ABCDEFGH", texts, strict=False))


@pytest.mark.parametrize(
    ("question", "choices", "letter"),
    [
        ("What is 12 + 30 * 2?", ("84", "72", "42", "62"), "B"),
        ("What is 15% of 80?", ("10", "15", "12", "8"), "C"),
        ("Which number comes next: 2, 4, 8, 16, ?", ("18", "24", "30", "32"), "D"),
        ("Which number comes next: 1, 4, 9, 16, ?", ("25", "20", "24", "32"), "A"),
        ("Which number comes next: 1, 1, 2, 3, 5, ?", ("6", "8", "7", "9"), "B"),
        ("Which number is the largest?", ("9.11", "9.9", "9.09", "9.8"), "B"),
        ("Which number is the smallest?", ("1/2", "1/3", "2/5", "3/4"), "B"),
        (
            "If today is Monday, what day will it be in 10 days?",
            ("Tuesday", "Friday", "Thursday", "Sunday"),
            "C",
        ),
        (
            "Ann is taller than Bob. Bob is taller than Cid. Who is the shortest?",
            ("Ann", "Bob", "Cid"),
            "C",
        ),
        (
            "Ann is older than Bob. Cid is younger than Bob. Who is the oldest?",
            ("Bob", "Ann", "Cid"),
            "B",
        ),
        (
            "All cats are mammals. All mammals are animals. Which statement must be true?",
            ("All animals are cats", "No cats are animals", "All cats are animals"),
            "C",
        ),
        ("今天是星期三，10天后是星期几？", ("星期五", "星期六", "星期日", "星期一"), "B"),
        ("小王比小李高，小李比小张高。谁最矮？", ("小王", "小李", "小张"), "C"),
        ("80 的 15% 是多少？", ("12", "15", "10", "8"), "A"),
        ("3 × 7 等于多少？", ("20", "21", "22", "24"), "B"),
    ],
)
def test_what_can_be_worked_out_is_right(
    question: str, choices: tuple[str, ...], letter: str
) -> None:
    worked = do(f"{question}\n{options(*choices)}")
    assert worked.answer in (f"Answer: {letter}", f"答案：{letter}")
    assert worked.tools == []
    assert worked.files == {}


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("What is 7 * 6? Reply with the number only.", "42"),
        ("What is 1 / 3? Reply with the number only.", "1/3"),
        ('What is 2 + 3? Reply in the form "Answer: 7".', "Answer: 5"),
        ("9 乘以 9 等于多少？9 * 9 = ？只回答数字。", "81"),
        ("How many days are there in two weeks? Reply with the number only.", "14"),
        ("Reply with exactly: READY", "READY"),
        ("请只回复“好的”。", "好的"),
        ('Give the word "star" spelled backwards and nothing else.', "rats"),
        ("What is the meaning of life? Reply with one word.", "I do not know."),
        ("世界上最高的山叫什么？只回答名字。", "我不知道。"),
    ],
)
def test_short_answers(prompt: str, answer: str) -> None:
    assert do(prompt).answer == answer


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        ("Reply with the letter only.", "B"),
        ("Only output the letter.", "B"),
        ("", "Answer: B"),
        ("请只回答字母。", "B"),
        ("请回答。", "答案：B"),
        ("请按“答案：A”的形式回答。", "答案：B"),
    ],
)
def test_the_letter_comes_in_the_form_that_was_asked_for(form: str, answer: str) -> None:
    assert do(f"2 + 2 = ?\n{options('3', '4', '5', '6')}\n{form}").answer == answer


@pytest.mark.parametrize(
    "written",
    [
        "Which? A) x B) y C) z",
        "Which?\n(A) x\n(B) y\n(C) z",
        "Which?\nA. x\nB. y\nC. z",
        "哪个？\nA、x\nB、y\nC、z",
    ],
)
def test_options_are_read_in_every_shape(written: str) -> None:
    question = asked(written)
    assert question is not None
    assert question.options == {"A": "x", "B": "y", "C": "z"}


def test_a_question_about_code_with_options_is_a_question() -> None:
    about = f"Which Python function sorts?\n{options('len', 'sorted', 'print', 'input')}"
    assert asked(f"{about}\nReply with the letter only.") is not None
    assert asked(about) is None


def test_guesses_are_stable_honest_and_spread() -> None:
    def guess(number: int, attempt: int = 1) -> str:
        prompt = f"Which town is number {number} of my list?\n{options('P', 'Q', 'R', 'S')}"
        worked = work(trial(prompt).model_copy(update={"attempt": attempt}))
        assert worked.said == ["I do not know this, so I guess."]
        return worked.answer

    first = [guess(number) for number in range(40)]
    assert first == [guess(number, attempt=2) for number in range(40)]
    assert {answer[-1] for answer in first} == set("ABCD")


NUMBERS = st.integers(0, 999).map(str)


@given(
    st.recursive(
        NUMBERS,
        lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(
            lambda one: f"({one[0]} {one[1]} {one[2]})"
        ),
        max_leaves=6,
    )
)
def test_sums_are_those_of_python(text: str) -> None:
    value = evaluated(text)
    if value is not None:
        assert value == eval(text)
    else:
        assert text.isdecimal() or len(text) > 120 or abs(eval(text)) > 10**15


@pytest.mark.parametrize(
    "text",
    [
        "1 / 0",
        "2 ^ 99",
        "9" * 15 + " * " + "9" * 15,
        "(" * 60 + "1" + ")" * 60,
        "1 +",
        "(1",
        "n + 1",
        "1 + x",
    ],
)
def test_what_is_no_sum_has_no_value(text: str) -> None:
    assert evaluated(text) is None


@pytest.mark.slow
@given(st.fractions(-1000, 1000, max_denominator=1000))
def test_numbers_are_shown_exactly(value: Fraction) -> None:
    assert Fraction(shown(value)) == value
