"""Baselines: JSON, a table, the evals of a skill, or cases written by hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import JsonValue

from whet.core.errors import EnvironmentProblem, InvalidImport, NotFound, UsageError
from whet.curate.draft import BaselineDraft
from whet.curate.intake.baseline_csv import rows_from_csv
from whet.curate.intake.baseline_evals import baseline_name, rows_from_evals
from whet.curate.intake.case_rows import DEEPEST, is_deeper, read_cases
from whet.curate.intake.given import Given, Imported, about, decoded, read_bytes
from whet.documents.base import Document, Items
from whet.documents.rubrics import QualityRubric
from whet.documents.text import parse_untrusted, rows_problem

SUFFIXES = (".json", ".csv", ".tsv")
EVALS = "evals/evals.json"


class BaselineFile(Document):
    """A set of cases in one JSON file; what it does not say about itself is to be given."""

    name: str | None = None
    description: str | None = None
    author: str | None = None
    source: str | None = None
    purpose: str | None = None
    provider: str | None = None
    rubric: str | QualityRubric | None = None
    cases: Items[JsonValue]
    baseline_id: JsonValue = None
    version: JsonValue = None
    """Whose cases they were; these are a baseline of their own."""

    generated: JsonValue = None
    """How a model came to write them, of which the source tells what matters."""

    @classmethod
    def _modern(cls, data: JsonValue) -> JsonValue:
        return {"cases": data} if isinstance(data, list) else data


@dataclass(frozen=True)
class Found:
    """What a file says, its cases as they stand in it, and what is to be told."""

    file: BaselineFile
    notes: tuple[str, ...] = ()


def baseline_from(path: Path, given: Given, now: datetime) -> Imported[BaselineDraft]:
    """The baseline at *path*: a JSON or CSV file, or a skill with ``evals/evals.json``."""
    found = _filled(found_at(path), path.name)
    # The folder's file is called the same everywhere: that is no name.
    names = ("", "evals.json") if path.is_dir() else (path.stem, path.name)
    return _draft(found, given, now, names)


def found_at(path: Path) -> Found:
    """What there is at *path*, in any of the forms of a baseline."""
    try:
        if path.is_dir():
            return _found_in_json(path / EVALS)
        if not path.exists():
            raise NotFound(f"no file {path}")
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {error.strerror}") from error
    match path.suffix.lower():
        case ".json":
            return _found_in_json(path)
        case ".csv" | ".tsv":
            return _found_in_csv(decoded(read_bytes(path), str(path)), path.name)
        case _:
            raise UsageError(f"{path} is no baseline: one of {', '.join(SUFFIXES)} is")


def baseline_from_json(
    data: JsonValue, given: Given, now: datetime, fallback: str = "", source: str = ""
) -> Imported[BaselineDraft]:
    """An object with ``cases``, a bare list of cases, or the eval suite of a skill."""
    return _draft(
        _filled(found_in(data, source), source or "the baseline"), given, now, (fallback, source)
    )


def found_in(data: JsonValue, source: str = "") -> Found:
    """The same, with the cases as they stand there."""
    shown = source or "the baseline"
    if problem := _count_problem(data):
        raise InvalidImport(shown, [problem])
    if isinstance(data, dict) and "evals" in data and "cases" not in data:
        skill, rows, notes = rows_from_evals(data, shown)
        return Found(BaselineFile(name=baseline_name(skill), cases=tuple(rows)), notes)
    if is_deeper(data, DEEPEST):
        raise InvalidImport(shown, [f"is nested more than {DEEPEST} levels deep"])
    if problems := BaselineFile.mistakes(data):
        raise InvalidImport(shown, problems)
    file = BaselineFile.parse(data, shown)
    unknown = sorted(file.model_extra or ())
    notes = (f"not taken: {', '.join(map(repr, unknown))}",) if unknown else ()
    return Found(file, notes)


def baseline_from_csv(
    text: str, given: Given, now: datetime, fallback: str = "", source: str = ""
) -> Imported[BaselineDraft]:
    """A table with a header row; ``,``, ``;`` and tabs part its cells."""
    return _draft(
        _filled(_found_in_csv(text, source), source or "the table"), given, now, (fallback, source)
    )


def baseline_by_hand(
    cases: Sequence[JsonValue], given: Given, now: datetime
) -> Imported[BaselineDraft]:
    """Cases as a person gave them one by one."""
    return _draft(Found(BaselineFile(cases=tuple(cases))), given, now, ("", ""))


def _count_problem(data: JsonValue) -> str | None:
    """Whether there are too many cases, before anything is done with them."""
    if not isinstance(data, dict):
        return rows_problem(data, "cases")
    return rows_problem(data.get("cases"), "cases") or rows_problem(data.get("evals"), "evals")


def _found_in_json(path: Path) -> Found:
    return found_in(parse_untrusted(read_bytes(path), str(path)), path.name)


def _found_in_csv(text: str, source: str) -> Found:
    rows, notes = rows_from_csv(text, source or "the table")
    return Found(BaselineFile(cases=tuple(rows)), notes)


def _filled(found: Found, source: str) -> Found:
    """*found*, unless there is no case in it: nothing could be tested by such a baseline."""
    if not found.file.cases:
        raise InvalidImport(source, ["has no cases; write at least one"])
    return found


def _draft(
    found: Found, given: Given, now: datetime, names: tuple[str, str]
) -> Imported[BaselineDraft]:
    fallback, source = names
    file = found.file
    own = Given(
        name=file.name,
        description=file.description,
        author=file.author,
        source=file.source,
        purpose=file.purpose,
        provider=file.provider,
    )
    known = about(given, own, fallback, source)
    cases, more = read_cases(file.cases, source or known.name, now)
    draft = BaselineDraft(about=known, cases=cases, rubric=file.rubric)
    return Imported(draft, (*found.notes, *more))
