"""Two submissions side by side, put to a model and to the simulated judge."""

import asyncio

import pytest
from pydantic import JsonValue

from tests.judges.asking import CHECK, COMPARED, judge, side, submission
from tests.judges.test_simulated_judge import CASE as CODE_CASE
from tests.judges.test_simulated_judge import GOOD
from whet.core.errors import BudgetExhausted, JudgeFailure
from whet.documents.schema import Schema
from whet.judges.model.schema import comparing_schema, read_preference
from whet.judges.simulated import SimulatedJudge
from whet.ports.comparing import CONTENT, STRUCTURE, Assessment, Preference
from whet.ports.judge import Submission
from whet.testing.model_server.schema import example

OURS = submission("The answer of one", {"one.md": b"Text of one"}, "I took the skill.")
OTHER = submission("The answer of two", {"two.md": b"Text of two"}, "I went ahead.")


def test_an_answer_becomes_a_preference() -> None:
    made, ask = judge(COMPARED)
    found = asyncio.run(made.compare(OURS, OTHER, "seed"))
    names = (*CONTENT, *STRUCTURE)
    assert found == Preference(
        winner="A",
        reasoning="A names the user.",
        a=Assessment(
            dict(zip(names, (5, 4, 3, 4, 4, 4), strict=True)), 8, ("short",), ("too short",)
        ),
        b=Assessment(
            dict(zip(names, (2, 2, 2, 1, 3, 5), strict=True)), 4, ("short",), ("too short",)
        ),
        asked=("address",),
    )
    [query] = ask.queries
    assert query.limits.timeout_seconds == 300


def test_the_judge_sees_both_sides_and_not_how_they_came_about() -> None:
    made, ask = judge(COMPARED)
    asyncio.run(made.compare(OURS, OTHER, "seed"))
    prompt = ask.queries[0].prompt
    assert prompt.index("Text of one") < prompt.index("Text of two")
    for shown in ("Greet the user.", "A friendly word.", "Names the user.", "Is it in order?"):
        assert shown in prompt
    for hidden in ("I took the skill.", "I went ahead.", CHECK.evidence, CHECK.text):
        assert hidden not in prompt


def test_exchanged_sides_are_another_question() -> None:
    made, ask = judge(COMPARED)

    async def both() -> None:
        await made.compare(OURS, OTHER, "seed")
        await made.compare(OTHER, OURS, "seed")

    asyncio.run(both())
    first, second = (query.prompt for query in ask.queries)
    assert first != second
    assert second.index("Text of two") < second.index("Text of one")


def test_the_schema_has_an_example_that_can_be_read() -> None:
    schema = comparing_schema()
    answer = example(schema)
    assert Schema(schema).problems(answer) == ()
    found = read_preference(answer)
    assert set(found.a.points) == {*CONTENT, *STRUCTURE}
    assert found.winner == "A"


@pytest.mark.parametrize(
    "answer",
    [
        {**COMPARED, "winner": "both"},
        {**COMPARED, "a": side(6, 1, 1, 1, 1, 1)},
        {**COMPARED, "b": side(0, 1, 1, 1, 1, 1)},
        {**COMPARED, "a": side(1, 1, 1, 1, 1, 1, quality=11)},
        {**COMPARED, "a": {"points": {}, "quality": 1, "strengths": [], "weaknesses": []}},
        [],
    ],
)
def test_what_does_not_fit_is_a_failure_with_and_without_a_schema(answer: JsonValue) -> None:
    with pytest.raises(JudgeFailure):
        read_preference(answer)
    made, ask = judge(answer)
    with pytest.raises(JudgeFailure):
        asyncio.run(made.compare(OURS, OTHER, "seed"))
    assert len(ask.queries) == 2


def test_an_empty_purse_passes_through() -> None:
    made, _ = judge(BudgetExhausted("no money"))
    with pytest.raises(BudgetExhausted):
        asyncio.run(made.compare(OURS, OTHER, "seed"))


def code(source: str) -> Submission:
    return Submission(CODE_CASE, "", {"fib.py": source.encode()})


def test_the_simulated_judge_fills_the_same_and_says_what_it_is() -> None:
    poor = code("def f(n):\n    return f(n-1)+f(n-2)\n")

    async def both() -> list[Preference]:
        made = SimulatedJudge()
        return [
            await made.compare(*sides, "s") for sides in ((code(GOOD), poor), (poor, code(GOOD)))
        ]

    first, second = asyncio.run(both())
    assert (first.winner, second.winner) == ("A", "B")
    assert (first.a, first.b) == (second.b, second.a)
    for found in (first, second):
        assert found.simulated
        assert found.reasoning.startswith("simulated:")
        for one in (found.a, found.b):
            assert set(one.points) == {*CONTENT, *STRUCTURE}
            assert all(point in range(1, 6) for point in one.points.values())
            assert 1 <= one.quality <= 10
            assert one.strengths
            assert one.weaknesses
    assert first.a.quality > first.b.quality
    assert first.a.points["correctness"] > first.b.points["correctness"]


def test_the_simulated_judge_calls_equals_a_tie() -> None:
    made = SimulatedJudge()
    assert asyncio.run(made.compare(code(GOOD), code(GOOD), "s")).winner == "TIE"
    nothing = Submission(CODE_CASE, "", {})
    assert asyncio.run(made.compare(nothing, nothing, "s")).winner == "TIE"
