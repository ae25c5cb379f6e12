"""``whet skill edit``, ``rollback``, ``adopt``, ``archive`` and ``restore``, and the same of
baselines: each change of an asset is its next version."""

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from whet.app.library.cases import rewrite
from whet.app.library.intake import Intake
from whet.app.library.library import ABOUT, Library, Shelved, library, skill_change
from whet.app.settings import Settings
from whet.cli.asset_output import print_json, print_shelved
from whet.cli.command import Call, when_stopped
from whet.cli.library_options import (
    NOTHING_CHANGED,
    Expect,
    Reference,
    References,
    is_terminal,
    named_texts,
    text_of,
)
from whet.cli.options import say
from whet.core.bilingual import Both, Words
from whet.core.errors import Conflict, UsageError, WhetError
from whet.core.text import printable
from whet.curate import snapshot
from whet.curate.intake.baseline_files import BaselineFile, found_at, found_in
from whet.curate.intake.given import Given, decoded, read_bytes
from whet.curate.snapshot import BaselineSnapshot, SkillSnapshot
from whet.documents.text import parse_json, read_json
from whet.ports.listing import Kind, Status
from whet.shell.editor import edit_file

USUAL_RUBRIC = "default"
FIELDS = ", ".join(ABOUT)


class EditWords(Words):
    """What commands say of an asset that they change."""

    nothing_changed = Both("nothing changed", "没有变化")
    archived = Both("archived: {name}  {id}", "已归档：{name}  {id}")
    restored = Both("restored: {name}  {id}", "已恢复：{name}  {id}")
    already = Both("nothing changed: {name}  {id}", "没有变化：{name}  {id}")
    kept = Both("what you wrote is kept in {path}", "你写的内容保存在 {path}")


@when_stopped(NOTHING_CHANGED)
def edit_skill(
    call: Call,
    reference: Reference,
    content: Annotated[
        str | None,
        typer.Option(
            help="The new text, of a package that of its SKILL.md; - is stdin.", metavar="FILE"
        ),
    ] = None,
    from_: Annotated[
        Path | None,
        typer.Option("--from", help="A folder, zip or file that is what it says from now on."),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help=f"One of {FIELDS}, type; may be repeated.", metavar="NAME=TEXT"),
    ] = None,
    expect: Expect = None,
) -> None:
    """Make the next version of a skill."""
    fields: dict[str, JsonValue] = {**named_texts(set_ or (), (*ABOUT, "type"))}
    if content is not None and from_ is not None:
        raise UsageError("--content and --from both say what the text is; give one of them")
    with library(call.settings.workspace, "skill") as shelf:
        if from_ is not None:
            skill_change(fields)  # refuses a type that there is not
            done = Intake(shelf, replace(Given(), **fields)).onto(reference, from_, expect)
        elif content is not None or fields:
            text = {} if content is None else {"content": text_of(content)}
            done = shelf.edit(reference, {**fields, **text}, expect)
        else:
            done = _skill_in_editor(call.settings, shelf, reference, expect)
    _print(call, done)


@when_stopped(NOTHING_CHANGED)
def edit_baseline(
    call: Call,
    reference: Reference,
    cases: Annotated[
        Path | None,
        typer.Option(help="All cases anew: a .json, .csv or .tsv file.", metavar="FILE"),
    ] = None,
    rubric: Annotated[
        str | None,
        typer.Option(
            help="A file with a rubric, or the name of one: six_dimensions, universal, none "
            "(checks alone decide), or default (as if nothing was said).",
            metavar="FILE|NAME",
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help=f"One of {FIELDS}; may be repeated.", metavar="NAME=TEXT"),
    ] = None,
    expect: Expect = None,
) -> None:
    """Make the next version of a baseline."""
    fields: dict[str, JsonValue] = {**named_texts(set_ or (), ABOUT)}
    if rubric is not None:
        fields["rubric"] = _rubric(rubric)
    with library(call.settings.workspace, "baseline") as shelf:
        if cases is not None:
            done = rewrite(shelf, reference, found_at(cases), fields, expect)
        elif fields:
            done = shelf.edit(reference, fields, expect)
        else:
            done = _baseline_in_editor(call.settings, shelf, reference, expect)
    _print(call, done)


@when_stopped(NOTHING_CHANGED)
def rollback(
    call: Call,
    reference: Reference,
    version: Annotated[str, typer.Argument(help="The version to go back to, v1 say.")],
    kind: Kind,
    expect: Expect = None,
) -> None:
    """Make what an older version said the next one."""
    with library(call.settings.workspace, kind) as shelf:
        done = shelf.rollback(reference, version, expect)
    _print(call, done)


