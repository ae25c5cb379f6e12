"""``/v1/workspace`` and ``/v1/index``: the library as a whole."""

from typing import Annotated

from fastapi import APIRouter, Query

from whet.app.library.unpacked import take_over
from whet.core.asset_query import AssetQuery
from whet.core.value import Value
from whet.curate.original.report import RepairReport
from whet.ports.index import Broken, Refreshed
from whet.server.desk import AtDesk
from whet.server.transfer import RAW, Body

router = APIRouter(tags=["library"])

_ALL = AssetQuery(status="all", page_size=1)


class IndexState(Value):
    """What the index knows."""

    skills: int
    baselines: int
    """How many there are, archived ones included."""

    broken: tuple[Broken, ...]
    """What cannot be read, and why."""


@router.post("/v1/workspace/import", openapi_extra=RAW)
def take_in(
    data: Body,
    desk: AtDesk,
    filename: Annotated[str, Query(description="Of the zip, for messages.")] = "workspace.zip",
) -> RepairReport:
    """Take over a zipped workspace of the original program; what is here already stays as it is.

    The answer tells every change, and all that could not be repaired.
    """
    report = take_over(desk.app.settings.workspace, data, filename, desk.app.clock.now())
    desk.index.follow().refresh()
    return report


@router.get("/v1/index")
def state(desk: AtDesk) -> IndexState:
    """Tell how much the index knows, and what cannot be read."""
    index = desk.index.follow()
    return IndexState(
        skills=index.skills(_ALL).total,
        baselines=index.baselines(_ALL).total,
        broken=tuple(index.broken()),
    )


@router.post("/v1/index")
def rebuild(desk: AtDesk) -> Refreshed:
    """Read every file of the library anew."""
    return desk.index.follow().rebuild()
