"""What ``whet skill edit`` and the like do once their imports are worth their time."""

from dataclasses import replace
from pathlib import Path
from typing import Literal

import typer
from pydantic import JsonValue

from whet.app.library.cases import rewrite
from whet.app.library.intake import Intake
from whet.app.library.library import ABOUT, Library, Shelved, library, skill_change
from whet.app.settings import Settings
from whet.cli.asset_edit_options import Adopt, BaselineEdit, Rollback, SkillEdit, Status
from whet.cli.asset_edit_text import in_editor, is_terminal, named_texts, text_of
from whet.cli.asset_edit_words import EditWords
from whet.cli.asset_output import print_json, print_shelved
from whet.core.errors import Conflict, UsageError
from whet.curate import snapshot
from whet.curate.intake.baseline_files import BaselineFile, found_at, found_in
from whet.curate.intake.given import Given, decoded
from whet.curate.snapshot import BaselineSnapshot, SkillSnapshot
from whet.documents.text import parse_json, read_json
from whet.evaluate.review import printable
from whet.ports.listing import Kind

USUAL_RUBRIC = "default"


def edit_skill(settings: Settings, options: SkillEdit) -> None:
    """The next version of a skill."""
    fields: dict[str, JsonValue] = {**named_texts(options.set_ or (), (*ABOUT, "type"))}
    if options.content is not None and options.from_ is not None:
        raise UsageError("--content and --from both say what the text is; give one of them")
    with library(settings.workspace, "skill") as shelf:
        if options.content is None and options.from_ is None and not fields:
            done = _skill_in_editor(settings, shelf, options)
        elif options.from_ is not None:
            skill_change(fields)  # refuses a type that there is not
            intake = Intake(shelf, replace(Given(), **fields))
            done = intake.onto(options.reference, options.from_, options.expect)
        else:
            text = {} if options.content is None else {"content": text_of(options.content)}
            done = shelf.edit(options.reference, {**fields, **text}, options.expect)
    _print(settings, done, as_json=options.json)


def edit_baseline(settings: Settings, options: BaselineEdit) -> None:
    """The next version of a baseline."""
    fields: dict[str, JsonValue] = {**named_texts(options.set_ or (), ABOUT)}
    if options.rubric is not None:
        fields["rubric"] = _rubric(options.rubric)
    with library(settings.workspace, "baseline") as shelf:
        if options.cases is not None:
            found = found_at(options.cases)
            done = rewrite(shelf, options.reference, found, fields, options.expect)
        elif fields:
            done = shelf.edit(options.reference, fields, options.expect)
        else:
            done = _baseline_in_editor(settings, shelf, options)
    _print(settings, done, as_json=options.json)


def rollback(settings: Settings, kind: Kind, options: Rollback) -> None:
    """What an older version said, as the next one."""
    with library(settings.workspace, kind) as shelf:
        done = shelf.rollback(options.reference, options.version, options.expect)
    _print(settings, done, as_json=options.json)


def adopt(settings: Settings, kind: Kind, options: Adopt) -> None:
    """What was edited outside, as the next version."""
    with library(settings.workspace, kind) as shelf:
        done = shelf.adopt(options.reference)
    _print(settings, done, as_json=options.json)


def set_status(
    settings: Settings, kind: Kind, options: Status, status: Literal["active", "archived"]
) -> None:
    """Archive or restore; a name that means nothing stops it before anything is done."""
    with library(settings.workspace, kind) as shelf:
        ids = dict.fromkeys([shelf.id_of(reference) for reference in options.references])
        done = [shelf.set_status(identity, status) for identity in ids]
    if options.json:
        print_json({"assets": [one.model_dump(mode="json") for one in done]})
        return
    words = EditWords(settings.language)
    changed = words.archived if status == "archived" else words.restored
    for one in done:
        said = changed if one.changed else words.already
        typer.echo(printable(said.format(name=one.name, id=one.id)))


def _skill_in_editor(settings: Settings, shelf: Library, options: SkillEdit) -> Shelved:
    held = _held(shelf, options)
    if not isinstance(held, SkillSnapshot):
        raise UsageError(f"{options.reference!r} is no skill")

    def save(data: bytes) -> Shelved:
        fields: dict[str, JsonValue] = {"content": decoded(data, "the text")}
        return shelf.edit(held.meta.id, fields, held.meta.version)

    name = "SKILL.md" if held.package is not None else "content.txt"
    done = in_editor(settings, name, held.content, save)
    return done or shelf.shelved(shelf.version(held.meta.id), changed=False)


def _baseline_in_editor(settings: Settings, shelf: Library, options: BaselineEdit) -> Shelved:
    held = _held(shelf, options)
    if not isinstance(held, BaselineSnapshot):
        raise UsageError(f"{options.reference!r} is no baseline")
    shown = BaselineFile(rubric=held.document.rubric, cases=_rows(held)).lean()

    def save(data: bytes) -> Shelved:
        found = found_in(parse_json(data, "cases.json"), "cases.json")
        return rewrite(shelf, held.meta.id, found, {}, held.meta.version, whole=True)

    done = in_editor(settings, "cases.json", shown.to_json().encode(), save)
    return done or shelf.shelved(shelf.version(held.meta.id), changed=False)


def _held(shelf: Library, options: SkillEdit | BaselineEdit) -> SkillSnapshot | BaselineSnapshot:
    """What the person is to see: the version that an edit is then meant for."""
    if not is_terminal():
        use = "--content, --from or --set"
        if isinstance(options, BaselineEdit):
            use = "--cases, --rubric or --set"
        raise UsageError(f"say what to change, by {use}; an editor needs a terminal")
    asset = shelf.version(options.reference)
    if options.expect not in (None, asset.meta.version):
        # Nobody is to write for nothing.
        raise Conflict(repr(asset.meta.name), options.expect, asset.meta.version)
    return snapshot.read(asset)


def _rows(held: BaselineSnapshot) -> tuple[JsonValue, ...]:
    return tuple(case.to_data() for case in held.cases)


def _rubric(given: str) -> JsonValue:
    """A file's content, nothing, or else a name."""
    path = Path(given)
    if given == USUAL_RUBRIC:
        return None
    if path.suffix.lower() == ".json" or path.is_file():
        return read_json(path)
    return given


def _print(settings: Settings, done: Shelved, *, as_json: bool) -> None:
    if not done.changed and not as_json:
        typer.echo(EditWords(settings.language).nothing_changed)
    print_shelved(done, settings.language, as_json=as_json)
