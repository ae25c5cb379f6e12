"""Workspace format: the leaderboard, as answered by queries; never stored."""

from collections.abc import Iterable
from typing import Literal, Protocol, Self

from whet.documents.base import Document, Items, Number
from whet.documents.verdict import Interval

Staleness = Literal["current", "skill_updated", "baseline_updated", "both_updated"]

FRESHEST_FIRST: tuple[Staleness, ...] = (
    "current",
    "skill_updated",
    "baseline_updated",
    "both_updated",
)
"""Other cases make a score less comparable than another text of the skill does."""


def staleness(
    skill_tested: str, skill_current: str | None, baseline_tested: str, baseline_current: str | None
) -> Staleness:
    """Whether a test still speaks of what is in the library.

    A side is updated where its version is not the one that was tested. None stands for an asset
    that is gone: there is nothing any more that the test could be current for.
    """
    is_skill_same = skill_tested == skill_current
    if baseline_tested == baseline_current:
        return "current" if is_skill_same else "skill_updated"
    return "baseline_updated" if is_skill_same else "both_updated"


class LeaderboardRecord(Document):
    """How one skill did on one baseline in one project, and whether that still holds.

    A current version is null when the asset is gone.
    """

    skill_id: str
    skill_name: str
    skill_version_tested: str
    skill_version_current: str | None
    baseline_id: str
    baseline_name: str
    baseline_version_tested: str
    baseline_version_current: str | None
    avg_score: Number | None
    score_breakdown: dict[str, Number | None]
    project_id: str
    project_name: str
    tested_at: str
    case_count: int
    completed_cases: int
    failed_cases: int
    staleness: Staleness

    simulated: bool | None = None
    interval: Interval | None = None
    check_pass_rate: Number | None = None
    gate_failed_cases: int | None = None
    mixed_rubrics: Items[str] | None = None
    """As in the ranking of the project."""


class LeaderboardGroup(Document):
    """All records on one baseline, best first."""

    baseline_id: str
    baseline_name: str
    baseline_purpose: str
    baseline_case_count: int
    baseline_version_current: str | None
    skill_count: int
    records: Items[LeaderboardRecord]

    record_count: int | None = None
    """How many there are, where ``records`` has only some of them."""


class Tested(Protocol):
    """What of a ``LeaderboardRecord`` a summary is made from."""

    @property
    def avg_score(self) -> Number | None: ...
    @property
    def baseline_name(self) -> str: ...
    @property
    def staleness(self) -> Staleness: ...
    @property
    def simulated(self) -> bool | None: ...


class SkillTestSummary(Document):
    """What a list of skills says about the tests of one."""

    has_tests: bool
    best_score: Number | None
    best_baseline_name: str | None
    test_count: int
    staleness: Staleness | None

    simulated: bool | None = None
    """Whether the best score was given to or by a simulated agent or judge."""

    @classmethod
    def of(cls, tests: Iterable[Tested], test_count: int | None = None) -> Self | None:
        """The summary of all tests of one skill, None where there is none.

        A test without a score counts as a test. Its best score may be of an older version: what
        ``staleness`` tells is the freshest of all tests. With *test_count* they stand for so many:
        the best of each sort is enough.
        """
        found = tuple(tests)
        if not found:
            return None
        best = min((one for one in found if one.avg_score is not None), key=_merit, default=None)
        return cls(
            has_tests=True,
            best_score=best.avg_score if best else None,
            best_baseline_name=best.baseline_name if best else None,
            test_count=len(found) if test_count is None else test_count,
            staleness=FRESHEST_FIRST[min(map(_age, found))],
            simulated=best.simulated if best else None,
        ).lean()


_REAL_FIRST = (False, None, True)
"""None is a test that does not say whether it was simulated."""


def _merit(test: Tested) -> tuple[float, int, int, str]:
    """Smaller is better. Among equal scores a real one goes before a simulated one, then the
    freshest, then the name decides."""
    reality = _REAL_FIRST.index(test.simulated)
    return -(test.avg_score or 0), reality, _age(test), test.baseline_name


def _age(test: Tested) -> int:
    return FRESHEST_FIRST.index(test.staleness)
