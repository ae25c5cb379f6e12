"""Baselines: JSON, a table, the evals of a skill, or cases written by hand."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from pydantic import JsonValue

from whet.core.errors import EnvironmentProblem, InvalidImport, UsageError
from whet.curate.draft import BaselineDraft
from whet.curate.intake.baseline_csv import rows_from_csv
from whet.curate.intake.baseline_evals import rows_from_evals
from whet.curate.intake.case_rows import DEEPEST, is_deeper, read_cases
from whet.curate.intake.given import Given, Imported, about, decoded, read_bytes
from whet.documents.base import Document, Items
from whet.documents.rubrics import QualityRubric
from whet.documents.text import parse_json

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

    @classmethod
    def _modern(cls, data: JsonValue) -> JsonValue:
        return {"cases": data} if isinstance(data, list) else data


def baseline_from(path: Path, given: Given, now: datetime) -> Imported[BaselineDraft]:
    """The baseline at *path*: a JSON or CSV file, or a skill with ``evals/evals.json``."""
    try:
        if path.is_dir():
            return _from_json(path / EVALS, given, now, "")
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {error.strerror}") from error
    match path.suffix.lower():
        case ".json":
            return _from_json(path, given, now, path.stem)
        case ".csv" | ".tsv":
            text = decoded(read_bytes(path), str(path))
            return baseline_from_csv(text, given, now, path.stem, path.name)
        case _:
            raise UsageError(f"{path} is no baseline: one of {', '.join(SUFFIXES)} is")


def baseline_from_json(
    data: JsonValue, given: Given, now: datetime, fallback: str = "", source: str = ""
) -> Imported[BaselineDraft]:
    """An object with ``cases``, a bare list of cases, or the eval suite of a skill."""
    shown = source or "the baseline"
    if isinstance(data, dict) and "evals" in data and "cases" not in data:
        skill, rows, notes = rows_from_evals(data, shown)
        return _draft(
            BaselineFile(name=f"{skill} evals", cases=tuple(rows)),
            given,
            now,
            (fallback, source),
            notes,
        )
    if is_deeper(data, DEEPEST):
        raise InvalidImport(shown, [f"is nested more than {DEEPEST} levels deep"])
    if problems := BaselineFile.mistakes(data):
        raise InvalidImport(shown, problems)
    file = BaselineFile.parse(data, shown)
    unknown = sorted(file.model_extra or ())
    notes = (f"not taken: {', '.join(map(repr, unknown))}",) if unknown else ()
    return _draft(file, given, now, (fallback, source), notes)


def baseline_from_csv(
    text: str, given: Given, now: datetime, fallback: str = "", source: str = ""
) -> Imported[BaselineDraft]:
    """A table with a header row; ``,``, ``;`` and tabs part its cells."""
    rows, notes = rows_from_csv(text, source or "the table")
    return _draft(BaselineFile(cases=tuple(rows)), given, now, (fallback, source), notes)


def baseline_by_hand(
    cases: Sequence[JsonValue], given: Given, now: datetime
) -> Imported[BaselineDraft]:
    """Cases as a person gave them one by one."""
    return _draft(BaselineFile(cases=tuple(cases)), given, now, ("", ""), ())


def _from_json(path: Path, given: Given, now: datetime, fallback: str) -> Imported[BaselineDraft]:
    data = parse_json(read_bytes(path), str(path))
    return baseline_from_json(data, given, now, fallback, path.name)


def _draft(
    file: BaselineFile,
    given: Given,
    now: datetime,
    names: tuple[str, str],
    notes: tuple[str, ...],
) -> Imported[BaselineDraft]:
    fallback, source = names
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
    return Imported(BaselineDraft(about=known, cases=cases, rubric=file.rubric), (*notes, *more))
