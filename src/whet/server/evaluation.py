"""``/v1/evaluation``: capability runs and the sets of cases they use."""

import asyncio
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import Field, JsonValue, StrictBool

from whet.app.capability.plan import LANGUAGES
from whet.app.capability.request import Overrides, Weight
from whet.app.capability.runs import Evaluations
from whet.core.errors import NotFound, UsageError
from whet.core.text_patterns import fits
from whet.core.value import Value
from whet.documents.base import Document, Items
from whet.documents.capability import (
    Dimension,
    EvaluationDetail,
    EvaluationPlanned,
    EvaluationRun,
    EvaluationStart,
    EvaluationStarted,
    RunStatus,
)
from whet.documents.capability_comparison import RunComparison
from whet.ports.evaluations import RunQuery
from whet.ports.listing import LARGEST_PAGE
from whet.server.desk import AtDesk, Desk
from whet.server.encoding import Json
from whet.server.sent import REFERENCE
from whet.server.stream import STREAM, STREAM_TO_THE_END, LastEventId, followed_to_the_end

router = APIRouter(prefix="/v1/evaluation", tags=["evaluation"])


class Runs(Document):
    """A part of all runs that fit."""

    runs: Items[EvaluationRun]
    total: int
    limit: int
    offset: int


class Deleted(Document):
    """What became of a run."""

    ok: bool
    run_id: str
    deleted: bool


def of(document: type[Document], status: HTTPStatus = HTTPStatus.OK) -> dict[int | str, Any]:
    """How the contract describes an answer. It is written as it is, and checked nowhere: a run may
    have many items."""
    return {status.value: {"model": document}}


_OVERRIDES = Field(
    json_schema_extra={
        "properties": Overrides.model_json_schema(ref_template=REFERENCE)["properties"],
        "additionalProperties": False,
    }
)


class Start(Value):
    """What is to be measured, and whether its cost is agreed to."""

    user_id: str | None = Field(default=None, max_length=200, description="A label.")
    model_name: Annotated[str, fits(r"\S")] | None = Field(
        default=None, description="An engine, a model, or ``engine:model``."
    )
    language: Annotated[str, Field(json_schema_extra={"enum": [*LANGUAGES.values()]})] | None = (
        Field(default=None, description="``en-US`` or ``zh-CN``.")
    )
    case_set: str | None = None
    dimensions: tuple[Dimension, ...] | None = Field(default=None, min_length=1)
    tool_names: tuple[str, ...] | None = Field(
        default=None, description="The only tools that the agent may use."
    )
    config_overrides: Annotated[dict[str, JsonValue], _OVERRIDES] | None = None
    weights: dict[Dimension, Weight] | None = Field(
        default=None, description="Of the dimensions; one that is not named keeps its usual one."
    )
    stream: StrictBool = Field(default=False, description="Answer with the events of the run.")
    confirmed: StrictBool = False


RunIds = Annotated[str, fits("[^,],+[^,]"), Query(description="Two or more, with commas between.")]


_TIME = r"[12]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?Z?)?"


class RunFilter(Value):
    """Which runs, and which part of them."""

    user_id: str | None = None
    model_name: str | None = None
    status: RunStatus | None = None
    case_set: str | None = None
    language: str | None = None
    time_range: Annotated[str, fits(f"^({_TIME})?,({_TIME})?$")] | None = Field(
        default=None, description="``from,to`` as ISO 8601; either may be left out."
    )
    limit: int = Field(default=50, ge=1, le=LARGEST_PAGE)
    offset: int = Field(default=0, ge=0, lt=2**63)

    def query(self) -> RunQuery:
        """The question to the store."""
        since, until = _times(self.time_range)
        return RunQuery(
            **self.model_dump(exclude={"time_range"}), since=since or None, until=until or None
        )


@router.post(
    "/runs",
    status_code=HTTPStatus.ACCEPTED,
    responses={**STREAM, **of(EvaluationStarted, HTTPStatus.ACCEPTED)},
    response_model=None,
)
async def start(wanted: Start, desk: AtDesk) -> Response:
    """Start a run; with ``stream`` the answer is its events. What may cost much has to be
    ``confirmed``."""
    made = await started(desk, wanted)
    if wanted.stream:
        return await to_the_end(desk, made.run_id, 0)
    return told(made, HTTPStatus.ACCEPTED)


@router.post("/plan", responses=of(EvaluationPlanned), response_model=None)
async def plan(wanted: Start, desk: AtDesk) -> Response:
    """Tell what a start would do, which cases it would skip and what it may cost; nothing is
    started."""
    evaluations = Evaluations(desk.app)
    made = await asyncio.to_thread(evaluations.plan, _request(wanted))
    engine = desk.app.parts.engine(made.snapshot.pin.engine)
    return told(made.told(simulated=engine.simulated))


