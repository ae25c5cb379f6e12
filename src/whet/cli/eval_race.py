"""``whet eval race``: the best of several skills."""

import sys
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from whet.app.app import App, opened
from whet.app.eval_estimate import FIRST_TRIALS
from whet.app.eval_request import EvalRequest
from whet.app.races import RacePlan, race_plan, run_race
from whet.cli.command import GOES_ON, Call, when_stopped
from whet.cli.options import say
from whet.cli.progress import shown
from whet.cli.request_options import Spelling
from whet.cli.spending import LIMITS, Spending, confirm_cost
from whet.cli.termination import run_to_end
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.documents.race import RaceReport
from whet.evaluate.verdict_words import in_words
from whet.exporters.plain import line


class RaceWords(Words):
    """What is said of a race."""

    candidate = Both("skill", "技能")
    average = Both("in the race", "赛中得分")
    won = Both("won", "胜出")
    beaten = Both("clearly beaten", "明显落败")
    flattered = Both(
        CountedText(
            "The race was run on {evals:eval|evals}. Its numbers flatter the winner, who was "
            "picked "
            "by them."
        ),
        "比赛用了 {evals} 个评测项。胜者正是凭这些分数选出的，因此它们偏高。",
    )
    measured = Both(
        "Measured anew, on the other evals: {winner}. {sentence}",
        "在其余评测项上重新测量：{winner}。{sentence}",
    )
    cut_off = Both("The budget ended it early.", "预算用尽，提前结束。")
    simulated = Both(
        "Produced or graded by the built-in simulated agent or judge.",
        "由内置的模拟智能体或模拟评审产生。",
    )


OPTIONS = {"skill", "engines", "models", "runs", "judges"}
Request = Annotated[
    EvalRequest,
    Spelling(
        {"engines": "--engine", "models": "--model", "judges": "--judge"},
        arguments={"skill": "SKILL_DIR"},
        help={"engines": "The agent to run it on. Default: as configured.", "models": "The model."},
        without=tuple(EvalRequest.model_fields.keys() - OPTIONS),
    ),
]
Rivals = Annotated[
    list[str],
    typer.Argument(help="Folders of other skills, for the same evals.", metavar="RIVAL_DIR"),
]


@when_stopped(GOES_ON)
def race(call: Call, request: Request, rivals: Rivals, spending: Spending) -> None:
    """Plan, ask, race, report."""
    request = request.model_copy(update={"budget": spending.budget()})
    with opened(call.settings) as app:
        made = race_plan(app, request, rivals)
        for warning in made.base.warnings:
            say(warning)
        confirm_cost(
            made.expected(app), yes=spending.yes, before="at most ", first=FIRST_TRIALS, hint=LIMITS
        )
        report = run_to_end(app, _run(app, made))
    if call.json:
        sys.stdout.write(report.to_json())
    else:
        _print(Console(), report, call.language)


async def _run(app: App, made: RacePlan) -> RaceReport:
    async with shown(app.store.events, made.id, made.base.suite.document.skill_name):
        return await run_race(app, made)


def _print(console: Console, report: RaceReport, language: str) -> None:
    words = RaceWords(language)
    table = Table(box=SIMPLE_HEAD, title=escape(line(report.skill_name, 60)), title_justify="left")
    table.add_column(words.candidate)
    table.add_column(words.average, justify="right")
    table.add_column("")
    for each in sorted(report.candidates, key=lambda c: -(c.flattered_mean or 0)):
        mean = "–" if each.flattered_mean is None else f"{each.flattered_mean * 100:.1f}"
        table.add_row(
            escape(line(each.name, 60)), mean, _fate(each.name, each.dropped, report, words)
        )
    console.print(table)
    lines = [words.flattered.format(evals=len(report.picked_by))]
    if report.winner is not None:
        sentence = in_words(report.verdict, language, "without_skill")
        lines.append(words.measured.format(winner=line(report.winner, 60), sentence=sentence))
    lines += [words.cut_off] if report.cut_off else []
    lines += [words.simulated] if report.simulated else []
    console.print("\n".join(lines), highlight=False, markup=False, soft_wrap=True)


def _fate(name: str, dropped: bool, report: RaceReport, words: RaceWords) -> str:
    if name == report.winner:
        return f"[green]{words.won}[/]"
    return words.beaten if dropped else ""
