"""The search for a better description: what it may see, when it may choose, what it may claim."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evaluate.triggering import offered, seen, shuns, wants
from whet.core.errors import AskFailure, BudgetExhausted, UsageError
from whet.core.usage import Usage
from whet.documents.skill_creator import DescriptionLoop, TriggerQuery
from whet.evaluate.describe import (
    Found,
    Propose,
    Situation,
    Split,
    held_out_verdict,
    improve,
    is_better,
    split,
    unfit,
)
from whet.evaluate.describe_report import loop_document
from whet.evaluate.plan import Pin
from whet.evaluate.trigger import Offer
from whet.evaluate.trigger_report import Counted

WANTED = [f"clean table {n}" for n in range(10)]
SHUNNED = [f"cook meal {n}" for n in range(10)]
QUERIES = [*wants(*WANTED), *shuns(*SHUNNED)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Offer:
    return offered(tmp_path_factory.mktemp("skills"))


def classes(queries: Sequence[TriggerQuery]) -> tuple[int, int]:
    positive = sum(query.should_trigger for query in queries)
    return positive, len(queries) - positive


def test_two_fifths_of_either_class_are_held_out() -> None:
    found = split(QUERIES)
    assert (classes(found.train), classes(found.held_out)) == ((6, 6), (4, 4))
    assert split(QUERIES) == found
    assert set(split(QUERIES, seed=1).held_out) != set(found.held_out)


def test_the_split_depends_on_words_and_not_on_order() -> None:
    turned = split(QUERIES[::-1])
    assert {q.query for q in turned.held_out} == {q.query for q in split(QUERIES).held_out}


@pytest.mark.parametrize("few", [[*wants("a"), *shuns("b", "c")], [*wants("a", "b", "A!")], []])
def test_too_few_of_a_class_are_refused(few: list[TriggerQuery]) -> None:
    with pytest.raises(UsageError, match="at least two"):
        split(few)


words = st.text(st.sampled_from("abc .!？，A"), min_size=1, max_size=5)


@given(st.dictionaries(words, st.booleans(), max_size=30))
def test_a_split_is_one_whatever_comes(given_queries: dict[str, bool]) -> None:
    queries = [TriggerQuery(query=q, should_trigger=wanted) for q, wanted in given_queries.items()]
    try:
        train, held_out = split(queries)
    except UsageError:
        return
    assert sorted(q.query for q in (*train, *held_out)) == sorted(given_queries)
    assert all(count >= 1 for part in (train, held_out) for count in classes(part))
    # Nothing that differs in punctuation alone is on both sides.
    kinds = [{tuple(re.findall(r"\w+", q.query.lower())) for q in p} for p in (train, held_out)]
    assert kinds[0] & kinds[1] <= {()}


def test_what_a_description_must_not_be() -> None:
    assert unfit("Use it for tables.") is None
    assert unfit("x" * 1024) is None
    assert "1025 characters" in str(unfit("x" * 1025))
    assert "empty" in str(unfit(" "))
    assert "angle bracket" in str(unfit("Use <b>it</b>"))
    assert "control character" in str(unfit("Use\x07it"))


def of(made: Offer, *marks: str) -> list[Counted]:
    """Twelve queries that should trigger, as many as are given; the others always do."""
    queries = wants(*(f"q{n}" for n in range(12)))
    return seen(made, queries, *marks, *["TTT"] * (12 - len(marks)))


@pytest.mark.parametrize(
    ("old", "better"),
    [
        # Six runs of 36 that are right only now: p = 2/2⁶ = 0.03.
        (("---", "---"), True),
        (("--T", "--T", "--T"), True),
        # Five: p = 2/2⁵ = 0.06. That may be chance.
        (("---", "--T"), False),
        (("---",), False),
        ((), False),
        # Runs that nobody knows prove nothing.
        (("---", "xxx", "ttt"), False),
        (("---", "-x-", "--T"), True),
    ],
)
def test_better_means_more_than_chance_explains(
    made: Offer, old: tuple[str, ...], *, better: bool
) -> None:
    assert is_better(of(made), of(made, *old)) is better
    assert is_better(of(made, *old), of(made)) is False


def test_gains_that_losses_outweigh_are_no_gain(made: Offer) -> None:
    new, old = of(made, "---", "TTT", "TTT"), of(made, "TTT", "---", "---")
    assert not is_better(new, old)
    assert not is_better(of(made, *["xxx"] * 12), of(made, "---", "---"))


def test_the_held_out_comparison_has_queries_as_its_units(made: Offer) -> None:
    """Two of twelve that flip in all three runs are six runs, but only two queries."""
    found = held_out_verdict(of(made), of(made, "---", "---"))
    assert (found.label, found.n_cases, found.n_runs) == ("inconclusive", 12, 72)
    assert found.delta == pytest.approx(2 / 12, abs=1e-6)
    assert found.p_value == pytest.approx(0.185, abs=1e-3)  # t = 1.41 with 11 degrees of freedom
    clear = held_out_verdict(of(made), of(made, *["---"] * 6))
    assert (clear.label, clear.p_value) == ("better", 0.03125)
    assert clear.words is not None
    assert clear.words.startswith("The new description is better on held-out queries: +50 points")
    worse = held_out_verdict(of(made, *["---"] * 6), of(made))
    assert worse.label == "worse"
    # Both scopes are told, with the same difference: runs of these queries show what they do not
    # show of others.
    assert found.on_these is not None
    assert found.on_these.label == "better"
    assert "On these 12 queries alone it is better: +17 points (" in str(found.words)
    once = held_out_verdict(of(made, *["T"] * 12), of(made, *["-"] * 6, *["T"] * 6))
    assert "Nothing is said of these queries alone: each needs 2 runs" in str(once.words)


def test_pairs_that_nobody_knows_are_named_and_left_out(made: Offer) -> None:
    found = held_out_verdict(of(made, "xTT"), of(made, "TTT", "-t-"))
    assert found.n_runs == 2 * (36 - 2)
    assert found.excluded == (
        "query 1 run 1: it crashed",
        "query 2 run 2: timeout: so it is",
    )
    nothing = held_out_verdict(of(made, *["xxx"] * 12), of(made))
    assert (nothing.label, nothing.delta) == ("inconclusive", None)
    assert "Nothing could be compared" in str(nothing.words)


@dataclass
class World:
    """Descriptions trigger as their words say; remembers who was measured on what."""

    made: Offer
    looks: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    broken: bool = False

    def parts(self) -> Split:
        return split(QUERIES)

    async def __call__(self, offer: Offer, queries: Sequence[TriggerQuery]) -> list[Counted]:
        part = "train" if tuple(queries) == self.parts().train else "held out"
        self.looks.append((offer.description, part))
        marks = ["xxx" if self.broken else self._mark(offer.description, q, part) for q in queries]
        return seen(offer, queries, *marks)

    def _mark(self, description: str, query: TriggerQuery, part: str) -> str:
        if description == "Flatters" and part == "held out":
            return "---" if query.should_trigger else "TTT"
        right = description in ("Good", "Flatters") or not query.should_trigger
        return ("TTT" if query.should_trigger else "---") if right else "---"


@dataclass
class Author:
    """Proposes one description after the other; remembers what it was told."""

    texts: list[str | Exception | None]
    told: list[Situation] = field(default_factory=list[Situation])

    async def __call__(self, situation: Situation) -> str | None:
        self.told.append(situation)
        text = self.texts[len(self.told) - 1]
        if isinstance(text, Exception):
            raise text
        return text


def searched(world: World, author: Propose) -> Found:
    return asyncio.run(improve(world.made, world.parts(), world, author))


def test_a_better_one_is_found_and_compared_once_on_what_was_held_out(made: Offer) -> None:
    world, author = World(made), Author(["Bad", "Good"])
    found = searched(world, author)
    assert found.exit_reason == "all_passed (iteration 3)"
    assert [tried.description for tried in found.history] == ["Does it.", "Bad", "Good"]
    assert (found.best, found.final) == (2, "Good")
    # Whatever was tried, the held-out queries were looked at twice, at the end.
    assert world.looks == [
        ("Does it.", "train"),
        ("Bad", "train"),
        ("Good", "train"),
        ("Does it.", "held out"),
        ("Good", "held out"),
    ]
    assert found.verdict is not None
    assert (found.verdict.delta, found.verdict.n_cases) == (0.5, 8)


def test_the_author_never_sees_what_is_held_out(made: Offer) -> None:
    world, author = World(made), Author(["Bad", "Worse", "Poor", "Weak", "Dull"])
    found = searched(world, author)
    hidden = {query.query for query in world.parts().held_out}
    assert len(author.told) == 5
    for situation in author.told:
        assert not [text for text in hidden if text in repr(situation)]
        assert all(tried.held_out is None for tried in (situation.best, *situation.tried))
        assert {one.query.query for one in situation.best.failures} <= set(WANTED)
    assert author.told[2].round == 3
    assert [tried.description for tried in author.told[2].tried] == ["Does it.", "Bad", "Worse"]
    assert "Does it." in author.told[2].text
    assert found.exit_reason == "max_iterations (5)"


def test_without_a_better_one_the_original_stays(made: Offer) -> None:
    world = World(made)
    found = searched(world, Author(["Bad", "Worse", "Poor", "Weak", "Dull"]))
    assert (found.best, found.final, found.verdict) == (0, "Does it.", None)
    assert world.looks.count(("Does it.", "held out")) == 1
    assert [part for _, part in world.looks].count("held out") == 1


def test_one_that_only_flatters_itself_on_training_queries_is_not_used(made: Offer) -> None:
    class Sceptic(World):
        def _mark(self, description: str, query: TriggerQuery, part: str) -> str:
            if part == "held out" and description == "Does it.":
                return "TTT" if query.should_trigger else "---"
            return super()._mark(description, query, part)

    found = searched(Sceptic(made), Author(["Flatters"]))
    assert found.verdict is not None
    assert (found.best, found.verdict.label, found.verdict.delta) == (1, "worse", -1.0)
    assert found.final == "Does it."


def test_what_cannot_be_used_costs_a_round_and_nothing_else(made: Offer) -> None:
    world = World(made)
    found = searched(world, Author(["x" * 2000, None, "does  IT.", "<b>", "Good"]))
    assert [tried.description for tried in found.history] == ["Does it.", "Good"]
    assert [note.partition(":")[0] for note in found.notes] == [f"round {n}" for n in range(1, 5)]
    assert "tried before" in found.notes[2]


@pytest.mark.parametrize(
    "error",
    [AskFailure("engine", "claude", "no", "", Usage()), BudgetExhausted("the budget is used up")],
)
def test_an_author_who_fails_ends_the_search(made: Offer, error: Exception) -> None:
    found = searched(World(made), Author([error]))
    assert found.exit_reason == "no_answer (round 1)"
    assert found.notes == (f"round 1: {error}",)
    assert found.final == "Does it."


def test_nothing_measured_is_not_all_passed(made: Offer) -> None:
    author = Author([])
    found = searched(World(made, broken=True), author)
    assert found.exit_reason == "nothing_measured (iteration 1)"
    assert author.told == []


def test_the_document_says_what_was_looked_at(made: Offer) -> None:
    found = searched(World(made), Author(["Bad", "Good"]))
    loop = loop_document(found, Pin(engine="hand", engine_version="1", model="m"), 3)
    assert (loop.best_train_score, loop.best_test_score, loop.best_score) == ("12/12", "8/8", "8/8")
    assert (loop.train_size, loop.test_size, loop.holdout) == (12, 8, 0.4)
    assert (loop.original_description, loop.best_description) == ("Does it.", "Good")
    assert loop.final_description == "Good"
    first, second, third = loop.history
    assert (first.train_passed, first.train_failed, first.train_total) == (6, 6, 12)
    assert (first.test_passed, first.test_total) == (4, 8)
    assert (second.test_passed, second.test_results) == (None, None)
    assert (third.passed, third.test_passed) == (12, 8)
    assert loop.verdict == found.verdict
    data = loop.to_data()
    assert DescriptionLoop.parse(data, "loop").to_data() == data
