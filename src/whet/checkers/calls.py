"""The tool calls of a trial: those that its engine saw, and those written as text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from whet.checkers.blocks import TOOL_CALL, blocks, thoughtless
from whet.checkers.values import NotJson, read
from whet.checkers.verdict import shown
from whet.ports.checker import Subject

_CANONICAL = {
    "read_file": "Read",
    "write_file": "Write",
    "edit_file": "Edit",
    "apply_patch": "Edit",
    "list_files": "LS",
    "list_directory": "LS",
    "search_content": "Grep",
    "execute_command": "Bash",
    "run_shell_command": "Bash",
    "shell": "Bash",
    "skill_call": "Skill",
}


@dataclass(slots=True)
class Calls:
    """All calls by canonical name, and blocks that should be calls and are not."""

    made: list[tuple[str, Mapping[str, JsonValue]]] = field(
        default_factory=list[tuple[str, Mapping[str, JsonValue]]]
    )
    malformed: list[str] = field(default_factory=list[str])

    def of(self, tool: str) -> list[Mapping[str, JsonValue]]:
        """The arguments of every call of *tool*."""
        return [arguments for name, arguments in self.made if name == canonical(tool)]

    @property
    def names(self) -> list[str]:
        """The tools that were called, each once, in order."""
        return list(dict.fromkeys(name for name, _ in self.made))


def canonical(tool: str) -> str:
    """The name of a tool that all engines share; an unknown one stays as it is."""
    return _CANONICAL.get(tool, tool)


def calls_of(subject: Subject) -> Calls:
    """Collect the calls of a trial."""
    found = Calls()
    if subject.session is not None:
        found.made += [
            (canonical(call.tool_name), call.input.params) for call in subject.session.tool_calls
        ]
    for text in _texts(subject):
        for _, _, inside in blocks(thoughtless(text), TOOL_CALL):
            _add(found, inside)
    return found


def _texts(subject: Subject) -> Iterator[str]:
    """What was said; the answer often is the last message."""
    messages = (subject.session.messages if subject.session else None) or ()
    yield from messages
    if subject.record.answer not in messages:
        yield subject.record.answer


def _add(found: Calls, inside: str) -> None:
    try:
        name, arguments = _call(read(inside))
    except NotJson as error:
        found.malformed.append(f"{shown(inside.strip())} ({error})")
    else:
        found.made.append((canonical(name), arguments))


def _call(value: JsonValue) -> tuple[str, Mapping[str, JsonValue]]:
    """The name and the arguments, under the names that models know them by."""
    match value:
        case {"name": str(name), **rest} | {"tool": str(name), **rest}:
            names = ("arguments", "args", "parameters", "input")
            none: JsonValue = {}
            arguments = next((rest[one] for one in names if one in rest), none)
            if isinstance(arguments, str):
                arguments = read(arguments)
            if isinstance(arguments, dict):
                return name, arguments
            raise NotJson("the arguments are no object")
        case _:
            raise NotJson("no object with a name")
