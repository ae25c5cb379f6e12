"""Automatic tags for one asset or many: a model proposes, and each proposal waits for a person."""

import uuid
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Literal

from pydantic import JsonValue

from whet.app.library.assist import Assistant, ending, in_thread
from whet.app.runs.claim import RunClaim, ending_of
from whet.app.runs.service import RunService
from whet.core.asset_query import LARGEST_PAGE, AssetQuery
from whet.core.budget import NO_LIMITS, Purse
from whet.core.errors import Draining, Halted, NotFound, UsageError, WhetError
from whet.core.run import Run
from whet.core.text import shortened
from whet.core.value import Value
from whet.curate import snapshot, tags
from whet.curate.library import Asset
from whet.curate.snapshot import SkillSnapshot
from whet.documents.assets import AutoTag, AutoTagLog, BaselineMeta
from whet.ports.entry import BaselineEntry, SkillEntry
from whet.ports.listing import Kind
from whet.run.assist.asking import How
from whet.run.assist.autotag import MOST_TEXT, Keep, Tagged, auto_tag_all
from whet.run.assist.sessions import Sessions
from whet.run.assist.tags import Target

MOST = 200
"""Assets of one batch."""


@dataclass(frozen=True)
class Batch:
    """Assets that are to be tagged, by id and name, and who is asked."""

    id: str
    assets: tuple[tuple[str, str], ...]
    how: How


class TaggedAsset(Value):
    """What came of one asset."""

    id: str
    name: str
    status: Literal["waiting", "completed", "failed"]
    tags: tuple[str, ...] = ()
    """What was proposed anew; nothing if all of it is there already."""

    error: str | None = None


class TagBatch(Value):
    """How far a batch is."""

    id: str
    status: Literal["running", "completed", "interrupted"]
    """Completed also where some of it failed."""

    kind: Kind
    engine: str
    model: str
    simulated: bool
    started_at: str
    ended_at: str | None = None
    total: int
    assets: tuple[TaggedAsset, ...]
    tokens: int | None = None
    cost_usd: float | None = None
    """What it took, once it is over; the cost is null where nobody knows it."""

    error: str | None = None
    """Why it was interrupted, if it was a trouble and not a person."""

    @property
    def failed(self) -> int:
        """How many have no answer."""
        return sum(asset.status == "failed" for asset in self.assets)


