"""Results of trigger runs for people."""

import unicodedata
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from whet.app.triggers import Improved, TriggerOutcome
from whet.cli.trigger_words import TriggerWords
from whet.documents.base import Number
from whet.documents.skill_creator import DescriptionIteration, TriggerCount, TriggerResult
from whet.documents.verdict import Interval, Verdict
from whet.stats.comparison import fewest_cases, fewest_runs

LONGEST = 60


def printed(
    console: Console,
    outcomes: Sequence[TriggerOutcome],
    warnings: Sequence[str],
    words: TriggerWords,
) -> None:
    """A table for each engine and model, and what it comes to."""
    for outcome in outcomes:
        _result(console, outcome, words)
    for warning in warnings:
        console.print(f"[yellow]{words.warning}[/]: {escape(shown(warning))}", highlight=False)


def _result(console: Console, outcome: TriggerOutcome, words: TriggerWords) -> None:
    found, extent = outcome.result, outcome.extent
    leg = f"{found.engine}:{found.model}"
    title = words.title.format(skill=shown(found.skill_name), leg=shown(leg))
    table = Table(box=SIMPLE_HEAD, title=escape(title), title_justify="left")
    table.add_column(words.query)
    for name in (words.wanted, words.rate, words.outcome):
        table.add_column(name, no_wrap=True)
    for count in found.results:
        table.add_row(*_cells(count, words))
    console.print(table)
    for line in _lines(found, words):
        console.print(line, highlight=False)
    counts = words.extent.format(total=extent.total, now=extent.executed, reused=extent.reused)
    console.print(
        f"{counts}\n{words.files}  {outcome.file}", highlight=False, markup=False, soft_wrap=True
    )


def _cells(count: TriggerCount, words: TriggerWords) -> tuple[str, ...]:
    text = shown(count.query)
    return (
        escape(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"),
        words.yes if count.should_trigger else words.no,
        f"{count.triggers}/{count.runs}",
        words.right if count.passed else words.wrong,
    )


def _lines(found: TriggerResult, words: TriggerWords) -> list[str]:
    lines = [
        _share(words.accuracy, found.accuracy, found.accuracy_interval, words),
        _share(words.precision, found.precision, found.precision_interval, words),
        _share(words.recall, found.recall, found.recall_interval, words),
    ]
    if found.neighbours:
        names = ", ".join(map(shown, found.neighbours))
        lines.append(escape(words.neighbours.format(names=names)))
    if found.unknown_runs:
        first = shown(found.unknown_runs[0])[:200]
        told = words.unknown.format(count=len(found.unknown_runs), first=first)
        lines.append(f"[yellow]{escape(told)}[/]")
    if found.alarm:
        lines.append(f"[red]{words.alarm}[/]")
    if found.simulated:
        lines.append(f"[dim]{words.simulated}[/]")
    return lines


def _share(name: str, share: Number | None, interval: Interval | None, words: TriggerWords) -> str:
    if share is None or interval is None:
        return f"{name}  {words.no_queries}"
    between = words.interval.format(low=interval.low * 100, high=interval.high * 100)
    return f"{name}  [bold]{share * 100:.0f}[/]  ({between})"


def improvement(console: Console, improved: Improved, words: TriggerWords) -> None:
    """Both descriptions, and what may be said of them."""
    loop = improved.loop
    console.print(f"[bold]{words.old}[/]", highlight=False)
    console.print(escape(shown(loop.original_description) or words.none), highlight=False)
    first, best = loop.history[0], _best(improved)
    if best is first:
        console.print(f"\n{words.same}", highlight=False)
    else:
        console.print(f"\n[bold]{words.new}[/]", highlight=False)
        console.print(escape(shown(loop.best_description)), highlight=False)
        scores = {"old": _score(first), "new": _score(best)}
        console.print(f"\n{words.train.format(**scores)}", highlight=False)
        held_out = {"old": _held_out(first), "new": _held_out(best)}
        console.print(words.held_out.format(**held_out), highlight=False)
        for said in _verdict(loop.verdict, words):
            console.print(said, highlight=False)
    for note in loop.notes or ():
        console.print(f"[yellow]{words.warning}[/]: {escape(shown(note))}", highlight=False)
    if loop.simulated:
        console.print(f"[dim]{words.simulated}[/]")
    console.print(f"{words.files}  {improved.file}", highlight=False, markup=False, soft_wrap=True)


def _best(improved: Improved) -> DescriptionIteration:
    history = improved.loop.history
    return next(one for one in history if one.description == improved.loop.best_description)


def _score(one: DescriptionIteration) -> str:
    return f"{one.train_passed}/{one.train_total}"


def _held_out(one: DescriptionIteration) -> str:
    return f"{one.test_passed}/{one.test_total}"


def _verdict(verdict: Verdict | None, words: TriggerWords) -> list[str]:
    """A line for each scope: queries like these, and these alone."""
    if verdict is None or verdict.delta is None:
        return [words.nothing_held_out]
    count, these = verdict.n_cases, verdict.on_these
    points = _points(verdict.delta, verdict.interval, words)
    lines = [words.verdicts[verdict.label].format(points=points)]
    if verdict.needs:
        lines.append(words.too_few_queries.format(count=count, least=fewest_cases()))
    if these is None or these.needs:
        return [*lines, words.too_few_runs.format(count=fewest_runs(count))]
    here = _points(verdict.delta, these.interval, words)
    return [*lines, words.on_these[these.label].format(count=count, points=here)]


def _points(delta: float, interval: Interval | None, words: TriggerWords) -> str:
    points = f"{delta * 100:+.0f}"
    if interval is None:
        return points
    between = words.interval.format(low=interval.low * 100, high=interval.high * 100)
    return f"{points} ({between})"


def shown(text: str) -> str:
    """One line without anything that a terminal would obey."""
    plain = " ".join(text.split())
    return "".join(
        "�" if unicodedata.category(mark) in ("Cc", "Cf", "Cs") else mark for mark in plain
    )
