"""Six sides of a piece of code, each looked at by its own rules."""

import re
from collections.abc import Callable

from whet.judges.simulated.expectation import coverage
from whet.judges.simulated.facts import Facts
from whet.judges.simulated.look import Look
from whet.judges.simulated.material import Material

_POOR_NAMES = frozenset(
    {"tmp", "temp", "res", "ret", "arr", "lst", "val", "obj", "foo", "bar", "baz", "dct"}
)
_UNNAMED = frozenset({"_", "self", "cls"})
_CAMEL = re.compile(r"[a-z][a-z0-9]*[A-Z]")
_WIDE = re.compile(r"[\u3400-\u9fff]")
_LONGEST_LINE = 99
_TALK_FREE = 160
"""Characters of prose around the code that nobody minds."""


def correctness(material: Material, facts: Facts, expected: str) -> Look:
    """Does it look as if it does what was asked?"""
    look = Look(material, 30, points=10)
    if facts.functions and facts.returns:
        first = min(facts.functions)
        look.add(4, f"defines {first.name[:40]}()", f"定义了 {first.name[:40]}()", first.line)
    else:
        look.add(-5, "no function that returns anything", "没有返回结果的函数")
    if undefined := facts.undefined:
        line, name = undefined[0]
        look.say(f"{name[:40]!r} is not defined anywhere", f"{name[:40]!r} 没有定义", line)
    else:
        look.points += 6
    share, missing = coverage(expected, material)
    look.points += 8 * share
    if missing:
        english = ", ".join(pair[0] for pair in missing[:3])
        chinese = "、".join(pair[1] for pair in missing[:3])
        look.say(f"nothing to be seen of: {english}", f"没有体现：{chinese}")
    elif share == 1:
        look.say("all that was expected can be seen", "期望的要点都有体现")
    if material.has_tests:
        look.add(2, "has tests", "附有测试")
    return look


def robustness(material: Material, facts: Facts, _expected: str) -> Look:
    """Does it survive bad input?"""
    look = Look(material, 20, points=7)
    if facts.refusals:
        look.add(6, "refuses bad input", "拒绝非法输入", min(facts.refusals))
    elif facts.shortcuts:
        look.add(3, "handles a special case", "处理了特殊情况", min(facts.shortcuts))
    else:
        look.say("no check of the input", "没有检查输入")
    if facts.bare_handlers:
        look.add(1, "catches everything alike", "不加区分地捕获异常", facts.bare_handlers[0])
    elif facts.handlers:
        line, name = min(facts.handlers)
        look.add(5, f"handles {name[:40]}", f"处理了 {name[:40]}", line)
    else:
        look.say("no error is handled", "没有处理任何异常")
    if facts.messages:
        look.add(2, "errors carry a message", "错误附有说明", min(facts.messages))
    if facts.undefined:
        look.add(-2, "fails on an undefined name", "使用了未定义的名字", facts.undefined[0][0])
    return look


def readability(material: Material, facts: Facts, _expected: str) -> Look:
    """Can a stranger read it?"""
    look = Look(material, 15, points=4)
    total = facts.documented + len(facts.undocumented)
    if facts.undocumented:
        line, name = facts.undocumented[0]
        look.say(f"{name[:40]} has no docstring", f"{name[:40]} 没有文档字符串", line)
    elif total:
        look.say("documented", "有文档字符串")
    else:
        look.say("nothing that could be documented", "没有可以写文档的函数或类")
    look.points += 4.5 * facts.documented / max(total, 1)
    names = facts.variables.keys() - _UNNAMED
    poor = {name for name in names if len(name) < 3 or name in _POOR_NAMES}
    look.points += 4.5 * (1 - len(poor) / max(len(names), 1))
    if poor:
        line, name = min((facts.variables[name], name) for name in poor)
        look.say(f"{name!r} says little", f"{name!r} 含义不明", line)
    elif names:
        look.say("names are telling", "命名清楚")
    if facts.deepest[0] <= 3:
        look.points += 2
    return look


