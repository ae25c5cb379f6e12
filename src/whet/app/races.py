"""Which of several skills is best: they race on some evals, the winner is measured on others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import JsonValue

from whet.app.app import App
from whet.app.eval_estimate import Estimate, estimate
from whet.app.eval_plan import EvalPlan, experiment, plan
from whet.app.eval_request import EvalRequest
from whet.app.runs.service import RunService
from whet.core.address import digest
from whet.core.arm import Arm
from whet.core.counts import counted
from whet.core.errors import UsageError
from whet.core.instant import iso_seconds
from whet.curate.library import folder_package
from whet.documents.race import RaceCandidate, RaceReport
from whet.evaluate.experiment import Extent
from whet.evaluate.plan import Design
from whet.evaluate.race import Raced, RaceRule, held_out_units, most_missing, most_places, race
from whet.evaluate.rounds import Unit
from whet.evaluate.suite_runs import write_text
from whet.evaluate.verdict import grain_of_suite, verdict_document
from whet.stats.comparison import fewest_cases, fewest_runs


@dataclass(frozen=True)
class RacePlan:
    """Who runs against whom."""

    base: EvalPlan
    """The suite of the first skill on one engine and model, with a side without any skill."""

    design: Design
    """The candidates on all evals."""

    folders: dict[str, str]
    """Where each candidate came from, by the id of its arm."""

    content: dict[str, bytes]
    rule: RaceRule
    most: int
    """Trials that are not on record, if nobody is dropped."""

    @property
    def id(self) -> str:
        """The same for the same skills on the same evals, engine and model."""
        pin, cases = self.design.pin, [case.stimulus.digest for case in self.design.cases]
        return f"race_{digest([*self._skills, pin.engine, pin.model, *cases])[:12]}"

    @property
    def folder(self) -> Path:
        """For its report, inside the workspace."""
        return self.base.legs[0].root / f"race-{digest([*self._skills])[:12]}"

    @property
    def _skills(self) -> list[str]:
        return [arm.skill.digest for arm in self.design.arms if arm.skill]

    @property
    def baseline(self) -> Arm:
        """No skill."""
        return self.base.legs[0].design.arms[1]

    def expected(self, app: App) -> Estimate:
        """What it will cost at the most."""
        extent = Extent(self.most, missing=self.most, ungraded=0)
        legs = tuple(replace(leg, extent=extent) for leg in self.base.legs)
        return estimate(app, replace(self.base, legs=legs))


def race_plan(app: App, request: EvalRequest, rivals: Sequence[str]) -> RacePlan:
    """Look at everything; raises ``UsageError`` and runs nothing."""
    base = plan(app, request.model_copy(update={"baseline": True, "against": None}))
    leg, *others = base.legs
    if others:
        raise UsageError("a race is run on one engine and model")
    arms: list[Arm] = []
    folders: dict[str, str] = {}
    content = dict(base.content)
    for folder in (request.skill, *rivals):
        skill, files = folder_package(Path(folder))
        name = _free(skill.name, folders)
        if any(arm.skill and arm.skill.digest == skill.digest for arm in arms):
            raise UsageError(f"{folder} holds the same files as another candidate")
        arms.append(Arm(id=name, label=name, skill=skill))
        folders[name] = folder
        content |= {file.digest: files[file.path] for file in skill.files}
    design = leg.design.model_copy(update={"arms": tuple(arms)})
    suite = base.suite
    rule = RaceRule(grain=grain_of_suite(suite), margin=request.margin, clusters=suite.clusters())
    baseline = leg.design.arms[1]
    most = most_missing(experiment(app, base), design, baseline, rule)
    held_out = held_out_units(design, baseline, rule)
    if len(held_out) < fewest_cases():
        told = _too_few(len(suite.cases), held_out, design.repeats)
        base = replace(base, warnings=(*base.warnings, told))
    return RacePlan(base, design, folders, content, rule, most)


def _too_few(evals: int, held_out: Sequence[Unit], runs: int) -> str:
    """What a split can never say; cases that share a fixture are one unit."""
    cases = sum(map(len, held_out))
    kind = "evals" if cases == len(held_out) else "fixtures"
    repeats = fewest_runs(cases)
    told = (
        "which is then about those evals only"
        if runs >= repeats
        else f"and with so few runs there will be none at all: use --runs {max(repeats, 3)}"
    )
    return (
        f"of {counted(evals, 'eval', 'evals')} {cases} are held out for the verdict, {told}; "
        "for evals in general"
        f" {fewest_cases()} {kind} must be held out, so use {2 * fewest_cases()} or more"
    )


async def run_race(
    app: App, made: RacePlan, begun: Callable[[], None] = lambda: None
) -> RaceReport:
    """Carry it out and write ``race.json``; what is on record is not run again."""
    base, service = made.base, RunService(app)
    with app.store.transaction():
        for data in made.content.values():
            app.store.blobs.put(data)
    run = service.new(made.id, "race", base.suite.document.skill_name, base.purse)
    request: dict[str, JsonValue] = {
        "request": base.request.model_dump(mode="json"),
        "rivals": list[JsonValue]([*made.folders.values()][1:]),
    }
    known = {"request": request, "total": most_places(made.design, made.baseline, made.rule)}
    async with service.carry_out(run.model_copy(update=known), base.purse) as claim:
        begun()
        works = replace(experiment(app, base), subject=made.id, committed=claim.commit)
        raced = await race(works, made.design, made.baseline, base.purse, claim.reuse, made.rule)
        report = _report(app, made, raced)
        write_text(made.folder / "race.json", report.to_json())
    return report


def _free(name: str, taken: dict[str, str]) -> str:
    """The name of a candidate; two folders of one name are told apart."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free


def _report(app: App, made: RacePlan, raced: Raced) -> RaceReport:
    pin = made.design.pin
    return RaceReport(
        skill_name=made.base.suite.document.skill_name,
        engine=pin.engine,
        engine_version=pin.engine_version,
        model=pin.model,
        generated_at=iso_seconds(app.clock.now()),
        winner=raced.winner.id if raced.winner else None,
        candidates=tuple(
            RaceCandidate(
                name=name,
                folder=folder,
                dropped=name in raced.dropped,
                flattered_mean=_rounded(raced.flattered.get(name)),
            )
            for name, folder in made.folders.items()
        ),
        picked_by=raced.picked_by,
        verdict=verdict_document(raced.report, raced.pairs),
        trials=raced.trials,
        cut_off=raced.is_cut_off,
        excluded=raced.excluded,
        simulated=app.parts.engine(pin.engine).simulated or None,
    ).lean()


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
