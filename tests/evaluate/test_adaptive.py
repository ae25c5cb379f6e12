"""An adaptive run: looks after each round, stops when it is clear, comes to the same end again."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from tests.evaluate.judges import design
from tests.evaluate.worlds import (
    CRASH,
    FAILED,
    SILENT,
    UNSCORED,
    WITH,
    WITHOUT,
    Truth,
    World,
    cases,
    purse,
    skilled,
)
from whet.app.clock import SystemClock
from whet.core.case import Standard
from whet.core.errors import UsageError
from whet.evaluate.adaptive import Outcome, StopRule, adaptive, as_document, words
from whet.evaluate.plan import Design
from whet.evaluate.rounds import batches, shuffled_units
from whet.stores.memory import MemoryStore


def run(
    world: World,
    plan: Design,
    rule: StopRule | None = None,
    max_trials: int | None = None,
) -> Outcome:
    return asyncio.run(
        adaptive(world.experiment(), plan, purse(max_trials), world.rows.append, rule or StopRule())
    )


def flat(gain: float) -> Truth:
    return lambda who, _which, _attempt: 0.5 + (gain if who == "with_skill" else 0)


def plan_of(count: int, repeats: int = 1) -> Design:
    return design([WITH, WITHOUT], cases(count), repeats)


def order(plan: Design) -> list[str]:
    return [case.id for [case] in shuffled_units(plan, None)]


def test_stops_as_soon_as_it_is_clear(store: MemoryStore, tmp_path: Path) -> None:
    world = World(store, tmp_path, flat(0.5))
    found = run(world, plan_of(40), StopRule(batch=3))
    assert (found.label, found.stopped_because, found.scope) == (
        "better",
        "decided",
        "evals like these",
    )
    # Nothing may be said of fewer than six evals, and nothing is left open by six equal ones.
    assert (found.trials, len(world.starts), len(world.rows)) == (12, 12, 12)
    assert sorted(found.pairs.scores) == sorted(order(plan_of(40))[:6])
    verdict = found.verdict
    assert verdict.delta == pytest.approx(0.5)
    assert verdict.interval is not None
    assert 0 < verdict.interval.low <= 0.5 <= verdict.interval.high + 1e-9
    assert verdict.p_value is not None
    assert verdict.p_value <= 0.05
    assert found.pairs.excluded == ()


def test_a_skill_that_hurts_is_called_worse(store: MemoryStore, tmp_path: Path) -> None:
    found = run(World(store, tmp_path, flat(-0.5)), plan_of(40))
    assert (found.label, found.stopped_because) == ("worse", "decided")
    assert found.verdict.delta == pytest.approx(-0.5)


def test_no_difference_is_said_with_a_margin_only(store: MemoryStore, tmp_path: Path) -> None:
    world = World(store, tmp_path, flat(0))
    without = run(world, plan_of(40))
    assert (without.label, without.stopped_because) == ("inconclusive", "runs")
    assert (without.trials, without.verdict.p_value, without.verdict.delta) == (80, 1, 0)
    found = run(world, plan_of(40), StopRule(margin=0.2))
    assert (found.label, found.stopped_because) == ("no_difference", "decided")
    assert found.trials < 80


def test_with_few_evals_it_goes_on_in_whole_rounds_and_speaks_of_these(
    store: MemoryStore, tmp_path: Path
) -> None:
    world = World(store, tmp_path, noisy("f", 0.35))
    found = run(world, plan_of(5, repeats=9))
    assert (found.label, found.stopped_because, found.scope) == ("better", "decided", "these evals")
    assert (found.verdict.label, found.verdict.needs) == ("inconclusive", "cases")
    [rounds] = {len(pairs) for pairs in found.pairs.scores.values()}
    assert 1 < rounds < 9
    assert found.trials == 2 * 5 * rounds
    assert max(row.cell.attempt for row in world.rows) == rounds


def test_the_cap_of_runs_ends_it(store: MemoryStore, tmp_path: Path) -> None:
    world = World(store, tmp_path, noisy("c", 0.01))
    found = run(world, plan_of(5, repeats=3))
    assert (found.label, found.stopped_because, found.trials) == ("inconclusive", "runs", 30)


def test_the_estimate_is_the_average_of_eval_averages(store: MemoryStore, tmp_path: Path) -> None:
    def truth(who: str, which: str, attempt: int) -> float | str:
        if (which, attempt) == ("1", 2):
            return UNSCORED
        return (0.8 if which == "1" else 0.6) if who == "with_skill" else 0.5

    found = run(World(store, tmp_path, truth), plan_of(2, repeats=3))
    # Eval 1 has two whole pairs and eval 2 three: 0.3 and 0.1 on average, each counting once.
    assert [len(pairs) for pairs in found.pairs.scores.values()] == [2, 3]
    assert found.verdict.delta == pytest.approx(0.2)
    assert len(found.pairs.excluded) == 1


def test_a_failed_agent_scores_zero(store: MemoryStore, tmp_path: Path) -> None:
    found = run(
        World(store, tmp_path, lambda who, _w, _a: FAILED if who == "without_skill" else 0.75),
        plan_of(3),
    )
    assert found.verdict.delta == pytest.approx(0.75)
    assert found.pairs.excluded == ()


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [(CRASH, "gone"), (UNSCORED, "not scored"), (SILENT, "the grader failed")],
)
def test_a_broken_pair_leaves_both_arms_and_is_named(
    store: MemoryStore, tmp_path: Path, trouble: str, reason: str
) -> None:
    def truth(who: str, which: str, _attempt: int) -> float | str:
        if which == "2" and who == "without_skill":
            return trouble
        return 1.0 if which == "2" else 0.75 if who == "with_skill" else 0.5

    found = run(World(store, tmp_path, truth), plan_of(4))
    assert sorted(found.pairs.scores) == ["1", "3", "4"]
    assert found.verdict.delta == pytest.approx(0.25)
    [named] = found.pairs.excluded
    assert named.startswith("eval 2 run 1: without_skill: ")
    assert reason in named
    assert "with_skill: " not in named.removeprefix("eval 2 run 1: without_skill")


def test_nothing_scored_is_no_number(store: MemoryStore, tmp_path: Path) -> None:
    found = run(
        World(store, tmp_path, lambda _who, _which, _attempt: UNSCORED), plan_of(2, repeats=2)
    )
    assert (found.label, found.stopped_because) == ("inconclusive", "runs")
    verdict = found.verdict
    assert (verdict.delta, verdict.interval, verdict.p_value) == (None, None, None)
    assert len(found.pairs.excluded) == 4
    made = as_document(found)
    assert (made.delta, made.interval, made.n_cases, made.n_runs) == (None, None, 0, 0)
    assert made.words == "Nothing could be compared: no eval has a scored run on both sides."


def test_the_budget_ends_it_and_more_of_it_goes_on(store: MemoryStore, tmp_path: Path) -> None:
    truth = noisy("b", 0.2)
    world = World(store, tmp_path, truth)
    plan = plan_of(5, repeats=9)
    short = run(world, plan, max_trials=6)
    assert (short.label, short.stopped_because, short.trials) == ("inconclusive", "budget", 6)
    assert sorted(short.pairs.scores) == sorted(order(plan)[:3])
    # The cut goes through a later round: the pairs that are whole count.
    longer = run(world, plan, max_trials=7)
    assert len(world.starts) == 13
    assert (longer.stopped_because, longer.trials) == ("budget", 13)
    assert sum(len(pairs) for pairs in longer.pairs.scores.values()) == 6
    assert sum("is used up" in one for one in longer.pairs.excluded) == 1
    ended = run(world, plan)
    other = MemoryStore(lambda _: True, SystemClock())
    fresh = run(World(other, tmp_path / "other", truth), plan)
    assert ended == fresh
    assert len(world.starts) == ended.trials


def noisy(seed: str, gain: float = 0.2) -> Truth:
    def truth(who: str, which: str, attempt: int) -> float:
        chance = Random(f"{seed} {who} {which} {attempt}")
        return min(1, max(0, chance.gauss(0.45 + (gain if who == "with_skill" else 0), 0.25)))

    return truth


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_the_same_again_from_the_records_runs_nothing(
    store: MemoryStore, tmp_path: Path, seed: str
) -> None:
    world = World(store, tmp_path, noisy(seed))
    plan = plan_of(12, repeats=4)
    first = run(world, plan)
    started, world.rows = len(world.starts), []
    again = run(world, plan)
    assert again == first
    assert len(world.starts) == started == first.trials == len(world.rows)


def test_the_order_of_completion_changes_nothing(tmp_path: Path) -> None:
    plan, found = plan_of(12, repeats=3), list[Outcome]()
    for width in (1, 8):
        store = MemoryStore(lambda _: True, SystemClock())
        world = World(store, tmp_path / str(width), noisy("w"))
        world.width = width
        found.append(run(world, plan))
    assert found[0] == found[1]


def test_the_order_of_evals_is_the_plans_own() -> None:
    plan = plan_of(30)
    assert order(plan) != [case.id for case in plan.cases]
    assert sorted(order(plan)) == sorted(case.id for case in plan.cases)
    assert order(plan.model_copy(update={"series": 1})) != order(plan)
    stricter = [
        one.model_copy(update={"standard": Standard(expected="sharper")}) for one in plan.cases
    ]
    assert order(plan.model_copy(update={"cases": tuple(stricter)})) == order(plan)


def test_results_do_not_lead_the_way(tmp_path: Path) -> None:
    # Until it stops, a run goes through the evals in the same order whatever comes of them.
    plan, seen = plan_of(30), list[list[str]]()
    for gain in (0.3, -0.3, 0.0):
        store = MemoryStore(lambda _: True, SystemClock())
        world = World(store, tmp_path / str(gain), flat(gain))
        world.width = 1
        run(world, plan)
        seen.append([row.cell.case.id for row in world.rows[::2]])
    assert [names == order(plan)[: len(names)] for names in seen] == [True] * 3


def test_cases_of_one_fixture_go_together_and_count_as_one(
    store: MemoryStore, tmp_path: Path
) -> None:
    gains = {"1": 0.4, "2": 0.2, "3": 0.0, "4": 0.1}

    def truth(who: str, which: str, _attempt: int) -> float:
        return 0.5 + (gains[which] if who == "with_skill" else 0)

    rule = StopRule(batch=1, clusters={"1": "x", "2": "x", "3": "x"})
    plan = plan_of(4)
    units = shuffled_units(plan, rule.clusters)
    assert sorted(sorted(case.id for case in unit) for unit in units) == [["1", "2", "3"], ["4"]]
    found = run(World(store, tmp_path, truth), plan, rule)
    # Two fixtures are not six, so nothing is said; and all four evals count alike.
    assert (found.verdict.label, found.verdict.needs) == ("inconclusive", "cases")
    assert found.scope == "these evals"
    assert found.verdict.delta == pytest.approx(0.175)


def test_batches_hold_whole_units() -> None:
    one, two, three = ((case,) * size for case, size in zip(cases(3), (1, 2, 3), strict=True))
    assert batches([one, two, three], 2) == [[one, two], [three]]
    assert batches([three, one, two], 2) == [[three], [one, two]]
    assert batches([one, two, three], 9) == [[one, two, three]]
    assert batches([], 2) == []


def test_it_compares_two_sides(store: MemoryStore, tmp_path: Path) -> None:
    plan = design([WITH, WITHOUT, skilled("old_skill")], cases(2))
    with pytest.raises(UsageError, match="two sides"):
        run(World(store, tmp_path, flat(0)), plan)


def test_the_document_says_both_scopes_and_why_it_stopped(
    store: MemoryStore, tmp_path: Path
) -> None:
    found = run(World(store, tmp_path, noisy("d", 0.4)), plan_of(5, repeats=9))
    made = as_document(found, cost_usd=1.5)
    assert made.on_these is not None
    assert made.on_these.interval is not None
    assert made.on_these.interval.level == 0.95
    assert (made.label, made.on_these.label, made.n_cases) == ("inconclusive", "better", 5)
    assert (made.n_runs, made.cost_usd) == (found.trials, 1.5)
    assert made.words is not None
    assert made.words.startswith("On these 5 evals the skill helps: +")
    assert "For evals in general 5 are too few: at least 6, better 12" in made.words
    assert "Stopped as soon as that was clear." in made.words
    assert "estimate" in made.words
    told = words(found, "zh")
    assert told.startswith("就这 5 个评测项而言，技能有帮助：+")
    assert "一旦明确便停止" in told


def test_the_words_of_an_open_end_say_what_would_settle_it(
    store: MemoryStore, tmp_path: Path
) -> None:
    told = as_document(run(World(store, tmp_path, noisy("o", 0.1)), plan_of(12))).words
    assert told is not None
    assert told.startswith("Not clear yet: ")
    assert told.endswith("All the runs that were allowed were used.")
    assert "could easily have been missed" in told
