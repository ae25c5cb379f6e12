"""Plans are pure: the same design asks for the same trials in the same order."""

from itertools import islice

import pytest
from pydantic import ValidationError

from tests.evaluate.judges import PIN, arm, case, design
from whet.core.arm import Arm
from whet.core.case import Standard
from whet.core.rubric import SIX_DIMENSIONS
from whet.evaluate.plan import Design, cells, trial

ARMS = [arm("a", "one"), arm("b", "two"), arm("none", None)]
CASES = [case("1"), case("2")]


def addresses(plan: Design) -> list[str]:
    return [trial(plan, cell).address for cell in cells(plan)]


def test_whole_rounds_come_first_and_arms_side_by_side() -> None:
    plan = design(ARMS[:2], CASES, repeats=2)
    order = [(cell.attempt, cell.case.id, cell.arm.id) for cell in cells(plan)]
    assert order == [
        (1, "1", "a"),
        (1, "1", "b"),
        (1, "2", "a"),
        (1, "2", "b"),
        (2, "1", "a"),
        (2, "1", "b"),
        (2, "2", "a"),
        (2, "2", "b"),
    ]
    assert plan.size == len(order)


def test_a_plan_is_the_same_every_time_and_every_trial_of_it_is_another() -> None:
    plan = design(ARMS, CASES, repeats=3)
    again = Design.model_validate_json(plan.model_dump_json())
    assert addresses(plan) == addresses(plan) == addresses(again)
    assert len(set(addresses(plan))) == plan.size == 18


def test_a_plan_is_made_as_it_is_read() -> None:
    endless = design(ARMS, CASES, repeats=10**9)
    assert len(list(islice(cells(endless), 5))) == 5


def test_a_trial_has_the_pin_and_nothing_of_the_standard() -> None:
    plan = design(ARMS, CASES)
    strict = Standard(expected="sharp", rubric=SIX_DIMENSIONS, weight=2)
    judged = [one.model_copy(update={"standard": strict, "name": "renamed"}) for one in CASES]
    assert addresses(plan) == addresses(design(ARMS, judged))
    spec = trial(plan, next(cells(plan)))
    assert (spec.engine, spec.engine_version, spec.model) == ("hand", "1", "m")
    assert spec.stimulus == CASES[0].stimulus
    assert spec.attempt == 1


@pytest.mark.parametrize(
    "change", [{"engine_version": "2"}, {"model": "n"}, {"options": {"x": 1}}, {"sandbox": "bwrap"}]
)
def test_another_pin_is_another_trial(change: dict[str, object]) -> None:
    plan = design(ARMS, CASES)
    other = plan.model_copy(update={"pin": PIN.model_copy(update=change)})
    assert not set(addresses(plan)) & set(addresses(other))


def test_arms_of_equal_content_are_one_trial_unless_they_shall_be_independent() -> None:
    renamed = Arm(id="copy", label="another name", skill=arm("c", "one").skill)
    twins = design([ARMS[0], renamed], CASES[:1])
    first, second = addresses(twins)
    assert first == second
    apart = twins.model_copy(update={"series": 1})
    assert not {first} & set(addresses(apart))


def test_a_design_needs_an_arm_and_a_round() -> None:
    with pytest.raises(ValidationError):
        design([], CASES)
    with pytest.raises(ValidationError):
        design(ARMS, CASES, repeats=0)
