"""What is told of rows: records, groups, and how a skill did over time."""

import json

import pytest

from tests.rank.board_rows import KNOWN, row
from whet.documents.leaderboard import LeaderboardRecord, Staleness
from whet.ports.board_row import BoardGroup
from whet.rank.leaderboard import group, history, record, staleness_of

INTERVAL = {"high": 91, "low": 84.4, "level": 0.95, "method": "t over cases"}


@pytest.mark.parametrize(
    ("skill", "baseline", "expected"),
    [
        ("v1", "v1", "current"),
        ("v3", "v1", "skill_updated"),
        ("v1", "v2", "baseline_updated"),
        ("v3", "v2", "both_updated"),
        (None, "v1", "skill_updated"),
        ("v1", None, "baseline_updated"),
        (None, None, "both_updated"),
        (None, "v2", "both_updated"),
    ],
)
def test_a_result_is_held_against_the_library(
    skill: str | None, baseline: str | None, expected: Staleness
) -> None:
    tested = row(skill_version_current=skill, baseline_version_current=baseline)
    assert staleness_of(tested) == expected
    assert record(tested).staleness == expected


def test_a_record_is_the_row_with_its_age() -> None:
    told = record(row(simulated=True, interval=INTERVAL))
    expected = {**KNOWN, "staleness": "current", "simulated": True, "interval": INTERVAL}
    order = [name for name in LeaderboardRecord.model_fields if name in expected]
    assert json.dumps(told.to_data()) == json.dumps({name: expected[name] for name in order})


def test_what_is_unknown_is_left_out_and_what_is_null_by_the_format_is_not() -> None:
    told = record(row(avg_score=None, skill_version_current=None)).to_data()
    assert isinstance(told, dict)
    assert (told["avg_score"], told["skill_version_current"]) == (None, None)
    assert not {"simulated", "interval"} & told.keys()


def test_a_group_has_its_records_in_their_order() -> None:
    rows = (row(avg_score=90), row(avg_score=80, skill_id="t"))
    told = group(BoardGroup("b", "Tests", "review", 10, None, 2, 7, rows))
    assert (told.skill_count, told.record_count) == (2, 7)
    assert (told.baseline_purpose, told.baseline_version_current) == ("review", None)
    assert [(one.skill_id, one.avg_score) for one in told.records] == [("s", 90), ("t", 80)]


def test_a_history_keeps_the_order_of_time_on_each_baseline() -> None:
    rows = [
        row(project_id="1", avg_score=50, baseline_name="Old name"),
        row(project_id="2", avg_score=60, baseline_id="a", baseline_name="Another"),
        row(project_id="3", avg_score=None, skill_version_tested="v2", interval=INTERVAL),
        row(project_id="4", avg_score=40, baseline_version_tested="v2", simulated=False),
    ]
    other, tests = history(rows)
    assert (other.baseline_name, [point.project_id for point in other.points]) == ("Another", ["2"])
    assert (tests.baseline_id, tests.baseline_name) == ("b", "Tests")
    assert [
        (point.project_id, point.version, point.baseline_version, point.avg_score)
        for point in tests.points
    ] == [("1", "v1", "v1", 50), ("3", "v2", "v1", None), ("4", "v1", "v2", 40)]
    assert [point.interval for point in tests.points] == [None, INTERVAL, None]
    assert [point.simulated for point in tests.points] == [None, None, False]
    assert history([]) == ()
