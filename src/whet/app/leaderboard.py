"""The leaderboard as every door shows it."""

import json
from collections.abc import Iterator
from datetime import time
from typing import Literal

from pydantic import Field, JsonValue

from whet.app.moment import Moment, moment
from whet.core.asset_query import LARGEST_PAGE, LAST_PAGE
from whet.core.errors import NotFound, UsageError
from whet.core.value import RequestModel, Value
from whet.documents.base import Document
from whet.ports.board import BoardQuery
from whet.ports.index import Index
from whet.ports.listing import Kind
from whet.rank.leaderboard import BaselineHistory, group, history, record
from whet.rank.leaderboard_table import as_csv

Form = Literal["csv", "json"]
MOST_RECORDS = 4_000
"""On one page of groups."""

LINES = 200
"""That are handed out at once."""


class Wanted(RequestModel):
    """Which results of projects."""

    baseline: str | None = Field(
        default=None, description="Only on this baseline: its id, a unique beginning, or its name."
    )
    skill: str | None = Field(
        default=None, description="Only of this skill: its id, a unique beginning, or its name."
    )
    purpose: str | None = Field(default=None, description="Only on baselines of this purpose.")
    since: Moment | None = Field(
        default=None, description="Only tested then or later: a date, or a time; UTC."
    )
    until: Moment | None = Field(
        default=None, description="Only tested then or earlier; a date is that whole day."
    )
    include_stale: bool = Field(
        default=True,
        description="Also what was tested before the skill or the baseline got a newer version.",
    )
    by_version: bool = Field(
        default=False,
        description="Each version of a skill once on each version of a baseline: the latest test.",
    )
    archived: bool = Field(
        default=False, description="Those of archived projects, which do not count otherwise."
    )


class Slice(RequestModel):
    """Which page of them; pages begin with 1."""

    page: int = Field(default=1, ge=1, le=LAST_PAGE)
    page_size: int = Field(default=20, ge=1, le=LARGEST_PAGE)
    records_page: int = Field(
        default=1, ge=1, le=LAST_PAGE, description="Of the records in each group."
    )
    records_page_size: int = Field(default=10, ge=1, le=LARGEST_PAGE)


class RecordPage(Value):
    """Some of *total* records, the best first."""

    records: tuple[dict[str, JsonValue], ...]
    total: int
    page: int
    page_size: int


class GroupPage(Value):
    """Some of *total* baselines, those with the most records first, each with some of them."""

    groups: tuple[dict[str, JsonValue], ...]
    total: int
    page: int
    page_size: int
    records_page: int
    records_page_size: int


class SkillHistory(Value):
    """How a skill did over its versions and over time."""

    skill_id: str
    skill_name: str
    skill_version_current: str | None
    """None where it is gone from the library."""

    baselines: tuple[BaselineHistory, ...]


def records(index: Index, wanted: Wanted, part: Slice) -> RecordPage:
    """One page of records, whatever they were tested on; raises ``UsageError`` for what cannot
    be asked, and ``NotFound`` for a skill or baseline that nobody knows."""
    found = index.results(_query(index, wanted, part))
    told = tuple(_data(record(row)) for row in found.items)
    return RecordPage(records=told, total=found.total, page=found.page, page_size=found.page_size)


def groups(index: Index, wanted: Wanted, part: Slice) -> GroupPage:
    """One page of baselines with a page of records each; raises as ``records`` does."""
    if part.page_size * part.records_page_size > MOST_RECORDS:
        raise UsageError(
            f"a page has at most {MOST_RECORDS} records; ask for fewer groups or records"
        )
    found = index.groups(_query(index, wanted, part))
    return GroupPage(
        groups=tuple(_data(group(one)) for one in found.items),
        total=found.total,
        page=found.page,
        page_size=found.page_size,
        records_page=part.records_page,
        records_page_size=part.records_page_size,
    )


def skill_history(index: Index, reference: str) -> SkillHistory:
    """How a skill did; raises ``NotFound`` for one that nobody knows."""
    identity = index.tested("skill", reference)
    rows = index.history(identity)
    name, version = _named(index, identity)
    return SkillHistory(
        skill_id=identity,
        skill_name=name or (rows[-1].skill_name if rows else identity),
        skill_version_current=version,
        baselines=history(rows),
    )


def exported(index: Index, wanted: Wanted, form: Form) -> Iterator[bytes]:
    """All records in one file, piece by piece; what cannot be asked raises at once."""
    rows = index.every(_query(index, wanted, Slice()))
    lines = as_csv(rows) if form == "csv" else _as_json(_data(record(row)) for row in rows)
    return _gathered(lines)


def _query(index: Index, wanted: Wanted, part: Slice) -> BoardQuery:
    return BoardQuery(
        skill=_id(index, "skill", wanted.skill),
        baseline=_id(index, "baseline", wanted.baseline),
        purpose=wanted.purpose,
        since=moment("since", wanted.since, time.min),
        until=moment("until", wanted.until, time.max),
        current_only=not wanted.include_stale,
        by_version=wanted.by_version,
        archived=wanted.archived,
        page=part.page,
        page_size=part.page_size,
        records_page=part.records_page,
        records_page_size=part.records_page_size,
    )


def _id(index: Index, kind: Kind, reference: str | None) -> str | None:
    return None if reference is None else index.tested(kind, reference)


def _named(index: Index, identity: str) -> tuple[str | None, str | None]:
    """Name and newest version of a skill, None where it is gone."""
    try:
        meta = index.get("skill", identity).meta
    except NotFound:
        return None, None
    return meta.name, meta.version


def _as_json(told: Iterator[dict[str, JsonValue]]) -> Iterator[bytes]:
    """One JSON object, one record a line."""
    before = '{"records": ['
    for data in told:
        yield f"{before}\n{json.dumps(data)}".encode()
        before = ","
    yield b'{"records": []}\n' if before != "," else b"\n]}\n"


def _gathered(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The same in larger pieces."""
    pieces: list[bytes] = []
    for line in lines:
        pieces.append(line)
        if len(pieces) == LINES:
            yield b"".join(pieces)
            pieces.clear()
    yield b"".join(pieces)


def _data(document: Document) -> dict[str, JsonValue]:
    data = document.to_data()
    return data if isinstance(data, dict) else {}
