"""The folder of one run of an eval: what was produced, what it took, how it was graded.

The layout is skill-creator's, so that its own tools can read it. Every file is a projection of
the database: written when a row is settled, and again whenever the suite is run.
"""

import os
from collections import Counter
from pathlib import Path

from whet.core.address import digest
from whet.core.errors import EnvironmentProblem, UsageError, WhetError
from whet.core.grade import Grade
from whet.core.naming import slug
from whet.core.trial import TrialRecord
from whet.documents.base import Document
from whet.documents.evals import Eval
from whet.documents.files import write_atomic
from whet.documents.grading import ExecutionMetrics, Grading, GradingTiming
from whet.documents.session import Session
from whet.documents.skill_creator import EvalMetadata, Metrics, Timing
from whet.evaluate.check import structural_report
from whet.evaluate.experiment import Row
from whet.evaluate.suite import Suite
from whet.evaluate.suite_grading import (
    DECIDED,
    UNDECIDED,
    find_grading,
    grading_of,
    pass_rate,
)
from whet.evaluate.transcript import session_of, transcript
from whet.ports.blobs import Blobs

SNAPSHOT = "evals.json"
"""The suite as it was run."""

MOST_NAME = 200
"""Bytes of the name of a folder; file systems take 255."""

LONGEST_PATH = 4000
"""Bytes of a path of an output that is written, with room for the name it has meanwhile; the
system takes 4095."""

_METADATA = "eval_metadata.json"
_METRICS = "metrics.json"


def eval_folder(eval_: Eval) -> str:
    """The name of the folder of an eval's runs; no two ids have the same.

    An id that is no name for a folder is told apart by a digest, and one with hyphens by two of
    them at its end.
    """
    written = str(eval_.id)
    identity = slug(written, "x", "-")
    if identity != written:
        identity = f"{identity}-{digest(written)[:8]}"
    joint = "--" if "-" in identity else "-"
    name = f"eval-{identity}{joint}{slug(eval_.name or eval_.prompt, 'eval', '-')}"
    return name if len(name.encode()) <= MOST_NAME else f"eval-{digest(written)[:16]}"


class RunFolders:
    """Writes the runs of one iteration."""

    def __init__(self, iteration: Path, suite: Suite, blobs: Blobs) -> None:
        self._iteration = iteration
        self._suite = suite
        self._blobs = blobs
        self._evals = suite.evals
        self._expectations = {case.id: case.standard.expectations for case in suite.cases}

    def path(self, row: Row) -> Path:
        """Where the run of *row* lies."""
        eval_ = self._evals[row.cell.case.id]
        arm, attempt = row.cell.arm.id, row.cell.attempt
        return self._iteration / eval_folder(eval_) / arm / f"run-{attempt}"

    def describe(self) -> None:
        """Say above the runs what was asked, and keep the suite as it was."""
        _write(self._iteration / SNAPSHOT, self._suite.document)
        for eval_ in self._suite.document.evals:
            folder = self._iteration / eval_folder(eval_)
            _refuse_links(folder, self._iteration)
            _write(folder / _METADATA, self._metadata(eval_))

    def add(self, row: Row) -> Metrics | None:
        """Bring the folder of a run up to date, and tell what the run did in numbers; None for a
        run without a result, which has no folder."""
        if (record := row.record) is None:
            return None
        folder = self.path(row)
        _refuse_links(folder / "outputs", self._iteration)
        grading = grading_of(row)
        if (written := _written(folder, row)) is not None:
            return written
        session = session_of(record, self._blobs)
        text = transcript(session)
        metrics = _metrics(record, session, text)
        self._outputs(folder / "outputs", record, metrics)
        write_text(folder / "transcript.md", text)
        write_text(folder / "session.json", session.to_json())
        _write(folder / _METRICS, metrics)
        # Here skill-creator's viewer looks for the task, above the runs its aggregator does.
        _write(folder / _METADATA, self._metadata(self._evals[row.cell.case.id]))
        _write(folder / "timing.json", _timing(record, row.grade))
        if row.grade is not None:
            _write(folder / "structural.json", structural_report(row.grade.checks))
        given = {
            "execution_metrics": _in_numbers(metrics),
            "timing": _grading_timing(record, row.grade),
        }
        names = (UNDECIDED, DECIDED) if pass_rate(row) is None else (DECIDED, UNDECIDED)
        _write(folder / names[0], grading.model_copy(update=given))
        (folder / names[1]).unlink(missing_ok=True)
        return metrics

    def _metadata(self, eval_: Eval) -> EvalMetadata:
        checks = (check.to_data() for check in eval_.structural_expectations)
        return EvalMetadata(
            eval_id=eval_.id,
            eval_name=eval_.name or f"eval {eval_.id}",
            prompt=eval_.prompt,
            assertions=(*checks, *self._expectations[str(eval_.id)]),
        )

    def _outputs(self, folder: Path, record: TrialRecord, metrics: Metrics) -> None:
        for file in record.outputs:
            if _fits(folder / file.path):
                _make(folder / file.path, folder)
                write_atomic(folder / file.path, self._blobs.get(file.digest), durable=False)
        # Where skill-creator looks for it, unless the agent made something of that name.
        if all(file.path.split("/")[0] != _METRICS for file in record.outputs):
            _write(folder / _METRICS, metrics)


