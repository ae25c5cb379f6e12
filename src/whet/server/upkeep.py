"""What the server does by itself: goes on with runs that were left behind, writes what could not be
written, and tidies up."""

import asyncio
import logging
import time
from functools import partial

from whet.app.background import BackgroundRun
from whet.app.capability.runs import Evaluations
from whet.app.evals import Evals
from whet.core.errors import Conflict, WhetError
from whet.documents.files import sweep_half_written
from whet.evaluate.project import opened
from whet.server import assist, evals, evaluation
from whet.server.desk import Desk

logger = logging.getLogger(__name__)

TIDY_SECONDS = 3600.0
LOOK_SECONDS = 0.5
"""Between two tries to write what there was no room for."""


async def keep_up(desk: Desk) -> None:
    """Go on with what a server before this one began; then look after the workspace."""
    await go_on(desk)
    tidied = -TIDY_SECONDS
    while True:
        if desk.app.deferred.is_waiting:
            await asyncio.to_thread(desk.app.deferred.retry)
        if time.monotonic() - tidied >= TIDY_SECONDS:
            tidied = time.monotonic()
            try:
                await asyncio.to_thread(Evaluations(desk.app).clean_up)
                await asyncio.to_thread(sweep_half_written, desk.app.settings.workspace)
            except WhetError as error:  # a full disk, say: it may pass
                logger.error("old folders are not removed: %s", error)
        await asyncio.sleep(LOOK_SECONDS)


async def go_on(desk: Desk) -> None:
    """Take up every run that servers left behind."""
    try:
        if remark := await asyncio.to_thread(desk.app.foreign.remark):
            logger.warning(remark)
        left = await asyncio.to_thread(desk.background.take_left_behind)
    except WhetError as error:
        logger.error("runs that were left behind cannot be looked up: %s", error)
        return
    for run in left:
        try:
            await _take_up(desk, run)
        except WhetError as error:  # somebody went on with it, or an engine is gone
            logger.warning("%s %s is not resumed: %s", run.kind, run.id, error)
            over = partial(desk.background.end, run.id)
            await asyncio.to_thread(desk.app.deferred.attempt, over)


async def _take_up(desk: Desk, run: BackgroundRun) -> None:
    match run.kind:
        case "project":
            await _project(desk, run)
        case "eval":
            state = Evals(desk.app).get(run.id)
            _require(run, state.owner, is_open=state.status == "interrupted" and not state.error)
            await evals.go_on(state, desk)
        case "capability":
            found = Evaluations(desk.app)
            row = await asyncio.to_thread(found.row, run.id)
            _require(run, row.owner or "", is_open=row.status == "running")
            await asyncio.to_thread(found.take_up, run.id)
            await evaluation.begin(desk, run.id)
        case "auto_tag":
            await assist.go_on_with_tags(desk, run)
        case "generation":
            await assist.go_on_with_cases(desk, run)


async def _project(desk: Desk, run: BackgroundRun) -> None:
    state = desk.experiments.get(run.id)
    is_ended = state.status != "interrupted" or bool(state.error or state.control)
    _require(run, state.owner, is_open=not is_ended)
    project = opened(desk.app.settings.workspace / "projects" / state.folder)
    _require(run, state.owner, is_open=not project.config.archived)
    pause = run.options.get("pause_seconds")
    await desk.start(
        project,
        imported=run.options.get("imported") is True,
        pause_seconds=pause if isinstance(pause, int | float) else 0,
    )


def _require(run: BackgroundRun, owner: str, *, is_open: bool) -> None:
    """Raise ``Conflict`` where a run is over, or somebody else has gone on with it."""
    if owner not in run.owners or not is_open:
        raise Conflict(f"{run.kind} {run.id}", "left behind by a server", "over, or with another")
