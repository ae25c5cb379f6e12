"""What goes on with a run of each kind, from the request that is on record, and what halts it."""

from collections.abc import Callable
from pathlib import Path

from whet.app.app import App
from whet.app.capability.runs import Evaluations
from whet.app.eval_plan import EvalPlan, plan
from whet.app.eval_request import EvalRequest
from whet.app.evals import Evals, EvalState
from whet.app.experiments import Experiments
from whet.app.jobs.cancel import cancel, pause, unpause
from whet.app.jobs.dispatch import carry_out
from whet.app.jobs.office import Office
from whet.app.jobs.work import adopt
from whet.app.library.assist import Assistant
from whet.app.library.assist_cases import Drafts
from whet.app.library.assist_tags import AutoTags
from whet.app.library.library import Library
from whet.app.races import race_plan, run_race
from whet.app.runs.service import PATIENCE_SECONDS, RunService
from whet.app.trigger_plan import TriggerRequest
from whet.app.trigger_plan import plan as trigger_plan
from whet.app.triggers import Triggers, parts_of
from whet.core.budget import NOTHING, Budget, Purse
from whet.core.errors import Conflict, WrongStatus
from whet.core.run import Run, Wish
from whet.evaluate.project import Project, opened
from whet.ports.listing import Kind
from whet.run.threads import in_thread


def can_resume(run: Run) -> bool:
    """Whether something of it is left to do. A capability run that failed on this machine keeps
    what it has."""
    is_failed = run.status == "failed" and run.kind == "capability"
    return run.status in ("interrupted", "partial") or is_failed


class RunKinds:
    """Goes on with runs; *library* gives the assets of a kind."""

    def __init__(self, app: App, library: Callable[[Kind], Library]) -> None:
        self._app = app
        self._library = library

    async def go_on(
        self, run: Run, begun: Callable[[], None] = lambda: None, budget: Budget | None = None
    ) -> object:
        """Carry out what is left of a run; what is on record is not done again, and what was
        spent counts against its budget unless a new *budget* is given. *begun* is called once
        everything is found in order. Raises ``WrongStatus`` where nothing is left, and
        ``Conflict`` where it would be another run by now."""
        if budget is not None:
            run = run.model_copy(update={"budget": budget, "spending": NOTHING})
        match run.kind:
            case "project":
                return await self._project(run, begun)
            case "eval":
                made = await in_thread(lambda: resumed_eval(self._app, run))
                return await Evals(self._app).run(made, begun)
            case "capability":
                return await Evaluations(self._app).resume(run.id, begun, budget)
            case "auto_tag":
                return await self._auto_tag(run, begun)
            case "generation":
                return await self._generation(run, begun)
            case "trigger":
                return await self._trigger(run, begun)
            case "race":
                return await self._race(run, begun)
            case "job":
                return await self._job(run, begun, budget)

    async def halt(self, run: Run, wish: Wish, patience: float = PATIENCE_SECONDS) -> Run:
        """Let whoever is at a run pause or stop; how it is once nobody is, or after so many
        seconds. Raises ``WrongStatus`` where nobody is at it."""
        service = RunService(self._app)
        if run.kind != "job":
            return await service.halt(run.id, wish, patience)
        if wish == "stopped":
            await cancel(self._jobs, run.id, patience)
        else:
            await self._app.writer(lambda: pause(self._jobs, run.id))
        return await service.until_left(run.id, patience if wish == "paused" else 0)

    @property
    def _jobs(self) -> Office:
        return Office(self._app, lambda: self._library("skill"))

    async def _job(self, run: Run, begun: Callable[[], None], budget: Budget | None) -> object:
        """Let a job go on: here, unless this is a server, which does what is queued anyway."""
        job = self._jobs.get(run.id)
        await adopt(self._jobs, job)
        if self._jobs.get(run.id).state == "queued" and run.wish == "paused":
            await self._app.writer(lambda: unpause(self._jobs, run.id, budget))
        elif job.state not in ("queued", "running"):
            message = f"job {run.id} goes on by itself, or with an answer to what it asks"
            raise WrongStatus(message, "a run that can be resumed", run.status)
        begun()
        return None if self._app.door == "server" else await carry_out(self._jobs, run.id)

    async def _project(self, run: Run, begun: Callable[[], None]) -> object:
        project = project_of(self._app, run)
        if project.config.archived:
            raise Conflict(f"project {run.id}", "a project in use", "an archived one")
        pause = run.request.get("pause_seconds")
        runs = Experiments(
            self._app,
            imported=run.request.get("imported") is True,
            pause_seconds=pause if isinstance(pause, int | float) else 0,
            budget=run.budget,
            before=run.spending,
        )
        return await runs.run(project, begun)

    async def _auto_tag(self, run: Run, begun: Callable[[], None]) -> object:
        kind: Kind = "baseline" if run.request.get("kind") == "baseline" else "skill"
        library = await in_thread(lambda: self._library(kind))
        tagging = AutoTags(Assistant(self._app, library))
        batch = await in_thread(lambda: tagging.left(run.id))
        return await tagging.run(batch, begun, _purse(run))

    async def _generation(self, run: Run, begun: Callable[[], None]) -> object:
        library = await in_thread(lambda: self._library("baseline"))
        drafts = Drafts(Assistant(self._app, library))
        return await drafts.run(await in_thread(lambda: drafts.again(run)), begun, _purse(run))

    async def _trigger(self, run: Run, begun: Callable[[], None]) -> object:
        request = {name: value for name, value in run.request.items() if name != "action"}
        wanted = TriggerRequest.model_validate({**request, "budget": run.budget})
        made = await in_thread(lambda: trigger_plan(self._app, wanted))
        _require_same(run, made.subject)
        made.purse.before = run.spending
        triggers = Triggers(self._app)
        if run.request.get("action") == "improve":
            return await triggers.improve(made, parts_of(made), begun)
        return await triggers.measure(made, begun)

    async def _race(self, run: Run, begun: Callable[[], None]) -> object:
        wanted = _going_on(EvalRequest.model_validate(run.request["request"]), run)
        rivals = run.request.get("rivals")
        folders = [str(each) for each in rivals] if isinstance(rivals, list) else []
        made = await in_thread(lambda: race_plan(self._app, wanted, folders))
        _require_same(run, made.id)
        made.base.purse.before = run.spending
        return await run_race(self._app, made, begun)


def _purse(run: Run) -> Purse:
    return Purse(run.budget, before=run.spending)


def _going_on(request: EvalRequest, run: Run) -> EvalRequest:
    """The request with the budget that the run has by now."""
    return request.resumed().model_copy(update={"budget": run.budget})


def resumed_eval(app: App, run: Run) -> EvalPlan:
    """The plan of a run of a suite that is to go on; raises ``Conflict`` where it would be another
    one, since its skill, its suite or an engine has changed."""
    made = plan(app, _going_on(EvalState.of(run).request, run), (), "file")
    if made.id != run.id:
        raise Conflict("the skill, its suite or an engine", run.id, made.id)
    made.purse.before = run.spending
    return made


def project_of(app: App, run: Run) -> Project:
    """The project that a run is of; raises ``NotFound``."""
    return opened(app.settings.workspace / "projects" / Path(str(run.details["folder"])).name)


def _require_same(run: Run, identity: str) -> None:
    if identity != run.id:
        raise Conflict("the skill, its cases or an engine", run.id, identity)
