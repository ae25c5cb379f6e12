"""Putting right what needs no person: each file in one step, and a second time changes nothing."""

import json
import stat
from pathlib import Path

from whet.core.errors import EnvironmentProblem, UsageError
from whet.curate.lint import front_matter, identity, scripts, texts
from whet.curate.lint.finding import Rule, quoted
from whet.curate.lint.folder import ENTRY, File, Skill, skill_in
from whet.curate.lint.front import front_of
from whet.curate.lint.report import Repair
from whet.curate.lint.texts import BYTE_ORDER_MARK
from whet.documents.files import write_atomic

_EXECUTE = {stat.S_IRUSR: stat.S_IXUSR, stat.S_IRGRP: stat.S_IXGRP, stat.S_IROTH: stat.S_IXOTH}


def fix(folder: Path) -> tuple[Repair, ...]:
    """Put right what can be, and say what was; a version in the library is never changed."""
    skill = skill_in(folder)
    if skill.is_version:
        raise UsageError(f"{folder} is a version in the library, which never changes; edit it")
    return tuple(repair for file in skill.own for repair in _file(skill, file))


def _file(skill: Skill, file: File) -> list[Repair]:
    repairs: list[Repair] = []
    data, mode = file.data, file.mode
    if texts.is_text_file(file) and file.text is not None:
        data = _text(skill, file, repairs).encode()
    if scripts.has_shebang(file) and not file.is_executable:
        mode |= sum(may for read, may in _EXECUTE.items() if mode & read)
        repairs.append(_repair(file, scripts.NOT_EXECUTABLE, "may be executed now"))
    path = skill.root / file.path
    try:
        if data != file.data:
            write_atomic(path, data, durable=True, mode=mode)
        elif mode != file.mode:
            path.chmod(mode)
    except OSError as error:
        raise EnvironmentProblem(f"cannot change {path}: {error.strerror}") from error
    return repairs


def _text(skill: Skill, file: File, repairs: list[Repair]) -> str:
    """The text of a file as it should be; what is changed is added to *repairs*."""
    text = file.data.decode()
    if BYTE_ORDER_MARK in text:
        begins = file.path == ENTRY and text.startswith(BYTE_ORDER_MARK)
        rule = texts.ENTRY_MARK if begins else texts.MARK
        repairs.append(_repair(file, rule, "byte order mark removed"))
        text = text.replace(BYTE_ORDER_MARK, "")
    if "\r\n" in text and texts.wants_line_feeds(file):
        repairs.append(_repair(file, texts.LINE_ENDS, "lines end with a line feed"))
        text = text.replace("\r\n", "\n")
    if file.path != ENTRY:
        return text
    return _named(skill, file, _trimmed(file, text, repairs), repairs)


def _trimmed(file: File, text: str, repairs: list[Repair]) -> str:
    """Without blanks at the end of lines of the front matter."""
    front = front_of(text)
    bare = [line.rstrip(" \t") for line in front.lines]
    if front.missing or bare == list(front.lines):
        return text
    repairs.append(_repair(file, front_matter.WHITESPACE, "blanks at ends of lines removed"))
    first, *rest = text.split("\n")
    return "\n".join([first, *bare, *rest[len(bare) :]])


def _named(skill: Skill, file: File, text: str, repairs: list[Repair]) -> str:
    """With the name of the folder, if that can be a name and the one there is can be read."""
    front, wanted = front_of(text), skill.name
    if not identity.can_be_named(front, wanted):
        return text
    own, name = front.fields.get("name"), front.text("name")
    if name == wanted or (own is not None and name is None):
        return text
    if not name:
        rule, was = identity.NO_NAME, "nothing"
    else:
        rule = identity.NAME_FOLDER if identity.is_name(name) else identity.NAME_FORM
        was = quoted(name)
    repairs.append(_repair(file, rule, f"name: {wanted} instead of {was}"))
    lines = text.split("\n")
    start, end = (own.line - 1, own.end - 1) if own else (1, 1)
    return "\n".join([*lines[:start], f"name: {_written(wanted)}", *lines[end:]])


def _written(name: str) -> str:
    """A name as YAML takes it for a text: 2024 needs quotes."""
    bare = front_of(f"---\nname: {name}\n---\n").fields["name"].value
    return name if getattr(bare, "is_text", False) else json.dumps(name)


def _repair(file: File, rule: Rule, message: str) -> Repair:
    return Repair(file.path, rule.id, message)
