"""What a plan will probably cost, by what the same models took before."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whet.app.app import App
from whet.app.eval_plan import EvalPlan, Leg
from whet.app.pins import is_paid
from whet.core.case import Case
from whet.core.trial import TrialRecord
from whet.evaluate.grade import Grader
from whet.evaluate.iteration import find
from whet.ports.comparing import Comparing
from whet.stats.describe import mean

ASK_ABOVE_USD = 1.0
"""What may be spent before anybody is asked."""

LOOK_BACK = 500
"""Records that are looked at for what a trial takes."""

ORDERS = 2
"""Questions for one comparison in pairs: with either side first."""


@dataclass(frozen=True)
class Estimate:
    """Trials and judge calls that are to be paid for; the cost is None when nobody knows it."""

    runs: int
    judge_calls: int
    cost_usd: float | None
    is_paid: bool
    """Whether anybody is charged at all."""

    remark: str = ""
    """What else a person has to know before it starts."""

    @property
    def needs_consent(self) -> bool:
        """Whether a person should agree first: to a large cost, to one that nobody knows, and to
        what is remarked."""
        is_dear = self.cost_usd is None or self.cost_usd > ASK_ABOVE_USD
        return bool(self.remark) or (self.is_paid and is_dear)

    def __str__(self) -> str:
        about = "of unknown cost" if self.cost_usd is None else f"about {self.cost_usd:.2f} USD"
        remark = f"; {self.remark}" if self.remark else ""
        return f"{self.runs} agent runs and {self.judge_calls} judge calls, {about}{remark}"


def estimate(app: App, plan: EvalPlan) -> Estimate:
    """Look at what is recorded of the same models."""
    paid = [leg for leg in plan.legs if is_paid(app.parts.engine(leg.design.pin.engine))]
    return priced(app, {leg.name: leg.extent.missing for leg in paid}, _judge_calls(plan))


def priced(
    app: App, runs: Mapping[str, int], calls: Mapping[str, int], remark: str = ""
) -> Estimate:
    """What so many runs of paid agents, and calls of paid judges, will take; each is called
    ``engine:model``."""
    known = [record for record in app.store.ledger.latest(LOOK_BACK) if not record.simulated]
    costs = [
        _times(count, _costs(known, model))
        for model, count in (*runs.items(), *calls.items())
        if count
    ]
    total = sum(runs.values())
    return Estimate(
        runs=total,
        judge_calls=sum(calls.values()),
        cost_usd=None if None in costs else sum(filter(None, costs)),
        is_paid=bool(total or calls),
        remark=remark,
    )


def judged(grader: Grader, cases: Sequence[Case], places: int) -> Counter[str]:
    """How often each model will be asked to judge so many *places*, spread over all *cases*."""
    share = sum(case.standard.needs_judge for case in cases) / len(cases)
    each = math.ceil(places * share) * grader.readings
    calls: Counter[str] = Counter()
    for judge in grader.judges:
        if not judge.simulated and each:
            calls[judge.model] += each
    return calls


def _judge_calls(plan: EvalPlan) -> dict[str, int]:
    """How often each model will be asked to judge what is not graded yet."""
    places = sum(leg.extent.missing + leg.extent.ungraded for leg in plan.legs)
    calls = judged(plan.grader, plan.suite.cases, places)
    comparing = next((each for each in plan.grader.judges if isinstance(each, Comparing)), None)
    pairs = sum(map(_uncompared, plan.legs)) if plan.request.pairwise else 0
    if comparing is not None and not comparing.simulated and pairs:
        calls[comparing.model] += ORDERS * pairs
    return calls


def _uncompared(leg: Leg) -> int:
    """Pairs of runs that nobody has held side by side yet."""
    known = find(leg.root, leg.digest)
    compared = len([*known.folder.glob("eval-*/comparison-run-*.json")]) if known else 0
    return max(0, leg.extent.total // 2 - compared)


def _costs(known: Sequence[TrialRecord], model: str) -> list[float]:
    """What was paid for a model, called ``engine:model``."""
    mine = [record for record in known if f"{record.engine}:{record.model}" == model]
    return [record.usage.cost_usd for record in mine if record.usage.cost_usd is not None]


def _times(count: int, costs: Sequence[float]) -> float | None:
    return count * mean(costs) if costs else None