@router.get("/runs", responses=of(Runs), response_model=None)
def every(wanted: Annotated[RunFilter, Query()], desk: AtDesk) -> Response:
    """List runs, the newest first."""
    page = Evaluations(desk.app).list(wanted.query())
    return told(Runs(runs=page.items, total=page.total, limit=wanted.limit, offset=wanted.offset))


@router.get("/runs/{run_id}", responses=of(EvaluationDetail), response_model=None)
def one(run_id: str, desk: AtDesk) -> Response:
    """Show a run with its items."""
    return told(Evaluations(desk.app).get(run_id))


@router.delete("/runs/{run_id}", responses=of(Deleted), response_model=None)
def delete(run_id: str, desk: AtDesk) -> Response:
    """Delete a run that is over, with its items and folders."""
    Evaluations(desk.app).delete(run_id)
    return told(Deleted(ok=True, run_id=run_id, deleted=True))


@router.post("/runs/{run_id}/cancel", responses=of(EvaluationRun), response_model=None)
async def cancel(run_id: str, desk: AtDesk) -> Response:
    """End its agents now; what is done stays. The answer comes when it is cancelled, or after ten
    seconds with how it is by then."""
    return told(await Evaluations(desk.app).cancel(run_id))


@router.post(
    "/runs/{run_id}/resume",
    status_code=HTTPStatus.ACCEPTED,
    responses=of(EvaluationRun, HTTPStatus.ACCEPTED),
    response_model=None,
)
async def resume(run_id: str, desk: AtDesk) -> Response:
    """Go on with a run whose process is gone, or that failed; what it has is not done again."""
    evaluations = Evaluations(desk.app)
    taken = await asyncio.to_thread(evaluations.take_up, run_id)
    await begin(desk, run_id)
    return told(taken, HTTPStatus.ACCEPTED)


@router.get("/runs/{run_id}/events", responses=STREAM_TO_THE_END, response_model=None)
async def events(run_id: str, desk: AtDesk, last_event_id: LastEventId = 0) -> Response:
    """Follow a run to its end; a client that comes back with Last-Event-ID misses nothing. Where
    nothing more will come the answer is empty, and a browser does not come back."""
    return await followed(desk, run_id, last_event_id)


@router.get("/compare", responses=of(RunComparison), response_model=None)
def compare(run_ids: RunIds, desk: AtDesk) -> Response:
    """Hold runs, named with commas between them, against the first: which cases flipped, and how
    far the dimensions are apart."""
    names = [name for name in run_ids.split(",") if name]
    return told(Evaluations(desk.app).compare(names))


async def started(desk: Desk, wanted: Start) -> EvaluationStarted:
    """Make a run and let it go on in the background."""
    evaluations = Evaluations(desk.app)
    request = _request(wanted)

    def make() -> EvaluationStarted:
        plan = evaluations.plan(request)
        return evaluations.start(plan, confirmed=wanted.confirmed)

    # A large set takes its time to read, and others are served meanwhile.
    made = await asyncio.to_thread(make)
    await begin(desk, made.run_id)
    return made


async def begin(desk: Desk, run_id: str) -> None:
    """Carry out a run of this process in the background."""
    await desk.begin(run_id, partial(Evaluations(desk.app).run, run_id))


def _request(wanted: Start) -> EvaluationStart:
    given = wanted.model_dump(mode="json", exclude={"confirmed"}, exclude_none=True)
    return EvaluationStart.parse(given, "request")


async def followed(desk: Desk, run_id: str, last_event_id: int) -> Response:
    """The events of a run after one that the client has seen; raises ``NotFound``."""
    await asyncio.to_thread(Evaluations(desk.app).row, run_id)
    return await to_the_end(desk, run_id, last_event_id)


async def to_the_end(desk: Desk, run_id: str, last_event_id: int) -> Response:
    """The events of a run until it is over, or deleted."""
    return await followed_to_the_end(desk, run_id, last_event_id, partial(_is_over, desk, run_id))


def _is_over(desk: Desk, run_id: str) -> bool:
    try:
        return Evaluations(desk.app).row(run_id).status != "running"
    except NotFound:
        return True


def told(document: Document, status: HTTPStatus = HTTPStatus.OK) -> Response:
    """A document as JSON."""
    return Json(document.to_data(), status.value)


def _times(text: str | None) -> tuple[str, str]:
    if text is None:
        return "", ""
    since, mark, until = text.partition(",")
    if not mark:
        raise UsageError("time_range: must be two times with a comma between them")
    return since.strip(), until.strip()
