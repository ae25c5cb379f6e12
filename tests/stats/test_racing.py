import random

import pytest

from whet.stats.describe import mean
from whet.stats.racing import Race, hold_out

NAMES = [f"skill {i}" for i in range(6)]


def passes(chance: random.Random, rates: dict[str, float]) -> dict[str, float]:
    hardness = chance.uniform(-0.2, 0.2)
    return {name: float(chance.random() < rate + hardness) for name, rate in rates.items()}


def test_a_clear_winner_is_left_alone():
    race, dropped = Race(["good", "bad", "worst"], 1), list[str]()
    assert race.leader is None
    for _ in range(60):
        dropped += race.add({"good": 1.0, "bad": 0.0, "worst": 0.0})
    assert sorted(dropped) == ["bad", "worst"]
    assert race.running == ["good"]
    assert race.leader == "good"


@pytest.mark.slow
def test_the_best_is_hardly_ever_dropped_and_the_rest_cost_less():
    chance = random.Random(6)
    rates = dict.fromkeys(NAMES, 0.4) | {"skill 3": 0.7}
    repeats, lost, found, runs = 300, 0, 0, 0
    for _ in range(repeats):
        race = Race(NAMES, 1)
        for _ in range(200):
            runs += len(race.running)
            race.add(passes(chance, rates))
            if len(race.running) == 1:
                break
        lost += "skill 3" not in race.running
        found += race.leader == "skill 3"
    assert lost / repeats <= 0.05
    assert found / repeats >= 0.95
    assert runs / repeats < 0.6 * 200 * len(NAMES)


@pytest.mark.slow
def test_equal_candidates_stay_and_the_winner_is_flattered_until_measured_anew():
    chance = random.Random(7)
    rates = dict.fromkeys(NAMES, 0.5)
    wrong = 0
    picked: list[float] = []
    anew: list[float] = []
    for _ in range(300):
        picking, reporting = hold_out(range(60), seed=chance.randrange(10**6))
        cases = [passes(chance, rates) for _ in range(60)]
        race = Race(NAMES, 1)
        for index in picking:
            race.add(cases[index])
        wrong += len(race.running) < len(NAMES)
        leader = race.leader
        assert leader is not None
        picked.append(mean([cases[i][leader] for i in picking]))
        anew.append(mean([cases[i][leader] for i in reporting]))
    # With six equal ones any drop is an error in some pair: at most 6 · 5 % by the union bound.
    assert wrong / 300 <= 0.3
    assert mean(picked) > 0.57
    assert mean(anew) == pytest.approx(0.5, abs=4 * 0.5 / (300 * 30) ** 0.5)


def test_hold_out_is_a_split():
    picking, reporting = hold_out(list("abcdefghij"), 0.3, seed=5)
    assert len(reporting) == 3
    assert sorted(picking + reporting) == list("abcdefghij")
    assert (picking, reporting) == hold_out(list("abcdefghij"), 0.3, seed=5)
    assert hold_out([1, 2], 0.01) in (([1], [2]), ([2], [1]))


def test_mistakes_are_refused():
    with pytest.raises(ValueError, match="two candidates"):
        Race(["a", "a"], 1)
    with pytest.raises(ValueError, match="level"):
        Race(["a", "b"], 1, 95)
    with pytest.raises(ValueError, match="no score of b"):
        Race(["a", "b"], 1).add({"a": 1.0})
    with pytest.raises(ValueError, match="beyond the bound"):
        Race(["a", "b"], 1).add({"a": 3.0, "b": 0.0})
    with pytest.raises(ValueError, match="two cases"):
        hold_out([1])
