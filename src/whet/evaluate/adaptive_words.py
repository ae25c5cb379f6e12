"""What an adaptive run found, in a few sentences for people."""

from dataclasses import dataclass
from typing import Literal

from whet.documents.verdict import Verdict
from whet.evaluate import verdict_words


@dataclass(frozen=True)
class _Words:
    """The sentences of one language."""

    stopped: dict[str, str]
    estimate: str
    only_these: str
    between: str


_ENGLISH = _Words(
    stopped={
        "decided": "Stopped as soon as that was clear.",
        "runs": "Not clear after all the runs that were allowed.",
        "budget": "Not clear when the budget was used up.",
    },
    estimate="The difference is an estimate that stopping early flatters; the interval counts.",
    only_these="This speaks of these evals, not of others like them.",
    between=" ",
)

_CHINESE = _Words(
    stopped={
        "decided": "一旦明确便停止。",
        "runs": "允许的运行全部用完后仍不明确。",
        "budget": "预算用完时仍不明确。",
    },
    estimate="差值只是估计，提前停止会使它偏大；请以区间为准。",
    only_these="结论只针对这些评测，不涉及其他类似的评测。",
    between="",
)


def in_words(
    verdict: Verdict,
    language: str,
    against: str,
    *,
    stopped_because: Literal["decided", "runs", "budget"],
    only_these: bool,
) -> str:
    """The usual sentence, why it ended there, and what it speaks of."""
    words = _CHINESE if language == "zh" else _ENGLISH
    told = [verdict_words.in_words(verdict, language, against)]
    if verdict.delta is not None:
        told.append(words.stopped[stopped_because])
        if verdict.label in ("better", "worse"):
            told.append(words.estimate)
        if only_these:
            told.append(words.only_these)
    return words.between.join(told)
