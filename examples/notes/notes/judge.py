"""A judge that looks for the words of the expected result."""

import re

from whet.core.errors import JudgeFailure
from whet.core.grade import DimensionScore, JudgedExpectation, Judgement
from whet.core.rubric import Rubric
from whet.ports.judge import JudgeSetup, Submission


class MentionsJudge:
    name = "mentions"
    version = "1"
    model = ""
    simulated = False

    def __init__(self, setup: JudgeSetup) -> None:
        pass

    async def judge(self, submission: Submission, rubric: Rubric | None, seed: str) -> Judgement:
        wanted = words(submission.case.standard.expected)
        if not wanted:
            raise JudgeFailure("the case expects nothing that could be looked for")
        files = (data.decode(errors="replace") for data in submission.outputs.values())
        found = wanted & words(" ".join([submission.answer, *files]))
        share = len(found) / len(wanted)
        evidence = f"{len(found)} of {len(wanted)} expected words"
        scores = {
            dimension.name: DimensionScore(
                score=dimension.minimum + share * (dimension.maximum - dimension.minimum),
                evidence=evidence,
            )
            for dimension in (rubric.dimensions if rubric else ())
        }
        decided = tuple(
            JudgedExpectation(text=text, passed=words(text) <= found, evidence=evidence)
            for text in submission.case.standard.expectations
        )
        return Judgement(scores=scores, expectations=decided)


def words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", text.lower()))
