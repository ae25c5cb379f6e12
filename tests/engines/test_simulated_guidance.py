"""What a skill text asks for, in English and in Chinese."""

import time

import pytest

from whet.engines.simulated.guidance import Guidance, read_guidance
from whet.engines.simulated.traits import Trait

ASKS = {
    Trait.REQUIREMENTS: ["Cover every requirement.", "逐条满足题目的要求。"],
    Trait.VALIDATE: ["Always validate the input.", "Mind edge cases.", "先检查参数，注意边界。"],
    Trait.ERRORS: ["Handle all possible errors.", "Never swallow errors.", "捕获可能的异常。"],
    Trait.DOCSTRINGS: ["Write a docstring.", "Add helpful comments.", "写清楚注释。"],
    Trait.NAMES: ["Use descriptive variable names.", "No cryptic names.", "命名要有意义。"],
    Trait.HINTS: ["Add type hints.", "Annotate all parameters.", "加上类型注解。"],
    Trait.CONCISE: ["Be concise.", "No chatter.", "Do not explain your reasoning.", "不要解释。"],
    Trait.EFFICIENT: ["Be efficient.", "Avoid nested loops.", "No recursion.", "避免暴力求解。"],
    Trait.FORMAT: ["Follow PEP 8.", "Return only code.", "只输出代码。"],
    Trait.TESTS: ["Write unit tests.", "Include a few tests.", "编写单元测试。"],
    Trait.VERIFY: ["Run the code before you answer.", "Execute your tests.", "先运行一遍代码。"],
}
FORBIDS = {
    Trait.VALIDATE: ["Do not validate anything.", "Skip edge cases.", "不要校验输入。"],
    Trait.ERRORS: ["Don't handle errors.", "不用处理异常。"],
    Trait.DOCSTRINGS: ["Do not write comments.", "Never add docstrings.", "不要写注释。"],
    Trait.HINTS: ["No type hints.", "Leave out docstrings, without type hints.", "不写类型注解。"],
    Trait.CONCISE: ["Explain each of your decisions.", "Give long explanations.", "请详细说明。"],
    Trait.EFFICIENT: ["Use simple recursion.", "用递归实现。"],
    Trait.TESTS: ["Do not write tests.", "不要编写测试。"],
    Trait.VERIFY: ["Never run the code.", "不要运行代码。"],
}


def pairs(table: dict[Trait, list[str]]) -> list[tuple[Trait, str]]:
    return [(trait, text) for trait, texts in table.items() for text in texts]


@pytest.mark.parametrize(("trait", "text"), pairs(ASKS))
def test_a_sentence_asks_for_a_habit(trait: Trait, text: str) -> None:
    found = read_guidance(text)
    assert trait in found.asked
    assert trait not in found.forbidden


@pytest.mark.parametrize(("trait", "text"), pairs(FORBIDS))
def test_a_sentence_forbids_a_habit(trait: Trait, text: str) -> None:
    found = read_guidance(text)
    assert trait in found.forbidden
    assert trait not in found.asked


@pytest.mark.parametrize(
    ("text", "asked", "forbidden"),
    [
        ("Do not forget to validate the input.", {Trait.VALIDATE}, set[Trait]()),
        ("不要忘记校验输入。", {Trait.VALIDATE}, set[Trait]()),
        ("Never answer before you run the code.", {Trait.VERIFY}, set[Trait]()),
        ("Do not answer without running the code.", {Trait.VERIFY}, set[Trait]()),
        ("Do not write tests, but add type hints.", {Trait.HINTS}, {Trait.TESTS}),
        ("不要写注释，但要加类型注解。", {Trait.HINTS}, {Trait.DOCSTRINGS}),
        ("Do not add docstrings or type hints.", set[Trait](), {Trait.DOCSTRINGS, Trait.HINTS}),
        ("Lines have no more than 79 characters.", {Trait.FORMAT}, set[Trait]()),
        ("避免嵌套循环和不必要的递归。", {Trait.EFFICIENT}, set[Trait]()),
        ("Write code like a poet.", set[Trait](), set[Trait]()),
    ],
)
def test_negation_reaches_as_far_as_its_clause(
    text: str, asked: set[Trait], forbidden: set[Trait]
) -> None:
    found = read_guidance(text)
    assert (set(found.asked), set(found.forbidden)) == (asked, forbidden)


def test_front_matter_and_headings_are_no_instructions() -> None:
    text = "---\nname: x\ndescription: Writes unit tests.\n---\n# Type hints\n\nBe concise.\n"
    assert read_guidance(text).asked == {Trait.CONCISE}


def test_attention_falls_with_length_and_contradiction() -> None:
    focused = read_guidance("Validate the input.\nUse descriptive names.\n")
    padded = read_guidance("Validate the input.\nUse descriptive names.\n" + "Be great.\n" * 60)
    torn = read_guidance("Add docstrings.\nDo not add docstrings.\n")
    calm = read_guidance("Add docstrings.\nAdd good docstrings.\n")
    assert padded.asked == focused.asked
    assert padded.attention < 0.7 < 0.95 < focused.attention
    assert torn.attention < calm.attention


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00" * 1000,
        "no tests " * 50_000,
        "(" * 100_000,
        "--- \n" * 50_000,
        "write " * 60_000,
        "不" * 300_000,
        "clear, " * 60_000 + "names",
    ],
)
def test_a_hostile_skill_is_read_in_reasonable_time(text: str) -> None:
    begun = time.process_time()
    assert isinstance(read_guidance(text), Guidance)
    assert time.process_time() - begun < 2
