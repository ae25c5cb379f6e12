"""A judge that looks for the words of the expected result."""

import re
from collections.abc import Mapping

from whet.core.errors import JudgeFailure
from whet.core.grade import DimensionScore
from whet.core.rubric import Rubric
from whet.ports.judge import Submission


class MentionsJudge:
    name = "mentions"
    version = "1"
    simulated = False

    async def judge(
        self, submission: Submission, rubric: Rubric, seed: str
    ) -> Mapping[str, DimensionScore]:
        wanted = words(submission.case.standard.expected)
        if not wanted:
            raise JudgeFailure("the case expects nothing that could be looked for")
        files = (data.decode(errors="replace") for data in submission.outputs.values())
        found = wanted & words(" ".join([submission.answer, *files]))
        share = len(found) / len(wanted)
        evidence = f"{len(found)} of {len(wanted)} expected words"
        return {
            dimension.name: DimensionScore(
                score=dimension.minimum + share * (dimension.maximum - dimension.minimum),
                evidence=evidence,
            )
            for dimension in rubric.dimensions
        }


def words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", text.lower()))
