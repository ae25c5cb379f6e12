"""What ``whet baseline case`` does once its imports are worth their time."""

import typer
from pydantic import JsonValue
from rich.console import Console

from whet.app.library import cases, told
from whet.app.library.cases import ShelvedCases
from whet.app.library.library import library
from whet.app.settings import Settings
from whet.cli.asset_case_options import CaseAdd, CaseEdit, CaseList, CaseRemove
from whet.cli.asset_case_words import CaseWords, Change
from whet.cli.asset_edit_text import STDIN, named_texts, text_of
from whet.cli.asset_edit_words import EditWords
from whet.cli.asset_output import cell, line, plain_table, print_json, print_shelved
from whet.cli.options import named_values
from whet.core.errors import UsageError
from whet.curate.intake.baseline_files import found_at

TEXTS = ("input", "expected_output", "name", "description")
"""Fields that are texts even where they look like JSON."""

_MOST_NAMED = 20
_PREVIEW = 160


def list_(settings: Settings, options: CaseList) -> None:
    """The cases of the newest version."""
    with library(settings.workspace, "baseline") as shelf:
        found = told.detail(shelf, options.reference)
    listed = found.cases or ()
    if options.json:
        print_json({"id": found.asset.id, "version": found.version, "cases": [*listed]})
        return
    words = CaseWords(settings.language)
    table = plain_table(words.heads, (words.heads[0], words.heads[2]))
    for case in listed:
        category = words.categories[str(case["category"])]
        name, asked = cell(str(case["name"]), 80), cell(str(case["input"]), _PREVIEW)
        table.add_row(cell(str(case["id"])), name, category, asked)
    if listed:
        Console(highlight=False).print(table)
    else:
        typer.echo(words.none)


def add(settings: Settings, options: CaseAdd) -> None:
    """One case of the options, or all of a file."""
    _refuse_stdin_twice(options)
    row = _row(options)
    if options.from_ is not None and row:
        raise UsageError("--from has whole cases; leave the other options out")
    notes: tuple[str, ...] = ()
    rows: tuple[JsonValue, ...] = (row,)
    if options.from_ is not None:
        found = found_at(options.from_)
        rows, notes = found.file.cases, found.notes
    elif "input" not in row:
        raise UsageError("a case needs an --input, an --input-file, or a file to take it --from")
    with library(settings.workspace, "baseline") as shelf:
        done = cases.add_cases(shelf, options.reference, rows, options.expect)
    told_all = done.model_copy(update={"notes": (*notes, *done.notes)})
    _print(settings, told_all, "added", as_json=options.json)


def edit(settings: Settings, options: CaseEdit) -> None:
    """Fields of one case."""
    _refuse_stdin_twice(options)
    fields = _fields(options)
    if not fields:
        raise UsageError("say what to change, by --set, --input-file or --expected-file")
    with library(settings.workspace, "baseline") as shelf:
        done = cases.edit_case(shelf, options.reference, options.case, fields, options.expect)
    _print(settings, done, "edited", as_json=options.json)


def remove(settings: Settings, options: CaseRemove) -> None:
    """One case."""
    with library(settings.workspace, "baseline") as shelf:
        done = cases.remove_case(shelf, options.reference, options.case, options.expect)
    _print(settings, done, "removed", as_json=options.json)


def _refuse_stdin_twice(options: CaseAdd | CaseEdit) -> None:
    if options.input_file == options.expected_file == STDIN:
        raise UsageError("stdin can be read once only")


def _row(options: CaseAdd) -> dict[str, JsonValue]:
    given: dict[str, JsonValue] = {
        "input": _one_text(options.input_, options.input_file, "--input"),
        "expected_output": _one_text(options.expected, options.expected_file, "--expected"),
        "name": options.name,
        "category": None if options.category is None else options.category.value,
        "description": options.description,
        "weight": _number(options.weight),
        "timeout_seconds": _number(options.timeout),
    }
    return {name: value for name, value in given.items() if value is not None}


def _number(given: float | None) -> int | float | None:
    """2 as 2, not as 2.0."""
    return int(given) if given is not None and given.is_integer() else given


def _one_text(text: str | None, path: str | None, option: str) -> str | None:
    if text is not None and path is not None:
        raise UsageError(f"{option} and {option}-file say the same; give one of them")
    return text if path is None else text_of(path)


def _fields(options: CaseEdit) -> dict[str, JsonValue]:
    given = options.set_ or []
    texts = {name: text for name, text in named_texts(given).items() if name in TEXTS}
    fields: dict[str, JsonValue] = {**named_values(given), **texts}
    files = {"input": options.input_file, "expected_output": options.expected_file}
    for name, path in files.items():
        if path is not None:
            fields[name] = _one_text(texts.get(name), path, f"--{name.partition('_')[0]}")
    return fields


def _print(settings: Settings, done: ShelvedCases, change: Change, *, as_json: bool) -> None:
    if not as_json and done.changed:
        more = len(done.case_ids) - _MOST_NAMED
        ids = ", ".join(line(one) for one in done.case_ids[:_MOST_NAMED])
        told_ids = f"{ids}, +{more}" if more > 0 else ids
        typer.echo(CaseWords(settings.language).done[change].format(ids=told_ids))
    elif not as_json:
        typer.echo(EditWords(settings.language).nothing_changed)
    print_shelved(done, settings.language, as_json=as_json)
