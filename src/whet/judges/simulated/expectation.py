"""Holding code against an expectation: which of the things it names can be seen?"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from whet.core.sized_cache import sized_cache
from whet.judges.simulated.facts import Facts
from whet.judges.simulated.material import Material

_READ = 6_000
_EXCEPTION = re.compile(r"\b[A-Z]\w*(?:Error|Exception)\b")
_CODE_WORD = re.compile(r"`([A-Za-z_]\w*)`")
_WORD = re.compile(r"[a-z]{4,}|[\u4e00-\u9fff]{2}")


@dataclass(frozen=True, slots=True)
class Topic:
    """Something an expectation may name, and how to see it in code."""

    label: tuple[str, str]
    words: re.Pattern[str]
    seen: Callable[[Facts, Material], bool]


def _topic(
    english: str, chinese: str, seen: Callable[[Facts, Material], bool], *words: str
) -> Topic:
    return Topic((english, chinese), re.compile("|".join(words), re.IGNORECASE), seen)


TOPICS = (
    _topic(
        "bounds",
        "边界处理",
        lambda facts, _: bool(facts.refusals or facts.shortcuts),
        r"boundar|edge case|negative|\bzero\b|out of range|too (?:small|large)",
        r"边界|负数|越界|为 ?0|<=? ?0",
    ),
    _topic(
        "empty input",
        "空输入",
        lambda facts, _: bool(facts.refusals or facts.shortcuts),
        r"\bempty\b|空(?:列表|字符串|输入|文本|文件|区间)|为空",
    ),
    _topic(
        "None",
        "None 值",
        lambda facts, _: bool(facts.none_checks),
        r"\bNone\b|\bnull\b|空值",
    ),
    _topic(
        "types",
        "类型检查",
        lambda facts, _: facts.has("isinstance", "TypeError"),
        r"type check|wrong types?|not an? (?:integer|number|string|list)",
        r"类型检查|类型错误|非(?:整数|数字|字符串)",
    ),
    _topic(
        "refusal of bad input",
        "拒绝非法输入",
        lambda facts, _: bool(facts.messages),
        r"\brais(?:e|es|ing)\b|\breject|\binvalid\b|\bbad input",
        r"抛出|拒绝|非法|无效|不合法",
    ),
    _topic(
        "error handling",
        "异常处理",
        lambda facts, _: bool(facts.handlers),
        r"\bcatch|\bhandl\w+ (?:\w+ ){0,3}(?:errors?|exceptions?)|error message|traceback",
        r"捕获|异常|错误信息|提示",
    ),
    _topic(
        "documentation",
        "文档说明",
        lambda facts, _: facts.documented > 0,
        r"docstring|\bcomments?\b|documented|文档字符串|注释|说明用法",
    ),
    _topic(
        "type hints",
        "类型注解",
        lambda facts, _: any(function.hinted for function in facts.functions),
        r"type[- ](?:hint|annotation)|类型(?:注解|标注|提示)",
    ),
    _topic(
        "tests",
        "测试",
        lambda _, material: material.has_tests,
        r"\b(?:unit )?tests?\b|单元测试|测试用例|附带测试",
    ),
    _topic(
        "cost",
        "运行开销",
        lambda facts, _: not facts.self_calls and not facts.loops_in_loops,
        r"efficien|\blinear\b|O\(|logarithmic|iterati|(?:one|single) pass|naive|recursion",
        r"高效|线性|递推|迭代|对数|一次遍历|递归|性能",
    ),
    _topic(
        "letter case",
        "大小写",
        lambda facts, _: facts.has("lower", "casefold", "upper", "IGNORECASE"),
        r"\b(?:upper|lower|letter) case\b|\bcase[- ]insensitive|\bignor\w+ case\b|大小写",
    ),
    _topic(
        "spaces and punctuation",
        "空格与标点",
        lambda facts, _: facts.has("isalnum", "isalpha", "strip", "translate", "sub", "findall"),
        r"punctuation|white ?space|\bspaces\b|\bblanks?\b|标点|空格|空白",
    ),
    _topic(
        "order",
        "顺序",
        lambda facts, _: facts.has("sorted", "sort", "heappop"),
        r"\bsort(?:ed|ing)?\b|\bascending\b|\bstable\b|排序|升序|稳定",
    ),
    _topic(
        "recency",
        "最近使用",
        lambda facts, _: facts.has("move_to_end", "popitem", "pop"),
        r"recent(?:ly)?|evict|淘汰|最近",
    ),
    _topic(
        "strings kept whole",
        "字符串保持完整",
        lambda facts, _: facts.has("str"),
        r"strings? (?:\w+ ){0,3}(?:whole|one piece)|字符串(?:保持|不\w*拆)",
    ),
    _topic(
        "separators",
        "分隔符",
        lambda facts, _: facts.has("replace", "strptime", "split"),
        r"slash|separator|斜杠|斜线|分隔符",
    ),
    _topic(
        "reversed pairs",
        "颠倒的端点",
        lambda facts, _: facts.has("min", "reversed"),
        r"reversed|swapped|wrong way round|颠倒|顺序相反",
    ),
)


@dataclass(frozen=True, slots=True)
class Named:
    """What an expectation names."""

    topics: tuple[Topic, ...]
    identifiers: tuple[str, ...]
    words: frozenset[str]


@sized_cache(8 * 1024 * 1024, per_character=40)
def _read(expected: str) -> Named:
    identifiers = {*_EXCEPTION.findall(expected), *_CODE_WORD.findall(expected)}
    return Named(
        tuple(topic for topic in TOPICS if topic.words.search(expected)),
        tuple(sorted(identifiers)),
        frozenset(_WORD.findall(expected.lower())),
    )


def coverage(expected: str, material: Material) -> tuple[float, list[tuple[str, str]]]:
    """The share of what *expected* names that is there, and what is missing."""
    named = _read(expected[:_READ])
    facts = material.facts
    if facts is None:
        return _overlap(named.words, material.text), []
    missing = [topic.label for topic in named.topics if not topic.seen(facts, material)]
    missing += [(name, name) for name in named.identifiers if not facts.has(name)]
    total = len(named.topics) + len(named.identifiers)
    if total == 0:
        return 0.8, []
    return 1 - len(missing) / total, missing


def _overlap(words: frozenset[str], text: str) -> float:
    if not words:
        return 0.5
    return len(words & set(_WORD.findall(text.lower()))) / len(words)
