"""One engine and model at work on a suite: keeps its rows, folders and benchmark in step."""

import time

from whet.app.app import App
from whet.app.eval_plan import EvalPlan, Leg
from whet.app.runs.claim import RunClaim
from whet.core.instant import iso, iso_seconds
from whet.documents.benchmark import Benchmark
from whet.documents.eval_statistics import PairwiseSummary
from whet.documents.evals import EvalFeedbackAggregate
from whet.documents.grading import ExecutionMetrics
from whet.evaluate.adaptive import Outcome, as_document
from whet.evaluate.benchmark import Context, benchmark
from whet.evaluate.experiment import Extent, Row
from whet.evaluate.feedback import aggregate_feedback
from whet.evaluate.iteration import Iteration
from whet.evaluate.suite_grading import grading_of, is_simulated
from whet.evaluate.suite_runs import RunFolders, write_text

SAVE_SECONDS = 1.0
"""How far behind a benchmark may be that somebody reads while it grows."""

SAVE_SHARE = 20
"""That it takes long to write must not hold the work up: so many times longer there is none."""


class LegRun:
    """Takes the rows of one leg."""

    def __init__(
        self, app: App, plan: EvalPlan, leg: Leg, iteration: Iteration, claim: RunClaim
    ) -> None:
        self._app = app
        self._claim = claim
        self._plan = plan
        self.leg = leg
        self.iteration = iteration
        self.rows: list[Row] = []
        self._metrics: dict[str, ExecutionMetrics] = {}
        self._folders = RunFolders(iteration.folder, plan.suite, app.store.blobs)
        self._due = time.monotonic() + SAVE_SECONDS
        self._begun = iso(app.clock.now())
        self.adaptive: Outcome | None = None
        self.pairwise: PairwiseSummary | None = None
        self.compared: set[str] = set()
        """The addresses of the questions that were asked to hold outputs side by side."""

        self._folders.describe()

    def settled(self, row: Row) -> None:
        """Take a row, write its folder, and from time to time what all of them come to."""
        self.rows.append(row)
        self._claim.reuse(row)
        metrics = self._folders.add(row)
        if metrics is not None:
            self._metrics[row.trial] = metrics
        if time.monotonic() > self._due:
            self.save(under_way=True)

    def save(self, *, under_way: bool = False) -> Benchmark:
        """Write ``benchmark.json`` and what judges said of the suite, as far as it is.

        While it is under way there is no verdict: who looks again and again sees one by chance.
        Nor is there one of an adaptive run that was interrupted before it came to its own.
        """
        began = time.monotonic()
        found = benchmark(self.rows, self._context())
        if under_way or (self._plan.request.adaptive and self.adaptive is None):
            about = found.metadata.model_copy(update={"status": "partial"})
            found = found.model_copy(update={"verdict": None, "metadata": about}).lean()
        write_text(self.iteration.folder / "benchmark.json", found.to_json())
        write_text(
            self.iteration.folder / "eval_feedback_aggregate.json", self.feedback().to_json()
        )
        now = time.monotonic()
        self._due = now + max(SAVE_SECONDS, SAVE_SHARE * (now - began))
        return found

    @property
    def unanswered(self) -> int:
        """Runs that came to no answer; what a limit left out is not among them."""
        return sum(row.record is None and not row.skipped for row in self.rows)

    def feedback(self) -> EvalFeedbackAggregate:
        """What the judges say of the suite."""
        recorded = [row for row in self.rows if row.record is not None]
        evals = self._plan.suite.evals
        return aggregate_feedback(
            self._plan.suite.document.skill_name,
            self.iteration.number,
            [(evals[row.cell.case.id].id, grading_of(row)) for row in recorded],
            simulated=any(map(is_simulated, recorded)),
        )

    def _context(self) -> Context:
        plan, request = self._plan, self._plan.request
        judges, cost = plan.grader.judges, self.cost()
        return Context(
            suite=plan.suite,
            design=self.leg.design,
            skill_path=str(plan.suite.folder),
            timestamp=iso_seconds(self._app.clock.now()),
            analyzer_model=judges[0].model if judges else "",
            judges=plan.judge_names,
            simulated=self._app.parts.engine(self.leg.design.pin.engine).simulated,
            cost_usd=cost,
            metrics=self._metrics,
            eval_id=plan.id,
            iteration=self.iteration.number,
            plan_digest=self.leg.digest,
            margin=request.margin,
            adaptive=request.adaptive,
            planned=[row.cell for row in self.rows] if request.adaptive else None,
            verdict=as_document(self.adaptive, cost) if self.adaptive else None,
            pairwise=self.pairwise,
        )

    def extent(self) -> Extent:
        """How many of the rows are new; what was graded anew only is not told apart."""
        new = sum(row.record is None or row.record.started_at >= self._begun for row in self.rows)
        return Extent(len(self.rows), missing=new, ungraded=0)

    def cost(self) -> float | None:
        """All the money behind these rows: every execution, and every question to a judge."""
        addresses = {row.trial for row in self.rows} | self.compared
        for row in self.rows:
            for opinion in row.grade.opinions if row.grade else ():
                addresses.update(opinion.judgement.asked)
        return self._app.store.ledger.spent(sorted(addresses)).cost_usd
