"""``whet eval review``: people look at runs."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.eval_iterations import Place, one_iteration, suite_of_runs
from whet.app.eval_request import ReviewRequest
from whet.cli.asset_output import print_json
from whet.cli.command import Call, when_stopped
from whet.cli.request_options import Spelling
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
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


class ReviewWords(Words):
    """What is said to a person who reviews."""

    run_of = Both(
        "Run {number} ({place} of {total} to review): {name}",
        "运行 {number}（待评审 {total} 个中的第 {place} 个）：{name}",
    )
    prompt = Both("Prompt", "提示词")
    answer = Both("Answer", "回答")
    nothing = Both("(nothing was produced)", "（没有产出）")
    before = Both("Iteration {number}", "第 {number} 次迭代")
    keys = Both("[p]ass  [f]ail  [s]kip  [q]uit: ", "[p] 通过  [f] 不通过  [s] 跳过  [q] 退出：")
    feedback = Both("Why? (one line, may be empty) ", "原因？（一行，可留空）")
    score = Both("{name} ({low} to {high}, may be empty) ", "{name}（{low} 到 {high}，可留空）")
    not_a_score = Both(
        "A whole number from {low} to {high}, please.", "请输入 {low} 到 {high} 的整数。"
    )
    revealed = Both("It was {run_id}.", "这是 {run_id}。")
    graded = Both(
        CountedText(
            "Graders: {passed} of {total:expectation|expectations} met, rubric {rubric}, "
            "overall {overall}."
        ),
        "评分：{total} 项期望满足 {passed} 项，量表 {rubric}，总分 {overall}。",
    )
    not_graded = Both("Graders gave it no score.", "没有评分。")
    reviewed = Both(
        CountedText("{done} of {total:run|runs} reviewed: {path}"),
        "{total} 次运行已评审 {done} 次：{path}",
    )
    all_reviewed = Both(
        "Every run is reviewed. Do the judges agree? See: whet eval calibrate {folder}",
        "全部运行都已评审。查看评审模型与人的一致程度：whet eval calibrate {folder}",
    )
    list_heads = Both(("run", "eval", "said", "what it was"), ("运行", "评测项", "结论", "实际是"))
    hidden = Both("hidden until it is reviewed", "评审之后才显示")


Request = Annotated[
    ReviewRequest,
    Spelling(
        help={"label": "With --run: what you find.", "feedback": "With --run: why."},
        without=("scores",),
    ),
]


@dataclass(frozen=True, kw_only=True)
class Options:
    """Which runs are reviewed, and how."""

    iteration: Annotated[int | None, typer.Option(help="Default: the newest.", min=1)] = None
    show: Annotated[bool, typer.Option("--show", help="Not blind: say which side a run is.")] = (
        False
    )
    scores: Annotated[
        bool, typer.Option("--scores", help="Also ask for a score in every dimension.")
    ] = False
    list_: Annotated[bool, typer.Option("--list", help="Only list the runs.")] = False
    run: Annotated[
        str | None, typer.Option(help="Review one run, by its number or id, without a terminal.")
    ] = None
    score: Annotated[
        list[str] | None,
        typer.Option(help="With --run: DIMENSION=SCORE; may be repeated.", metavar="DIM=N"),
    ] = None


@when_stopped("stopped; what you said so far is kept")
def review(
    call: Call,
    place: Annotated[Place, Spelling(arguments={"folder": "SKILL_DIR"})],
    request: Request,
    options: Options,
) -> None:
    """List runs, take one review from the options, or go from run to run."""
    iteration = one_iteration(call.settings, place, options.iteration)
    runs = _IterationReview(call, options, iteration, place.folder)
    if options.list_:
        runs.list_runs()
    elif options.run is not None:
        runs.review_one(options.run, request)
    elif not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("a review needs a terminal; see --list, and use --run with --label")
    else:
        runs.go_through()


class _IterationReview:
    """The runs of one iteration, for one person."""

    def __init__(self, call: Call, options: Options, iteration: Iteration, folder: Path) -> None:
        self._words = ReviewWords(call.language)
        self._call = call
        self._options = options
        self._iteration = iteration
        self._folder = folder
        self._suite = suite_of_runs(iteration, folder)
        self._runs = runs_of(iteration.folder)
        if options.show:
            self._runs.sort(key=lambda one: one.run_id)

    def review_one(self, name: str, request: ReviewRequest) -> None:
        """Keep one review, from the options."""
        reviewed = find_run(self._runs, name)
        given = _scores(self._options.score or ())
        scores = checked_scores(given, self._scales(reviewed))
        if request.label is None and not request.feedback and not scores:
            raise UsageError("say something of the run: --label, --feedback or --score")
        feedback = self._save(reviewed, Said(request.label, request.feedback, scores))
        if self._call.json:
            print_json(self._told(reviewed, feedback))
        else:
            self._reveal(reviewed)
            self._end()

    def list_runs(self) -> None:
        """The runs and what was said of them; the sides of the others stay hidden."""
        feedback = load_feedback(self._iteration.folder)
        told = [self._told(one, feedback) for one in self._runs]
        if self._call.json:
            print_json({"runs": list[JsonValue](told)})
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
            typer.echo(self._words.all_reviewed.format(folder=self._folder))

    def _told(self, one: ReviewedRun, feedback: Feedback) -> dict[str, JsonValue]:
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
            "scores": dict(found.scores) if found and found.scores else None,
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
