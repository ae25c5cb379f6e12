"""``/v1/leaderboard``: how skills did in projects, baseline by baseline, over time, as a file."""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.responses import StreamingResponse
from pydantic import Field

from whet.app import leaderboard
from whet.app.leaderboard import Form, GroupPage, RecordPage, SkillHistory, Slice, Wanted
from whet.app.library.outgo import MEDIA_TYPES
from whet.server.desk import AtDesk
from whet.server.transfer import HARMLESS

router = APIRouter(prefix="/v1/leaderboard", tags=["leaderboard"])

EXPORT: dict[int | str, dict[str, Any]] = {
    HTTPStatus.OK.value: {
        "description": "The file.",
        "content": {"text/csv": {}, "application/json": {}},
    }
}
"""How the contract describes the file."""

Skill = Annotated[
    str,
    Path(description="Its id, a unique beginning of that (4 characters), or its name without /."),
]


class Question(Wanted, Slice):
    """Which results of projects, and which page of them."""

    group: bool = Field(default=True, description="By baseline; else all records in one list.")


class Export(Wanted):
    """Which results of projects, and in which form."""

    format: Form = "csv"


@router.get("")
def every(asked: Annotated[Question, Query()], desk: AtDesk) -> GroupPage | RecordPage:
    """Tell how skills did, the best first: a page of baselines, or with group=false of records."""
    index = desk.index.follow()
    if asked.group:
        return leaderboard.groups(index, asked, asked)
    return leaderboard.records(index, asked, asked)


@router.get("/history/{skill}")
def history(skill: Skill, desk: AtDesk) -> SkillHistory:
    """Tell how a skill did on each baseline, the oldest test first."""
    return leaderboard.skill_history(desk.index.follow(), skill)


@router.get("/export", response_class=StreamingResponse, responses=EXPORT)
def export(asked: Annotated[Export, Query()], desk: AtDesk) -> StreamingResponse:
    """Take all records away as one file, a table for spreadsheets or JSON."""
    pieces = leaderboard.exported(desk.index.follow(), asked, asked.format)
    return StreamingResponse(
        pieces,
        media_type=MEDIA_TYPES[asked.format],
        headers={
            **HARMLESS,
            "content-disposition": f'attachment; filename="leaderboard.{asked.format}"',
        },
    )
