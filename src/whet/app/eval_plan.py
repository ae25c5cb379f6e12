"""From a request to a plan: which agents try which evals under which arms, graded by whom."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pydantic import JsonValue

from whet.app.access import Asker, Origin
from whet.app.app import App
from whet.app.config import defaults
from whet.app.eval_request import EvalRequest
from whet.app.judging import Seats, require_judges, seated
from whet.app.parts import every_checker
from whet.app.pins import Wish, pinned, place
from whet.core.address import digest
from whet.core.arm import Arm, SkillPackage
from whet.core.budget import Purse
from whet.core.errors import EnvironmentProblem, NotFound, UsageError
from whet.core.naming import slug
from whet.curate.library import folder_package, package, skills
from whet.documents.eval_statistics import PowerRow
from whet.evaluate.experiment import Experiment, Extent
from whet.evaluate.grade import Grader
from whet.evaluate.judging import MODEL
from whet.evaluate.plan import Design, Pin, cells, trial
from whet.evaluate.reliability import power_before
from whet.evaluate.rounds import shuffled_units
from whet.evaluate.suite import SCRIPT, Suite, read_suite
from whet.evaluate.verdict import grain_of_suite
from whet.evaluate.verdict_words import few_evals
from whet.pools.local import LocalPool
from whet.ports.judge import Judge

SERIES = "eval-series"
_VERSION = re.compile(r"v[0-9]{1,9}")


@dataclass(frozen=True)
class Leg:
    """One engine and model: its own design, folder and benchmark."""

    design: Design
    root: Path
    """Where its iterations lie."""

    digest: str
    """Of everything that is run and how it is graded; another one is another iteration."""

    extent: Extent

    @property
    def name(self) -> str:
        """Engine and model."""
        return f"{self.design.pin.engine}:{self.design.pin.model}"


@dataclass(frozen=True)
class EvalPlan:
    """What will happen, before anything does."""

    id: str
    request: EvalRequest
    suite: Suite
    skill: SkillPackage
    folder: Path
    """For everything of this skill, inside the workspace."""

    legs: tuple[Leg, ...]
    grader: Grader
    purse: Purse
    content: Mapping[str, bytes]
    """All that agents get, by digest."""

    warnings: tuple[str, ...]
    series: int

    @property
    def total(self) -> int:
        """Trials, however many of them are there already."""
        return sum(leg.extent.total for leg in self.legs)

    def power(self) -> tuple[PowerRow, ...]:
        """What so many evals and runs can see, and what more of them could."""
        design = self.legs[0].design
        grain, units = (
            grain_of_suite(self.suite),
            len(shuffled_units(design, self.suite.clusters())),
        )
        return power_before(len(design.cases), design.repeats, grain, units)

    @property
    def judge_names(self) -> tuple[str, ...]:
        """Each judge with what it asks: ``codex:default`` where it is a model."""
        return tuple(
            judge.model if judge.name in (MODEL, judge.model) else f"{judge.name} {judge.model}"
            for judge in self.grader.judges
        )


def plan(
    app: App, request: EvalRequest, pins: tuple[Pin, ...] = (), origin: Origin = "request"
) -> EvalPlan:
    """Look at everything that is asked for; raises ``UsageError`` and runs nothing.

    With *pins* the agents are those of an earlier run, installed or not. The *origin* of a request
    that was kept in the workspace is a file.
    """
    source, name = skill_folder(app, request.skill)
    skill, content = folder_package(source)
    of_earlier = bool(pins)
    if not of_earlier:
        request = _filled(app, request)
    pins = pins or pinned(app, _wish(request, origin))
    # What is kept of a request has no secrets in it.
    request = request.model_copy(update={"options": pins[0].options})
    simulated = all(app.parts.engine(pin.engine).simulated for pin in pins)
    _check_shape(request)
    timeout = request.timeout_seconds or (60 if simulated else 600)
    request = request.model_copy(update={"timeout_seconds": timeout})
    suite = read_suite(source, every_checker(app.parts), timeout)
    if not request.trust_scripts:
        suite = suite.without_scripts()
    arms, more = _arms(app, request, suite, skill, name)
    purse = Purse(request.budget)
    grader, warnings = _grader(app, request, suite, pins, purse)
    folder = app.settings.workspace / "evals" / slug(suite.document.skill_name, "skill", "-")
    # A fresh measurement begins the next series.
    series = series_of(app, folder.name) + request.fresh
    runs = request.runs or suite.config.runs_per_eval
    one = partial(Design, arms=arms, cases=suite.cases, repeats=runs, series=series)
    designs = [one(pin=pin, imported=request.imported) for pin in pins]
    legs = [_leg(app, design, suite, grader, folder, request) for design in designs]
    _require_ready(app, grader, legs, of_earlier=of_earlier)
    return EvalPlan(
        id=f"eval_{digest([leg.digest for leg in legs])[:12]}",
        request=request,
        suite=suite,
        skill=skill,
        folder=folder,
        legs=tuple(legs),
        grader=grader,
        purse=purse,
        content={**_by_digest(skill, content), **more, **suite.content},
        warnings=(*warnings, *_remarks(suite, request, designs[0])),
        series=series,
    )


def _require_ready(app: App, grader: Grader, legs: Sequence[Leg], *, of_earlier: bool) -> None:
    """Raise ``EnvironmentProblem`` for an agent or judge that has work to do and no credential, and
    for tasks that an agent cannot do; of an earlier run only what is on record is graded."""
    runs = 0 if of_earlier else sum(leg.extent.missing for leg in legs)
    for leg in () if of_earlier else legs:
        pin = leg.design.pin
        if leg.extent.missing:
            app.require_credential(pin.engine, pin.model)
        app.require_ability(pin.engine, leg.design.cases, "eval")
    if runs + sum(leg.extent.ungraded for leg in legs):
        require_judges(app, grader)


def experiment(app: App, made: EvalPlan) -> Experiment:
    """What carries out the legs of a plan."""
    return _experiment(app, made.grader, made.request.width, made.id)


def _experiment(app: App, grader: Grader, width: int, subject: str) -> Experiment:
    return Experiment(
        store=app.store,
        writer=app.writer,
        pool=LocalPool(app.runner(defaults(app).retries), width, app.drain),
        grader=grader,
        subject=subject,
        live=app.live,
        drain=app.drain,
    )


def skill_folder(app: App, reference: str) -> tuple[Path, str]:
    """The folder of the skill that is meant, and its name in the library."""
    folder = Path(reference)
    try:
        if folder.is_dir():
            return folder, folder.resolve().name
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {reference}: {error.strerror}") from error
    shelf = skills(app.settings.workspace)
    try:
        asset = shelf.find(reference)
    except NotFound:
        raise NotFound(f"no folder {reference}, and no skill of that name in the library") from None
    inside = asset.folder / "package"
    if not inside.is_dir():
        raise UsageError(f"{asset.meta.name} {asset.meta.version} is a text without evals")
    return inside, asset.meta.name


def _arms(
    app: App, request: EvalRequest, suite: Suite, skill: SkillPackage, name: str
) -> tuple[tuple[Arm, ...], dict[str, bytes]]:
    """The skill itself and what it is held against, with the files of the latter."""
    ours = Arm(id="with_skill", label=suite.document.skill_name, skill=skill)
    if request.against is not None:
        old, content = _old_skill(app, request.against, (suite.document.skill_name, name))
        if old.digest == skill.digest:
            raise UsageError(f"{request.against} holds the same files: there is nothing to compare")
        arm = Arm(id="old_skill", label=request.against, skill=old)
        return (ours, arm), _by_digest(old, content)
    baseline = suite.config.baseline_comparison if request.baseline is None else request.baseline
    if baseline:
        return (ours, Arm(id="without_skill", label="no skill", skill=None)), {}
    return (ours,), {}


def _old_skill(
    app: App, reference: str, names: Iterable[str]
) -> tuple[SkillPackage, dict[str, bytes]]:
    if not _VERSION.fullmatch(reference):
        return folder_package(Path(reference))
    shelf = skills(app.settings.workspace)
    for name in names:
        try:
            asset = shelf.find(f"{name}@{reference}")
        except NotFound:
            continue
        return package(asset.folder, asset.meta.name)
    raise NotFound(f"the library has no version {reference} of this skill; name a folder instead")


def _by_digest(skill: SkillPackage, content: Mapping[str, bytes]) -> dict[str, bytes]:
    return {file.digest: content[file.path] for file in skill.files}


def _filled(app: App, request: EvalRequest) -> EvalRequest:
    """The request with what the configuration says where nobody named anything."""
    known = defaults(app)
    update = known.filling(request.engines, request.models, request.timeout_seconds)
    return request.model_copy(update=update)


def _wish(request: EvalRequest, origin: Origin) -> Wish:
    options, budget = request.options, request.budget
    asker = Asker("the run to be resumed")
    return Wish(request.engines or (), request.models, options, budget, origin, asker)


def _check_shape(request: EvalRequest) -> None:
    alone = request.baseline is False and request.against is None
    if alone and (request.adaptive or request.pairwise):
        raise UsageError("an adaptive run, and a comparison in pairs, need another side")


def series_of(app: App, skill: str) -> int:
    """The series in which a skill, by the name of its folder, is measured now."""
    state = app.store.states.get(SERIES, skill)
    known = state.value.get("series") if state else 0
    return known if isinstance(known, int) else 0


def _grader(
    app: App, request: EvalRequest, suite: Suite, pins: Sequence[Pin], purse: Purse
) -> tuple[Grader, tuple[str, ...]]:
    judges: tuple[Judge, ...] = ()
    warnings: tuple[str, ...] = ()
    if any(case.standard.needs_judge for case in suite.cases):
        wanted = Seats(request.judges, suite.config.judge_model, request.budget.max_cost_usd)
        judges, warnings = seated(app, wanted, pins, purse)
    grader = Grader(
        judges=judges,
        rubric=None,
        blobs=app.store.blobs,
        clock=app.clock,
        checkers=every_checker(app.parts),
        readings=request.readings,
        gated=suite.config.structural_gate,
        script_sandbox=app.script_sandbox() if request.trust_scripts else None,
    )
    return grader, warnings


def _leg(
    app: App, design: Design, suite: Suite, grader: Grader, folder: Path, request: EvalRequest
) -> Leg:
    extra: dict[str, JsonValue] = {
        "adaptive": request.adaptive,
        "margin": request.margin,
        "pairwise": request.pairwise,
    }
    identity: dict[str, JsonValue] = {
        "trials": [trial(design, cell).address for cell in cells(design)],
        "grades": [grader.address(case, "", 1) for case in design.cases],
        "arms": [arm.id for arm in design.arms],
        # The folders of runs are called by these, and the verdict rests on those.
        "evals": [[case.id, case.name] for case in design.cases],
        "clusters": dict[str, JsonValue](suite.clusters() or {}),
        "extra": extra,
    }
    extent = _experiment(app, grader, request.width, "").extent(design)
    return Leg(design, folder / place(design.pin), digest(identity), extent)


def _remarks(suite: Suite, request: EvalRequest, design: Design) -> list[str]:
    """What a person should know before it starts."""
    remarks: list[str] = []
    scripts = any(c.type == SCRIPT for case in suite.cases for c in case.standard.checks)
    if scripts and not request.trust_scripts:
        remarks.append(
            "the suite has scripts; they are skipped unless you trust it: --trust-scripts"
        )
    if len(design.arms) > 1:
        units = len(shuffled_units(design, suite.clusters()))
        remarks += few_evals(len(suite.cases), units, design.repeats)
    return remarks
