"""What had to be done to a session log of elsewhere before it was one of ours."""

import json
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from whet.documents.base import Document, Items, Written

FindingKind = Literal[
    "missing", "guessed", "out_of_enum", "renamed", "disagrees", "cut", "encoding", "skipped"
]
"""What was not there; what was put in its place; a value that the format does not know; another
name or shape for a known thing; numbers that contradict each other; what was too long; characters
that had to be read otherwise; what could not be read at all."""

MOST_FINDINGS = 500
_LONGEST_QUOTE = 60


class ImportFinding(Document):
    """One thing that was found, and how often; the place is that of the first."""

    kind: FindingKind
    code: str
    """Stable for machines."""

    message: str
    count: Written[int] = 1
    field: str | None = None
    file: str | None = None
    """Of a file beside the log, such as that of a subagent."""

    line: int | None = None
    column: int | None = None


class BesideFile(Document):
    """A file that was read along with a log, such as that of a subagent."""

    file: str
    """Relative to the folder of the log."""

    bytes: int
    """As it was, with its secrets."""


class ImportReport(Document):
    """The repair report of one log."""

    source: str
    format: str
    bytes: Written[int] = 0
    lines: Written[int] = 0
    sessions: Written[Items[str]] = ()
    tool_calls: Written[int] = 0
    findings: Written[Items[ImportFinding]] = ()
    findings_omitted: Written[int] = 0
    """Kinds of findings beyond those that are listed."""

    imported_at: str | None = None
    names: Items[str] | None = None
    """Of the files that its sessions lie in, in the same order."""

    original: str | None = None
    """The name of the copy of the log, beside the report."""

    beside: Items[BesideFile] | None = None
    """What was read along with it; copies lie in ``beside/``."""

    redactions: dict[str, int] | None = None
    """How many secrets were replaced, by kind; None where secrets were kept."""


class Repairs:
    """Collects findings while a log is read. Like ones are counted, so that it stays small."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.file: str | None = None
        """The file that is being read, where it is another than the source."""

        self.line: int | None = None
        """The line that is being read; findings get it unless they know better."""

        self.files: list[Path] = []
        """All that were read, those beside the log too."""

        self.bytes = 0
        self.lines = 0
        self._found: dict[tuple[str | None, ...], dict[str, JsonValue]] = {}
        self._omitted = 0

    def note(
        self,
        kind: FindingKind,
        code: str,
        message: str,
        *,
        field: str | None = None,
        column: int | None = None,
    ) -> None:
        """Take down a finding at the present line."""
        key = (kind, code, field)
        if (known := self._found.get(key)) is not None:
            known["count"] = int(str(known["count"])) + 1
        elif len(self._found) >= MOST_FINDINGS:
            self._omitted += 1
        else:
            place: dict[str, JsonValue] = {
                "field": field,
                "file": self.file,
                "line": self.line,
                "column": column,
            }
            told = {name: value for name, value in place.items() if value is not None}
            self._found[key] = {"kind": kind, "code": code, "message": message, "count": 1, **told}

    @property
    def findings(self) -> tuple[ImportFinding, ...]:
        """What was found so far, in the order in which it first was."""
        return tuple(ImportFinding.parse(found, self.source) for found in self._found.values())

    @property
    def worst(self) -> ImportFinding | None:
        """The first thing that could not be read, if there is one."""
        return next((each for each in self.findings if each.kind == "skipped"), None)

    def report(self, format_: str, sessions: tuple[str, ...], tool_calls: int) -> ImportReport:
        """The report of all that was found."""
        return ImportReport(
            source=self.source,
            format=format_,
            bytes=self.bytes,
            lines=self.lines,
            sessions=sessions,
            tool_calls=tool_calls,
            findings=self.findings,
            findings_omitted=self._omitted,
        )


def quoted(value: JsonValue) -> str:
    """A foreign value in a message: in one line, without control characters, and short."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = json.dumps(value[:_LONGEST_QUOTE] if isinstance(value, str) else value)
    return text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 1]}…"
