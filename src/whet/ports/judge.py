"""The judge port."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from whet.core.case import Case
from whet.core.check import CheckResult
from whet.core.grade import Judgement
from whet.core.rubric import Rubric
from whet.ports.ask import Ask


@dataclass(frozen=True, slots=True)
class Submission:
    """What a judge sees: the case and what was produced. Not who produced it."""

    case: Case
    answer: str
    outputs: Mapping[str, bytes]
    """The kept files by path."""

    transcript: Callable[[], str] = field(default=lambda: "", compare=False)
    """What the agent did, shortened; worked out when it is asked for, so best in a thread."""

    checks: tuple[CheckResult, ...] = ()
    """What is decided already."""


@dataclass(frozen=True, slots=True)
class JudgeSetup:
    """What a judge is made with; the engine and the model are what it asks, if it asks any."""

    ask: Ask
    engine: str = ""
    model: str = ""


class Judge(Protocol):
    """Scores a submission on each dimension of a rubric, and decides expectations in words.

    Made with a ``JudgeSetup`` as its only argument. Whoever calls checks the judgement against
    rubric and expectations and computes the total. Raises ``JudgeFailure`` when it has none,
    and ``BudgetExhausted``. *seed* is unlike for every reading: a judge with chance in it draws
    from there, and one that asks a model asks anew for another seed.
    """

    name: str
    version: str
    """Whatever makes it judge differently: prompts, the engine that it asks, its version."""

    model: str
    simulated: bool

    async def judge(self, submission: Submission, rubric: Rubric | None, seed: str) -> Judgement:
        """Score every dimension of *rubric*, and decide every expectation of the case."""
        ...
