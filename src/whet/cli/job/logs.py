"""``whet job logs``."""

import asyncio
import json
import sys
from collections.abc import Iterable
from typing import Annotated

import typer

from whet.app.jobs.bundle import history
from whet.app.jobs.office import Office
from whet.app.jobs.telling import lines
from whet.app.jobs.views import Logs
from whet.app.watch import watch
from whet.cli.asset_output import line, print_json
from whet.cli.command import Call
from whet.cli.job.output import Reference, opened_jobs
from whet.cli.job.progress import StepWords
from whet.cli.job.states import StateWords
from whet.core.event import Event

_LONGEST = 300

Follow = Annotated[bool, typer.Option("--follow", "-f", help="Go on until the job is over.")]


def logs(call: Call, job: Reference, follow: Follow = False) -> None:
    """Print what happened to a job so far, or until its end."""
    with opened_jobs(call.settings) as office:
        request_id = office.find(job).request_id
        if follow:
            asyncio.run(_follow(office, request_id, call))
            return
        events = list(history(office, request_id))
    if call.json:
        told = tuple(each for event in events for each in lines(event))
        print_json(Logs(request_id=request_id, lines=told))
    else:
        _print(events, call.language)


async def _follow(office: Office, request_id: str, call: Call) -> None:
    """Everything from the beginning, and then what comes; the last look is after the end."""
    is_over = False
    async for batch in watch(office.app.store.events, 0, request_id):
        if call.json:
            for each in (each for event in batch for each in lines(event)):
                sys.stdout.write(json.dumps(each) + "\n")
        else:
            _print(batch, call.language)
        sys.stdout.flush()
        if is_over and not batch:
            return
        job = office.app.store.jobs.get(request_id)
        is_over = job is None or job.is_over


def _print(events: Iterable[Event], language: str) -> None:
    states, kinds = StateWords(language).states, StepWords(language).kinds
    for event in events:
        for each in lines(event):
            kind = str(each.get("kind"))
            is_state = event.kind == f"job.{kind}"
            known = states if is_state else kinds
            parts = (str(each.get("tool", "")), line(str(each.get("text", "")), _LONGEST))
            told = " ".join(part for part in parts if part)
            at = str(each.get("at", ""))[11:19]
            sys.stdout.write(f"{at}  {known.get(kind, line(kind, 40))}  {told}".rstrip() + "\n")
