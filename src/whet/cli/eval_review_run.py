"""What ``whet eval review`` does once its imports are worth their time."""

import json
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.eval_people import Place, one_iteration, suite_of_runs
from whet.app.settings import Settings
from whet.cli.eval_people_options import Review
from whet.cli.eval_people_words import PeopleWords
from whet.core.errors import UsageError
from whet.core.text import shortened
from whet.documents.skill_creator import Feedback
from whet.evaluate.iteration import Iteration
from whet.evaluate.review import (
    FILE,
    MOST_CHARACTERS,
    Label,
    ReviewedRun,
    Said,
    checked_scores,
    find_run,
    is_reviewed,
    load_feedback,
    previous,
    printable,
    produced,
    review_of,
    runs_of,
    save_review,
    scales,
)

_LABELS: Mapping[str, Label] = {"p": "pass", "f": "fail"}


def run(settings: Settings, options: Review) -> None:
    """List, take one review from the options, or go from run to run."""
    place = Place(options.skill, options.engine, options.model)
    desk = _Desk(settings, options, one_iteration(settings, place, options.iteration))
    if options.list_:
        desk.list_runs()
    elif options.run is not None:
        desk.take(options.run)
    elif not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("a review needs a terminal; see --list, and use --run with --label")
    else:
        desk.go_through()


