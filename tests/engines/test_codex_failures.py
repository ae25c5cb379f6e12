"""Every kind of trouble, made by the scripted model or the machine, as the program shows it."""

import socket
from collections.abc import Mapping
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.engines.codex_trials import MODEL, codex, several, shell, trial
from tests.engines.driving import Run, bench, says
from whet.core.errors import EngineFailure, EnvironmentProblem, UsageError, WhetError
from whet.core.failure import Failure
from whet.core.usage import Usage
from whet.engines.codex import CodexEngine
from whet.ports.machine import Machine
from whet.testing.model_server import Answer, Conversation, Problem, Script, Turn

slow = pytest.mark.slow


def error(status: int, message: str = "so it is", kind: str | None = None) -> tuple[Turn, ...]:
    return (Turn(error=Problem(status=status, message=message, type=kind)),)


TROUBLES: Mapping[str, tuple[Turn, ...]] = {
    "T-UNAUTHORISED": error(401, "Incorrect API key provided"),
    "T-FORBIDDEN": error(403),
    "T-NO-MONEY": error(429, "You exceeded your current quota", "insufficient_quota"),
    "T-TOO-MANY": error(429),
    "T-OVERLOADED": error(529, "overloaded"),
    "T-BROKEN": error(500),
    "T-AWAY": error(503),
    "T-TOO-LONG": error(400, "Your input exceeds the context window", "context_length_exceeded"),
    "T-TOO-LARGE": error(413),
    "T-NO-MODEL": error(404, f"The model `{MODEL}` does not exist", "model_not_found"),
    "T-NONSENSE": error(400, "this is not understood"),
    "T-FLAGGED": error(400, "Your prompt was flagged by our policy", "invalid_prompt"),
    "T-REFUSED": (Turn(text="I would rather not", stop="refusal"),),
    "T-ENDLESS": (Turn(text="on and on", stop="length"),),
    "T-TURNS": (Turn(text="One.", calls=(shell("echo 1"),)),) * 9,
    "T-CUT": (Turn(text=("It is ", "cut ", "off."), cut=4),),
    "T-LATER": (
        Turn(text="First.", calls=(shell("echo 1"),)),
        Turn(error=Problem(status=429, message="not now")),
    ),
    "T-RETRIED": (Turn(hits=(Answer(error=Problem(status=503)), Answer(text="Now."))),),
    "T-NO-JSON": (Turn(text="I will not."),),
    "T-FLAGS": (Turn(text="Never."),),
}
OPTIONS: Mapping[str, dict[str, JsonValue]] = {
    "T-TURNS": {"max_turns": 2},
    "T-NO-JSON": {"output_schema": {"type": "object"}},
    "T-FLAGS": {"extra_flags": ["--no-such-flag"]},
}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run | WhetError]:
    script = Script(
        conversations=tuple(
            Conversation(marker=marker, turns=turns) for marker, turns in TROUBLES.items()
        )
    )
    with bench(tmp_path_factory.mktemp("troubles"), script) as made:
        specs = [
            trial(made, f"Here is {marker}.").model_copy(
                update={"options": OPTIONS.get(marker, {})}
            )
            for marker in TROUBLES
        ]
        return dict(zip(TROUBLES, several(made, specs), strict=True))


