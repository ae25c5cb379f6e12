"""What a call is about: its subject in one line, and the files that it reads and writes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from whet.core.tools import canonical_arguments
from whet.replay.commands import command_of
from whet.replay.tasks import tasks_in

Kind = Literal["look", "change", "check", "plan", "tasks", "skill", "ask", "delegate", "none"]
"""What a call does, coarsely: it looks at something, changes something, checks what was changed,
plans, writes a list of tasks, takes up a skill, asks the user, hands work to a subagent, or none of
these."""

_KINDS: Mapping[str, Kind] = {
    "Write": "change",
    "Edit": "change",
    "NotebookEdit": "change",
    "Skill": "skill",
    "AskUserQuestion": "ask",
    "Task": "delegate",
    "TodoWrite": "tasks",
    "TaskCreate": "tasks",
    "EnterPlanMode": "plan",
    "ExitPlanMode": "plan",
}
_BY_CATEGORY: Mapping[str, Kind] = {"perception": "look", "action": "change", "planning": "plan"}
_WRITERS = frozenset({"Write", "Edit", "NotebookEdit"})
_FILES = ("file_path", "notebook_path", "path")
_TELLING = (
    "file_path",
    "notebook_path",
    "command",
    "pattern",
    "path",
    "url",
    "query",
    "skill",
    "description",
    "subject",
    "question",
    "prompt",
    "name",
)
_LONGEST = 2_000
_LONGEST_PATH = 1_000


@dataclass(frozen=True, slots=True)
class Subject:
    """What is known of a call without its neighbours."""

    kind: Kind
    text: str
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    looks_back: bool = False
    """Whether it asks what has changed."""


def subject_of(tool: str, category: str, params: Mapping[str, JsonValue]) -> Subject:
    """Look at a call of the tool that has this shared name."""
    given = canonical_arguments(tool, params)
    if tool == "Bash":
        return _shell(given.get("command"))
    kind = _KINDS.get(tool) or _BY_CATEGORY.get(category, "none")
    paths = _paths(tool, given)
    return Subject(
        kind,
        _tasks(given) if kind == "tasks" else _text(given, paths),
        reads=paths if tool in ("Read", "NotebookRead") else (),
        writes=paths if tool in _WRITERS else (),
    )


def _shell(given: JsonValue) -> Subject:
    words = [one for one in given if isinstance(one, str)] if isinstance(given, list) else [given]
    command = " ".join(word for word in words if isinstance(word, str))
    found = command_of(command)
    reads, writes = (tuple(map(plain_path, paths)) for paths in (found.reads, found.writes))
    return Subject(found.kind, one_line(command), reads, writes, found.looks_back)


def _paths(tool: str, given: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """The files that the arguments name; an edit may be a patch of several."""
    for name in _FILES:
        match given.get(name):
            case str(path) if path:
                return (plain_path(path),)
            case _:
                pass
    several = given.get("paths")
    if isinstance(several, list):
        return tuple(plain_path(path) for path in several if isinstance(path, str) and path)
    patch = given.get("patch", given.get("patchText", given.get("input")))
    if tool == "Edit" and isinstance(patch, str):
        return tuple(map(plain_path, command_of(patch).writes))
    return ()


def _text(given: Mapping[str, JsonValue], paths: tuple[str, ...]) -> str:
    words = (given.get(name) for name in _TELLING)
    told = next((word for word in words if isinstance(word, str) and word.strip()), None)
    if told is not None:
        where = given.get("path")
        beside = isinstance(where, str) and bool(where) and "pattern" in given and told != where
        return one_line(f"{told} in {where}" if beside else told)
    if paths:
        return ", ".join(paths)[:_LONGEST]
    match given.get("questions"):
        case [{"question": str(question)}, *_]:
            return one_line(question)
        case _:
            pass
    return one_line(json.dumps(given, ensure_ascii=False, default=str)) if given else ""


def _tasks(given: Mapping[str, JsonValue]) -> str:
    return one_line(", ".join(task.text for task in tasks_in(given)))


def one_line(text: str, most: int = _LONGEST) -> str:
    """*text* with each stretch of blanks as one space, and cut off."""
    return " ".join(text[: 2 * most].split())[:most]


def plain_path(path: str) -> str:
    """A path without what means nothing in it."""
    plain = path[:_LONGEST_PATH].strip().replace("\\", "/")
    while plain.startswith("./"):
        plain = plain[2:].lstrip("/")
    while "//" in plain:
        plain = plain.replace("//", "/")
    return (plain.rstrip("/") if len(plain) > 1 else plain) or "."
