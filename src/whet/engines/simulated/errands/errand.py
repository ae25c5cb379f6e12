"""What the agent can be sent to do, one thing each."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Write:
    """Make a file of this text."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Append:
    """Put a line at the end of a file."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Replace:
    """Put one text in the place of another; without a path in the file that was found last."""

    path: str | None
    old: str | None
    new: str


@dataclass(frozen=True, slots=True)
class SetLine:
    """Put a text in the place of the line of this number, from 1; -1 is the last one."""

    path: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Search:
    """Find a text in a file, or in the files of a folder, and say what the phrase asks for."""

    where: str
    word: str
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class ListFolder:
    """See what is in a folder."""

    path: str


@dataclass(frozen=True, slots=True)
class Read:
    """Read a file."""

    path: str


@dataclass(frozen=True, slots=True)
class Ask:
    """Read a file and say what it says of this."""

    path: str
    phrase: str


@dataclass(frozen=True, slots=True)
class Sort:
    """Put the lines in mind in order."""


@dataclass(frozen=True, slots=True)
class Count:
    """Count ``words`` or ``lines`` of the text in mind."""

    what: str


@dataclass(frozen=True, slots=True)
class Keep:
    """Write down what is in mind."""

    path: str


@dataclass(frozen=True, slots=True)
class Gather:
    """Write the lines of these files into one, without those that have a word in them."""

    target: str
    sources: tuple[str, ...]
    without: str | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """Move the files with this ending from one folder to another."""

    ending: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class WriteJson:
    """Write an object of these fields. A field with a description is worked out of the table
    that was read last."""

    path: str
    fields: Mapping[str, object]
    described: bool = False


@dataclass(frozen=True, slots=True)
class Convert:
    """Write a table as a list of objects."""

    source: str
    target: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mend:
    """Take a comma away that JSON does not allow."""

    path: str


@dataclass(frozen=True, slots=True)
class Run:
    """Run a command."""

    command: str


@dataclass(frozen=True, slots=True)
class Say:
    """Say exactly this."""

    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """Say what this phrase asks for."""

    phrase: str


@dataclass(frozen=True, slots=True)
class Decline:
    """Say that there is no such tool."""

    tool: str


@dataclass(frozen=True, slots=True)
class Wonder:
    """Say that one does not understand what to do with a file."""

    path: str


Errand = (
    Write
    | Append
    | Replace
    | SetLine
    | Search
    | ListFolder
    | Read
    | Ask
    | Sort
    | Count
    | Keep
    | Gather
    | Move
    | WriteJson
    | Convert
    | Mend
    | Run
    | Say
    | Reply
    | Decline
    | Wonder
)
