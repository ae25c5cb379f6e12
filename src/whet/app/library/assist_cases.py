"""Cases for a new baseline from a description: a draft in a file, until a person has looked."""

import itertools
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from whet.app.library.assist import Assistant, ending, in_thread
from whet.app.runs.claim import RunClaim, ending_of
from whet.app.runs.service import RunService
from whet.core.budget import NO_LIMITS, Purse
from whet.core.errors import Draining, EnvironmentProblem, Halted, WhetError
from whet.core.event import Event
from whet.core.instant import iso_seconds
from whet.core.run import Run
from whet.core.value import Value
from whet.curate.draft import About, BaselineDraft
from whet.curate.revise import new_baseline
from whet.documents.drafts import BaselineDraftFile, Generated
from whet.documents.files import write_atomic
from whet.run.assist import generate
from whet.run.assist.asking import How
from whet.run.assist.generate import Wanted, check, generate_cases

ABANDONED = "the process ended before there was an answer; ask again"
STOPPED = "stopped before there was an answer; ask again"


@dataclass(frozen=True)
class Order:
    """What a model is to write, and which."""

    id: str
    wanted: Wanted
    how: How


class Generation(Value):
    """How far it is."""

    id: str
    status: Literal["running", "completed", "failed", "interrupted"]
    engine: str
    model: str
    simulated: bool
    started_at: str
    ended_at: str | None = None
    draft: dict[str, JsonValue] | None = None
    """The file with the cases, of which a person may keep some. Null before they are there."""

    path: str | None = None
    """Where that file is."""

    missing: dict[str, int] = {}
    """By category: cases that were wanted and that the model did not write."""

    left_out: int = 0
    """Cases of the model that were no use, said the same as another, or were more than wanted."""

    tokens: int | None = None
    cost_usd: float | None = None
    """What it took, once it is over; the cost is null where nobody knows it."""

    error: str | None = None


