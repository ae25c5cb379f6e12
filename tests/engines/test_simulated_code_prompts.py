"""Tasks for a coder stay tasks for a coder, to the byte."""

import asyncio
import hashlib
import json
from pathlib import Path

import pytest

import whet
from tests.engines.simulation import FIBONACCI, execute, spec
from whet.documents.cases import BaselineCases
from whet.engines.simulated.clerk import is_for_clerk
from whet.engines.simulated.kernels import KERNELS
from whet.run.assist.generate_simulated import template_cases
from whet.run.assist.written import Category

SAMPLES = Path(whet.__file__).parent / "app" / "sample_workspace"
SKILL = "Validate every input. Write docstrings and unit tests. Run the code before you answer."
RECORDED = "86630089e190ce043df469aad68e4cc21139d52f4878a62d89bd838bfb86aa70"
"""Of all that the agent did with the sample's prompts when it could do nothing else."""


def sample_prompts() -> list[str]:
    files = sorted(SAMPLES.glob("*/baselines/*/*/*/cases.json"))
    return [case.input for file in files for case in BaselineCases.load(file).cases]


@pytest.mark.slow
def test_the_sample_comes_out_as_it_always_did() -> None:
    async def done(prompt: str, skill: str | None) -> list[object]:
        trace = await execute(spec(skill, prompt), skill)
        return [trace.without_times, sorted(trace.outputs.items())]

    prompts = sample_prompts()
    assert len(prompts) == 20
    told = [asyncio.run(done(prompt, skill)) for prompt in prompts for skill in (None, SKILL)]
    assert hashlib.sha256(repr(told).encode()).hexdigest() == RECORDED


@pytest.mark.parametrize(
    "prompt",
    [
        FIBONACCI,
        "Think.",
        "1 + 1",
        "计算 1 + 1",
        "2024-01-01",
        "count the words of a text",
        "is it a palindrome?",
        "Write a function that reads the file data.txt and returns its first line.",
        "Create the file app.py with a class that stores notes.",
        "What is the best way to implement a cache in Python?",
        "Write a script that replaces 'a' by 'b' in notes.txt.",
        'Implement an MCP server with the tool "lookup" in Python.',
        "写一个函数，读取文件 data.txt 并返回第一行。",
        "用 Python 实现快速排序，只输出代码。",
        "请编写一个脚本，把 a.txt 中的“x”替换为“y”。",
        "Sort the lines.",
        "Mail me at someone@example.org about the plan.",
        "",
        "?",
    ],
)
def test_these_are_for_a_coder(prompt: str) -> None:
    assert not is_for_clerk(prompt)


def test_prompts_that_whet_itself_makes_are_for_a_coder() -> None:
    for description in ("Sort numbers in Python", "用 Python 写排序函数", "Summarise meetings"):
        counts: dict[Category, int] = {"standard": 6, "boundary": 4, "exception": 3}
        for case in template_cases(description, counts):
            assert not is_for_clerk(case.input), case.input


def test_examples_and_the_sample_are_for_a_coder() -> None:
    evals = json.loads(
        (Path(__file__).parents[2] / "examples/careful-python/evals/evals.json").read_text()
    )
    prompts = [*sample_prompts(), *(each["prompt"] for each in evals["evals"])]
    assert [prompt for prompt in prompts if is_for_clerk(prompt)] == []
    assert len(KERNELS) > 10
