"""Every solution the agent can write works, and every slip really breaks it."""

import ast
from itertools import product

import pytest

from whet.engines.simulated.compose import compose, compose_tests
from whet.engines.simulated.conduct import Conduct
from whet.engines.simulated.kernels import ANYTHING, KERNELS, Kernel, recognise
from whet.engines.simulated.traits import Trait

SHAPING = [Trait.ERRORS, Trait.VALIDATE, Trait.REQUIREMENTS, Trait.EFFICIENT, Trait.NAMES]
DRESSING = {Trait.DOCSTRINGS, Trait.HINTS, Trait.CONCISE, Trait.FORMAT}
CONDUCTS = [
    frozenset(trait for trait, on in zip(SHAPING, switches, strict=True) if on) | dressing
    for switches in product([False, True], repeat=len(SHAPING))
    for dressing in (frozenset[Trait](), frozenset(DRESSING))
]
each_kernel = pytest.mark.parametrize("kernel", [*KERNELS, ANYTHING], ids=lambda k: k.name)


def execute(source: str, kernel: Kernel) -> None:
    space: dict[str, object] = {"__name__": "solution"}
    exec(compile("\n".join([source, *kernel.smoke]), "solution.py", "exec"), space)


@each_kernel
def test_every_variant_passes_its_smoke_test(kernel: Kernel) -> None:
    for shown in CONDUCTS:
        draft = compose(kernel, Conduct(shown, slips=False), "do it", chinese=False)
        execute(draft.source, kernel)
        assert "‹" not in draft.source
        assert "<" + "doc>" not in draft.source


@each_kernel
def test_every_slip_is_a_name_error_and_is_repaired(kernel: Kernel) -> None:
    for shown in CONDUCTS:
        good = compose(kernel, Conduct(shown, slips=False), "do it", chinese=True)
        bad = compose(kernel, Conduct(shown, slips=True), "do it", chinese=True)
        assert bad.source != good.source
        assert bad.repaired == good.source
        with pytest.raises(NameError):
            execute(bad.source, kernel)


@each_kernel
def test_the_tests_it_writes_parse_and_import_the_solution(kernel: Kernel) -> None:
    first = ast.parse(compose_tests(kernel, "solution")).body[0]
    assert isinstance(first, ast.ImportFrom)
    assert first.names[0].name == kernel.name


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("Compute the Fibonacci sequence", "fibonacci"),
        ("计算斐波那契数列", "fibonacci"),
        ("binary search in a sorted list", "binary_search"),
        ("在有序列表中二分查找", "binary_search"),
        ("sort a list with None values", "sort_values"),
        ("实现一个排序函数", "sort_values"),
        ("find all primes below n", "primes_up_to"),
        ("判断质数", "primes_up_to"),
        ("is it a palindrome?", "is_palindrome"),
        ("判断回文", "is_palindrome"),
        ("count the words of a text", "count_words"),
        ("统计文章中的单词", "count_words"),
        ("validate an e-mail address", "is_valid_email"),
        ("检查邮箱格式", "is_valid_email"),
        ("parse a date from text", "parse_date"),
        ("解析日期", "parse_date"),
        ("an LRU cache", "LRUCache"),
        ("flatten a list", "flatten"),
        ("展平列表", "flatten"),
        ("read a JSON file", "read_json"),
        ("summarise a CSV file", "summarise_column"),
        ("merge overlapping intervals", "merge_intervals"),
        ("合并区间", "merge_intervals"),
        ("write a poem about the sea", "solve"),
        ("", "solve"),
    ],
)
def test_prompts_are_recognised(prompt: str, name: str) -> None:
    assert recognise(prompt).name == name