@dataclass(frozen=True)
class AutoTags:
    """Tags the assets of a library."""

    assistant: Assistant

    def batch(self, references: Sequence[str], asked: How) -> Batch:
        """Find the assets, each once; raises ``NotFound`` and ``UsageError`` before anybody is
        asked anything."""
        library = self.assistant.library
        found = {entry.meta.id: entry.meta.name for entry in map(library.entry, references)}
        if not found:
            raise UsageError("no asset was named")
        if len(found) > MOST:
            raise UsageError(f"{len(found)} assets are too many at once; name at most {MOST}")
        return Batch(f"auto-tag-{uuid.uuid4()}", tuple(found.items()), asked)

    def every(self, *, untagged: bool) -> list[str]:
        """The ids of all active assets, or of those without a tag that holds or waits."""
        index, kind = self.assistant.library.index, self.assistant.library.kind
        found: list[str] = []
        number = 1
        while True:
            query = AssetQuery(sort="created_at", page=number, page_size=LARGEST_PAGE)
            page = index.skills(query) if kind == "skill" else index.baselines(query)
            found += [entry.meta.id for entry in page.items if not (untagged and _is_tagged(entry))]
            if number * LARGEST_PAGE >= page.total:
                return found
            number += 1

    async def run(
        self, batch: Batch, begun: Callable[[], None] = lambda: None, purse: Purse | None = None
    ) -> TagBatch:
        """Tag all of them, a few at a time; one that fails ends nothing.

        *begun* is called once the batch is on record and the work starts.
        """
        assistant, paid = self.assistant, purse or Purse(NO_LIMITS)
        sessions, ask = assistant.sessions(), assistant.ask(paid)
        claim = assistant.claim(self._run(batch, paid), self._start(batch))
        begun()
        try:
            async with claim.obeying(paid):
                await in_thread(self._tidy, sessions)
                targets = [
                    target
                    for identity, name in batch.assets
                    if (target := await in_thread(self._target, claim, identity, name)) is not None
                ]
                try:
                    await auto_tag_all(
                        ask,
                        targets,
                        batch.how,
                        sessions,
                        partial(self._keep, paid),
                        lambda tagged: self._settled(claim, _result(tagged)),
                    )
                except Draining:
                    if paid.is_halted:
                        raise Halted(batch.id, "paused") from None
                    raise
                await in_thread(assistant.library.index.refresh)
        except BaseException as trouble:
            assistant.app.deferred.attempt(partial(self._interrupted, claim, trouble))
            raise
        with assistant.app.store.transaction():
            claim.end("completed")
            assistant.tell("auto_tag.finished", batch.id, ending(paid))
        return self.get(batch.id)

    def _interrupted(self, claim: RunClaim, trouble: BaseException) -> None:
        """Say why it did not come to its end; of one that another process goes on with, nothing is
        told."""
        with self.assistant.app.store.transaction():
            is_ours = claim.end("interrupted", ending_of(trouble))
            if is_ours and claim.purse and not self.assistant.is_left(trouble):
                last = ending(claim.purse, trouble)
                self.assistant.tell("auto_tag.interrupted", claim.run.id, last)

    def _run(self, batch: Batch, purse: Purse) -> Run:
        kind = self.assistant.library.kind
        name = f"tags of {len(batch.assets)} {kind}s" if len(batch.assets) != 1 else "tags"
        run = RunService(self.assistant.app).new(batch.id, "auto_tag", name, purse)
        known: dict[str, object] = {"request": {"kind": kind}, "total": len(batch.assets)}
        return run.model_copy(update=known)

    def get(self, identity: str) -> TagBatch:
        """A batch as it stands; raises ``NotFound``. One whose process is gone is interrupted."""
        first, *others = self.assistant.told(identity, "auto_tag.started")
        if first.data.get("kind") != self.assistant.library.kind:
            raise NotFound(f"no batch {identity} of {self.assistant.library.kind}s")
        settled = {
            event.data["id"]: event.data for event in others if event.kind == "auto_tag.settled"
        }
        assets = [
            TaggedAsset.model_validate(settled.get(asset.id, asset))
            for asset in map(TaggedAsset.model_validate, _listed(first.data["assets"]))
        ]
        state = TagBatch.model_validate(
            {
                **{name: first.data[name] for name in ("kind", "engine", "model", "simulated")},
                "id": identity,
                "status": "running",
                "started_at": first.at,
                "total": len(assets),
                "assets": assets,
            }
        )
        for event in others:
            if event.kind in ("auto_tag.finished", "auto_tag.interrupted"):
                status = "completed" if event.kind == "auto_tag.finished" else "interrupted"
                return state.model_copy(
                    update={**event.data, "status": status, "ended_at": event.at}
                )
        if self.assistant.is_abandoned(identity):
            return state.model_copy(update={"status": "interrupted"})
        return state

    def left(self, identity: str) -> Batch:
        """What a batch has not come to; raises ``NotFound``."""
        found = self.get(identity)
        waiting = [asset for asset in found.assets if asset.status == "waiting"]
        asked = self.assistant.how(found.engine, None if found.simulated else found.model)
        return Batch(identity, tuple((asset.id, asset.name) for asset in waiting), asked)

    def _start(self, batch: Batch) -> dict[str, JsonValue]:
        waiting = [
            TaggedAsset(id=identity, name=name, status="waiting").model_dump(mode="json")
            for identity, name in batch.assets
        ]
        return {
            "total": len(waiting),
            "kind": self.assistant.library.kind,
            "engine": batch.how.engine,
            "model": batch.how.model,
            "simulated": batch.how.simulated,
            "assets": [*waiting],
        }

    def _settled(self, claim: RunClaim, result: TaggedAsset) -> None:
        with self.assistant.app.store.transaction():
            claim.settle(is_failed=result.status == "failed")
            told = result.model_dump(mode="json")
            self.assistant.tell("auto_tag.settled", claim.run.id, told)

    def _tidy(self, sessions: Sessions) -> None:
        """Complete what processes left behind that were killed."""
        for session in sessions.abandoned(self.assistant.app.is_alive):
            with suppress(WhetError):  # then the next batch tries again
                if session.purpose == "auto_tag" and session.related_target_id:
                    workspace, identity = self.assistant.library.workspace, session.session_id
                    tags.end_log(workspace, session.related_target_id, identity)
                sessions.close(session)

    def _target(self, claim: RunClaim, identity: str, name: str) -> Target | None:
        """The asset as the model gets it; one that cannot be read has failed."""
        library = self.assistant.library
        try:
            return _target(self.assistant, library.entry(identity))
        except WhetError as error:
            failed = TaggedAsset(id=identity, name=name, status="failed", error=str(error))
            self._settled(claim, failed)
            return None

    def _keep(self, paid: Purse, target: Target) -> Keep:
        """Writes into whichever version is the newest when it is time to; raises ``Draining`` when
        nothing more is to begin."""
        if self.assistant.app.drain.is_on or paid.is_halted:
            raise Draining
        workspace, identity = self.assistant.library.workspace, target.id

        async def keep(name: str, log: AutoTagLog, new: tuple[AutoTag, ...]) -> tuple[AutoTag, ...]:
            if log.status == "completed":
                return await in_thread(tags.propose, workspace, identity, name, log, new)
            await in_thread(tags.keep_log, workspace, identity, name, log)
            return ()

        return keep


def _result(tagged: Tagged) -> TaggedAsset:
    return TaggedAsset(
        id=tagged.target.id,
        name=tagged.target.name,
        status="failed" if tagged.log.status == "failed" else "completed",
        tags=tuple(tag.value for tag in tagged.tags),
        error=tagged.log.error,
    )


def _target(assistant: Assistant, entry: SkillEntry | BaselineEntry) -> Target:
    folder = assistant.library.workspace / entry.folder
    if isinstance(entry.meta, BaselineMeta):
        found = snapshot.read(Asset(folder, entry.meta))
    else:
        found = snapshot.read(Asset(folder, entry.meta))
    if isinstance(found, SkillSnapshot):
        text = found.text
    else:
        parts = (f"{one.name}\n{one.input}\n{one.expected_output}" for one in found.cases)
        text = "\n\n".join(parts)
    present = tags.load(folder)
    return Target(
        kind=assistant.library.kind,
        id=entry.meta.id,
        name=entry.meta.name,
        description=entry.meta.description,
        text=shortened(text, MOST_TEXT),
        present=tuple(tag.value for tag in (*present.manual, *present.auto)),
    )


def _is_tagged(entry: SkillEntry | BaselineEntry) -> bool:
    return bool(entry.tags or entry.pending_tag_count)


def _listed(value: JsonValue) -> Iterable[JsonValue]:
    return value if isinstance(value, list) else ()