@when_stopped(NOTHING_CHANGED)
def adopt(call: Call, reference: Reference, kind: Kind) -> None:
    """Make what was edited outside the next version."""
    with library(call.settings.workspace, kind) as shelf:
        done = shelf.adopt(reference)
    _print(call, done)


def archive(call: Call, references: References, kind: Kind) -> None:
    """Put them out of the way."""
    _set_status(call, references, kind, "archived")


def restore(call: Call, references: References, kind: Kind) -> None:
    """Take archived ones back."""
    _set_status(call, references, kind, "active")


def _set_status(call: Call, references: References, kind: Kind, status: Status) -> None:
    """Archive or restore; a name that means nothing stops it before anything is done."""
    with library(call.settings.workspace, kind) as shelf:
        ids = dict.fromkeys([shelf.id_of(reference) for reference in references])
        done = [shelf.set_status(identity, status) for identity in ids]
    if call.json:
        print_json({"assets": [one.model_dump(mode="json") for one in done]})
        return
    words = EditWords(call.language)
    changed = words.archived if status == "archived" else words.restored
    for one in done:
        said = changed if one.changed else words.already
        typer.echo(printable(said.format(name=one.name, id=one.id)))


def _skill_in_editor(
    settings: Settings, shelf: Library, reference: str, expect: str | None
) -> Shelved:
    held = _shown_version(shelf, reference, expect, "--content, --from or --set")
    if not isinstance(held, SkillSnapshot):
        raise UsageError(f"{reference!r} is no skill")

    def save(data: bytes) -> Shelved:
        fields: dict[str, JsonValue] = {"content": decoded(data, "the text")}
        return shelf.edit(held.meta.id, fields, held.meta.version)

    name = "SKILL.md" if held.package is not None else "content.txt"
    done = _in_editor(settings, name, held.content, save)
    return done or shelf.shelved(shelf.version(held.meta.id), changed=False)


def _baseline_in_editor(
    settings: Settings, shelf: Library, reference: str, expect: str | None
) -> Shelved:
    held = _shown_version(shelf, reference, expect, "--cases, --rubric or --set")
    if not isinstance(held, BaselineSnapshot):
        raise UsageError(f"{reference!r} is no baseline")
    shown = BaselineFile(
        rubric=held.document.rubric, cases=tuple(case.to_data() for case in held.cases)
    ).lean()

    def save(data: bytes) -> Shelved:
        found = found_in(parse_json(data, "cases.json"), "cases.json")
        return rewrite(shelf, held.meta.id, found, {}, held.meta.version, whole=True)

    done = _in_editor(settings, "cases.json", shown.to_json().encode(), save)
    return done or shelf.shelved(shelf.version(held.meta.id), changed=False)


def _shown_version(
    shelf: Library, reference: str, expect: str | None, options: str
) -> SkillSnapshot | BaselineSnapshot:
    """What the person is to see: the version that an edit is then meant for."""
    if not is_terminal():
        raise UsageError(f"say what to change, by {options}; an editor needs a terminal")
    asset = shelf.version(reference)
    if expect not in (None, asset.meta.version):
        # Nobody is to write for nothing.
        raise Conflict(repr(asset.meta.name), expect, asset.meta.version)
    return snapshot.read(asset)


def _rubric(given: str) -> JsonValue:
    """A file's content, nothing, or else a name."""
    path = Path(given)
    if given == USUAL_RUBRIC:
        return None
    if path.suffix.lower() == ".json" or path.is_file():
        return read_json(path)
    return given


def _in_editor(
    settings: Settings, name: str, data: bytes, save: Callable[[bytes], Shelved]
) -> Shelved | None:
    """Let a person edit *data* in a file of that *name*, and save it; None where it is the same.

    What cannot be saved is kept, and where that is is said.
    """
    folder = Path(tempfile.mkdtemp(prefix="whet-"))
    path = folder / name
    is_kept = False
    try:
        path.write_bytes(data)
        edit_file(path, settings.machine.environment)
        edited = read_bytes(path)
        return None if edited == data else save(edited)
    except (WhetError, KeyboardInterrupt):
        is_kept = path.is_file() and path.read_bytes() != data
        if is_kept:
            say(EditWords(settings.language).kept.format(path=path))
        raise
    finally:
        if not is_kept:
            shutil.rmtree(folder, ignore_errors=True)


def _print(call: Call, done: Shelved) -> None:
    if not done.changed and not call.json:
        typer.echo(EditWords(call.language).nothing_changed)
    print_shelved(done, call.language, as_json=call.json)
