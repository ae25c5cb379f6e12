"""No errors: what counts as one."""

import pytest
from pydantic import JsonValue

from tests.checkers.subjects import call, check, failure, record, session
from whet.core.failure import Failure
from whet.documents.session import Session
from whet.ports.checker import Subject


def outcome(log: Session | None, answer: str = "Done.") -> tuple[str, str]:
    result = check(Subject(record(answer), log, {}), "no_errors")
    return result.outcome, result.evidence


def test_all_is_well() -> None:
    log = session(call("Bash", "4 passed"), messages=("I run the tests.", "Done."))
    assert outcome(log) == ("passed", "No errors in 1 call and what was said")


def test_without_a_transcript_it_is_vacuous() -> None:
    assert outcome(None) == ("vacuous", "vacuous: there is no transcript")


def test_a_run_that_failed_is_an_error_with_or_without_a_transcript() -> None:
    for log in (None, session()):
        result = check(Subject(failure(Failure.TIMEOUT, "took 60 s"), log, {}), "no_errors")
        assert (result.outcome, result.evidence) == ("failed", "the run failed: took 60 s")


def test_a_failed_call_is_an_error() -> None:
    log = session(call("Read", "no such file", ok=False, category="perception"))
    assert outcome(log) == ("failed", "Read failed: no such file")


@pytest.mark.parametrize(
    "sign",
    [
        "TypeError: x",
        "2 FAILED",
        "java.lang.Exception: y",
        "Traceback (most recent call last)",
        "Command failed with 1",
    ],
)
@pytest.mark.parametrize("where", ["message", "answer", "output"])
def test_a_sign_of_an_error_is_one(sign: str, where: str) -> None:
    text = f"first line\n  {sign}\n"
    calls: list[JsonValue] = [call("Bash", text)] if where == "output" else []
    log = session(*calls, messages=("Hm.", text) if where == "message" else ())
    found = outcome(log, text if where == "answer" else "Done.")
    place = {"message": "message 2", "answer": "answer", "output": "Bash"}[where]
    assert found == ("failed", f"{place}:2: {sign}")


def test_what_is_only_asked_read_or_written_is_no_error() -> None:
    log = session(
        call("Read", "raise ValueError: bad", category="perception"),
        call("Write", "Wrote a.py", content="print('Error: bad')"),
        prompt="Fix the Error: it FAILED",
    )
    assert outcome(log)[0] == "passed"


def test_three_errors_are_evidence_enough() -> None:
    log = session(*[call("Bash", f"exit {n}", ok=False) for n in range(5)])
    assert (
        outcome(log)[1]
        == "Bash failed: exit 0; Bash failed: exit 1; Bash failed: exit 2 and 2 more"
    )
