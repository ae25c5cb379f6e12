"""What ``whet project run`` and the like do once their imports are worth their time."""

import asyncio
import time

import typer
from rich.console import Console

from whet.app.app import App, opened
from whet.app.eval_estimate import FIRST_TRIALS, Estimate
from whet.app.experiments import Experiments, Report
from whet.app.projects.estimate import estimate
from whet.app.projects.shelf import ProjectShelf
from whet.app.projects.status import status
from whet.app.projects.told import summary
from whet.app.projects.wanted import RetryWish, expected, retry
from whet.app.settings import Settings
from whet.cli.asset_output import line, print_json
from whet.cli.options import fail, say
from whet.cli.progress import follow_run, shown_run
from whet.cli.project_make_options import Plain
from whet.cli.project_status import print_status
from whet.cli.project_text import Names
from whet.cli.project_work_options import Retry, Run
from whet.cli.project_work_words import WorkWords
from whet.cli.ranking import as_data, standings
from whet.cli.spending import confirm
from whet.cli.termination import run_to_end
from whet.cli.words import RankingWords
from whet.core.errors import BudgetExhausted, Draining, Halted
from whet.core.run import Wish
from whet.evaluate.project import Project

PATIENCE: dict[Wish, float] = {"paused": 10.0, "stopped": 30.0}
"""Seconds to wait for a wish to come true."""

INTERRUPTED = 130


def run(settings: Settings, options: Run) -> None:
    """Run a project to its end."""
    with opened(settings) as app:
        project = ProjectShelf(app).find(options.project)
        limit = options.max_trials
        runs = Experiments(app, imported=options.imported, max_trials=limit, budget=options.budget)
        cost = estimate(app, project, imported=options.imported, max_trials=limit)
        agree(cost, yes=options.yes, first=FIRST_TRIALS if limit is None else "")
        carry_out(runs, project, Names(settings, options.workspace), machine=options.json)


def try_again(settings: Settings, options: Retry) -> None:
    """Want other answers, and get them at once if that is wanted too."""
    words, names = WorkWords(settings.language), Names(settings, options.workspace)
    wish = RetryWish(
        skill=options.skill,
        baseline=options.baseline,
        case=options.case,
        failed=options.failed,
        unscored=options.unscored,
    )
    with opened(settings) as app:
        project = ProjectShelf(app).find(options.project)
        if options.run:
            # Before anything is marked: whoever does not agree leaves all as it is.
            agree(expected(app, project, wish), yes=options.yes)
        count = retry(app, project, wish)
        if options.run:
            say(words.wanted.format(count=count))
            carry_out(Experiments(app), project, names, machine=options.json)
            return
    if options.json:
        print_json({"project_id": project.config.id, "wanted": count})
        return
    typer.echo(words.wanted.format(count=count))
    typer.echo(words.go_on.format(command=names.command("run", project)))


def halt_it(settings: Settings, options: Plain, wish: Wish) -> None:
    """Have it paused or stopped, and say how it is then."""
    words, names = WorkWords(settings.language), Names(settings, options.workspace)
    with opened(settings) as app:
        project = ProjectShelf(app).find(options.project)
        asyncio.run(Experiments(app).halt(project, wish, PATIENCE[wish]))
        found = status(app, project)
    if options.json:
        print_json(found)
        return
    if found.status == "running":
        typer.echo(words.on_its_way[wish])
    print_status(Console(), found, names.command("resume", project), words)


def show_status(settings: Settings, options: Plain) -> None:
    """How far it is."""
    with opened(settings) as app:
        project = ProjectShelf(app).find(options.project)
        found = status(app, project)
    if options.json:
        print_json(found)
        return
    command = Names(settings, options.workspace).command("resume", project)
    print_status(Console(), found, command, WorkWords(settings.language))


def watch(settings: Settings, options: Plain) -> None:
    """Follow it to its end; exit code 1 unless that is completion."""
    with opened(settings) as app:
        project = ProjectShelf(app).find(options.project)
        asyncio.run(follow_run(app, project.config.id, line(project.config.name, 60)))
        found = status(app, project)
        reached = summary(project) if found.status == "completed" else None
    if options.json:
        print_json(found)
    else:
        if reached is not None:
            standings(Console(), found.name, reached, RankingWords(settings.language))
        command = Names(settings, options.workspace).command("resume", project)
        print_status(Console(), found, command, WorkWords(settings.language))
    if found.status != "completed":
        raise typer.Exit(1)


def agree(cost: Estimate, *, yes: bool, first: str = "") -> None:
    """Ask before anybody is charged; *first* is the option that limits it to some trials."""
    if cost.needs_consent:
        confirm(cost.in_words(first), yes=yes, hint="")


def carry_out(runs: Experiments, project: Project, names: Names, *, machine: bool) -> None:
    """Run, and print the ranking. It can be resumed whatever happens, and we say how."""
    words = WorkWords(names.settings.language)
    resume = words.go_on.format(command=names.command("resume", project))
    begun = time.monotonic()
    try:
        report = run_to_end(runs.app, _work(runs, project))
    except Halted as halted:
        if halted.wish == "paused" and runs.max_trials is not None:
            _show_part(runs.app, project, names, machine=machine)
            return
        fail(f"{words.halted[halted.wish].format(name=project.config.name)}; {resume}", 1)
        return
    except Draining as drained:
        fail(f"{words.stopped}; {resume}", drained.exit_code)
        return
    except BudgetExhausted as used_up:
        fail(f"{used_up}; {resume}", 1)
        return
    except KeyboardInterrupt:
        fail(f"{words.stopped}; {resume}", INTERRUPTED)
        return
    _show(runs.app, report, time.monotonic() - begun, names, machine=machine)


def _show_part(app: App, project: Project, names: Names, *, machine: bool) -> None:
    """How far a project is once as many trials are done as were to be."""
    found = status(app, ProjectShelf(app).find(project.config.id))
    if machine:
        print_json(found)
    else:
        command = names.command("resume", project)
        print_status(Console(), found, command, WorkWords(names.settings.language))


def _show(app: App, report: Report, seconds: float, names: Names, *, machine: bool) -> None:
    """The ranking; exit code 1 where trials came to no answer."""
    words, config = WorkWords(names.settings.language), report.project.config
    unanswered = app.store.results.counts(config.id).unanswered
    spent = report.spent
    if machine:
        money = {"cost_usd": spent.cost_usd, "tokens": spent.known(spent.total_tokens)}
        print_json({**as_data(report, seconds), "unanswered": unanswered, "spent": {**money}})
    else:
        console = Console()
        standings(console, config.name, report.summary, RankingWords(names.settings.language))
        extent = report.extent
        told = words.extent.format(
            total=extent.total,
            now=extent.executed,
            graded=extent.ungraded,
            reused=extent.reused,
            seconds=seconds,
        )
        if spent.cost_usd:
            told += words.spent.format(cost=spent.cost_usd)
        console.print(
            f"\n{told}\n{words.files}  {line(str(report.project.folder), 4096)}\n"
            f"{words.more}  {names.command('results', report.project)}",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )
    if unanswered:
        again = words.go_on.format(command=names.command("run", report.project))
        fail(f"{words.unanswered.format(count=unanswered)}; {again}", 1)


async def _work(runs: Experiments, project: Project) -> Report:
    begun = asyncio.Event()
    name = line(project.config.name, 60)
    async with shown_run(runs.app, project.config.id, name, begun):
        return await runs.run(project, begun.set)
