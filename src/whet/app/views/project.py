"""A project as people look at it, while it runs and afterwards."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from whet.app.app import App
from whet.app.experiments import Experiments, ExperimentState
from whet.app.projects.shelf import ProjectShelf
from whet.app.projects.status import LatestRun, ProjectStatus, status
from whet.app.projects.told import judges_of, summary
from whet.app.takeover.takeover import taken_over
from whet.app.views.page import Cases
from whet.app.views.project_cases import KnownCases
from whet.app.views.project_rows import MOST_LIVE, Plan, Rows
from whet.core.case import Case
from whet.core.errors import NotFound, WhetError
from whet.core.result import Result
from whet.documents import verdict as document
from whet.documents.experiment_view import (
    ArmView,
    CaseView,
    CostView,
    DimensionScale,
    EngineView,
    ExperimentView,
    IntervalView,
    LegView,
    OnTheseView,
    ProgressView,
    SetView,
    Status,
    VerdictCard,
)
from whet.documents.project import SkillRef
from whet.documents.result import BaselineSummary, RankingEntry, Summary
from whet.evaluate.aggregate import PERCENT
from whet.evaluate.project import Project, opened
from whet.evaluate.project_places import arm_id

STATUSES: dict[str, Status] = {
    "pending": "pending",
    "running": "running",
    "completed": "completed",
    "interrupted": "interrupted",
}


class ProjectViews:
    """Looks at projects; what it has read of one serves the next look."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._cases = KnownCases(app)
        self._rows = Rows(app)

    def find(self, identity: str) -> Project:
        """The project that is meant; raises ``NotFound``."""
        try:
            state = Experiments(self._app).get(identity)
            return opened(self._app.settings.workspace / "projects" / state.folder)
        except NotFound:
            return ProjectShelf(self._app).find(identity)

    def plan(self, project: Project) -> Plan:
        """Its places."""
        return Plan(project, self._cases.of(project))

    def view(self, identity: str, cases: Cases) -> ExperimentView:
        """The project as it is now."""
        project = self.find(identity)
        where = status(self._app, project)
        plan = self.plan(opened(project.folder))
        first, end = cases.span
        shown = self._rows.on(plan, first, end)
        standing = self._standing(
            plan, where, shown if first == 0 and end >= len(plan.cases) else None
        )
        leg = _leg(plan, where, standing, self._rows.case_views(plan, shown, first, end))
        verdicts = tuple(self._behind(where.id, one) for one in leg.verdicts)
        leg = leg.model_copy(update={"verdicts": verdicts})
        return self._told(plan, where, standing, leg, cases)

    def _behind(self, project: str, verdict: VerdictCard) -> VerdictCard:
        """With the trials of its two arms and their cost, which is known if every price is."""
        results, arms = self._app.store.results, (verdict.first, verdict.second)
        counts = results.counts(project, arms)
        unknown = results.unpriced(project, arms)
        change = {
            "trials": counts.completed + counts.failed - counts.unanswered,
            "cost_usd": None if unknown else results.spent(project, arms).cost_usd,
        }
        return verdict.model_copy(update=change)

    def _standing(
        self, plan: Plan, where: ProjectStatus, rows: Sequence[Result] | None
    ) -> Summary | None:
        """What it came to; while it is under way, or has not come to its end, as far as it is."""
        found = summary(plan.project) if where.status == "completed" else None
        is_begun = where.trials.completed + where.trials.failed > 0
        if found is not None or not is_begun or plan.size > MOST_LIVE:
            return found
        every = self._rows.on(plan, 0, len(plan.cases)) if rows is None else rows
        return self._rows.standings(plan, every, compared=where.status != "running")

    def _told(
        self,
        plan: Plan,
        where: ProjectStatus,
        standing: Summary | None,
        leg: LegView,
        cases: Cases,
    ) -> ExperimentView:
        config, state = plan.project.config, self._state(where.id)
        judges = judges_of(plan.project)
        taken = taken_over(self._app, where.id)
        simulated = standing.simulated if standing and where.status == "completed" else None
        return ExperimentView(
            kind="project",
            id=where.id,
            name=where.name,
            description=config.description,
            status=STATUSES[where.status],
            control=where.control,
            error=where.error,
            simulated=self._is_simulated(leg.engine.engine, judges)
            if simulated is None
            else simulated,
            partial=where.status != "completed" or bool(where.trials.unanswered),
            started_at=state.started_at if state else None,
            ended_at=state.ended_at if state else None,
            judges=judges,
            repeats=plan.project.repeats,
            progress=_progress(where.run),
            cost=CostView(usd=where.cost_usd, unknown=self._unpriced(where)),
            legs=(leg,),
            failed=config.failed if where.status == "completed" else None,
            warnings=taken.told_notes() if taken else (),
            page=cases.page,
            page_size=cases.page_size,
        )

    def _unpriced(self, where: ProjectStatus) -> int:
        """Answers whose price nobody knows."""
        return self._app.store.results.unpriced(where.id)

    def _state(self, identity: str) -> ExperimentState | None:
        try:
            return Experiments(self._app).get(identity)
        except NotFound:
            return None

    def _is_simulated(self, engine: str, judges: Sequence[str]) -> bool | None:
        """Before anybody has answered: whether that will be so. None where nobody can tell."""
        try:
            return self._app.parts.engine(engine).simulated or "simulated" in judges
        except WhetError:
            return None


