"""One process at work on a capability run: keeps its row, its items, its events and its folders
in step."""

import time
from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from whet.app.capability import folders, private, telling
from whet.app.capability.folders import Folders
from whet.app.runs.claim import Ending, RunClaim
from whet.core.instant import iso, seconds_since
from whet.core.trial import TrialSpec
from whet.documents.capability import EvaluationItem, EvaluationRun
from whet.evaluate.capability import items
from whet.evaluate.capability.pace import Pace
from whet.evaluate.capability.scores import Tally
from whet.evaluate.capability.select import Chosen
from whet.evaluate.experiment import Row
from whet.ports.pool import Handled, Handler

SAVE_SECONDS = 1.0
"""Between two times that the row of the run says how far it is."""

UNSETTLED = frozenset({"active", "cancelled"})


class AtWork:
    """Takes the rows of a run; *known* is what its items were when this process came to it."""

    def __init__(
        self,
        claim: RunClaim,
        run: EvaluationRun,
        chosen: Iterable[Chosen],
        known: Iterable[EvaluationItem],
        concurrency: int,
    ) -> None:
        self.claim = claim
        self._app = app = claim.app
        self._run = run
        self._folders = Folders(app.settings.workspace, app.store.blobs)
        known, chosen = [*known], [*chosen]
        self._tally = Tally(known)
        self._pace = Pace(concurrency, known)
        settled = [item for item in known if item.status not in UNSETTLED]
        self._settled = {item.case_id for item in settled}
        self._lay_missing({each.core.id: each for each in chosen}, settled)
        self._open = {each.core.id: each for each in chosen if each.core.id not in self._settled}
        self._begun: dict[str, str] = {}
        self._saved = self._began = time.monotonic()
        self._earlier = seconds_since(run.started_at, app.clock.now())
        """Seconds that the run took before this process came to it."""

    @property
    def run_id(self) -> str:
        """Of the run."""
        return self._run.run_id

    @property
    def undone(self) -> list[Chosen]:
        """The cases that are to be done."""
        return [*self._open.values()]

    def announcing(self, handler: Handler) -> Handler:
        """The *handler*, which lets everybody know when a case is begun."""
        asking: dict[str, list[str]] = {}
        for case, chosen in self._open.items():
            asking.setdefault(chosen.core.stimulus.digest, []).append(case)

        async def handle(spec: TrialSpec) -> Handled:
            cases = asking.pop(spec.stimulus.digest, [])
            if cases:
                now = iso(self._app.clock.now())
                await self._app.writer(lambda: self._begin(cases, now))
            return await handler(spec)

        return handle

    def committed(self, row: Row) -> None:
        """Keep the item of a case that is settled, in the commit that settles it."""
        before = self._item(row.cell.case.id)
        now = iso(self._app.clock.now())
        item = items.settled(before, row, self._app.store.blobs, now)
        store = self._app.store
        store.evaluations.append_eval_item(item)
        self._tally.add(item)
        self._pace.add(item)
        self._settled.add(item.case_id)
        self.claim.commit(row)
        telling.item(store, item)
        if item.status == "error":
            telling.log(store, item.run_id, item.error or "no answer", item.case_id)
        left = self._pace.seconds_left(self._tally.counts()["active"])
        telling.progress(store, self._run, self._tally, left)
        if time.monotonic() - self._saved > SAVE_SECONDS:
            self._saved = time.monotonic()
            store.evaluations.update_eval_run(self._run.run_id, self._figures())

    def settled(self, row: Row) -> None:
        """Take a row; one that was answered before, and never told, is told now."""
        case = row.cell.case
        if case.id not in self._settled:
            with self._app.store.transaction():
                self.committed(row)
        self._open.pop(case.id, None)
        if row.record is not None and (
            trouble := self._folders.lay(self._run.run_id, case, row.record)
        ):
            telling.log(self._app.store, self._run.run_id, trouble, case.id)

    def end(self, status: telling.Last, error: str | None = None) -> EvaluationRun:
        """Say how it ended, and what it came to."""
        # By a clock that only goes forward: that of the day may be set while we work.
        elapsed = round(self._earlier + time.monotonic() - self._began, 3)
        ending = (status, error)
        return finished(self.claim, self._run, self._tally, ending, elapsed)

    def _begin(self, cases: Iterable[str], now: str) -> None:
        store = self._app.store
        for case in cases:
            self._begun[case] = now
            item = self._item(case)
            store.evaluations.append_eval_item(item)
            self._tally.add(item)
            telling.item(store, item)

    def _item(self, case: str) -> EvaluationItem:
        item = items.opened(self._run.run_id, self._open[case])
        begun = self._begun.get(case)
        return item if begun is None else item.model_copy(update={"started_at": begun})

    def _lay_missing(self, chosen: Mapping[str, Chosen], settled: Iterable[EvaluationItem]) -> None:
        """Lay what a process did not come to when it was killed."""
        for item in settled:
            is_there = self._folders.has(item.run_id, item.case_id)
            if item.trial is None or item.case_id not in chosen or is_there:
                continue
            if (record := self._app.store.ledger.record(item.trial)) is not None:
                self._folders.lay(item.run_id, chosen[item.case_id].core, record)

    def _figures(self) -> dict[str, JsonValue]:
        return telling.figures(self._tally, self._run)


def finished(
    claim: RunClaim,
    run: EvaluationRun,
    tally: Tally,
    ending: tuple[telling.Last, str | None],
    elapsed: float | None = None,
) -> EvaluationRun:
    """Close a run in one transaction: what is undone is cancelled, and everybody hears of it. It
    took *elapsed* seconds; where that is not known, the clock of the day decides."""
    (status, error), app = ending, claim.app
    store, now = app.store, app.clock.now()
    with store.transaction():
        if tally.counts()["active"]:
            reason = "the run was cancelled" if status == "cancelled" else f"the run {status}"
            _cancel_open(claim, tally, reason)
        change: dict[str, JsonValue] = {
            **telling.figures(tally, run),
            "status": status,
            "finished_at": iso(now),
            "elapsed_s": seconds_since(run.started_at, now) if elapsed is None else elapsed,
            "error": error,
        }
        ended = store.evaluations.update_eval_run(run.run_id, change, expected={"running"})
        claim.end("completed" if status == "finished" else status, Ending(error))
        folders.remember(store, run.run_id, now)
        if status != "failed":
            private.forget(store, run.run_id)
        telling.progress(store, run, tally)
        telling.finished(store, ended)
    return ended


def _cancel_open(claim: RunClaim, tally: Tally, reason: str) -> None:
    app = claim.app
    detail = app.store.evaluations.get_eval_run_detail(claim.run.id)
    for item in detail.items if detail else ():
        if item.status == "active":
            gone = items.cancelled(item, reason)
            app.store.evaluations.append_eval_item(gone)
            tally.add(gone)
            telling.item(app.store, gone)
