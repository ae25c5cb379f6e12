"""The verdict over pairs of runs, by hand-computed cases."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.evaluate.eval_rows import (
    QUALITY,
    WITH,
    WITHOUT,
    eval_case,
    gave_up,
    lost,
    run,
    suite,
    table,
)
from whet.core.case import Case
from whet.documents.verdict import Interval, Verdict, VerdictOnThese
from whet.evaluate.experiment import Row
from whet.evaluate.reliability import power_after
from whet.evaluate.suite import Suite
from whet.evaluate.verdict import (
    Pairs,
    by_eval,
    grain_of_suite,
    holm_over,
    pairs_of,
    verdict_document,
    verdict_of,
)
from whet.evaluate.verdict_words import in_words
from whet.stats.comparison import compare_cases


def judged(count: int) -> list[Case]:
    return [eval_case(str(n), rubric=QUALITY) for n in range(1, count + 1)]


def both(case: Case, number: int, first: float, second: float) -> list[Row]:
    return [run(WITH, case, number, first), run(WITHOUT, case, number, second)]


def found(of: Suite, rows: list[Row], margin: float = 0.0) -> tuple[Verdict, Pairs]:
    pairs = pairs_of(table(of, rows), of, WITH, WITHOUT)
    return verdict_document(verdict_of(pairs, grain_of_suite(of), margin), pairs, 1.5), pairs


def test_runs_are_averaged_inside_an_eval_and_evals_are_the_unit() -> None:
    """Differences 0.1, 0.2, 0.3 twice: mean 0.2, deviation √(0.04 / 5), half 2.570582 · sd / √6."""
    cases = judged(6)
    rows = [*both(cases[0], 1, 0.7, 0.5), *both(cases[0], 2, 0.5, 0.5)]
    for case, gain in zip(cases[1:], (0.2, 0.3, 0.1, 0.2, 0.3), strict=True):
        rows += both(case, 1, 0.5 + gain, 0.5)
    verdict, pairs = found(suite(*cases), rows)
    assert (verdict.label, verdict.n_cases, verdict.n_runs) == ("better", 6, 14)
    assert verdict.delta == pytest.approx(0.2)
    deviation = math.sqrt(0.04 / 5)
    half = 2.570582 * deviation / math.sqrt(6)
    assert verdict.interval is not None
    assert verdict.interval.low == pytest.approx(0.2 - half, abs=1e-5)
    assert verdict.interval.high == pytest.approx(0.2 + half, abs=1e-5)
    assert verdict.interval.level == 0.95
    assert verdict.interval.method == "paired t over cases, exact sign-flip test"
    assert verdict.p_value == 2 / 64  # all six signs are the same
    assert verdict.cost_usd == 1.5
    assert verdict.excluded is None
    assert pairs.averages()["1"] == (pytest.approx(0.6), pytest.approx(0.5))


def test_few_evals_say_something_of_these_and_nothing_of_others() -> None:
    cases = judged(4)
    rows = [
        row
        for case in cases
        for number, (first, second) in enumerate([(0.9, 0.5), (0.8, 0.5), (0.85, 0.55)], 1)
        for row in both(case, number, first, second)
    ]
    verdict, _ = found(suite(*cases), rows)
    assert (verdict.label, verdict.needs) == ("inconclusive", "cases")
    assert verdict.on_these is not None
    assert verdict.on_these.label == "better"
    assert verdict.words is not None
    assert verdict.words.startswith("On these 4 evals the skill helps: +33 points (95 % interval +")
    assert verdict.words.endswith(
        "For evals in general 4 are too few: at least 6, better 12; more runs will not change that."
    )


def test_one_run_of_each_eval_says_nothing_of_these() -> None:
    cases = judged(6)
    rows = [row for n, case in enumerate(cases) for row in both(case, 1, 0.7 + n / 50, 0.5)]
    verdict, _ = found(suite(*cases), rows)
    assert verdict.label == "better"
    assert verdict.on_these is not None
    assert (verdict.on_these.label, verdict.on_these.needs) == ("inconclusive", "repeats")
    assert verdict.words is not None
    assert verdict.words.endswith("each needs 2 runs or more.")


def test_the_smallest_effect_is_the_same_in_the_verdict_and_in_the_table() -> None:
    cases = judged(8)
    gains = [0.1, 0.3, 0.2, 0.0, 0.4, 0.25, 0.15, 0.05]
    rows = [
        row
        for case, gain in zip(cases, gains, strict=True)
        for number, noise in enumerate((-0.05, 0.0, 0.1), 1)
        for row in both(case, number, 0.5 + gain + noise, 0.5 - noise / 2)
    ]
    of = suite(*cases)
    verdict, pairs = found(of, rows)
    [same] = [
        row for row in power_after(pairs, grain_of_suite(of)) if (row.evals, row.runs) == (8, 3)
    ]
    assert verdict.on_these is not None
    assert same.smallest_effect == verdict.smallest_detectable_effect
    assert same.smallest_effect_on_these == verdict.on_these.smallest_detectable_effect


def test_without_a_rubric_scores_are_rates() -> None:
    """Six wins: the mean is 1, the spread what single runs leave: √(1 / 5 / 6), t 2.570582."""
    cases = [eval_case(str(n), checks=1) for n in range(6)]
    of = suite(*cases)
    rows = [row for case in cases for row in both(case, 1, 1.0, 0.0)]
    verdict, _ = found(of, rows)
    assert grain_of_suite(of) == 1
    assert (verdict.label, verdict.delta) == ("better", 1)
    assert verdict.interval is not None
    assert verdict.interval.low == pytest.approx(1 - 2.570582 * math.sqrt(1 / 30), abs=1e-5)
    assert verdict.interval.high == 1
    assert verdict.p_value == 2 / 64
    assert grain_of_suite(suite(*cases, eval_case("x", rubric=QUALITY))) == 0
    assert grain_of_suite(suite(*(eval_case(str(n), checks=4) for n in range(6)))) == 0.25


def test_five_evals_that_only_pass_or_fail_cannot_tell() -> None:
    cases = [eval_case(str(n), checks=1) for n in range(5)]
    verdict, _ = found(suite(*cases), [r for case in cases for r in both(case, 1, 1.0, 0.0)])
    assert (verdict.label, verdict.needs) == ("inconclusive", "cases")
    assert verdict.smallest_detectable_effect is None
    assert verdict.words is not None
    assert "For evals in general 5 are too few" in verdict.words


def test_a_pair_without_a_score_leaves_both_sides_and_is_named() -> None:
    one, two, three, four = judged(4)
    rows = [
        *both(one, 1, 0.9, 0.5),
        run(WITH, one, 2, 0.1),
        lost(WITHOUT, one, 2, "crash:\nno space"),
        run(WITH, two, 1, error="judge timed out"),
        run(WITHOUT, two, 1, 0.9),
        run(WITH, three, 1),
        lost(WITHOUT, three, 1),
        run(WITH, three, 2, error="judge timed out"),
        run(WITHOUT, three, 2, error="judge timed out"),
        *both(four, 1, 0.8, 0.5),
    ]
    verdict, pairs = found(suite(one, two, three, four), rows)
    assert (verdict.n_cases, verdict.n_runs) == (2, 4)
    assert verdict.delta == pytest.approx(0.35)
    assert verdict.excluded == (
        "eval 1 run 2: without_skill: crash: no space",
        "eval 2 run 1: with_skill: the grader failed: judge timed out",
        "eval 3 run 1: with_skill: not scored; without_skill: rate_limit: slow down",
        "eval 3 run 2: both sides: the grader failed: judge timed out",
    )
    rows_by_eval = by_eval(pairs, suite(one, two, three, four))
    assert [(e.eval_id, e.delta, e.pairs) for e in rows_by_eval] == [
        (1, 0.4, 1),
        (2, None, 0),
        (3, None, 0),
        (4, 0.3, 1),
    ]


def test_an_agent_that_gave_up_scores_zero_in_its_pair() -> None:
    one, two = judged(2)
    rows = [run(WITH, one, 1, 0.8), gave_up(WITHOUT, one, 1), *both(two, 1, 0.5, 0.4)]
    verdict, _ = found(suite(one, two), rows)
    assert verdict.delta == pytest.approx((0.8 + 0.1) / 2)
    assert verdict.excluded is None


def test_evals_that_share_a_fixture_are_not_independent() -> None:
    cases = judged(8)
    clusters = {case.id: "abcd"[n // 2] for n, case in enumerate(cases)}
    of = suite(*cases, clusters=clusters)
    first = [0.71, 0.72, 0.55, 0.56, 0.63, 0.65, 0.91, 0.92]
    rows = [
        row for case, score in zip(cases, first, strict=True) for row in both(case, 1, score, 0.5)
    ]
    verdict, _ = found(of, rows)
    expected = compare_cases(first, [0.5] * 8, clusters=list("aabbccdd"))
    assert verdict.interval is not None
    assert expected.like_these.interval is not None
    assert verdict.interval.low == pytest.approx(expected.like_these.interval.low, abs=1e-6)
    assert verdict.interval.method.startswith("cluster-robust paired t over cases")
    alone, _ = found(suite(*cases), rows)
    assert alone.interval is not None
    assert alone.interval.high - alone.interval.low < verdict.interval.high - verdict.interval.low


def test_one_cluster_that_is_left_is_what_the_comparison_speaks_of() -> None:
    cases = judged(4)
    of = suite(*cases, clusters=dict(zip("1234", "aaab", strict=True)))
    rows = [row for n, case in enumerate(cases[:3]) for row in both(case, 1, 0.7 + n / 50, 0.5)]
    rows += [run(WITH, cases[3], 1, 0.9), lost(WITHOUT, cases[3])]
    verdict, _ = found(of, rows)
    assert verdict.interval is not None
    assert verdict.interval.method.startswith("paired t over cases")


def test_no_difference_needs_a_margin() -> None:
    cases = judged(10)
    rows = [
        row
        for n, case in enumerate(cases)
        for row in both(case, 1, 0.5 + (n % 2 or -1) * (n + 1) / 1000, 0.5)
    ]
    of = suite(*cases)
    assert found(of, rows)[0].label == "inconclusive"
    within, _ = found(of, rows, margin=0.05)
    assert within.label == "no_difference"
    assert within.words is not None
    assert within.words.startswith("No difference that matters")


SCORE = st.floats(0, 1) | st.sampled_from([0.0, 0.5, 1.0])
PAIRS = st.lists(st.lists(st.tuples(SCORE, SCORE), min_size=1, max_size=3), min_size=1, max_size=9)


def compared(scores: list[list[tuple[float, float]]], *, rubric: bool) -> Verdict:
    cases = [
        eval_case(str(n), rubric=QUALITY) if rubric else eval_case(str(n), checks=1)
        for n in range(len(scores))
    ]
    rows = [
        row
        for case, runs in zip(cases, scores, strict=True)
        for number, (first, second) in enumerate(runs, 1)
        for row in both(case, number, first, second)
    ]
    return found(suite(*cases), rows)[0]


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(PAIRS, st.booleans())
def test_label_and_interval_always_agree(
    scores: list[list[tuple[float, float]]],
    rubric: bool,  # noqa: FBT001
) -> None:
    verdict = compared(scores, rubric=rubric)
    assert verdict.delta is not None
    interval = verdict.interval
    if interval is None:
        assert verdict.label == "inconclusive"
        return
    assert -1 <= interval.low <= interval.high <= 1
    assert (interval.low > 0) == (verdict.label == "better")
    assert (interval.high < 0) == (verdict.label == "worse")


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(PAIRS, st.booleans())
def test_with_the_sides_swapped_the_verdict_is_mirrored(
    scores: list[list[tuple[float, float]]],
    rubric: bool,  # noqa: FBT001
) -> None:
    here = compared(scores, rubric=rubric)
    there = compared([[(b, a) for a, b in runs] for runs in scores], rubric=rubric)
    mirror = {"better": "worse", "worse": "better"}
    assert there.label == mirror.get(here.label, here.label)
    assert here.delta is not None
    assert there.delta == pytest.approx(-here.delta, abs=1e-9)
    assert (here.interval is None) == (there.interval is None)
    if here.interval and there.interval:
        assert there.interval.low == pytest.approx(-here.interval.high, abs=2e-6)


def given_verdict(p: float | None, delta: float = 0.12, **more: object) -> Verdict:
    interval = Interval(low=0.04, high=0.2, level=0.95, method="paired t over cases")
    given = {"label": "better", "delta": delta, "interval": interval, "n_cases": 12, "n_runs": 72}
    return Verdict.model_validate({**given, "p_value": p, **more})


def test_several_legs_are_one_family() -> None:
    """0.01 × 3 = 0.03 stands; 0.03 × 2 = 0.06 does not, nor does what has no p-value."""
    one, two, three = holm_over([given_verdict(0.03), given_verdict(0.01), given_verdict(None)])
    assert [one.label, two.label, three.label] == ["inconclusive", "better", "inconclusive"]
    assert (one.p_value, two.p_value, three.p_value) == (0.06, 0.03, None)
    assert one.words is not None
    assert one.words.startswith("Not clear enough among several comparisons: +12 points")
    [alone] = holm_over([given_verdict(0.03)])
    assert alone == given_verdict(0.03)


WORDS = [
    (
        given_verdict(0.01),
        "The skill helps: +12 points (95 % interval +4 … +20) over 12 evals and 72 runs.",
        "技能有帮助：+12 分（95 % 区间 +4 … +20），基于 12 个评测项、72 次运行。",
    ),
    (
        given_verdict(
            0.01,
            delta=-0.123,
            label="worse",
            interval=Interval(low=-0.24, high=-0.0004, level=0.95, method=""),
        ),
        "The skill hurts: -12 points (95 % interval -24 … -0.04) over 12 evals and 72 runs.",
        "技能使结果变差：-12 分（95 % 区间 -24 … -0.04），基于 12 个评测项、72 次运行。",
    ),
    (
        given_verdict(
            0.4,
            delta=0.031,
            label="inconclusive",
            interval=Interval(low=-0.05, high=0.11, level=0.95, method=""),
            smallest_detectable_effect=0.148,
        ),
        (
            "Not clear yet: +3.1 points (95 % interval -5 … +11) over 12 evals and 72 runs."
            " An effect below 15 points could easily have been missed."
        ),
        (
            "尚无定论：+3.1 分（95 % 区间 -5 … +11），基于 12 个评测项、72 次运行。"
            "低于 15 分的效果很可能被漏掉。"
        ),
    ),
    (
        given_verdict(None, label="inconclusive", interval=None, n_cases=1, n_runs=2),
        ("Not clear yet: +12 points over 1 eval and 2 runs."),
        "尚无定论：+12 分，基于 1 个评测项、2 次运行。",
    ),
    (
        given_verdict(
            1.0,
            delta=0.0,
            label="inconclusive",
            interval=Interval(low=0, high=0, level=0.95, method=""),
            smallest_detectable_effect=0.0,
        ),
        "Both sides came out alike in every eval: 0 points over 12 evals and 72 runs.",
        "两边在每个评测项上的结果都相同：0 分，基于 12 个评测项、72 次运行。",
    ),
    (
        given_verdict(
            1.0,
            delta=0.0,
            label="inconclusive",
            interval=Interval(low=0, high=0, level=0.95, method=""),
            on_these=VerdictOnThese(
                label="inconclusive",
                interval=Interval(low=-0.2, high=0.2, level=0.95, method=""),
            ),
        ),
        (
            "Both sides came out alike in every eval: 0 points over 12 evals and 72 runs."
            " On these 12 evals it is open: 0 points (95 % interval -20 … +20)."
        ),
        (
            "两边在每个评测项上的结果都相同：0 分，基于 12 个评测项、72 次运行。"
            "就这 12 个评测项而言，尚无定论：0 分（95 % 区间 -20 … +20）。"
        ),
    ),
    (
        Verdict(label="inconclusive", delta=None, interval=None, n_cases=0),
        "Nothing could be compared: no eval has a scored run on both sides.",
        "无法比较：没有任何评测项在两边都有得分。",
    ),
]


@pytest.mark.parametrize(("verdict", "english", "chinese"), WORDS)
def test_a_verdict_in_words(verdict: Verdict, english: str, chinese: str) -> None:
    assert in_words(verdict, "en") == english
    assert in_words(verdict, "zh") == chinese


def test_against_an_older_version_the_words_say_so() -> None:
    told = in_words(given_verdict(0.01), "en", "old_skill")
    assert told.startswith("Better than the old version: +12 points")
    assert in_words(given_verdict(0.01), "zh", "old_skill").startswith("优于旧版本：+12 分")