@dataclass(frozen=True)
class Drafts:
    """Lets a model write cases; nothing gets into the library here."""

    assistant: Assistant

    def order(self, about: About, description: str, number: int, asked: How) -> Order:
        """Check everything; raises ``UsageError`` before anybody is asked."""
        wanted = Wanted(about, description, number)
        check(wanted)
        new_baseline(BaselineDraft(about), "", self.assistant.app.clock.now())
        return Order(f"generation-{uuid.uuid4()}", wanted, asked)

    def again(self, run: Run) -> Order:
        """The order of a run that is to go on."""
        text = {name: str(value) for name, value in run.request.items() if value is not None}
        about = About(text["name"], text["purpose"], text["provider"], text["description"])
        asked = self.assistant.how(text.get("engine"), text.get("model"))
        made = self.order(about, text["description"], int(text["number"]), asked)
        return replace(made, id=run.id)

    async def run(
        self, order: Order, begun: Callable[[], None] = lambda: None, purse: Purse | None = None
    ) -> Generation:
        """Let it be written, and keep the draft; raises ``AskFailure`` where there is none.

        *begun* is called once the order is on record and the work starts.
        """
        assistant, paid = self.assistant, purse or Purse(NO_LIMITS)
        ask, sessions = assistant.ask(paid), assistant.sessions()
        claim = assistant.claim(self._run(order, paid), self._start(order))
        begun()
        try:
            async with claim.obeying(paid):
                made = await generate_cases(ask, order.wanted, order.how, sessions)
                path = await in_thread(self._kept, order, made)
        except BaseException as trouble:
            assistant.app.deferred.attempt(partial(self._failed, claim, trouble))
            raise
        with assistant.app.store.transaction():
            claim.settle(order.wanted.number)
            claim.end("completed")
            assistant.tell("generation.completed", order.id, {**ending(paid), "draft": path.name})
        return self.get(order.id)

    def _run(self, order: Order, purse: Purse) -> Run:
        about, asked = order.wanted.about, order.how
        run = RunService(self.assistant.app).new(order.id, "generation", about.name, purse)
        request: dict[str, JsonValue] = {
            "name": about.name,
            "purpose": about.purpose,
            "provider": about.provider,
            "description": order.wanted.description,
            "number": order.wanted.number,
            "engine": asked.engine,
            "model": None if asked.simulated else asked.model,
        }
        return run.model_copy(update={"request": request, "total": order.wanted.number})

    def _failed(self, claim: RunClaim, trouble: BaseException) -> None:
        """Say why there is no draft; of one that another process goes on with, nothing is told."""
        is_trouble = isinstance(trouble, WhetError) and not isinstance(trouble, Halted | Draining)
        with self.assistant.app.store.transaction():
            is_ours = claim.end("failed" if is_trouble else "interrupted", ending_of(trouble))
            if not is_ours or claim.purse is None or self.assistant.is_left(trouble):
                return
            spent = ending(claim.purse, trouble)
            if is_trouble:
                self.assistant.tell("generation.failed", claim.run.id, spent)
            else:
                stopped = {**spent, "error": STOPPED}
                self.assistant.tell("generation.interrupted", claim.run.id, stopped)

    def get(self, identity: str) -> Generation:
        """As it stands; raises ``NotFound``. One whose process is gone is interrupted."""
        first, *others = self.assistant.told(identity, "generation.started")
        given = {name: first.data[name] for name in ("engine", "model", "simulated")}
        begun = {**given, "id": identity, "status": "running", "started_at": first.at}
        state = Generation.model_validate(begun)
        if others and others[-1].kind != "generation.resumed":
            return self._ended(state, others[-1])
        if self.assistant.is_abandoned(identity):
            return state.model_copy(update={"status": "interrupted", "error": ABANDONED})
        return state

    def _ended(self, state: Generation, last: Event) -> Generation:
        told = {name: value for name, value in last.data.items() if name != "draft"}
        status = last.kind.removeprefix("generation.")
        ended = state.model_copy(update={**told, "status": status, "ended_at": last.at})
        if status != "completed":
            return ended
        path = self._folder / Path(str(last.data.get("draft"))).name
        try:
            file = BaselineDraftFile.load(path)
        except WhetError as error:  # a person may do with it what a person likes
            return ended.model_copy(update={"path": str(path), "error": str(error)})
        made = file.generated
        return ended.model_copy(
            update={
                "draft": file.to_data(),
                "path": str(path),
                "missing": made.missing,
                "left_out": made.left_out,
                "simulated": bool(made.simulated),
            }
        )

    @property
    def _folder(self) -> Path:
        return self.assistant.app.settings.workspace / "cli" / "drafts"

    def _start(self, order: Order) -> dict[str, JsonValue]:
        return {
            "total": order.wanted.number,
            "name": order.wanted.about.name,
            "engine": order.how.engine,
            "model": order.how.model,
            "simulated": order.how.simulated,
        }

    def _kept(self, order: Order, made: generate.Generated) -> Path:
        """Write the draft under a name that nothing has yet."""
        about = replace(made.draft.about, source=source(order.how, simulated=made.simulated))
        file = BaselineDraftFile(
            name=about.name,
            description=about.description,
            source=about.source,
            purpose=about.purpose,
            provider=about.provider,
            cases=made.draft.cases,
            generated=Generated(
                session_id=made.session_id,
                generated_at=iso_seconds(self.assistant.app.clock.now()),
                engine=order.how.engine,
                model=order.how.model,
                missing={**made.missing},
                left_out=made.left_out,
                simulated=made.simulated or None,
            ).lean(),
        )
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EnvironmentProblem(f"cannot write {self._folder}: {error.strerror}") from error
        more = (f"_{count}" for count in itertools.count(2))
        names = (f"{made.session_id}{mark}.json" for mark in itertools.chain([""], more))
        path = next(path for name in names if not (path := self._folder / name).exists())
        write_atomic(path, file.to_json(), durable=True)
        return path


def source(asked: How, *, simulated: bool) -> str:
    """What a baseline says of where its cases come from."""
    if asked.simulated:
        return "generated by the simulated engine"
    mark = " (simulated)" if simulated else ""
    return f"generated by {asked.engine}:{asked.model}{mark}"


def draft_of(path: Path) -> BaselineDraft:
    """The draft in a file, as it can be saved."""
    file = BaselineDraftFile.load(path)
    about = About(file.name, file.purpose, file.provider, file.description, source=file.source)
    return BaselineDraft(about, file.cases)
