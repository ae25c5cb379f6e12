"""Suggestions of all runs, put together."""

import time
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whet.documents.evals import EvalFeedbackAggregate
from whet.documents.grading import EvalFeedback, Expectation, Grading, PassSummary, Suggestion
from whet.evaluate import feedback
from whet.evaluate.feedback import aggregate_feedback, expectation_meant, similarity, words_of

CHECKS = (
    Expectation(text="Tests are there", passed=True, evidence="", id="S1", type="file_exists"),
    Expectation(text="No TODO", passed=True, evidence="", id="S2", type="file_not_contains"),
    Expectation(text="The tone is friendly", passed=True, evidence="", judged=True),
)


def grading(
    *suggestions: str | tuple[str, str], checks: tuple[Expectation, ...] = CHECKS
) -> Grading:
    """A run's grading; a pair is an assertion and a reason."""
    given = tuple(
        Suggestion(reason=one)
        if isinstance(one, str)
        else Suggestion(assertion=one[0], reason=one[1])
        for one in suggestions
    )
    return Grading(
        expectations=checks,
        summary=PassSummary(passed=3, failed=0, total=3, pass_rate=1.0),
        eval_feedback=EvalFeedback(suggestions=given, overall=""),
    )


def aggregate(*runs: tuple[int | str, Grading]) -> EvalFeedbackAggregate:
    return aggregate_feedback("testing", 2, runs, simulated=False)


def told(found: EvalFeedbackAggregate) -> list[tuple[int, str | None, str]]:
    return [(one.frequency, one.assertion, one.reason) for one in found.suggestions]


def test_similar_words_are_one_suggestion_and_runs_are_counted() -> None:
    found = aggregate(
        (1, grading("No assertion checks that domain services are real instances.")),
        (1, grading("Nothing verifies whether the domain services are real instances")),
        (2, grading("Domain services could be fake: no check looks at their instances.", "Colour")),
        (2, grading()),
    )
    assert found.total_runs == 4
    assert (found.skill_name, found.iteration, found.simulated) == ("testing", 2, False)
    first, second = found.suggestions
    assert (first.frequency, first.assertion, first.eval_ids) == (3, None, (1, 2))
    assert (second.frequency, second.reason, second.eval_ids) == (1, "Colour", (2,))
    assert first.action == "Add an expectation for it to evals 1, 2."


def test_a_run_that_says_it_twice_counts_once() -> None:
    found = aggregate((1, grading("The header is not bold", "the header is NOT bold!")))
    assert told(found) == [(1, None, "the header is NOT bold!")]


def test_generic_words_alone_make_nothing_similar() -> None:
    found = aggregate(
        (1, grading("No assertion checks the header.")),
        (1, grading("No assertion checks the footer.")),
    )
    assert [one.frequency for one in found.suggestions] == [1, 1]


def test_the_same_words_about_another_assertion_are_another_suggestion() -> None:
    reason = "It passes even when the factory returns wrong data."
    found = aggregate(
        (1, grading(("S1", reason), reason)),
        (1, grading(("S1: Tests are there", reason), ("S2 - No TODO", reason))),
        (1, grading(("the tone is friendly.", reason))),
    )
    assert [(one.frequency, one.assertion) for one in found.suggestions] == [
        (2, "S1"),
        (1, None),
        (1, "S2"),
        (1, "The tone is friendly"),
    ]


def test_an_id_means_what_it_means_in_its_eval() -> None:
    other = (CHECKS[0].model_copy(update={"text": "A header is there"}),)
    reason = "Empty files pass."
    found = aggregate((1, grading(("S1", reason))), (2, grading(("S1", reason), checks=other)))
    assert [(one.assertion, one.eval_ids) for one in found.suggestions] == [
        ("S1", (1,)),
        ("S1", (2,)),
    ]


