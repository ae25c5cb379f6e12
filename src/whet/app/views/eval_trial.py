"""One run of an eval as people look at it, from its folder."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from whet.app.views.texts import MOST_FILES, MOST_TEXT, Room, files_in
from whet.core.errors import NotFound, WhetError
from whet.curate.segments import shown
from whet.documents.base import Document
from whet.documents.benchmark import Benchmark, BenchmarkRun
from whet.documents.evals import Eval
from whet.documents.grading import Expectation, Grading, StructuralReport
from whet.documents.rubrics import RubricDimension
from whet.documents.session import Session
from whet.documents.skill_creator import Timing
from whet.documents.trial_view import (
    AttemptView,
    CheckView,
    ClaimView,
    DimensionView,
    OpinionView,
    ProducedFile,
    TrialView,
)
from whet.evaluate.suite_grading import find_grading
from whet.evaluate.suite_runs import eval_folder
from whet.exporters.figures import score
from whet.exporters.plain import line

FULL = 1.0


@dataclass(frozen=True)
class RunPlaces:
    """The runs of one leg, and where they lie."""

    leg: int
    folder: Path
    benchmark: Benchmark
    evals: Mapping[str, Eval]

    def find(self, case: str, arm: str, attempt: int) -> BenchmarkRun:
        """One run; raises ``NotFound``."""
        for run in self.benchmark.runs:
            if (str(run.eval_id), run.configuration, run.run_number) == (case, arm, attempt):
                return run
        raise NotFound(f"there is no run {attempt} of eval {shown(case)} {shown(arm)}")

    def attempts(self, run: BenchmarkRun) -> tuple[AttemptView, ...]:
        """All runs of the same eval on the same side."""
        place = (str(run.eval_id), run.configuration)
        mine = [
            one for one in self.benchmark.runs if (str(one.eval_id), one.configuration) == place
        ]
        return tuple(map(_attempt, sorted(mine, key=lambda one: one.run_number)))

    def trial(self, run: BenchmarkRun, room: Room) -> TrialView:
        """One run with all that is known of it."""
        eval_ = self.evals.get(str(run.eval_id))
        files = _Files.read(self._place(run, eval_))
        grading, session, timing = files.grading, files.session, files.timing
        result = run.result
        name = (eval_.name if eval_ else None) or run.eval_name or f"eval {run.eval_id}"
        produced, left_out = _produced(files.folder, room)
        return TrialView(
            leg=self.leg,
            arm=run.configuration,
            arm_name=run.configuration,
            set="",
            case=str(run.eval_id),
            case_name=line(name, 200),
            attempt=run.run_number,
            scale=FULL,
            attempts=self.attempts(run),
            status=result.status or "completed",
            grade_status=result.grade_status,
            score=score(run),
            failure=result.failure,
            error=line(grading.error, 2000) if grading and grading.error else None,
            prompt=room.text(eval_.prompt if eval_ else ""),
            expected=room.text(eval_.expected_output if eval_ else ""),
            answer=room.text((session.final_answer if session else None) or ""),
            files=produced,
            files_left_out=left_out,
            gate_passed=result.gate_passed,
            checks=tuple(_checks(run.expectations, files.structural, room)),
            dimensions=_dimensions(grading, eval_, room),
            reasoning=room.text(_reasoning(grading)),
            opinions=_opinions(grading),
            claims=_claims(grading),
            started_at=timing.executor_start if timing else None,
            duration_ms=result.time_seconds * 1000,
            input_tokens=timing.input_tokens if timing else None,
            output_tokens=timing.output_tokens if timing else None,
            cost_usd=result.cost_usd,
            engine=self.benchmark.metadata.engine,
            model=session.agent.model_id if session else self.benchmark.metadata.executor_model,
            simulated=grading.simulated if grading else self.benchmark.metadata.simulated,
            session_id=session.session_id if session else None,
            messages=room.messages(session) if session else (),
            calls=room.calls(session) if session else (),
            calls_total=len(session.tool_calls) if session else result.tool_calls,
        )

    def _place(self, run: BenchmarkRun, eval_: Eval | None) -> Path | None:
        """None where the suite does not know the eval any more."""
        if eval_ is None:
            return None
        return self.folder / eval_folder(eval_) / run.configuration / f"run-{run.run_number}"


@dataclass(frozen=True)
class _Files:
    """What is still there of a run's folder."""

    folder: Path | None = None
    grading: Grading | None = None
    structural: StructuralReport | None = None
    session: Session | None = None
    timing: Timing | None = None

    @classmethod
    def read(cls, folder: Path | None) -> "_Files":
        if folder is None:
            return cls()
        return cls(
            folder=folder,
            grading=_read(Grading, find_grading(folder)),
            structural=_read(StructuralReport, folder / "structural.json"),
            session=_read(Session, folder / "session.json"),
            timing=_read(Timing, folder / "timing.json"),
        )


