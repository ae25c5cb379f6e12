"""Reading logs in tests: with every reader there is, as the product does."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import JsonValue

from whet.app.parts import InstalledParts, every_reader
from whet.documents.session import Session
from whet.documents.session_import import ImportReport
from whet.ports.machine import Machine
from whet.readers.sessions import ReadLog, read_log

T = TypeVar("T")

FIXTURES = Path(__file__).parent.parent / "documents/fixtures/session"

READERS = every_reader(InstalledParts(Machine({}, Path("/nowhere"))))


def example(name: str) -> Any:
    """An example of the session log format."""
    return json.loads((FIXTURES / f"{name}.json").read_text("utf-8"))


def log_of(path: Path) -> ReadLog:
    return read_log(path, READERS)


def read(path: Path) -> tuple[list[Session], ImportReport]:
    """All sessions of a log as the documents that they must be, and the report."""
    log = log_of(path)
    sessions = [Session.parse(session, path.name) for session in log.sessions()]
    return sessions, log.report()


def read_one(path: Path) -> tuple[Session, ImportReport]:
    sessions, report = read(path)
    assert len(sessions) == 1
    return sessions[0], report


def there(value: T | None) -> T:
    """Something that must be there."""
    assert value is not None
    return value


def codes(report: ImportReport) -> set[str]:
    return {finding.code for finding in report.findings}


def lines(path: Path, rows: Iterable[Mapping[str, JsonValue]]) -> Path:
    """A log of JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def document(path: Path, value: JsonValue) -> Path:
    """A log that is one document, as people write them."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2), "utf-8")
    return path
