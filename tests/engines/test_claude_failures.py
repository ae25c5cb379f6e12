"""Every kind of trouble that the real program can get into, and how it is sorted."""

import socket
from collections.abc import Mapping
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.engines.claude_trials import MODEL, bash, claude, several, trial
from tests.engines.driving import Run, bench, says
from whet.core.errors import EngineFailure, EnvironmentProblem, UsageError, WhetError
from whet.core.failure import Failure
from whet.core.usage import Usage
from whet.engines.claude import ClaudeEngine
from whet.ports.machine import Machine
from whet.testing.model_server import Answer, Conversation, Problem, Script, Turn

slow = pytest.mark.slow


def error(status: int, message: str = "so it is") -> tuple[Turn, ...]:
    return (Turn(error=Problem(status=status, message=message)),)


TROUBLES: Mapping[str, tuple[Turn, ...]] = {
    "T-UNAUTHORISED": error(401, "invalid x-api-key"),
    "T-FORBIDDEN": error(403),
    "T-NO-MONEY": error(400, "Your credit balance is too low to access the Anthropic API."),
    "T-TOO-MANY": error(429),
    "T-OVERLOADED": error(529, "Overloaded"),
    "T-BROKEN": error(500),
    "T-TOO-LONG": error(400, "prompt is too long: 250000 tokens > 200000 maximum"),
    "T-TOO-LARGE": error(413),
    "T-NO-MODEL": error(404, f"model: {MODEL}"),
    "T-NONSENSE": error(400, "this is not understood"),
    "T-REFUSED": (Turn(text="I would rather", stop="refusal"),),
    "T-ENDLESS": (Turn(text="on and on", stop="length"),),
    "T-TURNS": (Turn(text="One.", calls=(bash("echo 1"), bash("echo 2"))),) * 5,
    "T-MONEY": (Turn(text="One.", calls=(bash("echo 1"),)),) * 5,
    "T-CUT": (Turn(text=("It is ", "cut ", "off."), cut=4),),
    "T-LATER": (
        Turn(text="First.", calls=(bash("echo 1"),)),
        Turn(error=Problem(status=429, message="not now")),
    ),
    "T-RETRIED": (Turn(hits=(Answer(error=Problem(status=529)), Answer(text="Now."))),),
    "T-NO-JSON": (Turn(text="I will not."),),
}
OPTIONS: Mapping[str, dict[str, JsonValue]] = {
    "T-TURNS": {"max_turns": 2},
    "T-MONEY": {"max_budget_usd": 0.0001},
    "T-NO-JSON": {"output_schema": {"type": "object"}},
}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run | WhetError]:
    script = Script(
        conversations=tuple(
            Conversation(marker=marker, turns=turns) for marker, turns in TROUBLES.items()
        )
    )
    with bench(tmp_path_factory.mktemp("troubles"), script) as made:
        plain = {marker: trial(made, f"Here is {marker}.") for marker in TROUBLES}
        specs = [
            spec.model_copy(update={"options": OPTIONS.get(marker, {})})
            for marker, spec in plain.items()
        ]
        return dict(zip(TROUBLES, several(made, specs), strict=True))


@slow
@pytest.mark.parametrize(
    ("marker", "failure", "words"),
    [
        ("T-UNAUTHORISED", Failure.AUTH, "Invalid API key"),
        ("T-FORBIDDEN", Failure.AUTH, "so it is"),
        ("T-NO-MONEY", Failure.AUTH, "Credit balance"),
        ("T-TOO-MANY", Failure.RATE_LIMIT, "so it is"),
        ("T-OVERLOADED", Failure.OVERLOAD, "Overloaded"),
        ("T-BROKEN", Failure.OVERLOAD, "so it is"),
        ("T-TOO-LONG", Failure.CONTEXT, "too long"),
        ("T-TOO-LARGE", Failure.CONTEXT, "too large"),
        ("T-NONSENSE", Failure.CRASH, "this is not understood"),
        ("T-REFUSED", Failure.REFUSAL, "can't help"),
        ("T-ENDLESS", Failure.CONTEXT, "output token maximum"),
        ("T-TURNS", Failure.MAX_TURNS, "2"),
        ("T-MONEY", Failure.BUDGET, "maximum budget"),
        ("T-LATER", Failure.RATE_LIMIT, "not now"),
        ("T-NO-JSON", Failure.CRASH, "output schema"),
    ],
)
def test_a_trouble_is_sorted(
    outcomes: dict[str, Run | WhetError], marker: str, failure: Failure, words: str
) -> None:
    run = outcomes[marker]
    assert isinstance(run, Run)
    ended = run.ended
    assert ended.failure is failure
    assert ended.error is not None
    assert words in ended.error
    assert "\n" not in ended.error


