"""Blind comparison: both orders, agreement decides, and a failure is not a tie."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evaluate.judges import arm, case
from whet.core.case import Standard
from whet.core.errors import BudgetExhausted, JudgeFailure
from whet.core.files import FileRef
from whet.core.trial import TrialRecord
from whet.documents.skill_creator import Comparison
from whet.evaluate.experiment import Row
from whet.evaluate.pairwise import (
    METHOD,
    Outcome,
    Pair,
    PairVerdict,
    compare_runs,
    pairs_of,
    summary,
)
from whet.evaluate.plan import Cell
from whet.judges.simulated import SimulatedJudge
from whet.ports.comparing import CONTENT, STRUCTURE, Assessment, Comparing, Preference
from whet.ports.judge import Submission
from whet.stores.memory import MemoryStore
from whet.testing.store import execution, record

Winner = Literal["A", "B", "TIE"]
Taste = Callable[[Submission, Submission], Winner]

OURS = Submission(case("1"), "ours", {})
OTHER = Submission(case("1"), "other", {})
LETTERS: tuple[Winner, ...] = ("A", "B", "TIE")


def pair(number: int = 1, case_id: str = "1") -> Pair:
    return Pair(case_id, number, f"address of {case_id} {number}", OURS, OTHER)


def assessed(*points: float, quality: float) -> Assessment:
    return Assessment(
        dict(zip((*CONTENT, *STRUCTURE), points, strict=True)),
        quality,
        (f"strong {quality}",),
        (f"weak {quality}",),
    )


PLAIN = assessed(3, 3, 3, 3, 3, 3, quality=5)


def likes(answer: str) -> Taste:
    """Prefers that answer wherever it stands."""
    return lambda a, _b: "A" if a.answer == answer else "B"


@dataclass
class HandComparer:
    """``ports.comparing.Comparing`` with one taste; remembers what it saw."""

    taste: Taste
    fails_at: int = 0
    failure: Exception = field(default_factory=lambda: JudgeFailure("no JSON"))
    seen: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])

    async def compare(self, a: Submission, b: Submission, seed: str) -> Preference:
        self.seen.append((a.answer, b.answer, seed))
        if len(self.seen) == self.fails_at:
            raise self.failure
        return Preference(self.taste(a, b), f"round {len(self.seen)}", PLAIN, PLAIN)


def compared(judge: Comparing, *pairs: Pair) -> list[PairVerdict]:
    return asyncio.run(compare_runs(judge, pairs))


def verdict(case_id: str, outcome: Outcome, run: int = 1) -> PairVerdict:
    return PairVerdict(pair(run, case_id), outcome)


@pytest.mark.parametrize(("answer", "outcome"), [("ours", "win"), ("other", "loss")])
def test_what_wins_in_both_orders_wins(answer: str, outcome: Outcome) -> None:
    for number in range(8):
        judge = HandComparer(likes(answer))
        [found] = compared(judge, pair(number))
        assert found.outcome == outcome
        assert found.error is None
        first, second = judge.seen
        assert first[:2] == (second[1], second[0])
        assert first[2] != second[2]


@pytest.mark.parametrize("letter", LETTERS)
def test_a_judge_that_goes_by_the_place_decides_nothing(letter: Winner) -> None:
    for number in range(8):
        [found] = compared(HandComparer(lambda _a, _b: letter), pair(number))
        assert found.outcome == "tie"


def test_a_win_and_a_tie_do_not_agree() -> None:
    answers = iter(LETTERS[:1] + LETTERS[2:])
    [found] = compared(HandComparer(lambda _a, _b: next(answers)), pair())
    assert found.outcome == "tie"


def test_the_side_that_comes_first_is_drawn_once_and_for_all() -> None:
    judge = HandComparer(likes("ours"))
    pairs = [pair(number) for number in range(200)]
    compared(judge, *pairs)
    firsts = {seed.removesuffix(" 1"): a for a, _, seed in judge.seen if seed.endswith(" 1")}
    assert {each.address: each.ours_is_a for each in pairs} == {
        address: answer == "ours" for address, answer in firsts.items()
    }
    assert 60 < sum(each.ours_is_a for each in pairs) < 140


@pytest.mark.parametrize("at", [1, 2])
@pytest.mark.parametrize(
    ("failure", "message"),
    [
        (JudgeFailure("no JSON"), "no JSON"),
        (BudgetExhausted("no money"), "no money"),
        (ZeroDivisionError("bug"), "the judge broke: ZeroDivisionError('bug')"),
    ],
)
def test_a_comparison_that_failed_is_no_tie(at: int, failure: Exception, message: str) -> None:
    judge = HandComparer(likes("ours"), at, failure)
    found, later = compared(judge, pair(1), pair(2))
    assert [found.outcome, later.outcome] == ["failed", "win"]
    assert found.error == message
    assert (found.pair.case, found.pair.run) == ("1", 1)
    assert found.comparison is None
    counted = summary([found])
    assert (counted.wins, counted.losses, counted.ties, counted.failed) == (0, 0, 0, 1)
    assert counted.failures == (f"eval {found.pair.case} run {found.pair.run}: {found.error}",)
    assert counted.interval is None


@pytest.mark.parametrize(
    ("ours", "other", "outcome"),
    [(None, OTHER, "loss"), (OURS, None, "win"), (None, None, "tie")],
)
def test_an_agent_that_gave_up_has_lost_without_being_looked_at(
    ours: Submission | None, other: Submission | None, outcome: Outcome
) -> None:
    judge = HandComparer(likes("ours"))
    [found] = compared(judge, Pair("1", 1, "address", ours, other))
    assert found.outcome == outcome
    assert judge.seen == []
    assert found.comparison is None


def test_runs_are_averaged_inside_their_eval() -> None:
    """Eval 1 has won 3 of 4, eval 2 none, eval 3 all; 4 failed and says nothing. With two wins
    and two losses added: 3.75 / 7 = .5357, deviation .50885, t(6) = 2.4469, so ± .4706."""
    found = summary(
        [
            verdict("1", "win", 1),
            verdict("1", "tie", 2),
            verdict("2", "loss", 1),
            verdict("2", "loss", 2),
            verdict("2", "loss", 3),
            verdict("3", "win", 1),
            verdict("4", "failed", 1),
        ]
    )
    assert (found.wins, found.losses, found.ties, found.failed) == (2, 3, 1, 1)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (0.0651, 1.0)
    assert (found.interval.level, found.interval.method) == (0.95, METHOD)


OUTCOMES: list[Outcome] = ["win", "loss", "tie", "failed"]
MIRRORED: dict[Outcome, Outcome] = {"win": "loss", "loss": "win", "tie": "tie", "failed": "failed"}


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(OUTCOMES)), max_size=12))
def test_exchanged_sides_give_the_mirror_image(results: list[tuple[str, Outcome]]) -> None:
    one = summary([verdict(name, outcome) for name, outcome in results])
    other = summary([verdict(name, MIRRORED[outcome]) for name, outcome in results])
    assert (one.wins, one.losses, one.ties) == (other.losses, other.wins, other.ties)
    assert one.wins + one.losses + one.ties + one.failed == len(results)
    assert (one.interval is None) == (other.interval is None)
    if one.interval and other.interval:
        assert one.interval.low == pytest.approx(1 - other.interval.high, abs=2e-4)
        assert 0 <= one.interval.low < one.interval.high <= 1


def test_a_document_has_the_averages_of_both_orders() -> None:
    """A: content (5+4)/2, (4+4)/2, (3+4)/2 = 4.5, 4, 3.5, mean 4; form 3, 4, 3.5, mean 3.5."""
    a, a_again = assessed(5, 4, 3, 4, 4, 4, quality=8), assessed(4, 4, 4, 2, 4, 3, quality=7)
    b, b_again = assessed(1, 1, 1, 1, 1, 1, quality=1), assessed(2, 2, 2, 2, 2, 2, quality=4)
    first = Preference("A", "A is better", a, b)
    second = Preference("B", "B is better", b_again, a_again)
    some = next(pair(number) for number in range(99) if pair(number).ours_is_a)
    document = PairVerdict(some, "win", first=first, second=second).comparison
    assert document is not None
    assert (document.winner, document.reasoning) == ("A", "A is better")
    rubric = document.rubric["A"]
    assert rubric.content == {"correctness": 4.5, "completeness": 4, "accuracy": 3.5}
    assert rubric.structure == {"organization": 3, "formatting": 4, "usability": 3.5}
    assert (rubric.content_score, rubric.structure_score, rubric.overall_score) == (4, 3.5, 7.5)
    assert document.rubric["B"].overall_score == 3
    assert document.output_quality["A"].score == 7.5
    assert document.output_quality["A"].strengths == ("strong 8",)
    assert document.output_quality["B"].weaknesses == ("weak 1",)
    assert Comparison.parse(document.to_data(), "comparison.json") == document


@pytest.mark.parametrize("is_a", [True, False])
def test_a_document_names_the_winner_by_its_place(is_a: bool) -> None:  # noqa: FBT001
    some = next(pair(number) for number in range(99) if pair(number).ours_is_a is is_a)
    [found] = compared(HandComparer(likes("ours")), some)
    assert found.comparison is not None
    assert found.comparison.winner == ("A" if is_a else "B")
    [found] = compared(HandComparer(likes("other")), some)
    assert found.comparison is not None
    assert found.comparison.winner == ("B" if is_a else "A")


def test_a_document_of_a_disagreement_tells_both_reasons() -> None:
    [found] = compared(HandComparer(lambda _a, _b: "A"), pair())
    assert found.comparison is not None
    assert found.comparison.winner == "TIE"
    assert found.comparison.reasoning.startswith("round 1")
    assert found.comparison.reasoning.endswith("round 2")


GOOD = b'def double(number: int) -> int:\n    """Return it twice."""\n    return 2 * number\n'
POOR = b"def f(x):\n  return y\n"


def row(store: MemoryStore, who: str, which: str, run: int, content: bytes | None) -> Row:
    """The place of an arm; None is a limit that the agent reached."""
    cell = Cell(arm(who), case(which), run)
    made = record(execution(1, f"{who} {which} {run}"), "Done.")
    if content is None:
        return Row(cell, "t", made.model_copy(update={"status": "failed"}), None)
    kept = FileRef(path="a.py", digest=store.blobs.put(content), size=len(content))
    return Row(cell, "t", made.model_copy(update={"outputs": (kept,)}), None)


def test_pairs_are_made_of_runs_with_one_number(store: MemoryStore) -> None:
    unmeasured = Row(Cell(arm("without_skill"), case("2"), 2), "t", None, None, "crash")
    rows = [
        row(store, "with_skill", "10", 1, GOOD),
        row(store, "without_skill", "2", 1, POOR),
        row(store, "with_skill", "2", 1, GOOD),
        row(store, "without_skill", "10", 1, None),
        row(store, "with_skill", "2", 2, GOOD),
        unmeasured,
        row(store, "with_skill", "2", 3, GOOD),
        row(store, "old_skill", "2", 3, GOOD),
    ]
    found = pairs_of(rows, "with_skill", "without_skill", store.blobs)
    assert [(each.case, each.run) for each in found] == [("2", 1), ("10", 1)]
    assert found[0].ours is not None
    assert found[0].other is not None
    assert dict(found[0].ours.outputs) == {"a.py": GOOD}
    assert dict(found[0].other.outputs) == {"a.py": POOR}
    assert found[1].other is None
    assert found == pairs_of(reversed(rows), "with_skill", "without_skill", store.blobs)


def test_a_pair_is_another_one_with_another_record_or_standard(store: MemoryStore) -> None:
    ours, other = (row(store, who, "1", 1, GOOD) for who in ("with_skill", "without_skill"))

    def address(one: Row, two: Row) -> str:
        [found] = pairs_of([one, two], "with_skill", "without_skill", store.blobs)
        return found.address

    def changed(of: Row, **fields: object) -> Row:
        assert of.record is not None
        made: TrialRecord = of.record.model_copy(update=fields)
        return Row(of.cell, of.trial, made, None)

    judged_otherwise = Row(
        ours.cell._replace(case=ours.cell.case.model_copy(update={"standard": STANDARD})),
        ours.trial,
        ours.record,
        None,
    )
    addresses = [
        address(ours, other),
        address(changed(ours, generation=2), other),
        address(ours, changed(other, address="else")),
        address(judged_otherwise, other),
    ]
    assert len(set(addresses)) == len(addresses)


STANDARD = Standard(expected="something else")


def test_the_simulated_judge_compares_without_a_key(store: MemoryStore) -> None:
    rows = [
        row(store, who, str(number), 1, content)
        for number in range(4)
        for who, content in (("with_skill", GOOD), ("without_skill", POOR))
    ]
    pairs = pairs_of(rows, "with_skill", "without_skill", store.blobs)
    found = compared(SimulatedJudge(), *pairs)
    assert [each.outcome for each in found] == ["win"] * 4
    assert all(each.simulated and each.comparison for each in found)
    counted = summary(found)
    assert counted.wins == 4
    assert counted.interval is not None
    assert counted.interval.high == 1
    assert counted.interval.low < 0.5, "four evals prove nothing"
