"""A race: the beaten are dropped, the winner is measured anew on cases nobody raced on."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from tests.evaluate.judges import design
from tests.evaluate.worlds import CRASH, WITHOUT, Result, Truth, World, cases, purse, skilled
from whet.app.clock import SystemClock
from whet.core.arm import Arm
from whet.core.errors import UsageError
from whet.evaluate.plan import Design
from whet.evaluate.race import Raced, RaceRule, race
from whet.evaluate.rounds import plan_digest, shuffled_units
from whet.stats.racing import Race, hold_out
from whet.stores.memory import MemoryStore

GOOD, POOR, BAD = skilled("good"), skilled("poor"), skilled("bad")
ARMS = (POOR, GOOD, BAD)
LEVELS = {"good": 0.9, "poor": 0.5, "bad": 0.2, "without_skill": 0.4}


def world(store: MemoryStore, folder: Path, truth: Truth) -> World:
    return World(store, folder, truth, (*ARMS, WITHOUT))


def run(
    where: World, plan: Design, rule: RaceRule | None = None, max_trials: int | None = None
) -> Raced:
    return asyncio.run(
        race(
            where.experiment(),
            plan,
            WITHOUT,
            purse(max_trials),
            where.rows.append,
            rule or RaceRule(),
        )
    )


def flat(who: str, _which: str, _attempt: int) -> Result:
    return LEVELS[who]


def noisy(who: str, which: str, attempt: int) -> Result:
    chance = Random(f"{who} {which} {attempt}")
    return min(1, max(0, chance.gauss(LEVELS[who], 0.2)))


def split(plan: Design) -> tuple[list[str], list[str]]:
    picking, reporting = hold_out(shuffled_units(plan, None), 0.5, int(plan_digest(plan), 16))
    return [case.id for [case] in picking], [case.id for [case] in reporting]


def test_the_beaten_are_dropped_and_the_winner_is_measured_on_other_cases(
    store: MemoryStore, tmp_path: Path
) -> None:
    plan = design(ARMS, cases(60))
    where = world(store, tmp_path, flat)
    found = run(where, plan)
    picking, reporting = split(plan)
    assert found.winner == GOOD
    assert found.dropped == ("bad", "poor")
    assert found.flattered == pytest.approx({"good": 0.9, "poor": 0.5, "bad": 0.2})
    # By hand: the races of good against bad (0.7) and poor (0.4) end at different cases.
    alone, ends = Race(["poor", "good", "bad"], 1), dict[str, int]()
    for number in range(1, len(picking) + 1):
        for name in alone.add({name: LEVELS[name] for name in ("poor", "good", "bad")}):
            ends[name] = number
    whole = {name: 4 * -(-end // 4) for name, end in ends.items()}
    assert found.picked_by == tuple(picking[: whole["poor"]])
    assert found.trials == 2 * whole["poor"] + whole["bad"] + 2 * len(reporting)
    assert len(where.starts) == found.trials
    assert sorted(found.pairs.scores) == sorted(reporting)
    assert (found.pairs.first, found.pairs.second) == ("good", "without_skill")
    assert found.report.label == "better"
    assert found.report.delta == pytest.approx(0.5)
    assert found.report.n_cases == 30
    assert not found.is_cut_off


def test_no_case_is_raced_on_and_reported(store: MemoryStore, tmp_path: Path) -> None:
    where = world(store, tmp_path, noisy)
    found = run(where, design(ARMS, cases(20), repeats=2))
    raced = {row.cell.case.id for row in where.rows if row.cell.arm.id == "bad"}
    measured = {row.cell.case.id for row in where.rows if row.cell.arm.id == "without_skill"}
    assert set(found.picked_by) <= raced
    assert raced & measured == set()
    assert set(found.pairs.scores) == measured
    assert {len(pairs) for pairs in found.pairs.scores.values()} == {2}


def test_the_report_is_a_series_of_its_own(store: MemoryStore, tmp_path: Path) -> None:
    where = world(store, tmp_path, noisy)
    run(where, design((GOOD, POOR), cases(8)))
    before = len(where.starts)
    # The same cases with the winner in the ordinary series: nothing of the report is reused.
    where.run(design((GOOD, WITHOUT), cases(8)))
    assert len(where.starts) - before == 16 - 4
    # Nor by a fresh measurement, which is the next series.
    before = len(where.starts)
    where.run(design((GOOD, WITHOUT), cases(8)).model_copy(update={"series": 1}))
    assert len(where.starts) - before == 16


def test_the_same_again_from_the_records_runs_nothing(store: MemoryStore, tmp_path: Path) -> None:
    where = world(store, tmp_path, noisy)
    plan = design(ARMS, cases(30))
    first = run(where, plan)
    started = len(where.starts)
    assert run(where, plan) == first
    assert len(where.starts) == started


@pytest.mark.slow
def test_a_race_that_was_cut_off_goes_on_to_the_same_end(tmp_path: Path) -> None:
    plan = design(ARMS, cases(30))
    stores = [MemoryStore(lambda _: True, SystemClock()) for _ in range(2)]
    whole, cut = (world(s, tmp_path / str(n), noisy) for n, s in enumerate(stores))
    short = run(cut, plan, max_trials=10)
    assert short.is_cut_off
    assert short.trials == 10
    assert (short.report.label, short.report.n_cases) == ("inconclusive", 0)
    assert run(cut, plan) == run(whole, plan)
    assert len(cut.starts) == len(whole.starts)


def test_a_broken_run_takes_its_case_from_everybody(store: MemoryStore, tmp_path: Path) -> None:
    plan = design(ARMS, cases(12))
    picking, reporting = split(plan)
    lost = {("poor", picking[1]), ("without_skill", reporting[0])}

    def truth(who: str, which: str, attempt: int) -> Result:
        return CRASH if (who, which) in lost else flat(who, which, attempt)

    found = run(world(store, tmp_path, truth), plan)
    assert picking[1] not in found.picked_by
    assert found.excluded == (f"eval {picking[1]} run 1: poor: gone",)
    assert found.pairs.excluded == (f"eval {reporting[0]} run 1: without_skill: gone",)
    assert found.report.n_cases == 5


def test_nothing_scored_has_no_winner(store: MemoryStore, tmp_path: Path) -> None:
    where = world(store, tmp_path, lambda _who, _which, _attempt: CRASH)
    found = run(where, design(ARMS, cases(6)))
    assert (found.winner, found.flattered, found.picked_by) == (None, {}, ())
    assert (found.report.label, found.report.delta) == ("inconclusive", None)
    assert {row.cell.arm.id for row in where.rows} == {"good", "poor", "bad"}


def test_cases_of_one_fixture_stay_on_one_side(store: MemoryStore, tmp_path: Path) -> None:
    clusters = {str(number): f"fixture {number % 4}" for number in range(1, 13)}
    where = world(store, tmp_path, noisy)
    found = run(where, design(ARMS, cases(12)), RaceRule(clusters=clusters))
    raced = {clusters[name] for name in found.picked_by}
    measured = {clusters[name] for name in found.pairs.scores}
    assert raced
    assert measured
    assert raced & measured == set()
    assert found.pairs.clusters == clusters


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arms", "count"),
    [((GOOD,), 8), ((GOOD, GOOD), 8), ((GOOD, WITHOUT), 8), ((GOOD, POOR), 1)],
)
def test_mistakes_are_refused(
    store: MemoryStore, tmp_path: Path, arms: tuple[Arm, ...], count: int
) -> None:
    with pytest.raises(UsageError, match="a race needs"):
        run(world(store, tmp_path, flat), design(arms, cases(count)))