def conciseness(material: Material, _facts: Facts, _expected: str) -> Look:
    """Is there nothing that is not needed?"""
    look = Look(material, 15, points=15)
    talk = len(material.prose) + 2 * len(_WIDE.findall(material.prose))
    if talk > _TALK_FREE:
        taken = min(2 + (talk - _TALK_FREE) / 250, 4)
        look.add(-taken, "the answer talks around the code", "回答中有多余的话")
    lines = [line.strip() for line in material.source.splitlines()]
    code = [line for line in lines if line and not line.startswith("#")]
    comments = sum(line.startswith("#") for line in lines)
    if comments > 1 + len(code) / 8:
        look.add(-2, f"{comments} comment lines", f"{comments} 行注释")
    if len(code) > 40:
        look.add(-min((len(code) - 40) / 15, 3), f"{len(code)} lines", f"共 {len(code)} 行")
    if any(line.startswith("print(") for line in code):
        look.add(-1, "prints what nobody asked for", "打印了不需要的内容")
    if material.extra_files:
        count = len(material.extra_files)
        look.add(-min(count, 2), f"{count} further files", f"另有 {count} 个文件")
    if not look.reasons:
        look.say(f"{len(code)} lines, nothing superfluous", f"共 {len(code)} 行，没有多余内容")
    return look


def complexity(material: Material, facts: Facts, _expected: str) -> Look:
    """Are time, memory and nesting in hand?"""
    look = Look(material, 10, points=10)
    if facts.self_calls:
        lines = max(facts.self_calls.values(), key=len)
        taken = 5 if len(lines) > 1 else 3
        look.add(-taken, "calls itself", "递归调用自身", min(lines))
    if facts.loops_in_loops:
        line, loops = max(facts.loops_in_loops.items(), key=lambda item: item[1])
        taken = 4 if loops == 2 else 5
        look.add(-taken, f"{loops} loops inside each other", f"{loops} 层嵌套循环", line)
    depth, line = facts.deepest
    if depth > 3:
        look.add(-min(depth - 3, 3), f"nested {depth} deep", f"嵌套 {depth} 层", line)
    if not look.reasons:
        look.say("no nested loops, no recursion", "没有嵌套循环，也没有递归")
    return look


def form(material: Material, facts: Facts, _expected: str) -> Look:
    """Does it keep to the usual form?"""
    look = Look(material, 10, points=10)
    if bare := [function for function in facts.functions if not function.hinted]:
        taken = 3 * len(bare) / len(facts.functions)
        look.add(-taken, "no type hints", "缺少类型注解", min(bare).line)
    lines = material.source.split("\n")
    _line_form(look, lines)
    if crowded := _crowded(facts, lines):
        look.add(-1, "no space around =", "等号两侧没有空格", crowded)
    camel = [function for function in facts.functions if _CAMEL.match(function.name)]
    if camel:
        look.add(-2, "a name in camelCase", "使用了驼峰命名", camel[0].line)
    if not look.reasons:
        look.say("well formed", "格式规范")
    return look


def _line_form(look: Look, lines: list[str]) -> None:
    for number, line in enumerate(lines, start=1):
        if len(line) > _LONGEST_LINE:
            look.add(-2, f"{len(line)} characters wide", f"一行 {len(line)} 个字符", number)
            break
    for number, line in enumerate(lines, start=1):
        if line.endswith((" ", "\t", "\r")):
            look.add(-1, "space at the end of the line", "行尾有空白", number)
            break
    if lines[-1] and look.material.file != "answer":
        look.add(-1, "no newline at the end", "文件末尾没有换行", len(lines))


def _crowded(facts: Facts, lines: list[str]) -> int | None:
    for number, column in sorted(facts.assignments):
        line = lines[number - 1] if number <= len(lines) else ""
        # Columns count bytes, so only a plain line can be cut at them.
        if line.isascii() and line[column : column + 1] == "=":
            return number
    return None


ASPECTS: dict[str, Callable[[Material, Facts, str], Look]] = {
    "correctness": correctness,
    "robustness": robustness,
    "readability": readability,
    "conciseness": conciseness,
    "complexity": complexity,
    "form": form,
}
"""Each look by the name of the side it takes."""
