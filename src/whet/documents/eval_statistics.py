"""Skill-eval format: what the runs of a suite say beyond averages. All of it is an addition."""

from typing import Literal

from whet.documents.base import Document, Items, Number
from whet.documents.verdict import Interval

FindingKind = Literal[
    "non_discriminating", "flaky", "always_failing", "vacuous", "unstable_judge", "harness"
]


class EvalFinding(Document):
    """Something about an eval, or one of its checks, that makes it a poor test."""

    kind: FindingKind
    eval_id: int | str | None = None
    configuration: str | None = None
    check: str | None = None
    text: str


class EvalDifference(Document):
    """One eval, averaged over its whole pairs of runs; null where there is none."""

    eval_id: int | str
    with_skill: Number | None
    other: Number | None
    delta: Number | None
    pairs: int
    cluster: str | None = None


class PassAt(Document):
    """pass@k (one of k runs meets every expectation) and pass^k (all of them do), over evals."""

    k: int
    pass_at_k: Number
    pass_at_k_interval: Interval
    pass_hat_k: Number
    pass_hat_k_interval: Interval
    n_evals: int


class VarianceParts(Document):
    """Where the spread of the scores comes from, as variances; null is what cannot be told."""

    between_evals: Number
    between_runs: Number | None
    between_readings: Number | None


class PowerRow(Document):
    """What a number of evals and runs could see with a chance of 80 %; null: nothing.

    ``smallest_effect`` is on evals like these, the other one on these evals alone. ``runs`` is no
    whole number where pairs were left out: it is their harmonic mean, as the verdict counts them.
    """

    evals: int
    runs: Number
    trials: int
    smallest_effect: Number | None
    smallest_effect_on_these: Number | None = None


class Reliability(Document):
    """One configuration: how dependable it is.

    ``stddev`` is of the runs of one eval, over all evals; null where no eval has two runs.
    """

    stddev: Number | None
    band: str | None
    pass_at: Items[PassAt] = ()
    variance: VarianceParts | None = None


class PairwiseSummary(Document):
    """Blind comparisons of outputs, each in both orders; a disagreement of the two is a tie."""

    wins: int
    losses: int
    ties: int
    failed: int
    interval: Interval | None = None
    """Of the share of wins, ties counting half, over evals."""

    failures: Items[str] | None = None
    """The pairs that failed, and why."""


class EvalStatistics(Document):
    """Beside the averages of ``run_summary``: by eval, by source of noise, and what was seen."""

    measure: Literal["overall_efficiency", "pass_rate"]
    by_eval: Items[EvalDifference] = ()
    reliability: dict[str, Reliability] = {}
    power: Items[PowerRow] = ()
    findings: Items[EvalFinding] = ()
    pairwise: PairwiseSummary | None = None
