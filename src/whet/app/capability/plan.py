"""From a request to the plan of a run, and back from what the store has kept of one."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from pydantic import JsonValue

from whet.app.app import App
from whet.app.capability.measured_agent import narrowed, options_of, pin_of
from whet.app.capability.requests import LANGUAGES, EvaluationStart, Overrides, read_overrides
from whet.app.capability.sets import DEFAULT, case_sets, digest_of, named, together
from whet.app.config import defaults
from whet.app.eval_estimate import Estimate, agent_runs, priced
from whet.app.parts import every_checker
from whet.app.pins import is_paid
from whet.app.secret_store import owner_of_run
from whet.core.arm import Arm, SkillPackage
from whet.core.budget import Budget
from whet.core.errors import EnvironmentProblem, UsageError
from whet.core.front_matter import name_of
from whet.core.tools import SKILL, canonical, is_builtin
from whet.core.value import Value
from whet.curate.library import package, skills
from whet.documents.base import Number
from whet.documents.capability import (
    CapabilityCaseSet,
    Dimension,
    EvaluationPlanned,
    EvaluationRun,
    SkippedCase,
)
from whet.evaluate.capability.select import Chosen, Selection, choose
from whet.evaluate.grade import Grader
from whet.evaluate.plan import Design, Pin
from whet.ports.tooled import Tooled

TIMEOUT_SECONDS = 120.0


class Snapshot(Value):
    """What ``config_snapshot`` of a run holds: all that it takes to go on with it."""

    pin: Pin
    dimensions: tuple[Dimension, ...] | None
    tool_names: tuple[str, ...] | None
    timeout_s: float
    concurrency: int
    retries: int
    skill: SkillPackage | None = None
    neighbours: tuple[SkillPackage, ...] = ()
    budget: Budget = Budget()
    background: bool = False
    """Runs of earlier versions have it; nobody asks for it any more."""


class Tools(Value):
    """What ``tool_snapshot`` of a run holds."""

    tools: tuple[str, ...] | None
    """What the agent has; null where nobody knows."""

    configured: tuple[str, ...] = ()
    """Servers and skills that the run brings along."""


@dataclass(frozen=True)
class RunPlan:
    """What a run will do, before anything does."""

    run_id: str
    user_id: str | None
    language: str
    case_set: str
    content: CapabilityCaseSet
    digest: str
    snapshot: Snapshot
    tools: Tools
    weights: dict[Dimension, Number]
    chosen: tuple[Chosen, ...]
    estimate: Estimate

    @property
    def model_name(self) -> str:
        """Engine and model, as runs are found by it."""
        pin = self.snapshot.pin
        return pin.engine if pin.model in (pin.engine, "default") else f"{pin.engine}:{pin.model}"

    def told(self, *, simulated: bool) -> EvaluationPlanned:
        """The plan for people to agree to."""
        skipped = (
            SkippedCase(case_id=each.core.id, missing_tools=each.missing)
            for each in self.chosen
            if each.missing
        )
        return EvaluationPlanned(
            model_name=self.model_name,
            language=self.language,
            case_set=self.case_set,
            simulated=simulated,
            case_count=len(self.chosen),
            dimensions=dict(Counter(each.case.dimension for each in self.chosen)),
            skipped=tuple(skipped),
            tools=self.tools.tools,
            paid_runs=self.estimate.runs,
            cost_usd=self.estimate.cost_usd,
            rough_cost_usd=self.estimate.rough_cost_usd,
            needs_confirmation=self.estimate.needs_consent,
        )


def planned(app: App, wanted: EvaluationStart, given: CapabilityCaseSet | None = None) -> RunPlan:
    """Look at everything that is asked for; raises ``UsageError`` and starts nothing. A set that
    is *given* comes from elsewhere, and is taken instead of one by name."""
    overrides = read_overrides(wanted)
    options = options_of(wanted, overrides)
    run_id, name = str(uuid4()), wanted.case_set or DEFAULT
    pin = pin_of(app, wanted.model_name, options, owner_of_run(run_id))
    offered = [_skill(app, name) for name in dict.fromkeys(overrides.skills)]
    if given is not None:
        name = given.case_set or name
    parts = named(case_sets(app.settings.workspace), name) if given is None else (given,)
    content = together(parts)
    language = wanted.language or LANGUAGES[app.settings.language]
    snapshot = _snapshot(app, wanted, overrides, pin, [skill for skill, _ in offered])
    tools = _tools(app, snapshot, overrides, [called for _, called in offered])
    chosen = _chosen(app, content, _selection(run_id, wanted.user_id, language, snapshot, tools))
    to_run = [each.core for each in chosen if not each.missing]
    app.require_ability(pin.engine, to_run, "case")
    return RunPlan(
        run_id=run_id,
        user_id=wanted.user_id,
        language=language,
        case_set=name,
        content=content,
        digest=digest_of(content),
        snapshot=snapshot,
        tools=tools,
        weights=overrides.all_weights,
        chosen=chosen,
        estimate=_estimate(app, run_id, snapshot, chosen),
    )


def recalled(app: App, run: EvaluationRun) -> tuple[Snapshot, tuple[Chosen, ...]]:
    """The plan of a run that was started before, from what was kept of it."""
    snapshot = Snapshot.model_validate(run.config_snapshot)
    tools = Tools.model_validate(run.tool_snapshot)
    content = app.store.evaluations.get_case_set(run.case_set_digest or "")
    if content is None:
        raise EnvironmentProblem(f"the cases of run {run.run_id} are not in the store any more")
    selection = _selection(run.run_id, run.user_id, run.language, snapshot, tools)
    return snapshot, _chosen(app, content, selection)


def design_of(run_id: str, snapshot: Snapshot, chosen: Sequence[Chosen]) -> Design:
    """The trials of a run. Their scope is the run: another one is measured anew."""
    skill = snapshot.skill
    label = skill.name if skill else "no skill"
    return Design(
        arms=(Arm(id="agent", label=label, skill=skill),),
        cases=tuple(each.core for each in chosen),
        pin=snapshot.pin,
        scope=f"evaluation/{run_id}",
        neighbours=snapshot.neighbours,
    )


def grader_of(app: App) -> Grader:
    """Decides by rules alone."""
    return Grader(
        judges=(),
        rubric=None,
        blobs=app.store.blobs,
        clock=app.clock,
        checkers=every_checker(app.parts),
    )


def _snapshot(
    app: App,
    wanted: EvaluationStart,
    overrides: Overrides,
    pin: Pin,
    offered: Sequence[SkillPackage],
) -> Snapshot:
    known = defaults(app)
    for beside in offered[1:]:
        if beside.kind != "package":
            raise UsageError(
                f"config_overrides.skills: {beside.name!r} is a text, and an agent takes only one "
                "of those; name it first, or make it a package"
            )
    return Snapshot(
        pin=pin,
        dimensions=wanted.dimensions,
        tool_names=wanted.tool_names,
        timeout_s=overrides.timeout_s or known.timeout_seconds or TIMEOUT_SECONDS,
        concurrency=overrides.concurrency,
        retries=known.retries if overrides.retries is None else overrides.retries,
        skill=offered[0] if offered else None,
        neighbours=tuple(offered[1:]),
        budget=overrides.budget,
    )


def _tools(app: App, snapshot: Snapshot, overrides: Overrides, called: Sequence[str]) -> Tools:
    engine, options = app.parts.engine(snapshot.pin.engine), snapshot.pin.options
    given = [f"{SKILL}{name}" for name in called]
    if isinstance(engine, Tooled):
        _refuse_unknown(snapshot.tool_names or (), engine, options)
        tools = narrowed(engine.tools(options), snapshot.tool_names)
        return Tools(tools=tuple(tools), configured=tuple(sorted(given)))
    # Nobody knows what it makes of servers, but whoever names them means to use them.
    given += [f"{name}@*" for name in overrides.mcp_servers if name in _servers(options)]
    return Tools(tools=None, configured=tuple(sorted(given)))


def _refuse_unknown(names: Sequence[str], engine: Tooled, options: dict[str, JsonValue]) -> None:
    """A tool that is no tool would leave the agent with less than somebody meant."""
    every = engine.tools({name: options[name] for name in options if name != "allowed_tools"})
    for name in names:
        tool = canonical(name)
        if "@" not in tool and tool not in every and not is_builtin(tool):
            raise UsageError(f"tool_names: no agent has a tool {name!r}; it has {', '.join(every)}")


def _servers(options: dict[str, JsonValue]) -> frozenset[str]:
    servers = options.get("mcp_servers")
    return frozenset(servers) if isinstance(servers, dict) else frozenset()


def _selection(
    run_id: str, user_id: str | None, language: str | None, snapshot: Snapshot, tools: Tools
) -> Selection:
    return Selection(
        run_id=run_id,
        user_id=user_id or "",
        language=language,
        dimensions=snapshot.dimensions,
        tools=None if tools.tools is None else frozenset(tools.tools),
        configured=frozenset(tools.configured),
        timeout_s=snapshot.timeout_s,
    )


def _chosen(app: App, content: CapabilityCaseSet, selection: Selection) -> tuple[Chosen, ...]:
    with app.store.transaction():
        return choose((content,), selection, every_checker(app.parts), app.store.blobs)


def _skill(app: App, reference: str) -> tuple[SkillPackage, str]:
    """A skill of the library with its files kept, and what agents call it."""
    asset = skills(app.settings.workspace).find(reference)
    found, content = package(asset.folder, asset.meta.name)
    with app.store.transaction():
        for data in content.values():
            app.store.blobs.put(data)
    text = content[found.entry.path].decode(errors="replace")
    return found, name_of(text, found)


def _estimate(app: App, run_id: str, snapshot: Snapshot, chosen: Sequence[Chosen]) -> Estimate:
    pin, runs = snapshot.pin, [each for each in chosen if not each.missing]
    if not runs or not is_paid(app.parts.engine(pin.engine)):
        return priced(app, {}, {})
    at_work = agent_runs(design_of(run_id, snapshot, runs), len(runs))
    return priced(app, {f"{pin.engine}:{pin.model}": at_work}, {})