def _progress(run: LatestRun | None) -> ProgressView | None:
    return run and ProgressView(
        total=run.total,
        settled=run.settled,
        reused=run.reused,
        seconds=run.seconds,
        seconds_left=run.seconds_left,
    )


def _leg(
    plan: Plan,
    where: ProjectStatus,
    standing: Summary | None,
    cases: tuple[CaseView, ...],
) -> LegView:
    config, cli = plan.project.config, plan.project.config.cli_config
    ranking = standing.ranking if standing else ()
    known = {arm_id(one.skill_id, one.skill_version) for one in ranking}
    unranked = [one for one in config.skills if arm_id(one.ref_id, one.version) not in known]
    return LegView(
        engine=EngineView(
            engine=cli.engine or "claude",
            model=cli.model,
            version=cli.engine_version,
            sandbox=cli.sandbox,
        ),
        iteration=None,
        status=where.status,
        attempts=plan.project.repeats,
        scale=PERCENT,
        weights={},
        verdicts=tuple(_verdicts(ranking)) if where.status != "running" else (),
        arms=(*map(_arm, ranking), *map(_unranked, unranked)),
        sets=tuple(map(_set, standing.by_baseline or ())) if standing else (),
        measures=(),
        dimensions=tuple(_scales(plan.cases)),
        columns=plan.arms,
        cases=cases,
        total_cases=len(plan.cases),
        findings=(),
        missing=(),
        notes=(),
        statistics=None,
    )


def _verdicts(ranking: Sequence[RankingEntry]) -> Iterable[VerdictCard]:
    """Each with the next one."""
    for one, following in pairwise(ranking):
        if (found := one.versus_next) is not None:
            yield card(
                found,
                arm_id(one.skill_id, one.skill_version),
                arm_id(following.skill_id, following.skill_version),
            )


def card(
    found: document.Verdict, first: str, second: str, words: dict[str, str] | None = None
) -> VerdictCard:
    """A verdict as it is shown."""
    return VerdictCard(
        first=first,
        second=second,
        label=found.label,
        delta=found.delta,
        interval=interval(found.interval),
        n_cases=found.n_cases,
        n_runs=found.n_runs,
        trials=found.trials,
        cost_usd=found.cost_usd,
        smallest_effect=found.smallest_detectable_effect,
        p_value=found.p_value,
        needs=found.needs,
        cases_needed=found.cases_needed,
        on_these=found.on_these and _on_these(found.on_these),
        words=words or {},
        excluded=tuple(found.excluded or ()),
    )


def _on_these(found: document.VerdictOnThese) -> OnTheseView:
    return OnTheseView(
        label=found.label,
        interval=interval(found.interval),
        p_value=found.p_value,
        smallest_effect=found.smallest_detectable_effect,
        needs=found.needs,
        runs_needed=found.runs_needed,
    )


def interval(found: document.Interval | None) -> IntervalView | None:
    """An interval as it is shown."""
    return found and IntervalView(
        low=found.low, high=found.high, level=found.level, method=found.method
    )


def _arm(entry: RankingEntry) -> ArmView:
    return ArmView(
        id=arm_id(entry.skill_id, entry.skill_version),
        name=entry.skill_name,
        version=entry.skill_version,
        rank=entry.rank,
        mean=entry.avg_score,
        interval=interval(entry.interval),
        deviation=None,
        mean_failed_as_zero=entry.avg_score_failed_as_zero,
        order_differs=bool(entry.order_differs),
        completed_cases=entry.completed_cases,
        failed_cases=entry.failed_cases,
        unscored_cases=entry.unscored_cases,
        dimensions=dict(entry.score_breakdown),
        check_pass_rate=entry.check_pass_rate,
        gate_failed_cases=entry.gate_failed_cases,
        mixed_rubrics=entry.mixed_rubrics or (),
    )


def _unranked(skill: SkillRef) -> ArmView:
    return ArmView(
        id=arm_id(skill.ref_id, skill.version),
        name=skill.name,
        version=skill.version,
        rank=None,
        mean=None,
        interval=None,
        deviation=None,
        mean_failed_as_zero=None,
        order_differs=False,
        completed_cases=None,
        failed_cases=None,
        unscored_cases=None,
        dimensions={},
    )


def _set(found: BaselineSummary) -> SetView:
    return SetView(
        id=arm_id(found.baseline_id, found.baseline_version),
        name=found.baseline_name,
        version=found.baseline_version,
        total_cases=found.total_cases,
        arms=tuple(map(_arm, found.ranking)),
    )


def _scales(cases: Sequence[Case]) -> Iterable[DimensionScale]:
    """The dimensions of the rubric, where all cases have the same one."""
    rubrics = {one.digest: one for case in cases if (one := case.standard.rubric) is not None}
    if len(rubrics) == 1:
        for rubric in rubrics.values():
            for one in rubric.dimensions:
                yield DimensionScale(
                    name=one.name, minimum=one.minimum, maximum=one.maximum, weight=one.weight
                )
