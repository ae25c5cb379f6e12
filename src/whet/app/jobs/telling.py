"""What the world hears of a job: its events, and the steps of its agent while they happen."""

import asyncio
from collections.abc import Callable

from pydantic import JsonValue

from whet.app.jobs.told import pending_question
from whet.core.event import Event
from whet.core.instant import iso
from whet.core.job import Job
from whet.core.step import Called, Ended, Returned, Said, Spent, Step, Triggered
from whet.core.text import storable
from whet.ports.store import Store
from whet.ports.writer import Writer

STEPS = "job.steps"
MOST_TEXT = 2_000
MOST_STEPS = 5_000
"""Of one job that are told; all of them are in its session."""

PAUSE_SECONDS = 0.25


def moved(store: Store, job: Job) -> None:
    """A job is in another state, or in another turn of the same."""
    about: dict[str, JsonValue] = {"request_id": job.request_id, "state": job.state}
    if job.state == "running" and job.rounds:
        about |= {"turn": job.rounds[-1].number, "kind": job.rounds[-1].kind}
    if job.pending is not None and job.state == "waiting_user":
        about["interaction"] = pending_question(job.pending).model_dump(mode="json")
    if job.result is not None and job.result.failure is not None:
        about["error"] = job.result.failure.model_dump()
    store.events.append(f"job.{job.state}", job.request_id, about)
    if job.batch is not None:
        store.events.append(f"job.{job.state}", job.batch, {**about, "index": job.batch_index})


def lines(event: Event) -> list[dict[str, JsonValue]]:
    """An event as lines of a log: the steps of the agent one by one, a state as one line."""
    if event.kind != STEPS:
        return [{"at": event.at, "kind": event.kind.removeprefix("job."), "text": ""}]
    steps = event.data.get("steps")
    return [each for each in steps if isinstance(each, dict)] if isinstance(steps, list) else []


class Telling:
    """Collects the steps of an agent, and tells them a few times a second."""

    def __init__(self, store: Store, writer: Writer, request_id: str) -> None:
        self._store = store
        self._writer = writer
        self._request = request_id
        self._waiting: list[dict[str, JsonValue]] = []
        self._told = 0
        self._later: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def heard(self, step: Step) -> None:
        """Take a step; never waits."""
        if (shown := _shown(step)) is None or self._told >= MOST_STEPS:
            return
        self._told += 1
        self._waiting.append(shown)
        if self._later is None:
            loop = asyncio.get_running_loop()
            self._later = loop.call_later(PAUSE_SECONDS, self._tell_soon)

    def batch(self) -> Callable[[], None]:
        """Puts all that waits into the transaction under way. One that was undone is tried again,
        and then has the same steps as before."""
        steps: list[dict[str, JsonValue]] | None = None

        def tell() -> None:
            nonlocal steps
            if steps is None:
                steps, self._waiting = self._waiting, []
            if steps:
                self._store.events.append(STEPS, self._request, {"steps": [*steps]})

        return tell

    def tell(self) -> None:
        """Put what is left into the transaction under way, which is tried once."""
        if self._later is not None:
            self._later.cancel()
            self._later = None
        self.batch()()

    def _tell_soon(self) -> None:
        self._later = None
        task = asyncio.ensure_future(self._writer(self.batch()))
        self._tasks.add(task)
        task.add_done_callback(self._told_soon)

    def _told_soon(self, task: asyncio.Task[None]) -> None:
        """Steps that could not be told are no trouble: they are in the session too."""
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()


def _shown(step: Step) -> dict[str, JsonValue] | None:
    match step:
        case Said():
            return _step(step, "said", text=step.text)
        case Called():
            subject = step.params.get("command", step.params.get("file_path", ""))
            return _step(step, "called", tool=step.tool, text=str(subject))
        case Returned():
            kind = "returned" if step.ok else "failed"
            return _step(step, kind, text=step.display or step.output)
        case Triggered():
            return _step(step, "skill", text=step.skill)
        case Ended():
            return _step(step, "ended", text=step.error or step.answer)
        case Spent():
            return None


def _step(step: Step, kind: str, **texts: str) -> dict[str, JsonValue]:
    cut = {name: storable(text[:MOST_TEXT]).replace("\0", "\ufffd") for name, text in texts.items()}
    return {"at": iso(step.at), "kind": kind, **cut}
