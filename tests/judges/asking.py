"""An ``Ask`` written by hand, and submissions to put to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from whet.core.case import Case, Standard, Stimulus
from whet.core.check import CheckResult
from whet.core.errors import AskFailure
from whet.core.rubric import Dimension, Rubric
from whet.core.usage import Usage
from whet.documents.schema import Schema
from whet.judges.model import ModelJudge
from whet.ports.ask import Query, Reply
from whet.ports.judge import JudgeSetup, Submission

USED = Usage(input_tokens=10, output_tokens=5)
RUBRIC = Rubric(
    name="two",
    dimensions=(
        Dimension(
            name="structure",
            minimum=1,
            maximum=5,
            weight=0.75,
            description="Is it in order?",
            anchors={"1": "a heap", "5": "a library"},
        ),
        Dimension(name="tone", maximum=1.5, weight=0.25),
    ),
)
EXPECTATIONS = ("Says hello.", "Names the user.")
CASE = Case(
    id="7",
    set="evals",
    name="greeting",
    stimulus=Stimulus(prompt="Greet the user."),
    standard=Standard(expected="A friendly word.", rubric=RUBRIC, expectations=EXPECTATIONS),
)
CHECK = CheckResult(
    id="S1",
    type="file_exists",
    text="There is a greeting",
    outcome="passed",
    score=1,
    evidence="Found: hello.md",
    critical=True,
)
JUDGED: dict[str, JsonValue] = {
    "expectations": [
        {"number": 2, "evidence": "nobody is named", "passed": False},
        {"number": 1, "evidence": "hello.md:1", "passed": True},
    ],
    "scores": {
        "structure": {"evidence": "one line", "score": 4},
        "tone": {"evidence": "warm", "score": 1.25},
    },
    "claims": [
        {"claim": "it is tested", "type": "process", "evidence": "no test ran", "verified": False}
    ],
    "suggestions": [
        {"assertion": "S1", "reason": "an empty file passes"},
        {"assertion": None, "reason": "nothing checks the name"},
    ],
    "overall": "Too easy.",
}


def side(*points: int, quality: int = 7) -> JsonValue:
    """One side of a comparison: correctness, completeness, accuracy, organization, formatting,
    usability."""
    names = (
        "correctness", "completeness", "accuracy", "organization", "formatting", "usability",
    )  # fmt: skip
    return {
        "points": dict(zip(names, points, strict=True)),
        "quality": quality,
        "strengths": ["short"],
        "weaknesses": ["too short"],
    }


COMPARED: dict[str, JsonValue] = {
    "a": side(5, 4, 3, 4, 4, 4, quality=8),
    "b": side(2, 2, 2, 1, 3, 5, quality=4),
    "reasoning": "A names the user.",
    "winner": "A",
}


@dataclass
class HandAsk:
    """``ports.ask.Ask`` with answers that are given one after the other, the last for ever."""

    answers: Sequence[JsonValue | Exception]
    simulated: bool = False
    queries: list[Query] = field(default_factory=list[Query])

    async def __call__(self, query: Query) -> Reply:
        assert query.schema is not None
        schema = Schema(query.schema)
        answer = self.answers[min(len(self.queries), len(self.answers) - 1)]
        self.queries.append(query)
        if isinstance(answer, Exception):
            raise answer
        if problems := schema.problems(answer):
            raise AskFailure("invalid", query.engine, problems[0], "", USED)
        return Reply(
            text="",
            value=answer,
            usage=USED,
            engine="hand",
            model=query.model,
            simulated=self.simulated,
            repaired=False,
            addresses=("address",),
        )


def judge(*answers: JsonValue | Exception, simulated: bool = False) -> tuple[ModelJudge, HandAsk]:
    ask = HandAsk(answers, simulated)
    return ModelJudge(JudgeSetup(ask, "claude", "opus")), ask


def submission(
    answer: str = "Done.",
    outputs: Mapping[str, bytes] | None = None,
    transcript: str = "",
    case: Case = CASE,
    checks: tuple[CheckResult, ...] = (CHECK,),
) -> Submission:
    files = {"hello.md": b"Hello!"} if outputs is None else outputs
    return Submission(case, answer, files, lambda: transcript, checks)
