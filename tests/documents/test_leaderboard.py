"""Whether a test still speaks of what is there, and what all tests of a skill come to."""

import itertools
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whet.documents.leaderboard import LeaderboardRecord, SkillTestSummary, Staleness, staleness


class Trial(NamedTuple):
    avg_score: int | float | None
    baseline_name: str = "Tests"
    staleness: Staleness = "current"
    simulated: bool | None = None


@pytest.mark.parametrize(
    ("skill", "baseline", "expected"),
    [
        (("v1", "v1"), ("v1", "v1"), "current"),
        (("v1", "v2"), ("v1", "v1"), "skill_updated"),
        (("v1", "v1"), ("v2", "v3"), "baseline_updated"),
        (("v1", "v2"), ("v2", "v3"), "both_updated"),
        (("v2", "v1"), ("v1", "v1"), "skill_updated"),
        (("v1", None), ("v1", "v1"), "skill_updated"),
        (("v1", "v1"), ("v1", None), "baseline_updated"),
        (("v1", None), ("v1", None), "both_updated"),
    ],
)
def test_a_version_that_differs_or_is_gone_makes_a_result_stale(
    skill: tuple[str, str | None], baseline: tuple[str, str | None], expected: Staleness
) -> None:
    assert staleness(*skill, *baseline) == expected


@pytest.mark.parametrize(
    ("tests", "expected"),
    [
        ([Trial(70, "A")], (70, "A", 1, "current")),
        ([Trial(70, "A"), Trial(80.5, "B", "skill_updated")], (80.5, "B", 2, "current")),
        ([Trial(None, "A"), Trial(0, "B")], (0, "B", 2, "current")),
        ([Trial(None, "A"), Trial(None, "B")], (None, None, 2, "current")),
        ([Trial(None), Trial(9, "B", "both_updated")], (9, "B", 2, "current")),
        (
            [Trial(1, "A", "both_updated"), Trial(2, "B", "baseline_updated")],
            (2, "B", 2, "baseline_updated"),
        ),
        (
            [Trial(2, "A", "baseline_updated"), Trial(1, "B", "skill_updated")],
            (2, "A", 2, "skill_updated"),
        ),
        ([Trial(5, "A", simulated=True), Trial(5, "B")], (5, "B", 2, "current")),
        ([Trial(5, "A", "both_updated"), Trial(5, "B")], (5, "B", 2, "current")),
        ([Trial(5, "B"), Trial(5, "A")], (5, "A", 2, "current")),
    ],
)
def test_a_summary_in_whatever_order(
    tests: list[Trial], expected: tuple[float | None, str | None, int, Staleness]
) -> None:
    for order in itertools.permutations(tests):
        found = SkillTestSummary.of(order)
        assert found is not None
        assert found.has_tests
        assert (
            found.best_score,
            found.best_baseline_name,
            found.test_count,
            found.staleness,
        ) == expected


def test_without_tests_there_is_no_summary() -> None:
    assert SkillTestSummary.of([]) is None


def test_a_simulated_best_score_is_marked_and_nothing_else_is() -> None:
    real, simulated = Trial(80, simulated=False), Trial(90, simulated=True)
    for tests, marked in (
        ([real, simulated], True),
        ([real], False),
        ([Trial(80)], None),
        ([Trial(80), Trial(80, simulated=False)], False),
        ([Trial(80, simulated=True), Trial(80)], None),
        ([Trial(None, simulated=True)], None),
    ):
        found = SkillTestSummary.of(tests)
        assert found is not None
        assert found.simulated is marked
        assert ("simulated" in found.to_json()) == (marked is not None)


def test_a_summary_is_made_of_records() -> None:
    record = LeaderboardRecord(
        skill_id="s",
        skill_name="S",
        skill_version_tested="v1",
        skill_version_current="v2",
        baseline_id="b",
        baseline_name="B",
        baseline_version_tested="v1",
        baseline_version_current="v1",
        avg_score=87.3,
        score_breakdown={},
        project_id="p",
        project_name="P",
        tested_at="2024-01-01T12:00:00Z",
        case_count=1,
        completed_cases=1,
        failed_cases=0,
        staleness="skill_updated",
    )
    found = SkillTestSummary.of([record, record])
    assert found is not None
    assert found.to_data() == {
        "has_tests": True,
        "best_score": 87.3,
        "best_baseline_name": "B",
        "test_count": 2,
        "staleness": "skill_updated",
    }


ORDER: list[Staleness] = ["current", "skill_updated", "baseline_updated", "both_updated"]
TRIALS = st.builds(
    Trial,
    st.none() | st.integers(0, 100) | st.floats(0, 100),
    st.sampled_from("ABC"),
    st.sampled_from(ORDER),
    st.sampled_from([None, True, False]),
)


@given(tests=st.lists(TRIALS, min_size=1, max_size=8), data=st.data())
def test_a_summary_is_what_the_tests_say(tests: list[Trial], data: st.DataObject) -> None:
    found = SkillTestSummary.of(data.draw(st.permutations(tests)))
    assert found == SkillTestSummary.of(tests)
    assert found is not None
    scores = [test.avg_score for test in tests if test.avg_score is not None]
    assert found.best_score == max(scores, default=None)
    assert found.test_count == len(tests)
    assert found.staleness == next(one for one in ORDER if any(t.staleness == one for t in tests))
    best = [test for test in tests if test.avg_score == found.best_score and scores]
    assert found.best_baseline_name in ([test.baseline_name for test in best] or [None])
    assert (found.simulated is True) == bool(best and all(test.simulated for test in best))
