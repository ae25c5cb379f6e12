"""Panels: several judges and several readings, checks before them, one score out of it all."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evaluate.judges import FIVE
from tests.evaluate.panel import TEXTS, Bench, HandChecker, PanelJudge, case, check, result, says
from tests.run.agents import answers, runner, spec
from whet.core.case import Case, Standard
from whet.core.errors import BudgetExhausted, JudgeFailure
from whet.core.grade import Judgement, Opinion
from whet.core.trial import TrialRecord
from whet.evaluate.opinion import Reading, combined
from whet.stores.memory import MemoryStore


@pytest.fixture
def bench(store: MemoryStore, tmp_path: Path) -> Bench:
    run, _ = runner(store, tmp_path / "scratch", answers)

    async def settled() -> TrialRecord:
        record = (await run(spec())).record
        assert record is not None
        return record

    return Bench(store, asyncio.run(settled()))


def test_scores_are_averaged_over_judges_and_readings(bench: Bench) -> None:
    """Of (structure, tone): (5, 5) = 1, (3, 1) = .5, (4, 2) = .7, (2, 4) = .5; mean .675."""
    one = PanelJudge([says(5, 5), says(3, 1)], name="one")
    two = PanelJudge([says(4, 2), says(2, 4)], name="two")
    made = bench.grade(case(), one, two, readings=2)
    assert made.status == "scored"
    assert made.score == pytest.approx(0.675)
    assert made.rubric_score == pytest.approx(0.675)
    assert made.dimensions["structure"].score == pytest.approx(3.5)
    assert made.dimensions["tone"].score == pytest.approx(3)
    assert [(o.judge, o.repeat, o.score) for o in made.opinions] == [
        ("one", 1, pytest.approx(1)),
        ("one", 2, pytest.approx(0.5)),
        ("two", 1, pytest.approx(0.7)),
        ("two", 2, pytest.approx(0.5)),
    ]
    assert (made.grader, made.grader_version) == ("one+two", "1+1")


def test_every_reading_has_a_seed_of_its_own(bench: Bench) -> None:
    one, two = PanelJudge([says()], name="one"), PanelJudge([says()], name="two")
    bench.grade(case(), one, two, readings=3)
    assert len({*one.seeds, *two.seeds}) == 6


def test_a_reading_that_was_paid_for_stays_when_the_panel_grows(bench: Bench) -> None:
    alone, in_panel = PanelJudge([says()], name="one"), PanelJudge([says()], name="one")
    made = bench.grade(case(), alone)
    bench.grade(case(), in_panel, PanelJudge([says()], name="two"), readings=2)
    assert alone.seeds == in_panel.seeds[:1] == [made.address]


@pytest.mark.parametrize(
    ("votes", "met"),
    [
        ([True], True),
        ([False], False),
        ([True, False], False),
        ([True, True, False], True),
        ([True, False, False], False),
        ([True, True, False, False], False),
        ([True, True, True, False], True),
    ],
)
def test_most_opinions_decide_an_expectation_and_a_draw_is_not_met(
    bench: Bench,
    votes: list[bool],
    met: bool,  # noqa: FBT001
) -> None:
    judges = [PanelJudge([says(met=[vote])], name=f"j{n}") for n, vote in enumerate(votes)]
    made = bench.grade(case(rubric=None, expectations=TEXTS[:1]), *judges)
    [found] = made.expectations
    assert (found.passed, found.text) == (met, TEXTS[0])
    assert found.evidence == f"1: {met}", "the evidence is of an opinion that was followed"
    assert made.score == (1 if met else 0)
    assert made.rubric_score is None


def test_one_judge_that_broke_leaves_no_score(bench: Bench) -> None:
    """An average of those that happened to answer would favour one arm or the other."""
    fine, broken = PanelJudge([says(5, 5)], name="fine"), PanelJudge([JudgeFailure("no JSON")])
    for panel in ((fine, broken), (broken, fine)):
        made = bench.grade(case(), *panel)
        assert (made.status, made.score, made.rubric_score) == ("failed", None, None)
        assert made.error == "no JSON"
        assert made.dimensions == {}


def test_what_was_asked_in_vain_is_not_forgotten(bench: Bench) -> None:
    """Somebody paid for it."""
    broken = JudgeFailure("no JSON")
    broken.asked = ("one", "two")
    misfit = says(9, 9).model_copy(update={"asked": ("three",)})
    made = bench.grade(case(), PanelJudge([broken], name="x"), PanelJudge([misfit], name="y"))
    assert made.score is None
    assert [opinion.judgement.asked for opinion in made.opinions] == [("one", "two"), ("three",)]
    assert all(not opinion.judgement.scores for opinion in made.opinions)


def test_one_reading_of_several_that_broke_leaves_no_score(bench: Bench) -> None:
    made = bench.grade(case(), PanelJudge([says(), says(), ZeroDivisionError("bug")]), readings=3)
    assert (made.status, made.score) == ("failed", None)
    assert made.error == "judge hand broke: ZeroDivisionError('bug')"
    assert [opinion.status for opinion in made.opinions] == ["scored", "scored", "failed"]


def test_an_empty_purse_fails_the_grade_and_not_the_run(bench: Bench) -> None:
    made = bench.grade(case(), PanelJudge([BudgetExhausted("no money")]))
    assert (made.status, made.score) == ("failed", None)
    assert "no money" in (made.error or "")


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (says(6, 3), "structure is 6, outside 1..5"),
        (says(met=[True]), "1 expectations are decided, the case has 2"),
        (says(met=[True] * 3), "3 expectations are decided, the case has 2"),
    ],
)
def test_an_opinion_that_does_not_fit_leaves_the_grade_unscored(
    bench: Bench, said: Judgement, reason: str
) -> None:
    if not said.expectations:
        said = said.model_copy(update={"expectations": says(met=[True, True]).expectations})
    fine = PanelJudge([says(met=[True, True])], name="fine")
    made = bench.grade(case(expectations=TEXTS[:2]), fine, PanelJudge([said]))
    assert (made.status, made.score) == ("unscored", None)
    assert reason in (made.error or "")


def test_a_failure_weighs_more_than_a_misfit(bench: Bench) -> None:
    """A failed grade is not kept, so that it is asked for again; an unscored one is."""
    misfit, broken = PanelJudge([says(9, 9)], name="x"), PanelJudge([JudgeFailure("down")])
    assert bench.grade(case(), misfit, broken).status == "failed"


def test_what_a_judge_finds_out_to_be_simulated_is_called_so(bench: Bench) -> None:
    replayed = says().model_copy(update={"simulated": True})
    made = bench.grade(case(), PanelJudge([says()], name="x"), PanelJudge([replayed]))
    assert made.simulated
    assert [opinion.simulated for opinion in made.opinions] == [False, True]
    assert not bench.grade(case(), PanelJudge([says()])).simulated


def test_a_closed_gate_spares_the_judges_and_counts_their_part_as_not_met(bench: Bench) -> None:
    """1 of 2 checks and 0 of 3 expectations: .4 · 1/5; nothing of the .6."""
    judge = PanelJudge([says(5, 5, [True] * 3)])
    of = case(check(1, "failed", critical=True), check(2, "passed"), expectations=TEXTS)
    made = bench.grade(of, judge, readings=3)
    assert judge.seeds == []
    assert (made.status, made.gate_passed, made.opinions) == ("scored", False, ())
    assert made.score == pytest.approx(0.08)
    assert made.rubric_score is None
    assert made.dimensions == {}
    assert [each.passed for each in made.expectations] == [False] * 3
    assert "not judged" in made.expectations[0].evidence
    assert (made.passed, made.total) == (1, 5)


def test_a_gate_that_does_not_gate_lets_the_judges_go_on(bench: Bench) -> None:
    """.4 · (1 + 2)/5 + .6 · 1."""
    judge = PanelJudge([says(5, 5, [True, True, False])])
    of = case(check(1, "failed", critical=True), check(2, "passed"), expectations=TEXTS)
    made = bench.grade(of, judge, gated=False)
    assert len(judge.seeds) == 1
    assert (made.gate_passed, made.status) == (False, "scored")
    assert made.score == pytest.approx(0.4 * 3 / 5 + 0.6)


def test_a_failure_that_is_not_critical_closes_no_gate(bench: Bench) -> None:
    made = bench.grade(case(check(1, "failed")), judge := PanelJudge([says(5, 5)]))
    assert made.gate_passed
    assert made.score == pytest.approx(0.6)
    [seen] = judge.seen
    assert [result.outcome for result in seen.checks] == ["failed"]


@pytest.mark.parametrize(
    ("of", "said", "score"),
    [
        # Both layers: .4 · 3/4 + .6 · (.75·4 + .25·2)/5
        (
            case(check(1, "passed"), check(2, "failed"), expectations=TEXTS[:2]),
            says(4, 2, [True, True]),
            0.72,
        ),
        # A vacuous check is met, a skipped one is nowhere: .4 · 1/1 + .6 · 1
        (case(check(1, "vacuous"), check(2, "skipped")), says(5, 5), 1.0),
        # Only checks that count for nothing: the rubric alone.
        (case(check(1, "skipped")), says(4, 2), 0.7),
        # The rubric alone; 1 is the lowest of 1..5, and a fifth of the most.
        (case(), says(1, 1), 0.2),
        # Expectations alone, checked and judged alike: 2 of 3.
        (
            case(check(1, "passed"), rubric=None, expectations=TEXTS[:2]),
            says(met=[True, False]),
            2 / 3,
        ),
        (case(rubric=None, expectations=TEXTS), says(met=[True, False, False]), 1 / 3),
        # Checks alone: no judge is needed.
        (case(check(1, "passed"), check(2, "failed"), rubric=None), says(), 0.5),
    ],
)
def test_two_layers_make_one_score_and_one_alone_is_it(
    bench: Bench, of: Case, said: Judgement, score: float
) -> None:
    made = bench.grade(of, PanelJudge([said]))
    assert made.status == "scored"
    assert made.score == pytest.approx(score, abs=1e-12)


def test_checks_alone_ask_nobody(bench: Bench) -> None:
    judge = PanelJudge([says()])
    assert bench.grade(case(check(1, "passed"), rubric=None), judge).score == 1
    assert judge.seeds == []


def test_nothing_to_grade_by_is_unscored_and_not_zero(bench: Bench) -> None:
    made = bench.grade(case(check(1, "skipped"), rubric=None), PanelJudge([says()]))
    assert (made.status, made.score, made.pass_rate) == ("unscored", None, None)


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [("raises", "a check broke: ZeroDivisionError"), ("cannot", "no sandbox")],
)
def test_a_checker_that_raises_costs_one_grade_only(
    bench: Bench, outcome: str, reason: str
) -> None:
    judge = PanelJudge([says()])
    made = bench.grade(case(check(1, "passed"), check(2, outcome)), judge)
    assert (made.status, made.score) == ("failed", None)
    assert reason in (made.error or "")
    assert judge.seeds == []
    assert bench.grade(case(check(1, "passed")), judge).status == "scored"


def test_an_address_changes_with_whatever_may_change_the_grade(bench: Bench) -> None:
    one, two = PanelJudge([says()], name="one"), PanelJudge([says()], name="two")
    of = case(check(1, "passed"))
    base = bench.grader(one)
    graders = [
        base,
        bench.grader(one, readings=2),
        bench.grader(one, two),
        bench.grader(two, one),
        bench.grader(one, gated=False),
        bench.grader(PanelJudge([says()], name="one", version="2")),
        replace(base, checkers={"hand": HandChecker(version="2")}),
        replace(base, script_sandbox="bubblewrap"),
        replace(base, rubric=FIVE, judges=(one, one)),
    ]
    addresses = [grader.address(of, "trial", 1) for grader in graders]
    assert len(set(addresses)) == len(addresses)
    again = bench.grader(PanelJudge([says(1, 1)], name="one"))
    assert again.address(of, "trial", 1) == addresses[0]


def test_an_address_does_not_change_with_what_does_not_matter(bench: Bench) -> None:
    """Without checks the gate means nothing, and without anything to judge the judges do not."""
    one = PanelJudge([says()])
    plain = bench.grader(one)
    assert bench.grader(one, gated=False).address(case(), "t", 1) == plain.address(case(), "t", 1)
    checked = case(check(1, "passed"), rubric=None)
    assert bench.grader().address(checked, "t", 1) == plain.address(checked, "t", 1)
    more = replace(plain, checkers={"hand": HandChecker(), "other": HandChecker(name="other")})
    assert more.address(checked, "t", 1) == plain.address(checked, "t", 1)


@st.composite
def readings(draw: st.DrawFn) -> Reading:
    count = draw(st.integers(0, 3))
    rubric = draw(st.sampled_from([None, FIVE]))
    number = st.integers(1, 5)
    opinions = tuple(
        Opinion(
            judge="hand",
            judge_version="1",
            status="scored",
            score=None
            if rubric is None
            else rubric.normalized({n: s.score for n, s in judgement.scores.items()}),
            judgement=judgement,
        )
        for judgement in draw(
            st.lists(
                st.builds(
                    says, number, number, st.lists(st.booleans(), min_size=count, max_size=count)
                ),
                min_size=1,
                max_size=4,
            )
        )
    )
    outcomes = draw(
        st.lists(st.sampled_from(["passed", "failed", "vacuous", "skipped"]), max_size=4)
    )
    checks = tuple(result(check(n, outcome)) for n, outcome in enumerate(outcomes))
    standard = Standard(rubric=rubric, expectations=TEXTS[:count])
    return Reading(standard, rubric, checks, opinions)


@given(readings())
def test_a_score_is_a_share_and_more_is_never_worse(reading: Reading) -> None:
    found = combined(reading)
    score = found["score"]
    decided = [one for one in reading.checks if not one.skipped]
    if not decided and reading.rubric is None and not reading.standard.expectations:
        assert score is None
        return
    assert isinstance(score, float | int)
    assert 0 <= score <= 1
    better = tuple(
        one.model_copy(update={"outcome": "passed", "score": 1}) if one.outcome == "failed" else one
        for one in reading.checks
    )
    improved = combined(reading._replace(checks=better))["score"]
    assert isinstance(improved, float | int)
    assert improved >= score
