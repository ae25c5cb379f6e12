"""The model judge: what it asks, how it reads the answer, and what it makes of a bad one."""

import asyncio
import json
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.judges.asking import CASE, EXPECTATIONS, JUDGED, RUBRIC, USED, HandAsk, judge, submission
from tests.run.agents import now, runner, yields
from whet.app.clock import SystemClock
from whet.core.case import Standard
from whet.core.errors import (
    AskFailure,
    BudgetExhausted,
    EnvironmentProblem,
    JudgeFailure,
    UsageError,
)
from whet.core.grade import Claim, DimensionScore, JudgedExpectation, Judgement, Suggestion
from whet.core.rubric import Dimension, Rubric
from whet.core.step import Ended
from whet.documents.schema import Schema
from whet.judges.model import ModelJudge
from whet.judges.model.schema import grading_schema, keys, read_judgement
from whet.ports.comparing import Comparing
from whet.ports.judge import Judge, JudgeSetup
from whet.run.ask import TrialAsk
from whet.stores.memory import MemoryStore
from whet.testing.model_server.schema import example

Kind = Literal["no_json", "invalid", "engine"]


def judged(*answers: JsonValue | Exception, seed: str = "seed") -> tuple[Judgement, HandAsk]:
    made, ask = judge(*answers)
    return asyncio.run(made.judge(submission(), RUBRIC, seed)), ask


def failure(*answers: JsonValue | Exception) -> tuple[str, HandAsk]:
    made, ask = judge(*answers)
    with pytest.raises(JudgeFailure) as caught:
        asyncio.run(made.judge(submission(), RUBRIC, "seed"))
    return str(caught.value), ask


def unfit(kind: Kind = "invalid") -> AskFailure:
    return AskFailure(kind, "claude", "$.scores: odd", "", USED)


def test_it_says_what_it_is() -> None:
    made, ask = judge(JUDGED)
    port: Judge = made
    assert (port.name, port.model, port.simulated) == ("model", "claude:opus", False)
    assert isinstance(made, Comparing)
    others = [
        ModelJudge(JudgeSetup(ask, engine, model)).version
        for engine, model in (("claude", "opus"), ("codex", "opus"), ("claude", "sonnet"))
    ]
    assert others[0] == port.version
    assert len(set(others)) == 3


def test_it_needs_an_engine_and_takes_its_default_model() -> None:
    _, ask = judge(JUDGED)
    with pytest.raises(UsageError, match="which engine"):
        ModelJudge(JudgeSetup(ask))
    assert ModelJudge(JudgeSetup(ask, "codex")).model == "codex:default"


def test_an_answer_becomes_a_judgement() -> None:
    found, ask = judged(JUDGED)
    assert found == Judgement(
        scores={
            "structure": DimensionScore(score=4, evidence="one line"),
            "tone": DimensionScore(score=1.25, evidence="warm"),
        },
        expectations=(
            JudgedExpectation(text=EXPECTATIONS[0], passed=True, evidence="hello.md:1"),
            JudgedExpectation(text=EXPECTATIONS[1], passed=False, evidence="nobody is named"),
        ),
        claims=(
            Claim(claim="it is tested", type="process", verified=False, evidence="no test ran"),
        ),
        suggestions=(
            Suggestion(assertion="S1", reason="an empty file passes"),
            Suggestion(reason="nothing checks the name"),
        ),
        overall="Too easy.",
        asked=("address",),
    )
    [query] = ask.queries
    assert (query.engine, query.model, query.files) == ("claude", "opus", ())
    assert query.limits.timeout_seconds == 300


def test_a_reply_of_something_simulated_says_so() -> None:
    made, _ = judge(JUDGED, simulated=True)
    assert asyncio.run(made.judge(submission(), RUBRIC, "seed")).simulated


def test_every_seed_is_another_question_and_the_same_seed_the_same() -> None:
    first, again, other = (judged(JUDGED, seed=seed)[1].queries[0] for seed in ("a", "a", "a 2"))
    assert first == again
    assert first.series != other.series
    assert first.prompt == other.prompt


@pytest.mark.parametrize("kind", ["no_json", "invalid", "engine"])
def test_an_answer_that_cannot_be_used_is_asked_for_once_more_in_another_series(kind: Kind) -> None:
    found, ask = judged(unfit(kind), JUDGED)
    assert found.overall == "Too easy."
    assert len({query.series for query in ask.queries}) == 2