def _metrics(record: TrialRecord, session: Session, text: str) -> Metrics:
    calls = Counter(call.tool_name for call in session.tool_calls)
    return Metrics(
        tool_calls=dict(sorted(calls.items())),
        total_tool_calls=sum(calls.values()),
        total_steps=len(session.tool_calls) + len(session.messages or ()),
        errors_encountered=session.summary.errors_encountered or 0,
        output_chars=sum(file.size for file in record.outputs),
        transcript_chars=len(text),
        files_created=session.summary.files_created,
    )


def _in_numbers(metrics: Metrics) -> ExecutionMetrics:
    """The same without the names of files."""
    return ExecutionMetrics(
        tool_calls=metrics.tool_calls,
        total_tool_calls=metrics.total_tool_calls,
        total_steps=metrics.total_steps,
        errors_encountered=metrics.errors_encountered,
        output_chars=metrics.output_chars,
        transcript_chars=metrics.transcript_chars,
    )


def _timing(record: TrialRecord, grade: Grade | None) -> Timing:
    seconds = record.duration_ms / 1000
    grading, usage = grade_seconds(grade), record.usage
    return Timing(
        total_tokens=usage.known(usage.total_tokens),
        duration_ms=record.duration_ms,
        total_duration_seconds=round(seconds, 3),
        executor_start=record.started_at,
        executor_end=record.ended_at,
        executor_duration_seconds=round(seconds, 3),
        grader_duration_seconds=grading,
        input_tokens=usage.known(usage.input_tokens),
        output_tokens=usage.known(usage.output_tokens),
        cost_usd=usage.cost_usd,
    ).lean()


def _grading_timing(record: TrialRecord, grade: Grade | None) -> GradingTiming:
    """Without a total: where skill-creator's aggregator finds one, it does not look for the
    tokens in ``timing.json`` and takes characters for them."""
    return GradingTiming(
        executor_duration_seconds=round(record.duration_ms / 1000, 3),
        grader_duration_seconds=grade_seconds(grade),
    )


def grade_seconds(grade: Grade | None) -> float:
    """How long the slowest judge took."""
    return max((opinion.seconds for opinion in grade.opinions), default=0.0) if grade else 0.0


def _written(folder: Path, row: Row) -> Metrics | None:
    """The numbers of a run whose folder is whole and says just this already."""
    try:
        found = Grading.load(find_grading(folder))
        metrics = Metrics.load(folder / _METRICS)
    except WhetError:
        return None
    grade = row.grade
    wanted = (row.trial, grade.address, grade.status) if grade else (row.trial, None, None)
    is_same = wanted == (found.trial_address, found.grade_address, found.grade_status)
    return metrics if is_same and _is_whole(folder, row) else None


def _is_whole(folder: Path, row: Row) -> bool:
    """Whether every file is there; a power cut may have taken some, and a person any."""
    names = [_METADATA, "transcript.md", "session.json", "timing.json"]
    names += ["structural.json"] if row.grade else []
    names += [f"outputs/{file.path}" for file in row.record.outputs] if row.record else []
    return all((folder / name).is_file() for name in names if _fits(folder / name))


def _write(path: Path, document: Document) -> None:
    write_text(path, document.to_json())


def write_text(path: Path, text: str) -> None:
    """Put a file that can be made again from the database in its place."""
    _make(path)
    write_atomic(path, text, durable=False)


def _fits(path: Path) -> bool:
    """Whether the system takes so long a path; an agent's own folder may be a shorter one."""
    return len(os.fsencode(path.absolute())) < LONGEST_PATH


def _refuse_links(folder: Path, within: Path) -> None:
    """Raise ``UsageError`` where somebody put a link on the way: what agents made would be
    written wherever it leads to."""
    for each in (folder, *folder.parents):
        if each == within:
            return
        if each.is_symlink():
            raise UsageError(f"{each} is a link; nothing is written through it")


def _make(path: Path, within: Path | None = None) -> None:
    """The folder of a file, without any link on the way from *within*."""
    if within is not None:
        _refuse_links(path.parent, within)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EnvironmentProblem(f"cannot write {path}: {error.strerror}") from error
