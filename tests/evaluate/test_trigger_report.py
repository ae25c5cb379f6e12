"""Shares over queries, computed by hand; what nobody knows counts nowhere."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evaluate.triggering import NAME, offered, planned, rows, seen, shuns, wants
from whet.documents.skill_creator import TriggerResult
from whet.evaluate.trigger import Offer
from whet.evaluate.trigger_report import ALARM, has_alarm, result
from whet.stats.intervals import wilson_interval

QUERIES = [*wants("a", "b", "c"), *shuns("d", "e", "f", "g")]
MARKS = ("TTT", "T--", "TMT", "---", "-T-", "TTT", "Tx-")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Offer:
    return offered(tmp_path_factory.mktemp("skills"))


def result_of(made: Offer, *marks: str) -> TriggerResult:
    plan = planned(made, QUERIES)
    return result(made, QUERIES, plan, rows(plan, *marks))


def test_every_query_by_itself(made: Offer) -> None:
    found = result_of(made, *MARKS)
    assert [
        (one.query, one.trigger_rate, one.triggers, one.runs, one.passed, one.unknown)
        for one in found.results
    ] == [
        ("a", 1.0, 3, 3, True, None),
        ("b", 0.3333, 1, 3, False, None),
        ("c", 0.6667, 2, 3, True, None),
        ("d", 0.0, 0, 3, True, None),
        ("e", 0.3333, 1, 3, True, None),
        ("f", 1.0, 3, 3, False, None),
        # Half of the runs that tell: it counts as one that triggers.
        ("g", 0.5, 1, 2, False, 1),
    ]
    assert (found.summary.total, found.summary.passed, found.summary.failed) == (7, 4, 3)
    assert (found.unknown, found.unknown_runs) == (1, ("query 7 run 2: it crashed",))


def test_shares_and_their_intervals_by_hand(made: Offer) -> None:
    """a, c, f and g trigger, and two of them should; of a, b and c two do; 4 of 7 are right.

    Wilson by hand for 2 of 4 with z² = 3.8415: the centre is a half, the half width
    √(3.8415 (0.25/4 + 3.8415/64)) / (1 + 3.8415/4) = 0.6861 / 1.9604 = 0.3500.
    """
    found = result_of(made, *MARKS)
    assert (found.precision, found.recall, found.accuracy) == (0.5, 0.6667, 0.5714)
    ranges = [found.precision_interval, found.recall_interval, found.accuracy_interval]
    assert [(one.low, one.high) for one in ranges if one] == [
        (0.15, 0.85),
        (0.2077, 0.9385),
        (0.2505, 0.8418),
    ]
    assert all(one and (one.level, one.method) == (0.95, "Wilson over queries") for one in ranges)


def test_the_document_is_that_of_skill_creator_with_more(made: Offer) -> None:
    data = result_of(made, *MARKS).to_data()
    assert isinstance(data, dict)
    assert list(data)[:4] == ["skill_name", "description", "results", "summary"]
    assert (data["skill_name"], data["description"]) == (NAME, "Does it.")
    assert isinstance(data["results"], list)
    assert data["results"][0] == {
        "query": "a",
        "should_trigger": True,
        "trigger_rate": 1.0,
        "triggers": 3,
        "runs": 3,
        "pass": True,
    }
    assert (data["engine"], data["model"], data["simulated"]) == ("hand", "m", False)
    assert "alarm" not in data
    assert TriggerResult.parse(data, "result").to_data() == data


def test_one_simulated_run_makes_the_whole_simulated(made: Offer) -> None:
    plan = planned(made, QUERIES)
    first, *others = rows(plan, *MARKS)
    assert first.record is not None
    record = first.record.model_copy(update={"simulated": True})
    mixed = [type(first)(first.cell, first.trial, record, None), *others]
    assert result(made, QUERIES, plan, mixed).simulated is True


def test_a_query_without_any_run_that_tells_is_named_and_left_out(made: Offer) -> None:
    found = result_of(made, "TTT", "xxx", "ttt", "---", "---", "---", "x$t")
    assert [one.query for one in found.results] == ["a", "d", "e", "f"]
    assert found.summary.total == 4
    assert (found.accuracy, found.recall, found.precision) == (1.0, 1.0, 1.0)
    assert found.unknown == 9
    assert found.unknown_runs is not None
    assert "query 3 run 1: timeout: so it is" in found.unknown_runs


def test_without_any_triggers_there_is_no_precision(made: Offer) -> None:
    found = result_of(made, *["---"] * 7)
    assert (found.precision, found.precision_interval) == (None, None)
    assert (found.recall, found.accuracy) == (0.0, 0.5714)


def test_with_nothing_measured_there_is_no_number_at_all(made: Offer) -> None:
    found = result_of(made, *["xxx"] * 7)
    assert found.results == ()
    assert (found.accuracy, found.precision, found.recall) == (None, None, None)
    assert (found.summary.total, found.unknown, found.alarm) == (0, 21, None)


@pytest.mark.parametrize(
    ("marks", "alarm"),
    [
        (("---", "-M-", "---"), True),
        (("---", "---", "xxx"), True),
        (("---", "--T", "---"), False),
        # A single one proves nothing, and those that nobody knows are none.
        (("---", "xxx", "ttt"), False),
        (("xxx", "xxx", "xxx"), False),
    ],
)
def test_when_nothing_ever_triggers_the_harness_is_suspected(
    made: Offer, marks: tuple[str, ...], *, alarm: bool
) -> None:
    found = seen(made, QUERIES, *marks, "---", "---", "---", "TTT")
    assert has_alarm(found) is alarm
    told = result_of(made, *marks, "---", "---", "---", "TTT")
    assert (told.alarm, told.alarm_words) == (("harness_alarm", ALARM) if alarm else (None, None))


MARK = st.text(st.sampled_from("T-MtAx$"), min_size=3, max_size=3)


@given(st.lists(MARK, min_size=7, max_size=7), st.integers(0, 999))
def test_shares_hold_whatever_comes(made: Offer, marks: list[str], seed: int) -> None:
    plan = planned(made, QUERIES)
    every = rows(plan, *marks)
    found = result(made, QUERIES, plan, every)
    # The order of completion never changes a result.
    Random(seed).shuffle(every)
    assert result(made, QUERIES, plan, every) == found
    # By another way of counting.
    rates = {
        query.query: sum(mark in "TA" for mark in known) / len(known)
        for query, told in zip(QUERIES, marks, strict=True)
        if (known := [mark for mark in told if mark in "TA-M"])
    }
    known = [q for q in QUERIES if q.query in rates]
    right = [(rates[q.query] >= 0.5) == q.should_trigger for q in known]
    assert (found.summary.passed, found.summary.total) == (sum(right), len(rates))
    assert found.unknown == sum(mark in "tx$" for told in marks for mark in told)
    if rates:
        assert found.accuracy == round(sum(right) / len(right), 4)
        low, high = wilson_interval(sum(right), len(right))
        assert found.accuracy_interval is not None
        assert found.accuracy_interval.low == pytest.approx(low, abs=1e-4)
        assert found.accuracy_interval.high == pytest.approx(high, abs=1e-4)
