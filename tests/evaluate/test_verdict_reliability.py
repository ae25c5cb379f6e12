"""How dependable a configuration is, and what an experiment could see, by hand-computed cases."""

import math

import pytest

from tests.evaluate.eval_rows import (
    QUALITY,
    WITH,
    WITHOUT,
    eval_case,
    gave_up,
    opinion,
    run,
    suite,
    table,
)
from whet.core.case import Case
from whet.evaluate.experiment import Row
from whet.evaluate.reliability import ASSUMED, power_after, power_before, reliability
from whet.evaluate.verdict import Pairs, pairs_of, verdict_of
from whet.stats.power import Spread, smallest_like_these, smallest_on_these


def judged(count: int) -> list[Case]:
    return [eval_case(str(n), rubric=QUALITY) for n in range(1, count + 1)]


def both(case: Case, number: int, first: float, second: float) -> list[Row]:
    return [run(WITH, case, number, first), run(WITHOUT, case, number, second)]


def test_pass_at_k_counts_runs_that_meet_everything() -> None:
    """2 of 3 and 0 of 3: pass@1 = 1/3; pass@2 = (1 + 0)/2; pass^2 = (1/3 + 0)/2; pass^3 = 0."""
    one, two = eval_case("1", checks=2), eval_case("2", checks=2)
    rows = [
        run(WITH, one, 1, 1.0, checks=[True, True]),
        run(WITH, one, 2, 1.0, checks=[True, "vacuous"]),
        run(WITH, one, 3, 0.5, checks=[True, False]),
        run(WITH, two, 1, 0.5, checks=[True, False]),
        gave_up(WITH, two, 2),
        run(WITH, two, 3, 0.0, checks=[False, False]),
    ]
    of = reliability(table(suite(one, two), rows), WITH)
    assert of is not None
    told = [(each.k, each.pass_at_k, each.pass_hat_k, each.n_evals) for each in of.pass_at]
    assert told == [(1, 0.3333, 0.3333, 2), (2, 0.5, 0.1667, 2), (3, 0.5, 0.0, 2)]
    # Scores 1, 1, 0.5 and 0.5, 0, 0: squares 1/6 + 1/6 over 4 degrees of freedom.
    assert of.stddev == pytest.approx(math.sqrt(1 / 12), abs=1e-4)
    assert of.band == "unreliable"
    assert reliability(table(suite(one, two), rows), WITHOUT) is None


def test_without_expectations_a_run_passes_by_its_rubric() -> None:
    [one] = judged(1)
    rows = [
        run(WITH, one, 1, 0.6, rubric=0.6),
        run(WITH, one, 2, 0.59, rubric=0.59),
        run(WITH, one, 3, error="broke"),
    ]
    of = reliability(table(suite(one), rows), WITH)
    assert of is not None
    assert [(each.k, each.pass_at_k) for each in of.pass_at] == [(1, 0.5), (2, 1)]
    assert of.variance is None


def test_one_run_each_shows_no_steadiness() -> None:
    cases = judged(3)
    of = reliability(table(suite(*cases), [run(WITH, case, 1, 0.5) for case in cases]), WITH)
    assert of is not None
    assert (of.stddev, of.band) == (None, None)
    assert of.variance is not None
    assert (of.variance.between_runs, of.variance.between_readings) == (None, None)


def test_the_spread_is_split_between_evals_runs_and_readings() -> None:
    """Readings 4 × 0.02 / 4 = 0.02; runs (0.04 − 0.02) / 2 = 0.01; evals (0.08 − 0.04) / 4."""
    one, two = judged(2)
    readings = [
        (one, 1, (0.4, 0.6)),
        (one, 2, (0.6, 0.8)),
        (two, 1, (0.8, 1.0)),
        (two, 2, (0.6, 0.8)),
    ]
    rows = [
        run(
            WITH,
            case,
            number,
            sum(scores) / 2,
            rubric=sum(scores) / 2,
            opinions=[opinion(n, s, depth=5 * s, tone=5 * s) for n, s in enumerate(scores, 1)],
        )
        for case, number, scores in readings
    ]
    of = reliability(table(suite(one, two), rows), WITH)
    assert of is not None
    assert of.variance is not None
    assert of.variance.between_readings == pytest.approx(0.02)
    assert of.variance.between_runs == pytest.approx(0.01)
    assert of.variance.between_evals == pytest.approx(0.01)


