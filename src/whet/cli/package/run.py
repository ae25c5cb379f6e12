"""What ``whet package`` does once its imports are worth it."""

import json
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.text import Text

from whet.app.packages.packages import Packages, packages
from whet.app.packages.told import Installed, PackageDetail, PackageItem, PackageVersion
from whet.app.parts import InstalledParts
from whet.app.settings import Settings
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.package.options import Install, List, Plain, Rollback
from whet.cli.package.words import PackageWords


def install(settings: Settings, options: Install) -> None:
    """Say what became of it."""
    with _packages(settings) as shelf:
        _print_done(settings, shelf.install(options.source), as_json=options.json)


def list_(settings: Settings, options: List) -> None:
    """A table, and below it what is wrong with some."""
    with _packages(settings) as shelf:
        every, found = len(shelf.engines), shelf.items(None if options.all_ else "active")
    if options.json:
        print_json({"packages": [one.model_dump(mode="json") for one in found]})
        return
    words = PackageWords(settings.language)
    if not found:
        typer.echo(words.none)
        return
    heads = [words.columns[one] for one in ("skill_id", "version", "library_version", "name")]
    table = plain_table([*heads, words.columns["modes"], words.columns["engines"]], heads[:3])
    for one in found:
        gone = f" ({words.removed})" if one.status == "archived" else ""
        table.add_row(
            cell(one.skill_id + gone, 100),
            cell(one.version, 40),
            cell(one.library_version),
            cell(one.name, 100),
            cell(", ".join(one.execution_modes)),
            cell(words.every if len(one.engines) == every else ", ".join(one.engines)),
        )
    Console().print(table)
    for one in found:
        for problem in one.problems:
            typer.echo(line(f"{one.skill_id}: {words.problem}: {problem}"))


def show(settings: Settings, options: Plain) -> None:
    """All that a person has to know to use it."""
    with _packages(settings) as shelf:
        found = shelf.detail(options.reference)
    if options.json:
        print_json(found)
        return
    console = Console(highlight=False)
    for one in _described(found, PackageWords(settings.language)):
        console.print(one, soft_wrap=True)


def history(settings: Settings, options: Plain) -> None:
    """A table of its versions."""
    with _packages(settings) as shelf:
        found = shelf.history(options.reference)
    if options.json:
        print_json({"versions": [one.model_dump(mode="json") for one in found]})
        return
    words = PackageWords(settings.language)
    names = ("version", "library_version", "updated_at", "changed")
    heads = [words.columns[name] for name in names]
    table = plain_table(heads, heads[:3])
    for one in found:
        changed = _changed(one, words)
        table.add_row(
            cell(one.version or "–", 40), cell(one.library_version), cell(one.updated_at), changed
        )
    Console().print(table)


def rollback(settings: Settings, options: Rollback) -> None:
    """Say which version it is now."""
    with _packages(settings) as shelf:
        done = shelf.rollback(options.reference, options.version)
    _print_done(settings, done, as_json=options.json)


def remove(settings: Settings, options: Plain) -> None:
    """Say that it is gone."""
    with _packages(settings) as shelf:
        done = shelf.uninstall(options.reference)
    _print_done(settings, done, as_json=options.json)


@contextmanager
def _packages(settings: Settings) -> Generator[Packages]:
    engines = InstalledParts(settings.machine).engines()
    with packages(settings.workspace, engines) as shelf:
        yield shelf


def _print_done(settings: Settings, done: Installed, *, as_json: bool) -> None:
    if as_json:
        print_json(done)
        return
    words = PackageWords(settings.language)
    typer.echo(line(words.actions[done.action].format(**done.model_dump())))
    for note in done.notes:
        typer.echo(f"  {line(f'{words.note}: {note}')}")


def _changed(one: PackageVersion, words: PackageWords) -> Text:
    is_first = one.library_version == "v1" and not one.changed_fields
    return cell(words.first if is_first else ", ".join(one.changed_fields))


def _described(found: PackageDetail, words: PackageWords) -> Iterator[Text]:
    yield Text(line(f"{found.skill_id} {found.version}"), "bold")
    values = {
        "name": found.name,
        "description": found.description,
        "version": f"{found.version} ({found.library_version})",
        "id": found.id,
        "modes": ", ".join(found.execution_modes),
        "engines": ", ".join(found.engines),
        "updated_at": found.updated_at,
    }
    for field, value in values.items():
        if value:
            yield Text(f"{words.fields[field]}: {line(value)}")
    yield from _properties(words.inputs, found.input, words, is_input=True)
    yield from _properties(words.parameters, found.parameter, words)
    yield from _properties(words.outputs, found.output, words)
    if found.artifacts:
        yield Text(f"{words.artifacts}:", "bold")
    for rule in found.artifacts:
        need = words.required if rule.required else words.otherwise
        yield Text(f"  artifacts/{line(rule.pattern, 200)} ({line(rule.role, 60)}, {need})")
    if found.prompts:
        yield Text(line(words.prompts.format(names=", ".join(found.prompts))))
    size = sum(file.size for file in found.files)
    yield Text(words.files.format(count=len(found.files), size=f"{size:,}"))
    for each in found.unused:
        yield Text(line(f"{words.unused}: {each}"), "yellow")
    yield from _troubles(found, words)


def _troubles(found: PackageItem, words: PackageWords) -> Iterator[Text]:
    if found.status == "archived":
        yield Text(words.removed, "yellow")
    for problem in found.problems:
        yield Text(line(f"{words.problem}: {problem}"), "red")


def _properties(
    title: str,
    schema: Mapping[str, JsonValue] | None,
    words: PackageWords,
    *,
    is_input: bool = False,
) -> Iterator[Text]:
    """One line for each property of an object's schema."""
    every, needed = (schema or {}).get("properties"), (schema or {}).get("required")
    if not isinstance(every, dict) or not every:
        return
    yield Text(f"{title}:", "bold")
    for name, one in every.items():
        source = one if isinstance(one, dict) else {}
        is_file = is_input and source.get("x-input-source", "file") == "file"
        is_needed = isinstance(needed, list) and name in needed
        kind = words.file if is_file else source.get("type")
        said = [
            kind if isinstance(kind, str) else "",
            words.required if is_needed else words.otherwise,
        ]
        if "default" in source:
            said.append(words.default.format(value=json.dumps(source["default"])))
        about = source.get("description")
        tail = f"  {about}" if isinstance(about, str) else ""
        told = ", ".join(filter(None, said))
        yield Text(f"  {line(f'{name} ({told}){tail}')}")
