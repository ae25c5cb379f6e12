"""``/v1/evals``: plan, start, list, get, follow, stop, report."""

import asyncio
from collections.abc import Iterator
from functools import partial
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Response
from fastapi.sse import EventSourceResponse
from pydantic import JsonValue, StrictBool

from whet.app.eval_estimate import FIRST_TRIALS_HTTP, estimate
from whet.app.eval_plan import EvalPlan, plan
from whet.app.eval_plan_told import plan_told
from whet.app.eval_report import stored_report
from whet.app.eval_request import EvalRequest
from whet.app.evals import Evals, EvalState
from whet.app.views.report import with_page
from whet.core.value import Value
from whet.server.desk import AtDesk, Desk
from whet.server.stream import STREAM, LastEventId, followed
from whet.server.transfer import HARMLESS, file_of

router = APIRouter(prefix="/v1/evals", tags=["evals"])

MEDIA_TYPES = {
    "html": "text/html",
    "markdown": "text/markdown",
    "junit": "application/xml",
}


_ALONE = {**HARMLESS, "content-security-policy": "sandbox allow-scripts"}
"""A page that shows itself, and has no part in this address: its own policy allows no other script
and no request."""


class StartEval(EvalRequest):
    """A request, and whether its cost is agreed to."""

    confirmed: StrictBool = False


class EvalList(Value):
    """All runs of suites, newest first."""

    evals: tuple[EvalState, ...]


class EvalDetail(Value):
    """A run of a suite with the benchmark of every engine and model, as far as they are."""

    eval: EvalState
    benchmarks: tuple[dict[str, JsonValue] | None, ...]


@router.post("/plan")
def dry_run(request: EvalRequest, desk: AtDesk) -> dict[str, JsonValue]:
    """Say what would be run, graded and reused, and what it may cost; run nothing."""
    made = plan(desk.app, request)
    return plan_told(made, estimate(desk.app, made), FIRST_TRIALS_HTTP)


@router.post("", status_code=HTTPStatus.ACCEPTED)
async def start(request: StartEval, desk: AtDesk) -> EvalState:
    """Run the evals of a skill; what may cost much has to be ``confirmed``."""
    wanted = EvalRequest.model_validate(request.model_dump(exclude={"confirmed"}))
    # A large suite takes its time to read, and others are served meanwhile.
    made = await asyncio.to_thread(plan, desk.app, wanted)
    return await _begin(made, desk, confirmed=request.confirmed)


@router.get("")
def every(desk: AtDesk) -> EvalList:
    """List the runs of suites."""
    return EvalList(evals=tuple(Evals(desk.app).list()))


def _known(identity: str, desk: AtDesk) -> EvalState:
    return Evals(desk.app).get(identity)


Known = Annotated[EvalState, Depends(_known)]


@router.get("/{identity}")
def one(found: Known, desk: AtDesk) -> EvalDetail:
    """Show one with its benchmarks."""
    return EvalDetail(eval=found, benchmarks=tuple(_benchmarks(desk, found)))


@router.post("/{identity}/resume", status_code=HTTPStatus.ACCEPTED)
async def resume(found: Known, desk: AtDesk) -> EvalState:
    """Go on with what was interrupted or is incomplete; what is on record is not run again."""
    if found.status == "running" and found.owner != desk.app.owner.id:
        return found
    await desk.go_on(desk.runs.get(found.id))
    return Evals(desk.app).get(found.id)


@router.post("/{identity}/stop")
async def stop(found: Known, desk: AtDesk) -> EvalState:
    """End the agents that run for it, in whichever process; it can be resumed."""
    if found.status == "running":
        await desk.runs.halt(found.id, "stopped")
    return Evals(desk.app).get(found.id)


@router.get("/{identity}/events", responses=STREAM)
async def events(found: Known, desk: AtDesk, last_event_id: LastEventId = 0) -> EventSourceResponse:
    """Follow it; a client that comes back with Last-Event-ID misses nothing."""
    return followed(desk, found.id, last_event_id)


@router.get("/{identity}/report", response_class=Response, responses=file_of(*MEDIA_TYPES.values()))
def report(
    found: Known,
    desk: AtDesk,
    form: Literal["html", "markdown", "junit"] = "html",
    language: Literal["en", "zh"] = "en",
) -> Response:
    """The report as a page, as Markdown or as JUnit XML."""
    made = stored_report(desk.app, found)
    if form == "html":
        made = with_page(desk.app, found, made)
    text = desk.app.parts.exporter(form).export(made, language)
    return Response(
        text, media_type=MEDIA_TYPES[form], headers=_ALONE if form == "html" else HARMLESS
    )


def _benchmarks(desk: Desk, found: EvalState) -> Iterator[dict[str, JsonValue] | None]:
    for benchmark in Evals(desk.app).benchmarks(found):
        data = benchmark.to_data() if benchmark else None
        yield data if isinstance(data, dict) else None


async def _begin(made: EvalPlan, desk: Desk, *, confirmed: bool) -> EvalState:
    estimate(desk.app, made).require_consent(FIRST_TRIALS_HTTP, confirmed=confirmed)
    evals = Evals(desk.app)
    await desk.begin(made.id, partial(evals.run, made))
    return evals.get(made.id)
