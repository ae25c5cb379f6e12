"""A job with somebody in front of it, who is asked and may press Ctrl-C."""

import asyncio
import signal
import time
from functools import partial

from whet.app.jobs import cancel
from whet.app.jobs.dispatch import carry_on, carry_out
from whet.app.jobs.given import Given
from whet.app.jobs.office import Office
from whet.app.jobs.reply import files_for, reply
from whet.app.jobs.work import claim
from whet.cli.job.progress import StepWords, shown
from whet.cli.job.question import Answer, ask, is_terminal
from whet.cli.options import say
from whet.cli.termination import run_to_end
from whet.core.errors import WhetError
from whet.core.job import Job


class Foreground:
    """Works at a job, or waits for it, until it is over or nobody can answer its question.

    One that this process *owns* is done here and nowhere else, and cancelled by Ctrl-C. Any other
    is only left alone by that.
    """

    def __init__(self, office: Office, *, owns: bool) -> None:
        self._office = office
        self._owns = owns
        self._is_stopped = False
        self._language = office.app.settings.language

    def to_its_end(self, job: Job, timeout: float | None = None) -> Job:
        """The job as it is then, or after *timeout* seconds; raises ``KeyboardInterrupt``."""
        begun = time.monotonic()
        while True:
            left = None if timeout is None else timeout - (time.monotonic() - begun)
            job = run_to_end(self._office.app, self._work(job, left))
            if self._is_stopped and job.state not in ("succeeded", "failed"):
                raise KeyboardInterrupt
            if job.state != "waiting_user" or job.pending is None or not is_terminal():
                return job
            answer = ask(job.pending, self._language)
            if answer is None:
                return job
            try:
                job = self._replied(job, job.pending.id, answer)
            except WhetError as error:  # somebody else was first, or the file is too large
                say(str(error))
                job = self._office.get(job.request_id)

    async def _work(self, job: Job, seconds: float | None) -> Job:
        office, loop = self._office, asyncio.get_running_loop()
        is_mine = job.state == "running" and job.owner == office.app.owner.id
        work = carry_on(office, job) if is_mine else carry_out(office, job.request_id)
        task = asyncio.create_task(work)
        if self._owns:
            loop.add_signal_handler(signal.SIGINT, partial(self._stop, job.request_id, task))
        try:
            async with shown(office.app.store.events, job, StepWords(self._language)):
                async with asyncio.timeout(seconds):
                    return await task
        except TimeoutError:
            return office.get(job.request_id)
        except asyncio.CancelledError:
            if not self._is_stopped:
                raise
            return office.get(job.request_id)
        finally:
            if self._owns:
                loop.remove_signal_handler(signal.SIGINT)

    def _stop(self, request_id: str, task: asyncio.Task[Job]) -> None:
        """Whoever works at it sees the wish, and ends the agent. Asked again, nobody waits for
        that: what is left of the agent ends with this process."""
        if self._is_stopped:
            task.cancel()
            return
        self._is_stopped = True
        try:
            cancel.ask(self._office, request_id)
        except WhetError:  # no room for the wish
            task.cancel()

    def _replied(self, job: Job, interaction: int, answer: Answer) -> Job:
        store = self._office.app.store
        given = Given(store.blobs)
        files = files_for(interaction, answer.files, given)
        with store.transaction():
            given.put_small()
            said = reply(self._office, job.request_id, interaction, answer.value, files=files)
            return (claim(self._office, said) if self._owns else None) or said