@slow
def test_a_model_that_is_not_there_is_a_mistake_of_the_caller(
    outcomes: dict[str, Run | WhetError],
) -> None:
    problem = outcomes["T-NO-MODEL"]
    assert isinstance(problem, UsageError)
    assert MODEL in str(problem)


@slow
def test_passing_troubles_are_got_over_by_the_program_itself(
    outcomes: dict[str, Run | WhetError],
) -> None:
    cut, retried = outcomes["T-CUT"], outcomes["T-RETRIED"]
    assert isinstance(cut, Run)
    assert isinstance(retried, Run)
    assert (cut.ended.failure, cut.ended.answer) == (None, "It is cut off.")
    assert (retried.ended.failure, retried.ended.answer) == (None, "Now.")


@slow
def test_what_was_used_before_the_trouble_is_charged(
    outcomes: dict[str, Run | WhetError],
) -> None:
    later, turns, money = (outcomes[name] for name in ("T-LATER", "T-TURNS", "T-MONEY"))
    assert isinstance(later, Run)
    assert isinstance(turns, Run)
    assert isinstance(money, Run)
    cost = later.ended.usage.cost_usd
    assert cost is not None
    assert later.ended.usage == Usage(input_tokens=100, output_tokens=10, cost_usd=cost)
    assert later.ended.answer == "First."
    # An answer of the model is a turn, however many tools it calls.
    assert turns.ended.usage.input_tokens == 200
    assert turns.tools == ["Bash"] * 4
    assert money.ended.usage.cost_usd is not None
    assert money.ended.usage.cost_usd > 0.0001


@slow
def test_a_model_of_an_unknown_price_costs_nobody_knows_what(tmp_path: Path) -> None:
    with bench(tmp_path, says("Fine.")) as made:
        run = made.drive(claude(made), trial(made, "Hello.", model="a-model-of-our-own"))
    assert run.ended.usage == Usage(input_tokens=100, output_tokens=10, cost_usd=None)
    assert "a-model-of-our-own" in run.sent


@slow
def test_nobody_listens(tmp_path: Path) -> None:
    with bench(tmp_path, says("Never.")) as made, socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        engine = claude(made, ANTHROPIC_BASE_URL=f"http://127.0.0.1:{deaf.getsockname()[1]}")
        ended = made.drive(engine, trial(made, "Hello.")).ended
    assert ended.failure is Failure.NETWORK
    assert ended.error


@slow
def test_no_credential_no_request(tmp_path: Path) -> None:
    with bench(tmp_path, says("Never.")) as made:
        engine = claude(made, ANTHROPIC_API_KEY="")
        with pytest.raises(EngineFailure, match="no credential; set ANTHROPIC_API_KEY") as problem:
            made.drive(engine, trial(made, "Hello."))
        assert problem.value.kind is Failure.AUTH
        assert made.server.requests == ()


def test_the_program_is_missing(tmp_path: Path) -> None:
    engine = ClaudeEngine(Machine({"PATH": str(tmp_path)}, tmp_path))
    with pytest.raises(EnvironmentProblem, match="npm install -g @anthropic-ai/claude-code"):
        engine.version({})
    found = engine.inspect()
    assert not found.installed
    assert found.fix == "npm install -g @anthropic-ai/claude-code"


def test_a_program_that_babbles_and_dies(tmp_path: Path) -> None:
    program = tmp_path / "bin/claude"
    program.parent.mkdir()
    program.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = --version ]; then echo 9.9.9; exit; fi\n'
        'echo \'{"type": "assistant", "message": 7}\'; echo \'{oops\'; echo gone >&2; exit 3\n'
    )
    program.chmod(0o755)
    with bench(_folder(tmp_path / "bench"), says("Never.")) as made:
        given = {"PATH": f"{program.parent}:/usr/bin:/bin", "ANTHROPIC_API_KEY": "k"}
        engine = ClaudeEngine(Machine(given, made.home))
        assert engine.version({}) == "9.9.9"
        ended = made.drive(engine, made.spec(engine, "Hello.", model=MODEL)).ended
    assert (ended.failure, ended.error) == (Failure.CRASH, "exit code 3: gone")


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def test_an_option_that_cannot_be_is_refused(tmp_path: Path) -> None:
    with bench(tmp_path, says("Never.")) as made:
        spec = trial(made, "Hello.", max_turns=0)
        with pytest.raises(UsageError, match="option max_turns of engine claude"):
            made.drive(claude(made), spec)
