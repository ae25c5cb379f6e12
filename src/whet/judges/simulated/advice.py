"""What the simulated judge says of a case as a test: only what can be told from its outcome."""

from collections.abc import Iterator, Sequence

from whet.core.grade import JudgedExpectation, Suggestion
from whet.ports.judge import Submission

SIMULATED = "Advice of the built-in simulated judge."
_POOR = 0.5


def suggestions(
    submission: Submission, expectations: Sequence[JudgedExpectation], share: float
) -> tuple[Suggestion, ...]:
    """What could be better about the case; *share* is how good the submission looks."""
    return tuple(_advice(submission, expectations, share))


def _advice(
    submission: Submission, expectations: Sequence[JudgedExpectation], share: float
) -> Iterator[Suggestion]:
    for check in submission.checks:
        if check.vacuous:
            yield Suggestion(
                assertion=check.id,
                reason="It passed because there was nothing to look at; check first that the "
                "file is there.",
            )
    decided = [check.passed for check in submission.checks if not check.skipped]
    decided += [expectation.passed for expectation in expectations]
    if decided and all(decided) and share < _POOR:
        yield Suggestion(reason="Every expectation is met although the work is poor.")
    if not submission.outputs:
        yield Suggestion(reason="Nothing checks that a file was produced at all.")