def test_what_to_do_depends_on_what_is_criticised() -> None:
    vacuous = CHECKS[1].model_copy(update={"vacuous": True})
    found = aggregate(
        (1, grading(("S1", "alpha"), ("S2", "beta"), ("The tone is friendly", "gamma"))),
        (1, grading(("S2", "beta"), checks=(CHECKS[0], vacuous))),
    )
    assert {one.assertion: one.action for one in found.suggestions} == {
        "S1": "Make the check S1 of eval 1 stricter, or replace it.",
        "S2": "In eval 1, add a critical file_exists before S2: it passes where there is "
        "nothing to look at.",
        "The tone is friendly": "Reword the expectation 'The tone is friendly' of eval 1.",
    }


def test_the_one_most_like_the_others_speaks_for_them() -> None:
    near = "rows lose their order when sorted twice"
    found = aggregate(
        (1, grading("rows lose their order")),
        (1, grading(near)),
        (1, grading("rows order when sorted twice or merged lately")),
    )
    assert told(found) == [(3, None, near)]


def test_scripts_without_spaces() -> None:
    found = aggregate(
        (1, grading("没有检查输出文件是否为空")),
        (1, grading("没有检查输出的文件是否为空。")),
        (1, grading("语气不够友好")),
    )
    assert [one.frequency for one in found.suggestions] == [2, 1]


def test_hostile_sizes_are_cut() -> None:
    many = [f"{chr(97 + n % 26)}{n}word{n} " * 3 for n in range(400)]
    long = grading("x" * 1_000_000, *many)
    begun = time.monotonic()
    found = aggregate(*((number, long) for number in range(20)))
    assert time.monotonic() - begun < 10
    assert len(found.suggestions) == feedback.MOST_OF_A_RUN
    assert max(len(one.reason) for one in found.suggestions) == feedback.LONGEST


def test_beyond_what_is_compared_only_equals_are_grouped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feedback, "MOST_COMPARED", 5)
    names = [f"thing{n} red colour" for n in range(8)]
    found = aggregate(*((1, grading(name)) for name in names), (2, grading(names[7])))
    assert [one.frequency for one in found.suggestions] == [6, 1, 1, 1]


def test_jaccard_by_hand() -> None:
    assert similarity(frozenset("abcd"), frozenset("cde")) == 2 / 5
    assert similarity(frozenset(), frozenset()) == 0
    assert words_of("Checks the patterns") == {"pattern"}
    assert words_of("应该") == {"应该"}


def test_which_expectation_is_meant() -> None:
    assert expectation_meant("S2: whatever", CHECKS) is CHECKS[1]
    assert expectation_meant("S22", CHECKS) is None
    assert expectation_meant(" the TONE is friendly! ", CHECKS) is CHECKS[2]
    assert expectation_meant("", CHECKS) is None


REASONS = st.sampled_from(
    ["red apples rot", "red apples rot fast", "apples rot", "blue sky", "sky is blue", "the is", ""]
)
ASSERTIONS = st.sampled_from([None, "S1", "S2: x", "S9", "The tone is friendly"])
RUNS = st.lists(
    st.tuples(st.sampled_from([1, 2, "b"]), st.lists(st.tuples(ASSERTIONS, REASONS), max_size=4)),
    max_size=8,
)


Drawn = list[tuple[int | str, list[tuple[str | None, str]]]]


@given(RUNS, st.randoms(use_true_random=False))
def test_the_order_of_runs_changes_nothing(runs: Drawn, chance: Random) -> None:
    made = [(eval_id, grading(*((a, r) if a else r for a, r in given))) for eval_id, given in runs]
    first = aggregate(*made)
    chance.shuffle(made)
    assert aggregate(*made) == first
    counts = [one.frequency for one in first.suggestions]
    assert counts == sorted(counts, reverse=True)
    assert all(1 <= count <= len(made) for count in counts)
    spoken = [run for run in runs if any(reason for _, reason in run[1])]
    assert bool(spoken) == bool(counts)
