"""From a request to a plan of trigger runs: which agents are offered what, on which queries."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import Field

from whet.app.app import App
from whet.app.config import defaults
from whet.app.eval_estimate import Estimate, agent_runs, limited, priced
from whet.app.pins import Wish, is_paid, pinned, place
from whet.core.address import digest
from whet.core.budget import Budget, Purse
from whet.core.errors import UsageError
from whet.core.naming import slug
from whet.core.value import Value
from whet.documents.skill_creator import TriggerQuery
from whet.evaluate import trigger
from whet.evaluate.experiment import Experiment, Extent
from whet.evaluate.grade import Grader
from whet.evaluate.plan import Design, Pin, cells, trial
from whet.evaluate.trigger import Offer, Queries, offer, read_queries
from whet.pools.local import LocalPool
from whet.ports.inspected import Inspected


class TriggerRequest(Value):
    """Which skill to try, among which others, on which agents."""

    skill: Path = Field(description="The folder of the skill, with its SKILL.md.")
    queries: Path | None = Field(
        default=None, description="The queries. Default: evals/triggers.json of the skill."
    )
    beside: tuple[Path, ...] = Field(
        default=(),
        description="Competing skills, or folders of them, that are offered as well.",
    )
    engines: tuple[str, ...] | None = Field(
        default=None, description="The agents to try it on. Default: as configured."
    )
    models: tuple[str, ...] = Field(
        default=(), description="Models for every engine, or engine:model for one."
    )
    runs: int = Field(default=trigger.RUNS, ge=1, le=100, description="Runs of each query.")
    timeout_seconds: float | None = Field(
        default=None,
        gt=0,
        allow_inf_nan=False,
        description="Seconds for each run. Default: as configured, else 120.",
    )
    budget: Budget = Budget()

    @property
    def patience(self) -> float:
        """Seconds for each run."""
        return self.timeout_seconds or trigger.TIMEOUT_SECONDS


@dataclass(frozen=True)
class TriggerLeg:
    """One engine and model."""

    design: Design
    folder: Path
    """For its results, inside the workspace."""

    extent: Extent
    is_paid: bool
    """Whether somebody is charged for it."""

    @property
    def name(self) -> str:
        """Engine and model."""
        return f"{self.design.pin.engine}:{self.design.pin.model}"


@dataclass(frozen=True)
class TriggerPlan:
    """What will happen, before anything does."""

    request: TriggerRequest
    offer: Offer
    queries: Queries
    legs: tuple[TriggerLeg, ...]
    warnings: tuple[str, ...]
    purse: Purse
    subject: str
    """The name under which its events appear."""


def plan(app: App, request: TriggerRequest) -> TriggerPlan:
    """Look at everything that is asked for; raises ``UsageError`` and runs nothing."""
    known = defaults(app)
    update = known.filling(request.engines, request.models, request.timeout_seconds)
    request = request.model_copy(update=update)
    offered = offer(request.skill, request.beside)
    queries = read_queries(request.skill, request.queries)
    root = app.settings.workspace / "triggers" / slug(offered.name, "skill", "-")
    for name in request.engines or ():
        _refuse_blind(app, name)
    pins = pinned(app, Wish(request.engines or (), request.models, budget=request.budget))
    legs = tuple(_leg(app, request, offered, queries.items, pin, root) for pin in pins)
    require_credentials(app, [leg for leg in legs if leg.extent.missing])
    addresses = [trial(leg.design, cell).address for leg in legs for cell in cells(leg.design)]
    return TriggerPlan(
        request=request,
        offer=offered,
        queries=queries,
        legs=legs,
        warnings=(*queries.warnings, *_remarks(offered)),
        purse=Purse(request.budget),
        subject=f"triggers_{digest([*addresses])[:12]}",
    )


def _remarks(offered: Offer) -> list[str]:
    if offered.description:
        return []
    return ["SKILL.md has no description, so agents cannot know when to take the skill up"]


def _leg(
    app: App,
    request: TriggerRequest,
    offered: Offer,
    queries: Sequence[TriggerQuery],
    pin: Pin,
    root: Path,
) -> TriggerLeg:
    made = trigger.design(offered, queries, pin, runs=request.runs, timeout=request.patience)
    extent = experiment(app, "", 1).extent(made)
    return TriggerLeg(made, root / place(pin), extent, is_paid(app.parts.engine(pin.engine)))


def _refuse_blind(app: App, name: str) -> None:
    """An engine that says nothing of what it can do is taken at its word."""
    engine = app.parts.engine(name)
    if isinstance(engine, Inspected) and "skills" not in engine.inspect().abilities:
        raise UsageError(
            f"engine {name} does not tell which skills its agent takes up; "
            "use an agent program such as claude, codex, gemini or opencode"
        )


def estimate(app: App, made: TriggerPlan, most: int | None = None) -> Estimate:
    """What the missing runs will probably cost, or *most* runs of every leg."""
    runs = {
        leg.name: agent_runs(leg.design, leg.extent.missing if most is None else most)
        for leg in made.legs
        if leg.is_paid
    }
    limit = made.request.budget.max_trials
    found = priced(app, limited(runs, limit), {})
    return replace(found, can_try=found.can_try and limit is None)


def require_credentials(app: App, legs: Iterable[TriggerLeg]) -> None:
    """Raise ``EnvironmentProblem`` with the fix for an agent that has no credential."""
    for leg in legs:
        app.require_credential(leg.design.pin.engine, leg.design.pin.model)


def experiment(app: App, subject: str, width: int) -> Experiment:
    """What carries out a design; there is nothing to grade."""
    return Experiment(
        store=app.store,
        writer=app.writer,
        pool=LocalPool(app.runner(defaults(app).retries), width, app.drain),
        grader=Grader(judges=(), rubric=None, blobs=app.store.blobs, clock=app.clock),
        subject=subject,
        live=app.live,
        drain=app.drain,
    )