@slow
@pytest.mark.parametrize(
    ("marker", "failure", "words"),
    [
        ("T-UNAUTHORISED", Failure.AUTH, "Incorrect API key"),
        ("T-FORBIDDEN", Failure.AUTH, "so it is"),
        ("T-NO-MONEY", Failure.AUTH, "billing"),
        ("T-TOO-MANY", Failure.RATE_LIMIT, "429"),
        ("T-OVERLOADED", Failure.OVERLOAD, "overloaded"),
        ("T-BROKEN", Failure.OVERLOAD, "high demand"),
        ("T-AWAY", Failure.OVERLOAD, "503"),
        ("T-TOO-LONG", Failure.CONTEXT, "exceeds the context window"),
        ("T-TOO-LARGE", Failure.CONTEXT, "413"),
        ("T-NONSENSE", Failure.CRASH, "this is not understood"),
        ("T-FLAGGED", Failure.REFUSAL, "flagged"),
        ("T-REFUSED", Failure.REFUSAL, "nothing that codex shows"),
        ("T-ENDLESS", Failure.CONTEXT, "max_output_tokens"),
        ("T-TURNS", Failure.MAX_TURNS, "2 turns"),
        ("T-CUT", Failure.NETWORK, "stream"),
        ("T-LATER", Failure.RATE_LIMIT, "429"),
        ("T-NO-JSON", Failure.CRASH, "not JSON"),
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
    assert "{" not in ended.error


@slow
def test_mistakes_of_the_caller_are_told_as_such(outcomes: dict[str, Run | WhetError]) -> None:
    model, flags = outcomes["T-NO-MODEL"], outcomes["T-FLAGS"]
    assert isinstance(model, UsageError)
    assert MODEL in str(model)
    assert isinstance(flags, UsageError)
    assert "--no-such-flag" in str(flags)


@slow
def test_a_passing_trouble_is_got_over_by_the_program_itself(
    outcomes: dict[str, Run | WhetError],
) -> None:
    retried = outcomes["T-RETRIED"]
    assert isinstance(retried, Run)
    assert (retried.ended.failure, retried.ended.answer) == (None, "Now.")


@slow
def test_what_was_used_before_the_trouble_is_charged(
    outcomes: dict[str, Run | WhetError],
) -> None:
    later, turns = outcomes["T-LATER"], outcomes["T-TURNS"]
    assert isinstance(later, Run)
    assert isinstance(turns, Run)
    assert later.ended.usage == Usage(input_tokens=100, output_tokens=10)
    assert later.ended.answer == "First."
    # The limit shows when it is passed, and no later than two answers after that.
    assert 300 <= turns.ended.usage.input_tokens <= 500
    assert len(turns.said) < 6


@slow
def test_nobody_listens(tmp_path: Path) -> None:
    with bench(tmp_path, says("Never.")) as made, socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}/v1"
        ended = made.drive(codex(made, OPENAI_BASE_URL=url), trial(made, "Hello.")).ended
    assert ended.failure is Failure.NETWORK
    assert ended.error


@slow
def test_no_credential_no_request(tmp_path: Path) -> None:
    with bench(tmp_path, says("Never.")) as made:
        engine = codex(made, OPENAI_API_KEY="")
        with pytest.raises(EngineFailure, match="no credential; set OPENAI_API_KEY") as problem:
            made.drive(engine, trial(made, "Hello."))
        assert problem.value.kind is Failure.AUTH
        assert made.server.requests == ()


def test_the_program_is_missing(tmp_path: Path) -> None:
    engine = CodexEngine(Machine({"PATH": str(tmp_path)}, tmp_path))
    with pytest.raises(EnvironmentProblem, match="npm install -g @openai/codex"):
        engine.version({})
    found = engine.inspect()
    assert not found.installed
    assert found.fix == "npm install -g @openai/codex"


def test_a_program_that_babbles_and_dies(tmp_path: Path) -> None:
    program = tmp_path / "bin/codex"
    program.parent.mkdir()
    program.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = --version ]; then echo codex-cli 9.9.9; exit; fi\n'
        'echo \'{"type": "item.completed", "item": 7}\'; echo \'{oops\'; echo gone >&2; exit 3\n'
    )
    program.chmod(0o755)
    (tmp_path / "bench").mkdir()
    with bench(tmp_path / "bench", says("Never.")) as made:
        given = {"PATH": f"{program.parent}:/usr/bin:/bin", "OPENAI_API_KEY": "k"}
        engine = CodexEngine(Machine(given, made.home))
        assert engine.version({}) == "9.9.9"
        ended = made.drive(engine, made.spec(engine, "Hello.", model=MODEL)).ended
    assert (ended.failure, ended.error) == (Failure.CRASH, "exit code 3: gone")