def test_failures_on_record_cost_nothing_and_do_not_count_as_tries() -> None:
    recorded = unfit()
    recorded.is_recorded, recorded.addresses = True, ("old",)
    made, ask = judged(recorded, recorded, recorded, unfit(), JUDGED)
    assert len(ask.queries) == len({query.series for query in ask.queries}) == 5
    assert made.asked == ("old", "old", "old", "address")


def test_a_model_that_never_answers_properly_is_a_failure_and_no_score() -> None:
    message, ask = failure(unfit())
    assert message == "judge claude:opus: no usable answer from claude: $.scores: odd"
    assert len(ask.queries) == 2


@pytest.mark.parametrize("error", [BudgetExhausted("no money"), EnvironmentProblem("no disk")])
def test_what_is_not_the_models_fault_passes_through(error: Exception) -> None:
    made, ask = judge(error)
    with pytest.raises(type(error)):
        asyncio.run(made.judge(submission(), RUBRIC, "seed"))
    assert len(ask.queries) == 1


ONE: JsonValue = {"number": 1, "evidence": "", "passed": True}


def changed(**fields: JsonValue) -> dict[str, JsonValue]:
    return {**JUDGED, **fields}


@pytest.mark.parametrize(
    "answer",
    [
        changed(scores={"structure": {"evidence": "", "score": 4}}),
        changed(
            scores={
                "structure": {"evidence": "", "score": 6},
                "tone": {"evidence": "", "score": 1},
            }
        ),
        changed(
            scores={
                "structure": {"evidence": "", "score": 4.5},
                "tone": {"evidence": "", "score": 1},
            }
        ),
        changed(expectations=[]),
        changed(expectations=[ONE, ONE]),
        changed(total=100),
        "4 of 5",
    ],
    ids=["missing", "out of range", "half", "none decided", "one twice", "extra", "text"],
)
def test_an_answer_that_does_not_fit_is_a_failure(answer: JsonValue) -> None:
    _, ask = failure(answer)
    assert len(ask.queries) == 2


@pytest.mark.parametrize(
    "answer",
    [
        changed(scores={"structure": {"evidence": "", "score": 4}}),
        changed(scores={"structure": {"evidence": "", "score": "4"}}),
        changed(expectations=[{"number": 1, "evidence": "", "passed": "yes"}]),
        {},
        None,
    ],
)
def test_an_answer_is_not_believed_to_fit_because_a_schema_was_asked_for(
    answer: JsonValue,
) -> None:
    with pytest.raises(JudgeFailure):
        read_judgement(answer, CASE.standard, RUBRIC)


def test_long_texts_and_lists_are_cut() -> None:
    claim: JsonValue = {
        "claim": "x" * 9_000,
        "type": "factual",
        "evidence": "",
        "verified": True,
    }
    many: list[JsonValue] = [claim] * 99
    found = read_judgement(changed(claims=many), CASE.standard, RUBRIC)
    assert len(found.claims) == 20
    assert len(found.claims[0].claim) < 4_100


def test_without_a_rubric_or_expectations_nothing_is_asked_about_them() -> None:
    bare = grading_schema(Standard(), None)
    assert bare["required"] == ["claims", "suggestions", "overall"]
    found = read_judgement({"claims": [], "suggestions": [], "overall": ""}, Standard(), None)
    assert found == Judgement()


def test_the_schema_is_one_that_services_enforce() -> None:
    """All properties required and no others: what strict structured output asks for."""
    nodes: list[JsonValue] = [grading_schema(CASE.standard, RUBRIC)]
    objects = 0
    while nodes:
        node = nodes.pop()
        if isinstance(node, dict):
            if node.get("type") == "object":
                objects += 1
                assert node["additionalProperties"] is False
                properties = node["properties"]
                assert isinstance(properties, dict)
                assert node["required"] == list(properties)
            nodes += node.values()
        elif isinstance(node, list):
            nodes += node
    assert objects == 7


NAMES = st.text(min_size=1, max_size=80)


