"""``whet baseline case``: single cases of a baseline."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer
from pydantic import JsonValue
from rich.console import Console

from whet.app.library import cases
from whet.app.library.cases import ShelvedCases
from whet.app.library.library import library
from whet.cli.asset_output import cell, line, plain_table, print_json, print_shelved
from whet.cli.command import Call, when_stopped
from whet.cli.library_options import (
    NOTHING_CHANGED,
    STDIN,
    Expect,
    Reference,
    named_texts,
    text_of,
)
from whet.cli.options import named_values
from whet.core.bilingual import Both, Words
from whet.core.errors import UsageError
from whet.curate.intake.baseline_files import found_at

TEXTS = ("input", "expected_output", "name", "description")
"""Fields that are texts even where they look like JSON."""

_MOST_NAMED = 20
_PREVIEW = 160

CaseId = Annotated[str, typer.Argument(help="The id of the case.", metavar="CASE")]
InputFile = Annotated[
    str | None,
    typer.Option("--input-file", help="The input from a file; - is stdin.", metavar="FILE"),
]
ExpectedFile = Annotated[
    str | None,
    typer.Option(
        "--expected-file", help="What is expected, from a file; - is stdin.", metavar="FILE"
    ),
]


class CaseWords(Words):
    """Headings and sentences; names in braces are filled in."""

    heads = Both(("id", "name", "category", "input"), ("编号", "名称", "类别", "输入"))
    """Id, name, category, input."""

    categories = Both(
        {"standard": "standard", "boundary": "boundary", "exception": "exception"},
        {"standard": "标准", "boundary": "边界", "exception": "异常"},
    )
    none = Both("no cases yet", "还没有用例")
    done = Both(
        {"added": "added: {ids}", "edited": "edited: {ids}", "removed": "removed: {ids}"},
        {"added": "已添加：{ids}", "edited": "已修改：{ids}", "removed": "已删除：{ids}"},
    )
    nothing_changed = Both("nothing changed", "没有变化")


@dataclass(frozen=True, kw_only=True)
class NewCase:
    """A case that is described by options."""

    input_: Annotated[str | None, typer.Option("--input", help="What the agent is asked.")] = None
    input_file: InputFile = None
    expected: Annotated[str | None, typer.Option(help="What a good answer has.")] = None
    expected_file: ExpectedFile = None
    name: Annotated[str | None, typer.Option(help="Default: its id.")] = None
    category: Annotated[
        Literal["standard", "boundary", "exception"] | None,
        typer.Option(help="Default: standard."),
    ] = None
    description: Annotated[str | None, typer.Option(help="What it is for.")] = None
    weight: Annotated[float | None, typer.Option(help="How much it counts.")] = None
    timeout: Annotated[float | None, typer.Option(help="Seconds that the agent has.")] = None

    def row(self) -> dict[str, JsonValue]:
        """The fields that were given."""
        _refuse_stdin_twice(self.input_file, self.expected_file)
        given: dict[str, JsonValue] = {
            "input": _one_text(self.input_, self.input_file, "--input"),
            "expected_output": _one_text(self.expected, self.expected_file, "--expected"),
            "name": self.name,
            "category": self.category,
            "description": self.description,
            "weight": _number(self.weight),
            "timeout_seconds": _number(self.timeout),
        }
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class CaseChange:
    """Fields of a case that get another value."""

    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="A field; VALUE is JSON or else a text; null takes it away. May be repeated.",
            metavar="NAME=VALUE",
        ),
    ] = None
    input_file: InputFile = None
    expected_file: ExpectedFile = None

    def fields(self) -> dict[str, JsonValue]:
        """What was given, by field; raises ``UsageError`` where that is nothing."""
        _refuse_stdin_twice(self.input_file, self.expected_file)
        given = self.set_ or []
        texts = {name: text for name, text in named_texts(given).items() if name in TEXTS}
        fields: dict[str, JsonValue] = {**named_values(given), **texts}
        files = {"input": self.input_file, "expected_output": self.expected_file}
        for name, path in files.items():
            if path is not None:
                fields[name] = _one_text(texts.get(name), path, f"--{name.partition('_')[0]}")
        if not fields:
            raise UsageError("say what to change, by --set, --input-file or --expected-file")
        return fields


def list_(call: Call, reference: Reference) -> None:
    """Print the cases of the newest version."""
    with library(call.settings.workspace, "baseline") as shelf:
        found = cases.list_cases(shelf, reference)
    if call.json:
        print_json(found)
        return
    words = CaseWords(call.language)
    table = plain_table(words.heads, (words.heads[0], words.heads[2]))
    for case in found.cases:
        category = words.categories[str(case["category"])]
        name, asked = cell(str(case["name"]), 80), cell(str(case["input"]), _PREVIEW)
        table.add_row(cell(str(case["id"])), name, category, asked)
    if found.cases:
        Console(highlight=False).print(table)
    else:
        typer.echo(words.none)


@when_stopped(NOTHING_CHANGED)
def add(
    call: Call,
    reference: Reference,
    case: NewCase,
    from_: Annotated[
        Path | None,
        typer.Option("--from", help="Cases of a .json, .csv or .tsv file instead.", metavar="FILE"),
    ] = None,
    expect: Expect = None,
) -> None:
    """Add one case of the options, or all of a file."""
    row = case.row()
    notes: tuple[str, ...] = ()
    rows: tuple[JsonValue, ...] = (row,)
    if from_ is not None and row:
        raise UsageError("--from has whole cases; leave the other options out")
    if from_ is not None:
        found = found_at(from_)
        rows, notes = found.file.cases, found.notes
    elif "input" not in row:
        raise UsageError("a case needs an --input, an --input-file, or a file to take it --from")
    with library(call.settings.workspace, "baseline") as shelf:
        done = cases.add_cases(shelf, reference, rows, expect)
    _print(call, done.model_copy(update={"notes": (*notes, *done.notes)}), "added")


@when_stopped(NOTHING_CHANGED)
def edit(
    call: Call, reference: Reference, case: CaseId, change: CaseChange, expect: Expect = None
) -> None:
    """Change fields of one case."""
    fields = change.fields()
    with library(call.settings.workspace, "baseline") as shelf:
        done = cases.edit_case(shelf, reference, case, fields, expect)
    _print(call, done, "edited")


@when_stopped(NOTHING_CHANGED)
def remove(call: Call, reference: Reference, case: CaseId, expect: Expect = None) -> None:
    """Take one case out."""
    with library(call.settings.workspace, "baseline") as shelf:
        done = cases.remove_case(shelf, reference, case, expect)
    _print(call, done, "removed")


def _refuse_stdin_twice(first: str | None, second: str | None) -> None:
    if first == second == STDIN:
        raise UsageError("stdin can be read once only")


def _number(given: float | None) -> int | float | None:
    """2 as 2, not as 2.0."""
    return int(given) if given is not None and given.is_integer() else given


def _one_text(text: str | None, path: str | None, option: str) -> str | None:
    if text is not None and path is not None:
        raise UsageError(f"{option} and {option}-file say the same; give one of them")
    return text if path is None else text_of(path)


def _print(call: Call, done: ShelvedCases, change: Literal["added", "edited", "removed"]) -> None:
    words = CaseWords(call.language)
    if not call.json and done.changed:
        more = len(done.case_ids) - _MOST_NAMED
        ids = ", ".join(line(one) for one in done.case_ids[:_MOST_NAMED])
        listed = f"{ids}, +{more}" if more > 0 else ids
        typer.echo(words.done[change].format(ids=listed))
    elif not call.json:
        typer.echo(words.nothing_changed)
    print_shelved(done, call.language, as_json=call.json)
