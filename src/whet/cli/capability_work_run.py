"""What ``whet capability run`` and the like do once their imports are worth their time."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import typer
from rich.console import Console

from whet.app.app import App, opened
from whet.app.capability.find import find
from whet.app.capability.plan import RunPlan
from whet.app.capability.runs import Evaluations
from whet.app.capability.telling import PROGRESS
from whet.app.eval_estimate import Estimate
from whet.app.settings import Settings
from whet.app.watch import watch
from whet.cli.asset_output import line, print_json
from whet.cli.capability_compare_run import print_stability
from whet.cli.capability_options import Plain, Resume, Run, Several
from whet.cli.capability_request import from_file, wanted
from whet.cli.capability_text import next_command, print_run, told_status
from whet.cli.capability_words import CapabilityWords
from whet.cli.options import fail, say
from whet.cli.progress import counted
from whet.cli.spending import confirm
from whet.cli.termination import run_to_end
from whet.core.errors import WhetError
from whet.core.naming import short
from whet.core.value import Value
from whet.documents.capability import EvaluationRun
from whet.evaluate.capability.stability import stability
from whet.exporters.capability.words import BY_LANGUAGE as REPORT_WORDS

INTERRUPTED = 130
HEARTBEAT_SECONDS = 10.0
"""Between two signs of life of a run in which nothing is settled."""

MOST_TOOLS = 10


class Planned(Value):
    """What a run would do."""

    case_set: str
    case_set_digest: str
    language: str
    model_name: str
    engine_version: str
    selected_cases: tuple[str, ...]
    skipped_cases: dict[str, tuple[str, ...]]
    """Those that would be skipped, with the tools that are missing."""

    repeats: int
    estimate: str
    cost_usd: float | None
    rough_cost_usd: float | None


def run(settings: Settings, options: Run) -> None:
    """Run a set to its end, as often as that is wanted."""
    words = CapabilityWords(settings.language)
    with opened(settings) as app:
        if options.engine is not None:
            app.parts.engine(options.engine)  # whoever misspells it hears which there are
        evaluations, request = Evaluations(app), wanted(options)
        given = from_file(settings, options.case_set)
        plan = evaluations.plan(request, given)
        cost = _times(plan.estimate, options.repeat)
        if options.dry_run:
            _print_plan(plan, cost, options, words)
            return
        if cost.needs_consent:
            confirm(str(cost), yes=options.yes, hint="")
        done: list[EvaluationRun] = []
        for number in range(options.repeat):
            plan = plan if number == 0 else evaluations.plan(request, given)
            run_id = evaluations.start(plan, confirmed=True).run_id
            title = f"{plan.model_name}, {plan.case_set}"
            if options.repeat > 1:
                title += f" {number + 1}/{options.repeat}"
            done.append(_carried_out(app, run_id, title, options))
        _show(app, done, options)
    _gate(done, options.fail_under, words)


def resume(settings: Settings, options: Resume) -> None:
    """Go on with a run to its end."""
    with opened(settings) as app:
        run_id = find(app, options.run)
        taken = Evaluations(app).take_up(run_id)
        title = f"{taken.model_name}, {taken.case_set}"
        done = [_carried_out(app, run_id, title, options)]
        _show(app, done, options)
    _gate(done, options.fail_under, CapabilityWords(settings.language))


def cancel(settings: Settings, options: Plain) -> None:
    """End a run, and say how it is then."""
    words = CapabilityWords(settings.language)
    with opened(settings) as app:
        ended = asyncio.run(Evaluations(app).cancel(find(app, options.run)))
    if options.json:
        print_json(ended.to_data())
    elif ended.status == "running":
        typer.echo(words.work.on_its_way.format(run=ended.run_id))
    else:
        status = told_status(ended, words.find, REPORT_WORDS[settings.language])
        typer.echo(words.work.ended.format(run=ended.run_id, status=status))
        more = next_command("show", ended.run_id, options.workspace)
        typer.echo(f"{words.work.more}  {more}")


def delete(settings: Settings, options: Several) -> None:
    """Remove runs; all of them are looked up before any is removed."""
    words = CapabilityWords(settings.language).work
    with opened(settings) as app:
        ids = list(dict.fromkeys(find(app, one) for one in options.runs))
        for run_id in ids:
            Evaluations(app).delete(run_id)
            if not options.json:
                typer.echo(words.deleted.format(run=line(run_id)))
    if options.json:
        print_json({"deleted": [*ids]})


def _times(cost: Estimate, count: int) -> Estimate:
    usd = None if cost.cost_usd is None else cost.cost_usd * count
    rough = None if cost.rough_cost_usd is None else cost.rough_cost_usd * count
    return replace(cost, runs=cost.runs * count, cost_usd=usd, rough_cost_usd=rough)


def _print_plan(plan: RunPlan, cost: Estimate, options: Run, words: CapabilityWords) -> None:
    lacking = {each.core.id: each.missing for each in plan.chosen if each.missing}
    planned = Planned(
        case_set=plan.case_set,
        case_set_digest=plan.digest,
        language=plan.language,
        model_name=plan.model_name,
        engine_version=plan.snapshot.pin.engine_version,
        selected_cases=tuple(each.core.id for each in plan.chosen),
        skipped_cases=lacking,
        repeats=options.repeat,
        estimate=str(cost),
        cost_usd=cost.cost_usd,
        rough_cost_usd=cost.rough_cost_usd,
    )
    if options.json:
        print_json(planned)
        return
    told = words.work.plan.format(
        cases=len(plan.chosen),
        case_set=line(plan.case_set, 80),
        language=plan.language,
        model=line(plan.model_name, 80),
    )
    typer.echo(line(f"{told}; {cost}" if cost.is_paid else told))
    if lacking:
        tools = sorted({tool for names in lacking.values() for tool in names})
        shown = [*tools[:MOST_TOOLS], *(["…"] if len(tools) > MOST_TOOLS else [])]
        typer.echo(line(words.work.skips.format(count=len(lacking), tools=", ".join(shown))))


def _carried_out(app: App, run_id: str, title: str, options: Run | Resume) -> EvaluationRun:
    """Do a run of this process. It can be resumed whatever happens, and we say how."""
    words = CapabilityWords(app.settings.language).work
    again = words.resume.format(command=next_command("resume", run_id, options.workspace))
    try:
        ended = run_to_end(app, _work(app, run_id, title))
    except WhetError as error:
        fail(f"{error}; {again}", error.exit_code)
        raise
    except KeyboardInterrupt:
        fail(f"{words.stopped}; {again}", INTERRUPTED)
        raise
    if ended.status == "cancelled":
        command = next_command("show", run_id, options.workspace)
        fail(words.cancelled.format(run=short(run_id), command=command), 1)
    return ended


async def _work(app: App, run_id: str, title: str) -> EvaluationRun:
    async with _shown(app, run_id, title):
        return await Evaluations(app).run(run_id)


@asynccontextmanager
async def _shown(app: App, run_id: str, title: str) -> AsyncGenerator[None]:
    """Progress on stderr while the block runs."""
    task = asyncio.create_task(_follow(app, run_id, title))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


async def _follow(app: App, run_id: str, title: str) -> None:
    done = total = 0
    told_at = time.monotonic()
    with counted(line(title, 60), "cases") as tell:
        async for batch in watch(app.store.events, 0, run_id):
            has_news = False
            for event in batch:
                match event.data:
                    case {"completed": int(now), "total": int(all_)} if event.kind == PROGRESS:
                        done, total, has_news = now, all_, True
                    case _:
                        pass
            if has_news or time.monotonic() - told_at > HEARTBEAT_SECONDS:
                told_at = time.monotonic()
                tell(done, total)


def _show(app: App, done: list[EvaluationRun], options: Run | Resume) -> None:
    language = app.settings.language
    words, reports = CapabilityWords(language), REPORT_WORDS[language]
    details = [Evaluations(app).get(run.run_id) for run in done]
    if len(details) > 1:
        found = stability(details)
        if options.json:
            print_json(found.to_data())
        else:
            print_stability(Console(highlight=False), found, words.compare, reports)
        return
    [detail] = details
    if options.json:
        print_json(detail.to_data())
        return
    print_run(Console(highlight=False), detail, words.find, reports)
    typer.echo(f"\n{words.work.more}  {_next(detail.run, 'show', options)}")
    typer.echo(f"{words.work.report}  {_next(detail.run, 'export', options)}")


def _next(run: EvaluationRun, verb: str, options: Run | Resume) -> str:
    return next_command(verb, run.run_id, options.workspace)


def _gate(done: list[EvaluationRun], least: float | None, words: CapabilityWords) -> None:
    """Exit code 1 where a run has no answer to some cases, or too few points."""
    errors = sum((run.counts or {}).get("error", 0) for run in done)
    if errors:
        say(words.work.errors.format(count=errors))
    totals = [run.total_score for run in done]
    if least is not None and any(total is None for total in totals):
        fail(words.work.unmeasured.format(least=f"{least:g}"), 1)
    lowest = min((float(total) for total in totals if total is not None), default=None)
    if least is not None and lowest is not None and lowest < least:
        fail(words.work.below.format(total=f"{lowest:.1f}", least=f"{least:g}"), 1)
    if errors:
        raise typer.Exit(1)
