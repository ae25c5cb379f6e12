"""The tool calls of a trial: those that its engine saw, and those written as text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from whet.checkers.blocks import TOOL_CALL, blocks, said, thoughtless
from whet.checkers.values import NotJson, read
from whet.checkers.verdict import shown
from whet.core.tools import FINAL, canonical, canonical_arguments
from whet.ports.checker import Subject


@dataclass(slots=True)
class Calls:
    """All calls by the names that engines share, and blocks that should be calls and are not."""

    made: list[tuple[str, Mapping[str, JsonValue]]] = field(
        default_factory=list[tuple[str, Mapping[str, JsonValue]]]
    )
    malformed: list[str] = field(default_factory=list[str])

    def add(self, tool: str, arguments: Mapping[str, JsonValue]) -> None:
        """One more call, under whatever names."""
        name = canonical(tool)
        self.made.append((name, canonical_arguments(name, arguments)))

    def of(self, tool: str) -> list[Mapping[str, JsonValue]]:
        """The arguments of every call of *tool*."""
        return [arguments for name, arguments in self.made if name == canonical(tool)]

    @property
    def names(self) -> list[str]:
        """The tools that were called, each once, in order; that the agent ended is no news."""
        return list(dict.fromkeys(name for name, _ in self.made if name != FINAL))


def calls_of(subject: Subject) -> Calls:
    """Collect the calls of a trial."""
    found = Calls()
    if subject.session is not None:
        for call in subject.session.tool_calls:
            found.add(call.tool_name, call.input.params)
    for text in _texts(subject):
        for _, _, inside in blocks(thoughtless(text), TOOL_CALL):
            _add(found, inside)
    if subject.record.status == "completed" and (answer := said(subject.record.answer)):
        found.add(FINAL, {"content": answer})
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
        found.add(name, arguments)


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