class _Desk:
    """One person at the runs of one iteration."""

    def __init__(self, settings: Settings, options: Review, iteration: Iteration) -> None:
        self._words: PeopleWords = PeopleWords(settings.language)
        self._options = options
        self._iteration = iteration
        self._suite = suite_of_runs(iteration, options.skill)
        self._runs = runs_of(iteration.folder)
        if options.show:
            self._runs.sort(key=lambda one: one.run_id)

    def take(self, name: str) -> None:
        """One review, from the options."""
        options = self._options
        reviewed = find_run(self._runs, name)
        scores = checked_scores(_scores(options.score or ()), self._scales(reviewed))
        if options.label is None and not options.feedback and not scores:
            raise UsageError("say something of the run: --label, --feedback or --score")
        label: Label | None = options.label.value if options.label else None
        feedback = self._save(reviewed, Said(label, options.feedback, scores))
        if options.json:
            told = self._told(reviewed, feedback)
            sys.stdout.write(json.dumps(told, ensure_ascii=False, indent=2) + "\n")
        else:
            self._reveal(reviewed)
            self._end()

    def list_runs(self) -> None:
        """The runs and what was said of them; the sides of the others stay hidden."""
        feedback = load_feedback(self._iteration.folder)
        told = [self._told(one, feedback) for one in self._runs]
        if self._options.json:
            sys.stdout.write(json.dumps({"runs": told}, ensure_ascii=False, indent=2) + "\n")
            return
        table = Table(box=SIMPLE_HEAD)
        for head in self._words.list_heads:
            table.add_column(head)
        for one in told:
            name = f"{one['eval_id']} {one['eval_name']}"
            cells = (one["number"], name, one["label"] or "–", one["run_id"] or self._words.hidden)
            table.add_row(*(Text(printable(str(cell))) for cell in cells))
        Console().print(table)
        self._end()

    def go_through(self) -> None:
        """From run to run, as long as the person likes."""
        feedback = load_feedback(self._iteration.folder)
        waiting = [one for one in self._runs if not is_reviewed(one, feedback)]
        for place, one in enumerate(waiting, start=1):
            self._show(one, place, len(waiting))
            key = self._key()
            if key == "q":
                break
            if key in _LABELS:
                text = _line(self._words.feedback) or ""
                scores = self._asked_scores(one) if self._options.scores else {}
                self._save(one, Said(_LABELS[key], text, scores))
                self._reveal(one)
        self._end()

    def _show(self, one: ReviewedRun, place: int, total: int) -> None:
        words = self._words
        name = printable(one.eval_name)
        typer.echo("\n" + "=" * 72)
        typer.echo(words.run_of.format(number=one.number, place=place, total=total, name=name))
        if self._options.show:
            typer.echo(printable(one.run_id))
        _section(words.prompt, printable(shortened(one.prompt, MOST_CHARACTERS)))
        self._produced(one, "")
        before = previous(one, self._iteration.folder, self._iteration.number)
        if before is not None:
            self._produced(before, words.before.format(number=self._iteration.number - 1) + ": ")

    def _produced(self, one: ReviewedRun, prefix: str) -> None:
        shown = produced(one)
        for part in shown:
            _section(prefix + (part.name or self._words.answer), part.text)
        if not shown:
            _section(prefix + self._words.answer, self._words.nothing)

    def _key(self) -> str:
        while True:
            given = _line(self._words.keys)
            if given is None:
                return "q"
            if (key := given.strip().lower()[:1]) in ("p", "f", "s", "q") and key:
                return key

    def _asked_scores(self, one: ReviewedRun) -> dict[str, int]:
        found: dict[str, int] = {}
        for name, (low, high) in self._scales(one).items():
            while True:
                question = self._words.score.format(name=printable(name), low=low, high=high)
                given = (_line(question) or "").strip()
                if not given:
                    break
                if _is_number(given) and low <= int(given) <= high:
                    found[name] = int(given)
                    break
                typer.echo(self._words.not_a_score.format(low=low, high=high))
        return found

    def _reveal(self, one: ReviewedRun) -> None:
        grading, words = one.grading, self._words
        typer.echo(words.revealed.format(run_id=printable(one.run_id)))
        if grading.overall_efficiency is None:
            typer.echo(words.not_graded)
            return
        rubric = grading.rubric_summary.normalized if grading.rubric_summary else None
        typer.echo(
            words.graded.format(
                passed=grading.summary.passed,
                total=grading.summary.total,
                rubric="–" if rubric is None else f"{rubric:.2f}",
                overall=f"{grading.overall_efficiency:.2f}",
            )
        )

    def _end(self) -> None:
        folder = self._iteration.folder
        feedback = load_feedback(folder)
        done = sum(is_reviewed(one, feedback) for one in self._runs)
        total = len(self._runs)
        typer.echo(self._words.reviewed.format(done=done, total=total, path=folder / FILE))
        if total and done == total:
            typer.echo(self._words.all_reviewed.format(folder=self._options.skill))

    def _told(self, one: ReviewedRun, feedback: Feedback) -> dict[str, object]:
        """A run for a list; which side it is only once that does no harm."""
        found = review_of(one, feedback)
        is_open = found is not None or self._options.show
        return {
            "number": one.number,
            "eval_id": one.eval_id,
            "eval_name": one.eval_name,
            "reviewed": found is not None,
            "label": found.label if found else None,
            "feedback": found.feedback if found else None,
            "scores": found.scores if found else None,
            "run_id": one.run_id if is_open else None,
            "configuration": one.configuration if is_open else None,
        }

    def _save(self, one: ReviewedRun, said: Said) -> Feedback:
        return save_review(self._iteration.folder, self._runs, one, said, datetime.now(UTC))

    def _scales(self, one: ReviewedRun) -> dict[str, tuple[int, int]]:
        return scales(self._suite, one.eval_id)


def _scores(given: Sequence[str]) -> dict[str, int]:
    """``DIM=N`` as it was typed; raises ``UsageError``."""
    found: dict[str, int] = {}
    for one in given:
        name, sign, number = one.rpartition("=")
        if not sign or not _is_number(number.strip()):
            raise UsageError(f"a score is DIMENSION=SCORE, not {printable(one)!r}")
        found[name.strip()] = int(number)
    return found


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) < 6


def _section(title: str, text: str) -> None:
    typer.echo(f"\n--- {title} ---\n{text}")


def _line(question: str) -> str | None:
    """What the person types; None where there is nobody any more."""
    try:
        return input(question)
    except EOFError:
        return None
