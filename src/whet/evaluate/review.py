"""People look at runs: which runs there are, what they show, and what was said of them.

A review is blind: a run is called by its number in an order of chance, and which side it belongs
to, and what graders say of it, is told after the answer. ``feedback.json`` in the folder of the
iteration is skill-creator's.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from whet.core.address import digest
from whet.core.errors import NotFound, UsageError, WhetError
from whet.core.instant import iso
from whet.core.text import printable, shortened, storable
from whet.documents.evals import EvalSuite
from whet.documents.files import write_atomic
from whet.documents.grading import Grading
from whet.documents.session import Session
from whet.documents.skill_creator import EvalMetadata, Feedback, Review
from whet.evaluate.suite_grading import find_grading

FILE = "feedback.json"
MOST_FILES = 20
MOST_CHARACTERS = 4000
"""Of a file or an answer; what is beyond is left out of its middle."""

MOST_BYTES = 4 * 1024 * 1024
"""Of a file that is looked into at all."""

LONGEST_FEEDBACK = 20_000
_RUN = re.compile(r"run-([0-9]{1,6})")

Label = Literal["pass", "fail"]


@dataclass(frozen=True)
class ReviewedRun:
    """A run of an iteration that a person may look at."""

    number: int
    """Its place in the order in which runs are shown; says nothing of its side."""

    run_id: str
    folder: Path
    eval_id: int | str
    eval_name: str
    prompt: str
    configuration: str
    grading: Grading


@dataclass(frozen=True)
class Shown:
    """A text of a run, fit for a terminal."""

    name: str
    text: str


@dataclass(frozen=True)
class Said:
    """What a person says of a run."""

    label: Label | None = None
    feedback: str = ""
    scores: Mapping[str, int] | None = None


def runs_of(iteration: Path) -> list[ReviewedRun]:
    """The runs of an iteration in an order of chance, which is always the same."""
    found = sorted(_runs(iteration), key=lambda run: digest(run.run_id))
    return [replace(run, number=number) for number, run in enumerate(found, start=1)]


def find_run(runs: Sequence[ReviewedRun], name: str) -> ReviewedRun:
    """The run with that number or id; raises ``NotFound``."""
    for run in runs:
        if name in (str(run.number), run.run_id):
            return run
    raise NotFound(f"no run {printable(name)!r} in this iteration; it has 1 to {len(runs)}")


def previous(run: ReviewedRun, iteration: Path, number: int) -> ReviewedRun | None:
    """The same run, of the same eval and side, in the iteration before."""
    before = iteration.with_name(f"iteration-{number - 1}")
    for one in runs_of(before) if before.is_dir() else ():
        same = (one.configuration, one.folder.name) == (run.configuration, run.folder.name)
        if same and str(one.eval_id) == str(run.eval_id):
            return one
    return None


def produced(run: ReviewedRun) -> list[Shown]:
    """The answer and the files of a run. Links are not followed, and little is read of much."""
    shown = [Shown("", _capped(answer))] if (answer := _answer(run.folder)) else []
    files = list(_files(run.folder / "outputs", run.folder / "metrics.json"))
    for path in files[:MOST_FILES]:
        name = printable(str(path.relative_to(run.folder / "outputs")))
        shown.append(Shown(name, _content(path)))
    if len(files) > MOST_FILES:
        shown.append(Shown("…", f"({len(files) - MOST_FILES} more files)"))
    return shown


def scales(suite: EvalSuite | None, eval_id: int | str) -> dict[str, tuple[int, int]]:
    """The dimensions that a person may score, each with the ends of its scale."""
    for one in suite.evals if suite else ():
        if str(one.id) == str(eval_id) and one.quality_rubric:
            return {
                each.name: (
                    int(1 if each.minimum is None else each.minimum),
                    int(5 if each.maximum is None else each.maximum),
                )
                for each in one.quality_rubric.dimensions
            }
    return {}


def checked_scores(
    given: Mapping[str, int], known: Mapping[str, tuple[int, int]]
) -> dict[str, int]:
    """*given*, if every one is on the scale of a dimension; raises ``UsageError``."""
    for name, score in given.items():
        if name not in known:
            names = ", ".join(known) or "none"
            raise UsageError(f"no dimension {printable(name)!r}; the eval has: {printable(names)}")
        low, high = known[name]
        if not low <= score <= high:
            raise UsageError(f"{printable(name)} is {score}, outside {low}..{high}")
    return dict(given)


def load_feedback(iteration: Path) -> Feedback:
    """What was said so far; raises ``InvalidDocument``."""
    try:
        return Feedback.load(iteration / FILE)
    except NotFound:
        return Feedback(reviews=(), status="in_progress")


def is_reviewed(run: ReviewedRun, feedback: Feedback) -> bool:
    """Whether somebody said something of this very run, not of one that stood there before."""
    return review_of(run, feedback) is not None


def review_of(run: ReviewedRun, feedback: Feedback) -> Review | None:
    """The last review of a run."""
    for review in reversed(feedback.reviews):
        if review.run_id == run.run_id:
            known = review.trial_address is None or run.grading.trial_address is None
            same = known or review.trial_address == run.grading.trial_address
            return review if same else None
    return None


def save_review(
    iteration: Path, runs: Sequence[ReviewedRun], run: ReviewedRun, said: Said, now: datetime
) -> Feedback:
    """Keep what was said, in place of what was said of the same run before.

    The file is read anew first, so that two people can review one iteration.
    """
    before = load_feedback(iteration)
    review = Review(
        run_id=run.run_id,
        feedback=storable(said.feedback[:LONGEST_FEEDBACK]),
        timestamp=iso(now),
        label=said.label,
        scores=dict(said.scores) if said.scores else None,
        trial_address=run.grading.trial_address,
    ).lean()
    others = [one for one in before.reviews if one.run_id != run.run_id]
    after = before.model_copy(update={"reviews": (*others, review)})
    done = all(is_reviewed(one, after) for one in runs)
    after = after.model_copy(update={"status": "complete" if done else "in_progress"})
    write_atomic(iteration / FILE, after.to_json(), durable=True)
    return after


def _runs(iteration: Path) -> Iterator[ReviewedRun]:
    """Every folder of a run that can be read; the rest is none of ours."""
    for folder in iteration.glob("eval-*/*/run-*"):
        if not _RUN.fullmatch(folder.name) or _is_linked(folder, iteration):
            continue
        try:
            metadata = EvalMetadata.load(folder.parent.parent / "eval_metadata.json")
            grading = Grading.load(find_grading(folder))
        except WhetError:
            continue
        yield ReviewedRun(
            number=0,
            run_id="-".join(folder.relative_to(iteration).parts),
            folder=folder,
            eval_id=metadata.eval_id,
            eval_name=metadata.eval_name,
            prompt=metadata.prompt,
            configuration=folder.parent.name,
            grading=grading,
        )


def _is_linked(folder: Path, iteration: Path) -> bool:
    return any(one.is_symlink() for one in (folder, folder.parent, folder.parent.parent)) or (
        not folder.resolve().is_relative_to(iteration.resolve())
    )


def _answer(folder: Path) -> str:
    try:
        return Session.load(folder / "session.json").final_answer or ""
    except WhetError:
        return ""


def _files(outputs: Path, ours: Path) -> Iterator[Path]:
    """The files of an agent, without the numbers that were put beside them."""
    if outputs.is_symlink() or not outputs.is_dir():
        return
    for path in sorted(outputs.iterdir()):
        if path.is_symlink():
            continue
        if path.is_dir():
            yield from _files(path, ours)
        elif path.is_file() and not (path.name == "metrics.json" and _is_copy(path, ours)):
            yield path


def _is_copy(path: Path, ours: Path) -> bool:
    return ours.is_file() and path.read_bytes() == ours.read_bytes()


def _content(path: Path) -> str:
    size = path.stat().st_size
    if size > MOST_BYTES:
        return f"({size} bytes)"
    data = path.read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return f"({size} bytes, no text)"
    return f"({size} bytes, no text)" if "\0" in text else _capped(text)


def _capped(text: str) -> str:
    return printable(shortened(text, MOST_CHARACTERS))
