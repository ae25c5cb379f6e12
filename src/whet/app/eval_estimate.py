"""What a plan will probably cost: by what the same models took before, else by list prices."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from whet.app.app import App
from whet.app.eval_plan import EvalPlan, Leg
from whet.app.pins import can_learn, is_paid
from whet.app.prices import AgentRuns, price_of
from whet.core import tokens
from whet.core.case import Case
from whet.core.counts import counted
from whet.core.errors import ConfirmationNeeded
from whet.core.trial import TrialRecord
from whet.core.usage import Usage
from whet.evaluate.grade import Grader
from whet.evaluate.iteration import find
from whet.evaluate.plan import Design
from whet.ports.comparing import Comparing
from whet.stats.describe import mean

ASK_ABOVE_USD = 1.0
"""What may be spent before anybody is asked."""

LOOK_BACK = 500
"""Records that are looked at for what a trial takes."""

FIRST_TRIALS = "run 2 trials first: --max-trials 2"
"""Where there is such an option: what they cost is on record then."""

FIRST_TRIALS_HTTP = 'run 2 trials first: "budget": {"max_trials": 2}'

SMALLEST_USD = 0.01
"""Rough costs below it are not told apart."""

ORDERS = 2
"""Questions for one comparison in pairs: with either side first."""


@dataclass(frozen=True)
class Estimate:
    """Trials and judge calls that are to be paid for; the cost is None when nothing is on record
    that tells it."""

    runs: int
    judge_calls: int
    cost_usd: float | None
    is_paid: bool
    """Whether anybody is charged at all."""

    rough_cost_usd: float | None = None
    """An order of magnitude by list prices, where the cost is None; None when nobody knows."""

    tokens: int | None = None
    """What will probably pass, by what is on record of models of unknown cost."""

    can_try: bool = False
    """Whether some trials would put a cost, or tokens, on record."""

    remark: str = ""
    """What else a person has to know before it starts."""

    @property
    def needs_consent(self) -> bool:
        """Whether a person should agree first: to a large cost, to one that is not on record, and
        to what is remarked."""
        is_dear = self.cost_usd is None or self.cost_usd > ASK_ABOVE_USD
        return bool(self.remark) or (self.is_paid and is_dear)

    def require_consent(self, first: str = "", *, confirmed: bool) -> None:
        """Refuse what a person should agree to first and did not; raises ``ConfirmationNeeded``
        for those who ask over HTTP."""
        if self.needs_consent and not confirmed:
            raise ConfirmationNeeded(f"{self.in_words(first)}: send it again with confirmed: true")

    @property
    def is_unknown(self) -> bool:
        """Whether not even the order of magnitude is known."""
        return self.cost_usd is None and self.rough_cost_usd is None

    def advice(self, first: str = FIRST_TRIALS) -> str | None:
        """How to find out a cost that nobody knows, where *first* would; else None."""
        is_open = self.is_unknown and self.tokens is None and self.can_try
        return f"nobody knows; {first}" if is_open and first else None

    def in_words(self, first: str = "") -> str:
        """The estimate as one phrase; *first* is how people limit it to some trials."""
        remark = f"; {self.remark}" if self.remark else ""
        amounts = (
            f"{counted(self.runs, 'agent run', 'agent runs')} and "
            f"{counted(self.judge_calls, 'judge call', 'judge calls')}"
        )
        return f"{amounts}, {self._cost(first)}{remark}"

    def _cost(self, first: str) -> str:
        if self.cost_usd is not None:
            return f"about {self.cost_usd:.2f} USD"
        if self.rough_cost_usd is not None:
            return f"order of magnitude {usd(self.rough_cost_usd)} USD, a guess from list prices"
        if self.tokens is not None:
            return (
                f"of unknown cost, about {counted(self.tokens, 'token', 'tokens')} by what "
                "is on record"
            )
        advice = self.advice(first)
        return f"at a cost that {advice}" if advice else "of unknown cost"

    def __str__(self) -> str:
        return self.in_words()


def usd(cost: float) -> str:
    """A rough cost for people."""
    if cost < SMALLEST_USD:
        return f"below {SMALLEST_USD}"
    return f"{cost:,.0f}" if cost >= 1 else f"{cost:g}"


def estimate(app: App, plan: EvalPlan) -> Estimate:
    """Look at what is recorded of the same models, and into the price list."""
    paid = [leg for leg in plan.legs if is_paid(app.parts.engine(leg.design.pin.engine))]
    limit = plan.request.budget.max_trials
    runs = limited({leg.name: agent_runs(leg.design, leg.extent.missing) for leg in paid}, limit)
    found = priced(app, runs, _judge_calls(plan))
    # With a limit on the runs already there is nothing to find out by some.
    return replace(found, can_try=found.can_try and limit is None)


def agent_runs(design: Design, count: int) -> AgentRuns:
    """So many runs of a design, with the tokens of its prompts and skills on average."""
    prompts = [tokens.estimate(case.stimulus.prompt) for case in design.cases]
    skills = [
        tokens.estimate_bytes(arm.skill.entry.size) if arm.skill else 0 for arm in design.arms
    ]
    turns = [case.stimulus.limits.max_turns for case in design.cases]
    most = max((each for each in turns if each is not None), default=None)
    return AgentRuns(count, mean(prompts) + mean(skills), None if None in turns else most)


def limited(runs: Mapping[str, AgentRuns], limit: int | None) -> dict[str, AgentRuns]:
    """The runs that are started within a limit on all of them together."""
    left = math.inf if limit is None else limit
    found: dict[str, AgentRuns] = {}
    for name, each in runs.items():
        count = int(min(each.count, left))
        left -= count
        found[name] = replace(each, count=count)
    return found


def priced(
    app: App, runs: Mapping[str, AgentRuns], calls: Mapping[str, int], remark: str = ""
) -> Estimate:
    """What so many runs of paid agents, and calls of paid judges, will take; each is called
    ``engine:model``."""
    known = [record for record in app.store.ledger.latest(LOOK_BACK) if not record.simulated]
    at_work = {name: each for name, each in runs.items() if each.count}
    asked = {name: count for name, count in calls.items() if count}
    counts = [*((name, each.count) for name, each in at_work.items()), *asked.items()]
    costs = [_times(count, _costs(known, name)) for name, count in counts]
    total = None if None in costs else sum(filter(None, costs))
    rough = [_rough_run(known, name, each) for name, each in at_work.items()]
    rough += [_rough_call(known, name, count) for name, count in asked.items()]
    unknown = [name for (name, _), cost in zip(counts, rough, strict=True) if cost is None]
    is_rough = total is None and None not in rough
    return Estimate(
        runs=sum(each.count for each in at_work.values()),
        judge_calls=sum(asked.values()),
        cost_usd=total,
        is_paid=bool(counts),
        rough_cost_usd=float(f"{sum(filter(None, rough)):.1g}") if is_rough else None,
        tokens=_recorded_tokens(known, [one for one in counts if one[0] in unknown]),
        can_try=bool(at_work) and all(can_learn(app, name) for name in unknown),
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
    missing = sum(leg.extent.missing for leg in plan.legs)
    limit = plan.request.budget.max_trials
    places = missing if limit is None else min(missing, limit)
    places += sum(leg.extent.ungraded for leg in plan.legs)
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


def _of_model(known: Sequence[TrialRecord], model: str) -> list[Usage]:
    """What is on record of a model, called ``engine:model``."""
    return [record.usage for record in known if f"{record.engine}:{record.model}" == model]


def _costs(known: Sequence[TrialRecord], model: str) -> list[float]:
    """What was paid for a model."""
    costs = [usage.cost_usd for usage in _of_model(known, model)]
    return [cost for cost in costs if cost is not None]


def _recorded_tokens(known: Sequence[TrialRecord], counts: Sequence[tuple[str, int]]) -> int | None:
    """Tokens of so many runs or calls of each model; None unless all of them are on record."""
    total = 0.0
    for name, count in counts:
        used = [each.total_tokens for each in _of_model(known, name) if each.total_tokens]
        if not used:
            return None
        total += count * mean(used)
    return round(total) if counts else None


def _times(count: int, costs: Sequence[float]) -> float | None:
    return count * mean(costs) if costs else None


def _rough_run(known: Sequence[TrialRecord], model: str, runs: AgentRuns) -> float | None:
    """The order of magnitude of some runs; None for a model that has no list price here."""
    price = price_of(model)
    guess = None if price is None else price.of_run(runs)
    return _rough(known, model, runs.count, guess)


def _rough_call(known: Sequence[TrialRecord], model: str, count: int) -> float | None:
    price = price_of(model)
    guess = None if price is None else price.of_judge_call()
    return _rough(known, model, count, guess)


def _rough(
    known: Sequence[TrialRecord], model: str, count: int, guess: float | None
) -> float | None:
    """By costs on record, else by tokens on record, else by a guess."""
    costs, price = _costs(known, model), price_of(model)
    if not costs and price is not None:
        costs = [price.of_usage(each) for each in _of_model(known, model) if each.total_tokens]
    if costs:
        return count * mean(costs)
    return None if guess is None else count * guess
