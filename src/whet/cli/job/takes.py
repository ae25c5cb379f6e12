"""What a skill takes, for somebody who asked for it in another way."""

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pydantic import JsonValue
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.cli.asset_output import line
from whet.cli.job.inputs import inputs_of, parameters_of
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.core.errors import InvalidJob
from whet.curate.manifest import JobPackage
from whet.curate.runner.schemas import required

_MOST_CHOICES = 8
_NARROW = 80


class TakesWords(Words):
    """What is said of inputs and parameters."""

    mistakes = Both(
        CountedText("the inputs of {name} have {count:mistake|mistakes}:"),
        "{name} 的输入有 {count} 处错误：",
    )
    takes = Both("{name} takes:", "{name} 接受：")
    anything = Both(
        "{name} takes any --input NAME=VALUE and --file NAME=PATH.",
        "{name} 接受任意的 --input NAME=VALUE 和 --file NAME=PATH。",
    )
    nothing = Both("{name} takes no inputs.", "{name} 不接受任何输入。")
    required = Both("required", "必需")
    file = Both("file", "文件")
    any = Both("any value", "任意值")
    one_of = Both("one of {choices}", "可选：{choices}")
    default = Both("Default: {value}.", "默认：{value}。")


class Taken(NamedTuple):
    """One thing that a skill takes."""

    option: str
    """As it is given on the command line."""

    kind: str
    required: bool
    about: str


def taken(package: JobPackage, words: TakesWords) -> list[Taken]:
    """All of it, in the order of the schemas."""
    return [*_inputs(package, words), *_parameters(package, words)]


def explain(error: InvalidJob, package: JobPackage, language: str) -> None:
    """Every mistake on a line of its own, and then what would be right; all of it on stderr."""
    words = TakesWords(language)
    console = Console(stderr=True, highlight=False)
    if len(error.problems) == 1:
        console.print(Text(f"whet: {line(str(error), 2000)}"), soft_wrap=True)
    else:
        told = words.mistakes.format(name=line(package.id, 100), count=len(error.problems))
        console.print(Text(f"whet: {told}"), soft_wrap=True)
        for problem in error.problems:
            console.print(Text(f"  {line(problem, 1000)}"), soft_wrap=True)
    found = taken(package, words)
    if package.input is None:
        console.print(words.anything.format(name=line(package.id, 100)), markup=False)
    elif not found:
        console.print(words.nothing.format(name=line(package.id, 100)), markup=False)
    if found:
        console.print(words.takes.format(name=line(package.id, 100)), markup=False)
        console.print(_table(found, words, wide=console.width > _NARROW))


def _table(found: list[Taken], words: TakesWords, *, wide: bool) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for fixed in (True, True, True, False):
        table.add_column(no_wrap=fixed and wide, overflow="fold")
    for each in found:
        needed = words.required if each.required else ""
        option, kind = f"  {line(each.option, 80)}", line(each.kind, 80)
        table.add_row(Text(option), Text(kind), Text(needed), Text(line(each.about, 200), "dim"))
    return table


def _inputs(package: JobPackage, words: TakesWords) -> Iterator[Taken]:
    needed = required(package.input)
    for name, schema in inputs_of(package).items():
        is_file = name in package.file_inputs
        option = f"--file {name}=PATH" if is_file else f"--input {name}=VALUE"
        kind = words.file if is_file else _kind(schema, words)
        yield Taken(option, kind, name in needed, _about(schema, words))


def _parameters(package: JobPackage, words: TakesWords) -> Iterator[Taken]:
    needed = required(package.parameter)
    for name, schema in parameters_of(package).items():
        option = f"--param {name}=VALUE"
        yield Taken(option, _kind(schema, words), name in needed, _about(schema, words))


def _kind(schema: Mapping[str, JsonValue], words: TakesWords) -> str:
    match schema:
        case {"enum": [*choices]}:
            shown = ", ".join(map(_told, choices[:_MOST_CHOICES]))
            return words.one_of.format(choices=shown + (", …" if choices[_MOST_CHOICES:] else ""))
        case {"const": only}:
            return _told(only)
        case {"type": str(kind)}:
            return kind
        case {"type": [*kinds]}:
            return " | ".join(map(str, kinds))
        case _:
            return words.any


def _about(schema: Mapping[str, JsonValue], words: TakesWords) -> str:
    said = schema.get("description")
    about = said if isinstance(said, str) else ""
    if "default" in schema:
        about = f"{about} {words.default.format(value=_told(schema['default']))}".strip()
    return about


def _told(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