D = TypeVar("D", bound=Document)


def _read(kind: type[D], path: Path) -> D | None:
    try:
        return kind.load(path)
    except WhetError:
        return None


def _attempt(run: BenchmarkRun) -> AttemptView:
    result = run.result
    return AttemptView(
        attempt=run.run_number,
        status=result.status or "completed",
        grade_status=result.grade_status,
        score=score(run),
        duration_ms=result.time_seconds * 1000,
        cost_usd=result.cost_usd,
    )


def _produced(folder: Path | None, room: Room) -> tuple[tuple[ProducedFile, ...], int]:
    """The first files, and how many more there are."""
    if folder is None:
        return (), 0
    outputs = folder / "outputs"
    found = files_in(outputs, ("metrics.json",))
    made: list[ProducedFile] = []
    for path in found[:MOST_FILES]:
        with path.open("rb") as file:
            data = file.read(4 * MOST_TEXT)
        made.append(room.file(str(path.relative_to(outputs)), data, path.stat().st_size))
    return tuple(made), max(0, len(found) - MOST_FILES)


def _checks(
    expectations: Sequence[Expectation], structural: StructuralReport | None, room: Room
) -> Sequence[CheckView]:
    errors = {one.id: one.error for one in (structural.expectations if structural else ())}
    decided = [
        CheckView(
            id=one.id,
            text=line(one.text, 1000),
            type=one.type,
            outcome=("vacuous" if one.vacuous else "passed") if one.passed else "failed",
            critical=bool(one.critical),
            judged=bool(one.judged),
            evidence=room.evidence(one.evidence),
            error=errors.get(one.id or ""),
        )
        for one in expectations
    ]
    skipped = [
        CheckView(
            id=one.id,
            text=line(one.text, 1000),
            type=one.type,
            outcome="skipped",
            critical=one.critical,
            judged=False,
            evidence=room.evidence(one.reason),
            error=None,
        )
        for one in (structural.skipped if structural else None) or ()
    ]
    return [*decided, *skipped]


def _dimensions(
    grading: Grading | None, eval_: Eval | None, room: Room
) -> tuple[DimensionView, ...]:
    rubric = eval_.quality_rubric if eval_ else None
    scales = {one.name: one for one in (rubric.dimensions if rubric else ())}
    found = (grading.rubric_scores if grading else None) or {}
    return tuple(
        DimensionView(
            name=name,
            score=one.score,
            maximum=_maximum(scales.get(name)),
            weight=scales[name].weight if name in scales else None,
            evidence=room.evidence(one.evidence),
        )
        for name, one in found.items()
    )


def _maximum(scale: RubricDimension | None) -> float | None:
    if scale is None:
        return None
    return 5.0 if scale.maximum is None else scale.maximum


def _reasoning(grading: Grading | None) -> str:
    """What the judge says of the eval itself."""
    return grading.eval_feedback.overall if grading and grading.eval_feedback else ""


def _opinions(grading: Grading | None) -> tuple[OpinionView, ...]:
    return tuple(
        OpinionView(
            judge=one.judge,
            model=one.model,
            reading=one.reading,
            status=one.status,
            score=one.rubric_normalized,
            error=line(one.error, 1000) if one.error else None,
        )
        for one in (grading.judges if grading else None) or ()
    )


def _claims(grading: Grading | None) -> tuple[ClaimView, ...]:
    return tuple(
        ClaimView(
            claim=line(one.claim, 1000), verified=one.verified, evidence=line(one.evidence, 1000)
        )
        for one in (grading.claims if grading else None) or ()
    )