def test_what_could_be_seen_before_and_after() -> None:
    """Before: √(0.25² + 0.3² / 3) over 10 evals."""
    before = power_before(10, 3, 0.0, 10)
    assert [(row.evals, row.runs, row.trials) for row in before] == [
        (10, 3, 60),
        (10, 6, 120),
        (20, 3, 120),
        (20, 6, 240),
        (40, 3, 240),
        (40, 6, 480),
    ]
    assert before[0].smallest_effect == pytest.approx(
        smallest_like_these(Spread(0.0625 + 0.03, None), 10, 1), abs=1e-6
    )
    assert before[0].smallest_effect_on_these == pytest.approx(
        smallest_on_these(Spread(0.0, 0.09), 10, 3), abs=1e-6
    )
    assert ASSUMED.of_a_case(3) == pytest.approx(0.0925)
    one, two = judged(2)
    # Differences 0.2, 0.0 and 0.4, 0.4, so 0.1 and 0.4; inside: 0.02 with the skill only, halved.
    rows = [
        *both(one, 1, 0.7, 0.5),
        *both(one, 2, 0.5, 0.5),
        *both(two, 1, 0.8, 0.4),
        *both(two, 2, 0.8, 0.4),
    ]
    after = power_after(pairs_of(table(suite(one, two), rows), suite(one, two), WITH, WITHOUT), 0.0)
    # noise = 0.02 / 2 degrees = 0.01; effect = 0.3² / 2 − 0.01 / 2 = 0.04
    expected = smallest_like_these(Spread(0.04 + 0.01 / 4, None), 8, 1)
    [eight] = [row for row in after if (row.evals, row.runs) == (8, 4)]
    assert eight.smallest_effect == pytest.approx(expected, abs=1e-4)
    assert after[0].smallest_effect is None  # two evals could not show even 100 points


def test_with_single_runs_nothing_is_said_of_more_runs() -> None:
    one, two = judged(2)
    rows = [*both(one, 1, 0.7, 0.5), *both(two, 1, 0.8, 0.4)]
    after = power_after(pairs_of(table(suite(one, two), rows), suite(one, two), WITH, WITHOUT), 0.0)
    assert {row.runs for row in after} == {1}
    alone = pairs_of(table(suite(one), rows[:2]), suite(one), WITH, WITHOUT)
    assert power_after(alone, 0.0) == ()


def test_runs_that_never_differ_say_nothing_of_what_more_would_show() -> None:
    same = Pairs(WITH, WITHOUT, {"1": [(0.5, 0.5), (0.5, 0.5)], "2": [(1.0, 1.0), (1.0, 1.0)]})
    assert power_after(same, 0.0) == ()


def test_the_table_and_the_verdict_tell_one_smallest_effect_with_excluded_pairs() -> None:
    """Six evals of three runs, one of which lacks two pairs, are 2.25 runs of each, not 2."""
    cases = judged(6)
    rows = [
        row
        for place, case in enumerate(cases)
        for number in (1, 2, 3)
        if place or number == 1
        for row in both(case, number, 0.6 + 0.07 * ((place + number) % 3), 0.5 + 0.02 * number)
    ]
    pairs = pairs_of(table(suite(*cases), rows), suite(*cases), WITH, WITHOUT)
    found = verdict_of(pairs, 0.0)
    first = power_after(pairs, 0.0)[0]
    assert (first.evals, first.runs, first.trials) == (6, 2.25, 32)
    assert first.smallest_effect == pytest.approx(found.smallest_effect, abs=1e-6)
    assert found.on_these is not None
    assert first.smallest_effect_on_these == pytest.approx(found.on_these.smallest_effect, abs=1e-6)
