"""Errors say one line to people and one word to machines."""

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from whet.core import errors
from whet.core.failure import Failure
from whet.core.instant import iso, iso_seconds
from whet.core.usage import Usage
from whet.core.value import Value

RAISED = [
    errors.WhetError("it broke"),
    errors.UsageError("no"),
    errors.NotFound("no skill 'x'"),
    errors.UnknownPart("engine", "x", ["claude", "codex"]),
    errors.UnknownPart("engine", "x", []),
    errors.InvalidDocument(Path("a/meta.json"), "cases[0].id", "missing"),
    errors.InvalidDocument("a/meta.json", "", "broken JSON"),
    errors.InvalidSuite(Path("evals.json"), ["eval 1: no prompt", "eval 2: twice"]),
    errors.Conflict("job 1", "revision 1", "revision 2"),
    errors.WrongStatus("run 1 is running; cancel it first", "finished", "running"),
    errors.ConsentNeeded("the package report gives command argv"),
    errors.Draining(),
    errors.ConfirmationNeeded("3 agent runs: add --yes"),
    errors.EnvironmentProblem("disk full"),
    errors.QueueFull("10,000 jobs wait"),
    errors.BudgetExhausted("used up"),
    errors.EngineFailure(Failure.CRASH, "gone"),
    errors.AskFailure("invalid", "claude", "$.a:\nnot a number", "{}", Usage()),
    errors.JudgeFailure("nothing usable"),
    errors.InvalidSkill("my-skill", ["SK101 no name"]),
    errors.InvalidJob("job of report", ["input.title: must be a text"]),
    errors.Unsupported("engine", "skill report does not run on codex; it runs on claude"),
    errors.NotHigher("report", "1.0", "0.9"),
    errors.Halted("Three writers", "paused"),
    errors.InvalidImport("cases.csv", ["case 1: input: must not be empty"]),
]


def every_error() -> set[type[errors.WhetError]]:
    found: set[type[errors.WhetError]] = set()
    kinds = [errors.WhetError]
    while kinds:
        kind = kinds.pop()
        found.add(kind)
        kinds += kind.__subclasses__()
    return found


def test_every_error_is_looked_at_here() -> None:
    assert {type(error) for error in RAISED} == every_error()


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
def test_a_message_is_one_line(error: errors.WhetError) -> None:
    assert str(error)
    assert len(str(error).splitlines()) == 1


def test_codes_tell_errors_apart() -> None:
    codes = [kind.code for kind in every_error()]
    assert len(codes) == len(set(codes))


def test_exit_codes() -> None:
    assert errors.WhetError.exit_code == 1
    assert {error.exit_code for error in RAISED if isinstance(error, errors.UsageError)} == {2}
    assert errors.EnvironmentProblem.exit_code == 3


def test_messages_name_the_thing_and_what_there_is() -> None:
    assert str(RAISED[3]) == "unknown engine 'x'; known: claude, codex"
    assert str(RAISED[4]) == "unknown engine 'x'; known: none"
    assert str(RAISED[5]) == "a/meta.json: cases[0].id: missing"
    assert str(RAISED[6]) == "a/meta.json: broken JSON"
    assert str(RAISED[7]) == "evals.json has 2 mistakes: eval 1: no prompt; eval 2: twice"
    assert str(RAISED[8]) == "job 1 changed meanwhile: expected revision 1, found revision 2"


def test_the_drawing_of_the_tree_is_complete() -> None:
    drawn = errors.__doc__ or ""
    assert [kind.__name__ for kind in every_error() if kind.__name__ not in drawn] == []


def test_failures_are_answers_or_worth_another_try_or_a_persons_business() -> None:
    answers = {Failure.CONTEXT, Failure.REFUSAL, Failure.MAX_TURNS, Failure.BUDGET, Failure.TIMEOUT}
    again = {Failure.RATE_LIMIT, Failure.OVERLOAD, Failure.CRASH, Failure.NETWORK}
    assert {failure for failure in Failure if failure.is_answer} == answers
    assert {failure for failure in Failure if failure.is_transient} == again
    assert set(Failure) - answers - again == {Failure.AUTH}


def test_a_value_takes_no_unknown_field_and_does_not_change() -> None:
    class Point(Value):
        x: int

    with pytest.raises(ValueError, match="Extra inputs"):
        Point.model_validate({"x": 1, "y": 2})
    with pytest.raises(ValueError, match="frozen"):
        setattr(Point(x=1), next(iter(Point.model_fields)), 2)


def test_moments_are_written_in_utc() -> None:
    moment = datetime(2024, 1, 1, 1, 2, 3, 456789, tzinfo=timezone(timedelta(hours=8)))
    assert iso(moment) == "2023-12-31T17:02:03.456Z"
    assert iso_seconds(moment) == "2023-12-31T17:02:03Z"
