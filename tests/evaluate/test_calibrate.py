"""Judges against people, by hand."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evaluate.reviewed import add_run, grading, parsed
from whet.documents.skill_creator import Feedback
from whet.evaluate.calibrate import Labelled, Verdict, calibrate, labelled, once, verdict
from whet.evaluate.opinion import NOT_JUDGED
from whet.evaluate.review import runs_of

GOOD, POOR = grading(0.8, "+"), grading(0.4, "+")


def run(label: Verdict | None, data: dict[str, Any], side: str = "with_skill", **scores: float):
    return Labelled(side, parsed(data), label, scores)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (grading(0.6), "pass"),
        (grading(0.5999), "fail"),
        (grading(0.9, "+-"), "fail"),
        (grading(0.9, "++"), "pass"),
        (grading(None, "+"), "pass"),
        (grading(None, "-"), "fail"),
        (grading(None), None),
        (grading(0.9, "+", grade_status="unscored"), None),
        (grading(0.9, "+", grade_status="failed"), None),
        (grading(None, "-", run_status="failed"), None),
    ],
)
def test_what_a_judge_passes(data: dict[str, Any], found: str | None) -> None:
    assert verdict(parsed(data)) == found


def test_a_judge_that_was_not_asked_says_nothing() -> None:
    data = grading(None, "-", gate_passed=False)
    data["expectations"][0]["evidence"] = NOT_JUDGED
    assert verdict(parsed(data)) is None


def test_checks_are_not_the_judges() -> None:
    data = grading(0.9)
    data["expectations"] = [{"text": "t", "passed": False, "evidence": "", "id": "S1", "type": "x"}]
    assert verdict(parsed(data)) == "pass"


def test_kappa_by_hand() -> None:
    # 20 both pass, 5 judge passes alone, 10 judge fails alone, 15 both fail: Cohen's example.
    # share 35/50 = .7; chance .5·.6 + .5·.4 = .5 (people pass 30, judge passes 25); kappa .4
    runs = [
        *[run("pass", GOOD)] * 20,
        *[run("fail", GOOD)] * 5,
        *[run("pass", POOR)] * 10,
        *[run("fail", POOR)] * 15,
    ]
    found = calibrate(runs)
    agreeing, confusion = found.together.agreement, found.together.confusion
    assert agreeing is not None
    assert confusion is not None
    assert (found.labels, found.compared, found.few) == (50, 50, False)
    assert agreeing.share == pytest.approx(0.7)
    assert agreeing.kappa == pytest.approx(0.4)
    assert agreeing.kappa_interval is not None
    assert agreeing.kappa_interval.low < 0.4 < agreeing.kappa_interval.high
    assert (confusion.both_pass, confusion.both_fail) == (20, 15)
    assert confusion.judge_passes_person_fails == 5
    assert confusion.judge_fails_person_passes == 10
    assert confusion.sensitivity == (20, 30)
    assert confusion.specificity == (15, 20)
    # Rogan and Gladen: (25/50 + .75 − 1) / (2/3 + .75 − 1) = .25 / .416667 = .6: what people say
    (rate,) = found.rates
    assert (rate.runs, rate.judged) == (50, 0.5)
    assert rate.corrected == pytest.approx(0.6)
    assert rate.interval is not None
    assert rate.interval.low < 0.6 < rate.interval.high


def test_the_rates_of_all_runs_are_corrected_side_by_side() -> None:
    labels = [*[run("pass", GOOD)] * 9, run("pass", POOR), *[run("fail", POOR)] * 8]
    labels += [run("fail", GOOD)] * 2
    unlabelled = [run(None, GOOD, "without_skill")] * 3 + [run(None, POOR, "without_skill")] * 7
    found = calibrate([*labels, *unlabelled])
    by_side = {rate.configuration: rate for rate in found.rates}
    assert (by_side["with_skill"].judged, by_side["without_skill"].judged) == (11 / 20, 0.3)
    # (.3 + .8 − 1) / (.9 + .8 − 1) = 1/7
    assert by_side["without_skill"].corrected == pytest.approx(1 / 7)
    assert (found.labels, found.compared) == (20, 20)


def test_few_labels_and_none() -> None:
    found = calibrate([run("pass", GOOD), run("fail", POOR), run("fail", grading(None))])
    assert (found.labels, found.compared, found.few) == (3, 2, True)
    nothing = calibrate([run(None, GOOD)])
    assert (nothing.together.agreement, nothing.together.confusion) == (None, None)
    assert nothing.rates[0].corrected is None
    assert calibrate([]).rates == ()


def test_one_label_throughout_has_no_kappa() -> None:
    agreeing = calibrate([run("pass", GOOD)] * 12).together.agreement
    assert agreeing is not None
    assert (agreeing.share, agreeing.kappa, agreeing.kappa_interval) == (1, None, None)


def test_a_side_with_one_label_makes_no_interval() -> None:
    agreeing = calibrate([run("pass", GOOD), run("fail", GOOD)] * 10).together.agreement
    assert agreeing is not None
    assert (agreeing.share, agreeing.kappa, agreeing.kappa_interval) == (0.5, 0, None)


def test_scores_by_dimension_count_near_misses() -> None:
    # people 1 2 3 4 5, judge 2 2 3 4 4: observed Σd² = 2, chance: all pairs Σ(i−j)²/5
    # judge 2,2,3,4,4 against 1..5: (1+0+1+4+9)·2 + (4+1+0+1+4) + (9+4+1+0+1)·2 = 30+10+30 = 70
    # kappa = 1 − (2/5) / (70/25) = 1 − 1/7
    pairs = [(1, 2), (2, 2), (3, 2.6), (4, 4), (5, 4)]
    runs = [run("pass", grading(0.8, scores={"tone": judge}), tone=own) for own, judge in pairs]
    found = calibrate([*runs, run("pass", grading(0.8, scores={"other": 1}), tone=1)])
    (name,) = found.together.dimensions
    tone = found.together.dimensions[name]
    assert (name, tone.n, tone.share) == ("tone", 5, pytest.approx(3 / 5))
    assert tone.kappa == pytest.approx(6 / 7)


def test_several_judges_each_by_itself() -> None:
    def both(first: float, second: float | None) -> dict[str, Any]:
        return grading(0.8, opinions=(("ann", first), ("bob", second)))

    runs = [
        *[run("pass", both(0.9, 0.3))] * 5,
        *[run("fail", both(0.2, 0.8))] * 4,
        run("fail", both(0.2, None)),
    ]
    found = calibrate(runs)
    ann, bob = found.judges
    assert (ann.judge, bob.judge) == ("ann", "bob")
    assert ann.agreement is not None
    assert bob.agreement is not None
    assert (ann.agreement.n, ann.agreement.kappa, ann.few) == (10, 1, False)
    assert (bob.agreement.n, bob.agreement.share, bob.few) == (9, 0, True)
    assert bob.agreement.kappa is not None
    assert bob.agreement.kappa < -0.9
    # Nine pairs, always unlike: observed 1; 18 readings, 9 of each: 2·81/(18·17); alpha = 1 − 17/9
    assert found.alpha_passing == pytest.approx(1 - 17 / 9)
    assert found.alpha is not None
    assert found.alpha < 0


def test_one_judge_has_nobody_to_agree_with() -> None:
    found = calibrate([run("pass", grading(0.8, opinions=(("ann", 0.8), ("ann", 0.4))))] * 10)
    assert (found.judges, found.alpha, found.alpha_passing) == ((), None, None)


def test_runs_that_iterations_share_count_once() -> None:
    shared = grading(0.8, grade_address="g")
    found = once([run("fail", shared), run(None, shared), run("pass", shared), run(None, GOOD)])
    assert [one.label for one in found] == ["pass", None]
    assert [one.label for one in once([run("fail", shared), run(None, shared)])] == ["fail"]


def test_labels_come_from_the_folder(tmp_path: Path) -> None:
    for number in (1, 2):
        add_run(tmp_path / "iteration-1", number=number)
    runs = runs_of(tmp_path / "iteration-1")
    review = {"run_id": runs[0].run_id, "feedback": "", "timestamp": "t", "label": "fail"}
    feedback = Feedback.parse(
        {"reviews": [{**review, "scores": {"tone": 2}}], "status": "in_progress"}, "x"
    )
    found = list(labelled(runs, feedback))
    assert [(one.label, dict(one.scores)) for one in found] == [("fail", {"tone": 2}), (None, {})]


LABELS = st.sampled_from(["pass", "fail", None])
GRADINGS = st.sampled_from([GOOD, POOR, grading(None), grading(0.9, grade_status="failed")])


@given(st.lists(st.tuples(LABELS, GRADINGS), max_size=30))
def test_every_compared_run_is_in_one_cell(given: list[tuple[Verdict | None, Any]]) -> None:
    found = calibrate([run(label, data) for label, data in given])
    confusion = found.together.confusion
    cells = sum(confusion.model_dump().values()) if confusion else 0
    wanted = [
        (label, judge)
        for label, data in given
        if label is not None and (judge := verdict(parsed(data))) is not None
    ]
    assert cells == found.compared == len(wanted) <= found.labels
    if confusion:
        assert confusion.both_pass == wanted.count(("pass", "pass"))
        assert confusion.judge_fails_person_passes == wanted.count(("pass", "fail"))
