"""Variables that a trial gives its agent, with their values."""

import json
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.engines.driving import Subject, bench, each_engine, says
from whet.core.errors import UsageError
from whet.core.redaction import MARK
from whet.engines.agent_cli.engine import CliEngine
from whet.engines.agent_cli.variables import LONGEST, MOST, refuse
from whet.engines.claude import ClaudeEngine
from whet.engines.codex import CodexEngine
from whet.engines.gemini import GeminiEngine
from whet.engines.opencode import OpencodeEngine
from whet.ports.engine import Engine
from whet.ports.machine import Machine
from whet.testing.model_server import ToolCall, Turn

KINDS: tuple[type[CliEngine], ...] = (ClaudeEngine, CodexEngine, GeminiEngine, OpencodeEngine)
VALUE = "made-up value of 7 words & a half"
OF_THE_SYSTEM = (
    *("PATH", "HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_ANYTHING", "LD_PRELOAD", "LD_AUDIT"),
    *("DYLD_INSERT_LIBRARIES", "NODE_OPTIONS", "NODE_EXTRA_CA_CERTS", "PYTHONPATH", "PYTHONHOME"),
    *("HTTPS_PROXY", "SSL_CERT_FILE", "BASH_ENV", "GCONV_PATH", "BUN_OPTIONS"),
)


def refusal(kind: type[CliEngine], home: Path, options: dict[str, JsonValue]) -> str:
    """What is said of options; the program is nowhere, so nothing can have been started."""
    with pytest.raises(UsageError) as refused:
        kind(Machine({}, home)).version(options)
    return str(refused.value)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", OF_THE_SYSTEM)
def test_what_the_system_needs_is_refused(kind: type[CliEngine], name: str, tmp_path: Path) -> None:
    told = refusal(kind, tmp_path, {"environment": {"FINE": "fine", name: VALUE}})
    assert f"option environment of engine {kind.name}: {name} is set by whet" in told
    assert VALUE not in told


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (ClaudeEngine, ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "CLAUDE_CONFIG_DIR")),
        (ClaudeEngine, ("CLAUDE_CODE_OAUTH_TOKEN", "IS_SANDBOX", "DISABLE_TELEMETRY")),
        (CodexEngine, ("OPENAI_API_KEY", "OPENAI_BASE_URL", "CODEX_API_KEY", "CODEX_HOME")),
        (GeminiEngine, ("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL")),
        (GeminiEngine, ("GOOGLE_CLOUD_PROJECT", "CODE_ASSIST_ENDPOINT", "NO_BROWSER")),
        (OpencodeEngine, ("ANTHROPIC_API_KEY", "OPENROUTER_API_KEY", "OPENAI_BASE_URL")),
        (OpencodeEngine, ("OPENCODE_CONFIG", "GOOGLE_GEMINI_BASE_URL")),
    ],
)
def test_what_leads_a_program_to_its_model_is_refused(
    kind: type[CliEngine], names: tuple[str, ...], tmp_path: Path
) -> None:
    for name in names:
        assert f"{name} is set by whet" in refusal(kind, tmp_path, {"environment": {name: VALUE}})


def test_another_program_s_variables_are_free() -> None:
    refuse(
        {"OPENAI_API_KEY": VALUE, "GOOGLE_MAPS_KEY": VALUE}, "claude", ClaudeEngine.own_variables
    )
    refuse({"ANTHROPIC_API_KEY": VALUE, "NODE_ENV": "test"}, "codex", CodexEngine.own_variables)


@pytest.mark.parametrize(
    ("given_", "told"),
    [
        ({f"V{n}": "x" for n in range(MOST + 1)}, "65 variables; an agent is given 64 at most"),
        ({"lower": "x"}, "'lower' is no name"),
        ({"A=B": "x"}, "'A=B' is no name"),
        ({"": "x"}, "'' is no name"),
        ({"A\n": "x"}, "is no name"),
        ({"A" * 129: "x"}, "is no name"),
        ({"LONG": "x" * (LONGEST + 1)}, "the value of LONG has more than 8192 characters"),
        ({"NUL": "a\0b"}, "the value of NUL is no text"),
        ({"HALF": "\ud83d"}, "the value of HALF is no text"),
    ],
)
def test_what_can_be_no_variable_is_refused(
    given_: dict[str, str], told: str, tmp_path: Path
) -> None:
    said = refusal(ClaudeEngine, tmp_path, {"environment": {**given_}})
    assert told in said
    assert len(said) < 300


@pytest.mark.parametrize("wrong", [{"A": 5}, {"A": None}, ["A=1"], "A=1"])
def test_another_shape_is_refused_without_its_value(wrong: JsonValue, tmp_path: Path) -> None:
    assert "option environment" in refusal(ClaudeEngine, tmp_path, {"environment": wrong})


@given(st.text(max_size=6), st.text(max_size=20))
def test_whatever_is_let_through_can_be_set(name: str, value: str) -> None:
    try:
        refuse({name: value}, "claude", ClaudeEngine.own_variables)
    except UsageError:
        return
    assert name.isascii()
    assert name.isupper() or not name.strip("_0123456789")
    assert b"\0" not in value.encode()


@pytest.mark.parametrize("kind", KINDS)
def test_every_value_is_a_secret(kind: type[CliEngine], tmp_path: Path) -> None:
    options: dict[str, JsonValue] = {"environment": {"ONE": VALUE, "TWO": "another of them"}}
    assert {VALUE, "another of them"} <= {*kind(Machine({}, tmp_path)).secrets(options)}
    for odd in ({"environment": ["x"]}, {"environment": {"A": 5}}, {"environment": None}):
        assert kind(Machine({}, tmp_path)).secrets(cast("dict[str, JsonValue]", odd)) == []


@pytest.mark.slow
@each_engine
def test_a_variable_reaches_the_agent_and_its_value_nothing_that_is_kept(
    subject: Subject, tmp_path: Path
) -> None:
    look = (
        f'test "$OF_THE_TRIAL" = "{VALUE.replace("7", "$SEVEN")}" && echo it has reached me;'
        ' echo "$OF_THE_TRIAL" | tee seen.txt'
    )
    call = ToolCall(action="shell", arguments={"command": look})
    script = says(Turn(text="I look.", calls=(call,)), f"It says: {VALUE}.")
    with bench(tmp_path, script) as made:
        agent = subject.engine(made)
        given_: JsonValue = {"OF_THE_TRIAL": VALUE, "SEVEN": "7"}
        spec = made.spec(agent, "Look.", model=subject.model, environment=given_)
        handled = made.settle(cast("Engine", agent), spec)
        with made.store.tables() as tables:
            kept, rows = dict(tables.blobs), str((tables.executions, tables.trials))
    assert handled.error is None
    assert handled.record is not None
    assert handled.record.answer == f"It says: {MARK}."
    session = kept[handled.record.session].decode()
    assert "it has reached me" in session
    assert MARK in session
    assert {file.path for file in handled.record.outputs} == {"seen.txt"}
    for form in (VALUE, json.dumps(VALUE)[1:-1], VALUE.replace("&", "&amp;")):
        assert form not in rows
        assert not [name for name, data in kept.items() if form.encode() in data]
