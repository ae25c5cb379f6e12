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
    between: str


_ENGLISH = _Words(
    stopped={
        "decided": "Stopped as soon as that was clear.",
        "runs": "All the runs that were allowed were used.",
        "budget": "The budget was used up.",
    },
    estimate="The difference is an estimate that stopping early flatters; the interval counts.",
    between=" ",
)

_CHINESE = _Words(
    stopped={
        "decided": "一旦明确便停止。",
        "runs": "允许的运行已全部用完。",
        "budget": "预算已用完。",
    },
    estimate="差值只是估计，提前停止会使它偏大；请以区间为准。",
    between="",
)


def in_words(
    verdict: Verdict,
    language: str,
    against: str,
    stopped_because: Literal["decided", "runs", "budget"],
    *,
    is_decided: bool,
) -> str:
    """The usual sentences, and why it ended there."""
    words = _CHINESE if language == "zh" else _ENGLISH
    told = [verdict_words.in_words(verdict, language, against)]
    if verdict.delta is not None:
        told.append(words.stopped[stopped_because])
        if is_decided and stopped_because == "decided":
            told.append(words.estimate)
    return words.between.join(told)
