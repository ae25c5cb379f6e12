"""Trigger evals of a workspace: does an agent take the skill up when it should, and only then."""

from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from whet.app.app import App
from whet.app.runs.claim import RunClaim
from whet.app.runs.service import RunService
from whet.app.trigger_plan import TriggerLeg, TriggerPlan, experiment
from whet.core.errors import Conflict, EnvironmentProblem, UsageError
from whet.core.front_matter import entries, with_description
from whet.core.instant import iso_seconds
from whet.core.lanes import WIDTH
from whet.documents.files import write_atomic
from whet.documents.skill_creator import DescriptionLoop, TriggerQuery, TriggerResult
from whet.evaluate import trigger
from whet.evaluate.describe import ROUNDS, Split, improve, split
from whet.evaluate.describe_ask import ModelAuthor
from whet.evaluate.describe_report import loop_document
from whet.evaluate.describe_simulated import word_author
from whet.evaluate.experiment import Extent, Row
from whet.evaluate.plan import Design
from whet.evaluate.suite_runs import write_text
from whet.evaluate.trigger import Offer
from whet.evaluate.trigger_report import Counted, counted, result


@dataclass(frozen=True)
class TriggerOutcome:
    """What one leg came to."""

    result: TriggerResult
    file: Path
    extent: Extent


@dataclass(frozen=True)
class Improved:
    """What a search for a better description came to."""

    loop: DescriptionLoop
    file: Path


@dataclass(frozen=True)
class Triggers:
    """Carries plans out; *width* runs at once for each engine and model."""

    app: App
    width: int = WIDTH

    async def measure(
        self, made: TriggerPlan, begun: Callable[[], None] = lambda: None
    ) -> list[TriggerOutcome]:
        """Settle every run of every leg; what is recorded already is not run again."""
        total = sum(leg.design.size for leg in made.legs)
        async with self._claimed(made, "measure", total) as claim:
            begun()
            return [await self._measured(made, leg, claim) for leg in made.legs]

    @asynccontextmanager
    async def _claimed(
        self, made: TriggerPlan, action: str, total: int
    ) -> AsyncGenerator[RunClaim]:
        request = made.request.model_dump(mode="json")
        run = RunService(self.app).new(made.subject, "trigger", made.offer.name, made.purse)
        known: dict[str, object] = {"request": {**request, "action": action}, "total": total}
        async with RunService(self.app).carry_out(
            run.model_copy(update=known), made.purse
        ) as claim:
            yield claim

    async def _measured(
        self, made: TriggerPlan, leg: TriggerLeg, claim: RunClaim
    ) -> TriggerOutcome:
        rows, extent = await self._rows(made, made.offer, leg.design, claim)
        document = result(made.offer, made.queries.items, leg.design, rows).model_copy(
            update={
                "cost_usd": self._cost(row.trial for row in rows),
                "evaluated_at": iso_seconds(self.app.clock.now()),
            }
        )
        file = leg.folder / "result.json"
        write_text(file, document.lean().to_json())
        return TriggerOutcome(document.lean(), file, extent)

    async def improve(
        self, made: TriggerPlan, parts: Split, begun: Callable[[], None] = lambda: None
    ) -> Improved:
        """Search for a better description with the one leg of a plan."""
        async with self._claimed(made, "improve", most_runs(made, parts)) as claim:
            begun()
            return await self._improved(made, parts, claim)

    async def _improved(self, made: TriggerPlan, parts: Split, claim: RunClaim) -> Improved:
        leg = only_leg(made)
        pin, addresses = leg.design.pin, set[str]()
        simulated: set[bool] = set()
        author = ModelAuthor(self.app.ask(made.purse), pin.engine, pin.model)
        is_simulated = self.app.parts.engine(pin.engine).simulated

        async def measure(offered: Offer, queries: Sequence[TriggerQuery]) -> list[Counted]:
            plan = trigger.design(
                offered,
                queries,
                pin,
                runs=made.request.runs,
                timeout=made.request.patience,
            )
            rows, _ = await self._rows(made, offered, plan, claim)
            addresses.update(row.trial for row in rows)
            simulated.update(row.record.simulated for row in rows if row.record)
            return counted(queries, rows, offered.name)

        propose = word_author if is_simulated else author
        found = await improve(made.offer, parts, measure, propose)
        loop = loop_document(found, pin, made.request.runs).model_copy(
            update={
                "skill_name": made.offer.name,
                "simulated": is_simulated or any(simulated),
                "cost_usd": self._cost([*addresses, *author.addresses]),
            }
        )
        file = leg.folder / "description.json"
        write_text(file, loop.lean().to_json())
        return Improved(loop.lean(), file)

    async def _rows(
        self, made: TriggerPlan, offered: Offer, design: Design, claim: RunClaim
    ) -> tuple[list[Row], Extent]:
        with self.app.store.transaction():
            for data in offered.content.values():
                self.app.store.blobs.put(data)
        rows: list[Row] = []

        def settled(row: Row) -> None:
            rows.append(row)
            claim.reuse(row)

        driver = replace(experiment(self.app, made.subject, self.width), committed=claim.commit)
        extent = await driver.run(design, made.purse, settled)
        return rows, extent

    def _cost(self, addresses: Iterable[str]) -> float | None:
        return self.app.store.ledger.spent(sorted(set(addresses))).cost_usd


def only_leg(made: TriggerPlan) -> TriggerLeg:
    """The one engine and model that a description is improved for; raises ``UsageError``."""
    if len(made.legs) != 1:
        raise UsageError("a description is improved for one engine and one model; name one of each")
    return made.legs[0]


def parts_of(made: TriggerPlan) -> Split:
    """The split of the queries; raises ``UsageError`` where nothing could be improved."""
    if entries(made.offer.text) is None:
        raise UsageError(f"{made.request.skill / 'SKILL.md'} has no front matter to put one in")
    return split(made.queries.items)


def most_runs(made: TriggerPlan, parts: Split) -> int:
    """How many runs a search takes at the most, and each round a question besides."""
    queries = (ROUNDS + 1) * len(parts.train) + 2 * len(parts.held_out)
    return queries * made.request.runs


def apply(made: TriggerPlan, description: str) -> Path:
    """Write the description into the skill's SKILL.md, and change nothing else there; raises
    ``Conflict`` if somebody edited the file meanwhile."""
    path = made.request.skill / "SKILL.md"
    try:
        present = path.read_bytes()
        mode = path.stat().st_mode
        if present != made.offer.text.encode(errors="surrogateescape"):
            raise Conflict(str(path), "the text that was measured", "another one")
        text = with_description(made.offer.text, description)
        write_atomic(path, text.encode(errors="surrogateescape"), durable=True)
        path.chmod(mode & 0o7777)
    except OSError as error:
        raise EnvironmentProblem(f"cannot write {path}: {error.strerror}") from error
    return path