@st.composite
def rubrics(draw: st.DrawFn) -> Rubric:
    names = draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
    dimensions: list[Dimension] = []
    for name in names:
        low = draw(st.sampled_from([0, 1, 0.5]))
        high = low + draw(st.sampled_from([1, 4, 99, 0.25]))
        dimensions.append(Dimension(name=name, minimum=low, maximum=high, weight=1))
    return Rubric(name="any", dimensions=tuple(dimensions))


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(rubrics(), st.lists(st.text(max_size=20), max_size=4))
def test_any_rubric_can_be_asked_for_and_read(rubric: Rubric, texts: list[str]) -> None:
    standard = Standard(expectations=tuple(texts))
    schema = grading_schema(standard, rubric)
    answer = example(schema)
    assert isinstance(answer, dict)
    scores = answer["scores"]
    assert isinstance(scores, dict)
    assert all(len(key) <= 64 and key.isascii() for key in scores)
    for number, score in enumerate(scores.values()):
        assert isinstance(score, dict)
        score["evidence"] = f"of {number}"
    decided: list[JsonValue] = [
        {"number": number, "evidence": f"about {number}", "passed": number % 2 == 1}
        for number in range(len(texts), 0, -1)
    ]
    if texts:
        answer["expectations"] = decided
    assert Schema(schema).problems(answer) == ()
    found = read_judgement(answer, standard, rubric)
    assert rubric.misfit({name: score.score for name, score in found.scores.items()}) is None
    for number, dimension in enumerate(rubric.dimensions):
        assert found.scores[dimension.name].evidence == f"of {number}"
    assert [one.text for one in found.expectations] == texts
    assert [one.evidence for one in found.expectations] == [
        f"about {number}" for number in range(1, len(texts) + 1)
    ]


def test_plain_names_are_their_own_keys() -> None:
    assert list(keys(RUBRIC)) == ["structure", "tone"]


def test_an_answer_is_paid_for_once(tmp_path: Path) -> None:
    """The same grade finds the answer on record; another trial with equal work gets its own."""
    store = MemoryStore(lambda _owner: True, SystemClock())
    run, agent = runner(store, tmp_path / "scratch", yields(Ended(now(), json.dumps(JUDGED), USED)))
    made = ModelJudge(JudgeSetup(TrialAsk(run), "hand", "m"))

    async def thrice() -> list[Judgement]:
        return [await made.judge(submission(), RUBRIC, seed) for seed in ("a", "a", "b")]

    first, again, other = asyncio.run(thrice())
    assert first == again
    assert len(agent.starts) == 2
    assert first.asked == (agent.starts[0],)
    assert other.asked == (agent.starts[1],)


def test_a_judge_that_failed_is_asked_again_and_has_not_failed_for_good(tmp_path: Path) -> None:
    """What it said wrongly stays on record; looking at that costs nothing."""
    store = MemoryStore(lambda _owner: True, SystemClock())
    bad, good = (
        yields(Ended(now(), text, USED)) for text in ("I would rather not.", json.dumps(JUDGED))
    )
    run, agent = runner(store, tmp_path / "scratch", bad, bad, bad, bad, good)
    made = ModelJudge(JudgeSetup(TrialAsk(run), "hand", "m"))

    async def twice() -> Judgement:
        with pytest.raises(JudgeFailure):
            await made.judge(submission(), RUBRIC, "seed")
        assert len(agent.starts) == 4, "two questions, each repaired once"
        return await made.judge(submission(), RUBRIC, "seed")

    assert asyncio.run(twice()).asked == tuple(agent.starts)
    assert len(agent.starts) == 5


def test_an_answer_that_fits_the_schema_and_means_nothing_is_no_failure_for_good(
    tmp_path: Path,
) -> None:
    """One expectation decided twice and another not at all: no schema can forbid it."""
    twice = {**JUDGED, "expectations": [{"number": 1, "evidence": "", "passed": True}] * 2}
    store = MemoryStore(lambda _owner: True, SystemClock())
    bad, good = (yields(Ended(now(), json.dumps(said), USED)) for said in (twice, JUDGED))
    run, agent = runner(store, tmp_path / "scratch", bad, bad, good)
    made = ModelJudge(JudgeSetup(TrialAsk(run), "hand", "m"))

    async def again() -> Judgement:
        with pytest.raises(JudgeFailure, match="exactly once") as failed:
            await made.judge(submission(), RUBRIC, "seed")
        assert failed.value.asked == tuple(agent.starts), "it cost something all the same"
        assert len(agent.starts) == 2
        return await made.judge(submission(), RUBRIC, "seed")

    assert asyncio.run(again()).asked == tuple(agent.starts)
    assert len(agent.starts) == 3
