"""What ``whet job logs`` does once its imports are worth their time."""

import asyncio
import json
import sys
from collections.abc import Iterable

from pydantic import JsonValue

from whet.app.jobs.bundle import history
from whet.app.jobs.office import Office
from whet.app.jobs.telling import lines
from whet.app.settings import Settings
from whet.app.watch import watch
from whet.cli.asset_output import line, print_json
from whet.cli.job.desk import office_of
from whet.cli.job.options import Logs
from whet.cli.job.words import JobWords
from whet.core.event import Event

_LONGEST = 300


def logs(settings: Settings, options: Logs) -> None:
    """Print what happened to a job so far, or until its end."""
    words = JobWords(settings.language)
    with office_of(settings) as office:
        request_id = office.find(options.job).request_id
        if options.follow:
            asyncio.run(_follow(office, request_id, words, as_json=options.json))
            return
        events = list(history(office, request_id))
    if options.json:
        told: list[JsonValue] = [{**each} for event in events for each in lines(event)]
        print_json({"request_id": request_id, "lines": told})
    else:
        _print(events, words)


async def _follow(office: Office, request_id: str, words: JobWords, *, as_json: bool) -> None:
    """Everything from the beginning, and then what comes; the last look is after the end."""
    is_over = False
    async for batch in watch(office.app.store.events, 0, request_id):
        if as_json:
            for each in (each for event in batch for each in lines(event)):
                sys.stdout.write(json.dumps(each) + "\n")
        else:
            _print(batch, words)
        sys.stdout.flush()
        if is_over and not batch:
            return
        job = office.app.store.jobs.get(request_id)
        is_over = job is None or job.is_over


def _print(events: Iterable[Event], words: JobWords) -> None:
    for event in events:
        for each in lines(event):
            kind = str(each.get("kind"))
            is_state = event.kind == f"job.{kind}"
            known = words.find.states if is_state else words.work.kinds
            parts = (str(each.get("tool", "")), line(str(each.get("text", "")), _LONGEST))
            told = " ".join(part for part in parts if part)
            at = str(each.get("at", ""))[11:19]
            sys.stdout.write(f"{at}  {known.get(kind, line(kind, 40))}  {told}".rstrip() + "\n")
