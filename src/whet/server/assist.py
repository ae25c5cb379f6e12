"""``/v1/skills`` and ``/v1/baselines``: a model's help with tags, purposes and cases.

To be included before the routes that take any word for the name of an asset.
"""

import asyncio
from functools import partial
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.sse import EventSourceResponse
from pydantic import Field, StrictBool

from whet.app.library.assist import Assistant
from whet.app.library.assist_cases import Drafts, Generation
from whet.app.library.assist_tags import MOST as MOST_ASSETS
from whet.app.library.assist_tags import AutoTags, TagBatch
from whet.app.library.requests import AssistRequest, NewBaselineRequest, SuggestPurposeRequest
from whet.core.counts import counted
from whet.core.errors import ConfirmationNeeded
from whet.core.value import Value
from whet.curate.draft import About
from whet.run.assist.generate import MOST as MOST_CASES
from whet.run.assist.generate import NUMBER
from whet.run.assist.suggest import Suggestion
from whet.server import shelves
from whet.server.desk import AtDesk
from whet.server.shelves import AtShelf
from whet.server.stream import STREAM, LastEventId, followed

Text = Annotated[str, Field(min_length=1, max_length=500)]


class StartTags(AssistRequest):
    """Assets to tag, by id, a unique beginning of one, or name."""

    assets: tuple[Text, ...] = Field(min_length=1, max_length=MOST_ASSETS)
    confirmed: StrictBool = False
    """Agrees that somebody is charged for more than one answer."""


class Started(Value):
    """A batch that is under way."""

    id: str
    total: int


class WantedCases(NewBaselineRequest):
    """A baseline that a model is to draft."""

    description: str = Field(min_length=1, max_length=100_000)
    """What the cases are to test."""

    number: int = Field(default=NUMBER, ge=1, le=MOST_CASES)


class Begun(Value):
    """A draft that is being written."""

    id: str


async def _assistant(shelf: AtShelf, desk: AtDesk) -> Assistant:
    return Assistant(desk.app, shelf)


AtAssistant = Annotated[Assistant, Depends(_assistant)]

_both = APIRouter()


@_both.post("/auto-tag", status_code=HTTPStatus.ACCEPTED)
async def start(wanted: StartTags, assistant: AtAssistant, desk: AtDesk) -> Started:
    """Let a model propose tags, which wait for a review; several paid answers have to be
    ``confirmed``."""
    tagging = AutoTags(assistant)
    asked = await asyncio.to_thread(assistant.how, wanted.engine, wanted.model)
    batch = await asyncio.to_thread(tagging.batch, wanted.assets, asked)
    total = len(batch.assets)
    if total > 1 and assistant.is_paid(asked) and not wanted.confirmed:
        raise ConfirmationNeeded(
            f"{counted(total, 'answer', 'answers')} of {asked.engine}:{asked.model}, of unknown "
            "cost: "
            "send it again with confirmed: true"
        )
    await desk.begin(batch.id, partial(tagging.run, batch))
    return Started(id=batch.id, total=total)


def _known(identity: str, assistant: AtAssistant) -> TagBatch:
    return AutoTags(assistant).get(identity)


Known = Annotated[TagBatch, Depends(_known)]


@_both.get("/auto-tag/{identity}")
def batch(found: Known) -> TagBatch:
    """Show how far a batch is, with what came of each asset."""
    return found


@_both.post("/auto-tag/{identity}/stop")
async def stop(found: Known, assistant: AtAssistant, desk: AtDesk) -> TagBatch:
    """End what is under way for it, in whichever process; what is done stays."""
    if found.status == "running":
        await desk.runs.halt(found.id, "stopped")
    return await asyncio.to_thread(AutoTags(assistant).get, found.id)


@_both.get("/auto-tag/{identity}/events", responses=STREAM)
async def events(found: Known, desk: AtDesk, last_event_id: LastEventId = 0) -> EventSourceResponse:
    """Follow it; a client that comes back with Last-Event-ID misses nothing."""
    return followed(desk, found.id, last_event_id)


@_both.post("/suggest-purpose")
async def suggest(wanted: SuggestPurposeRequest, assistant: AtAssistant) -> Suggestion:
    """Say whether a purpose is there already under another name."""
    asked = await asyncio.to_thread(assistant.how, wanted.engine, wanted.model)
    return await assistant.suggest(wanted.purpose, asked)


_cases = APIRouter()


@_cases.post("/generate", status_code=HTTPStatus.ACCEPTED)
async def generate(wanted: WantedCases, assistant: AtAssistant, desk: AtDesk) -> Begun:
    """Let a model write the draft of a baseline; it is saved by sending what a person keeps of it
    to ``POST /v1/baselines``."""
    drafts = Drafts(assistant)
    asked = await asyncio.to_thread(assistant.how, wanted.engine, wanted.model)
    about = About(wanted.name, wanted.purpose, wanted.provider, wanted.description)
    order = drafts.order(about, wanted.description, wanted.number, asked)
    await desk.begin(order.id, partial(drafts.run, order))
    return Begun(id=order.id)


@_cases.get("/generate/{identity}")
def generation(identity: str, assistant: AtAssistant) -> Generation:
    """Show how far a draft is, and the draft once it is there."""
    return Drafts(assistant).get(identity)


skills = APIRouter(prefix="/v1/skills", tags=["skills"], dependencies=[Depends(shelves.skills)])
skills.include_router(_both)

baselines = APIRouter(
    prefix="/v1/baselines", tags=["baselines"], dependencies=[Depends(shelves.baselines)]
)
baselines.include_router(_both)
baselines.include_router(_cases)
