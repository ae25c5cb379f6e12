"""Which turn of which conversation a request asks for. Nothing is remembered between requests:
a client that tries again gets the same turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby

from whet.testing.model_server.script import Script, Turn


class Other(Enum):
    """Entries of a dialogue that no marker is looked for in."""

    MODEL = "something the model said or called"
    REST = "a tool's result, or user text that does not count"


Dialogue = Sequence[str | Other]
"""What a request tells of the past, oldest first; a string is user text that counts."""


@dataclass(frozen=True, slots=True)
class Place:
    """A turn of a conversation, or of the default, which has no number and no marker."""

    number: int | None
    marker: str | None
    turns: Sequence[Turn]
    turn: int


def find(script: Script, dialogue: Dialogue) -> Place:
    """The earliest text with a marker decides; if it has several, the longest one."""
    for position, entry in enumerate(dialogue):
        if isinstance(entry, str) and (number := _best(script, entry)) is not None:
            chosen = script.conversations[number]
            turn = _model_turns(dialogue[position + 1 :])
            return Place(number, chosen.marker, chosen.turns, turn)
    return Place(None, None, script.default, _model_turns(dialogue))


def _best(script: Script, text: str) -> int | None:
    numbers = [
        number
        for number, conversation in enumerate(script.conversations)
        if conversation.marker in text
    ]
    return max(numbers, key=lambda number: len(script.conversations[number].marker), default=None)


def _model_turns(dialogue: Dialogue) -> int:
    """One turn may be several messages in a row."""
    return sum(1 for entry, _ in groupby(dialogue) if entry is Other.MODEL)
