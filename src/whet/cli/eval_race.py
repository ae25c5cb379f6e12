"""What ``whet eval race`` does once its imports are worth their time."""

import sys

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from whet.app.app import App, opened
from whet.app.eval_estimate import FIRST_TRIALS
from whet.app.races import RacePlan, race_plan
from whet.app.races import run_race as carry_out
from whet.app.settings import Settings
from whet.cli.eval_options import Race
from whet.cli.eval_race_words import RaceWords
from whet.cli.options import say
from whet.cli.progress import shown
from whet.cli.spending import confirm
from whet.cli.termination import run_to_end
from whet.documents.race import RaceReport
from whet.evaluate.verdict_words import in_words
from whet.exporters.plain import line


def run_race(settings: Settings, options: Race) -> None:
    """Plan, ask, race, report."""
    with opened(settings) as app:
        made = race_plan(app, options.request(), options.rivals)
        for warning in made.base.warnings:
            say(warning)
        expected = made.expected(app)
        if expected.needs_consent:
            confirm(f"at most {expected.in_words(FIRST_TRIALS)}", yes=options.yes)
        report = run_to_end(app, _run(app, made))
    if options.json:
        sys.stdout.write(report.to_json())
    else:
        _print(Console(), report, settings.language)


async def _run(app: App, made: RacePlan) -> RaceReport:
    async with shown(app.store.events, made.id, made.base.suite.document.skill_name):
        return await carry_out(app, made)


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
