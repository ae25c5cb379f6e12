"""What a skill says shows in the grades: the ground truth that everything else is tried on."""

from statistics import mean, stdev

import pytest

from tests.engines.simulation import case, grades

CASES = [
    case(
        "Write a Python function that returns the n-th Fibonacci number.",
        "Iterative, negative numbers are refused with ValueError, a docstring.",
    ),
    case(
        "Write a function that says whether a text is a palindrome.",
        "Ignores letter case and punctuation; TypeError for anything but strings.",
    ),
    case(
        "写一个 Python 函数，合并重叠的区间。",
        "先排序；能处理空列表；端点颠倒的区间要纠正；不完整的区间抛出 ValueError。",
    ),
    case(
        "写一个读取 JSON 文件的 Python 函数，文件可能不存在或格式错误。",
        "捕获 FileNotFoundError 和 JSONDecodeError，给出清楚的错误信息。",
    ),
]
REPEATS = 15
FILLER = "You are a Python developer."

SPEAKS_OF = [
    ("Cover every requirement of the request.", "functional_correctness"),
    ("满足题目的所有要求。", "functional_correctness"),
    ("Write unit tests.", "functional_correctness"),
    ("编写单元测试。", "functional_correctness"),
    ("Validate the input.", "robustness"),
    ("先校验输入，注意边界。", "robustness"),
    ("Handle all errors.", "robustness"),
    ("处理可能出现的异常。", "robustness"),
    ("Add a docstring.", "readability"),
    ("写上注释。", "readability"),
    ("Use descriptive names.", "readability"),
    ("使用有意义的变量名。", "readability"),
    ("No chatter, no explanations.", "conciseness"),
    ("不要寒暄，不要解释。", "conciseness"),
    ("Avoid nested loops and recursion.", "complexity_control"),
    ("选用高效的算法。", "complexity_control"),
    ("Follow PEP 8.", "format_compliance"),
    ("遵循 PEP 8。", "format_compliance"),
    ("Add type hints.", "format_compliance"),
    ("加上类型注解。", "format_compliance"),
]


def average(skill: str | None, dimension: str | None = None, repeats: int = REPEATS) -> float:
    found = [one for of_case in grades(skill, CASES, repeats) for one in of_case]
    return mean(sum(one.values()) if dimension is None else one[dimension] for one in found)


@pytest.fixture(scope="module")
def plain() -> dict[str, float]:
    found = [one for of_case in grades(FILLER, CASES, REPEATS) for one in of_case]
    return {name: mean(one[name] for one in found) for name in found[0]}


@pytest.mark.parametrize(("instruction", "dimension"), SPEAKS_OF)
def test_an_instruction_raises_what_it_speaks_of(
    instruction: str, dimension: str, plain: dict[str, float]
) -> None:
    assert average(f"{FILLER}\n{instruction}", dimension) > plain[dimension] + 0.5


@pytest.mark.parametrize(
    ("instruction", "dimension"),
    [
        ("Do not write docstrings or comments.", "readability"),
        ("不要写注释。", "readability"),
        ("Do not validate the input.", "robustness"),
        ("Explain each of your decisions.", "conciseness"),
    ],
)
def test_an_instruction_against_it_lowers_it(
    instruction: str, dimension: str, plain: dict[str, float]
) -> None:
    assert average(f"{FILLER}\n{instruction}", dimension) < plain[dimension] - 0.5


@pytest.mark.slow
def test_running_the_code_raises_correctness() -> None:
    hasty = "Use short words. Be kind. Be great. Be happy. " * 12
    checked = "Run the code before you answer. Be kind. Be great. Be happy. " * 12
    dimension = "functional_correctness"
    assert average(checked, dimension, 12) > average(hasty, dimension, 12) + 0.5


GOOD = "\n".join(
    ["Cover every requirement.", "Validate the input.", "Handle all errors.", "Add docstrings.",
     "Use descriptive names.", "Add type hints.", "Be concise.", "Be efficient.", "Follow PEP 8."]
)  # fmt: skip


@pytest.mark.slow
def test_there_is_a_best_length() -> None:
    some = "\n".join(GOOD.splitlines()[:4])
    padded = GOOD + "\nStrive for excellence in everything you do." * 50
    torn = GOOD + "\nDo not validate the input.\nDo not add docstrings.\nDo not be concise."
    assert average(None) < average(some) < average(GOOD)
    assert average(padded) < average(GOOD) - 5
    assert average(torn) < average(GOOD) - 3


def test_runs_of_one_case_vary_as_real_ones_do() -> None:
    spreads = [
        stdev(sum(one.values()) for one in of_case)
        for skill in (None, GOOD)
        for of_case in grades(skill, CASES, REPEATS)
    ]
    assert 2.5 < mean(spreads) < 9
