"""Where the credential comes from, what the agent gets of it, and what is said where it lacks."""

import base64
import json
import time
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.engines.codex_trials import codex, trial
from tests.engines.driving import Bench, Run, bench, says
from tests.engines.installed import VERSIONS
from whet.core.errors import EngineFailure
from whet.core.failure import Failure
from whet.engines.codex import CodexEngine
from whet.ports.machine import Machine
from whet.testing.model_server import Problem, Turn

slow = pytest.mark.slow
DAY = 24 * 60 * 60
RENEWAL = "the-token-for-renewal-of-the-user"


def token(lives: float) -> str:
    """A JSON Web Token as the service gives it, signed by nobody."""
    account = {"chatgpt_plan_type": "pro", "chatgpt_account_id": "account-7"}
    claims = {
        "exp": int(time.time() + lives),
        "email": "ada@example.org",
        "https://api.openai.com/auth": account,
    }
    parts = ({"alg": "none"}, claims, {"signed": "by nobody"})
    coded = (base64.urlsafe_b64encode(json.dumps(part).encode()).decode() for part in parts)
    return ".".join(part.rstrip("=") for part in coded)


def subscribe(folder: Path, access: str, **more: str | None) -> None:
    tokens = {
        "id_token": token(DAY),
        "access_token": access,
        "refresh_token": RENEWAL,
        "account_id": "account-7",
    }
    kept = {
        "auth_mode": "chatgpt",
        "OPENAI_API_KEY": None,
        "tokens": tokens,
        "last_refresh": "2020-01-01T00:00:00Z",
        **more,
    }
    save(folder, json.dumps(kept))


def save(folder: Path, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "auth.json").write_text(text)


def drive_with_login(made: Bench, engine: CodexEngine) -> Run:
    """The service of subscriptions is somewhere else; flags lead the program to ours."""
    settings = {"model_providers.whet.base_url": "v1", "chatgpt_base_url": "backend-api"}
    flags: list[JsonValue] = []
    for name, path in settings.items():
        flags += ["-c", f'{name}="{made.url}/{path}"']
    host = made.url.removeprefix("http://")
    return made.drive(engine, trial(made, "Hello.", extra_flags=flags, allow_hosts=[host]))


@slow
def test_the_login_of_a_subscription_reaches_the_model(tmp_path: Path) -> None:
    access = token(DAY)
    with bench(tmp_path, says("Hello.")) as made:
        subscribe(made.home / ".codex", access)
        before = (made.home / ".codex/auth.json").read_bytes()
        engine = codex(made, OPENAI_API_KEY="")
        spec = trial(made, "Hello.")
        run = drive_with_login(made, engine)
        assert (made.home / ".codex/auth.json").read_bytes() == before
        assert access in engine.secrets(spec.options)
    assert run.ended.answer == "Hello."
    asked = [request for request in run.requests if request.path == "/v1/responses"]
    assert [request.headers["authorization"] for request in asked] == [f"Bearer {access}"]
    assert [request.headers["chatgpt-account-id"] for request in asked] == ["account-7"]
    assert all(RENEWAL not in str(request) for request in run.requests)


@slow
def test_a_login_that_the_service_does_not_take(tmp_path: Path) -> None:
    with bench(tmp_path, says(Turn(error=Problem(status=401, message="expired")))) as made:
        subscribe(made.home / ".codex", token(DAY))
        ended = drive_with_login(made, codex(made, OPENAI_API_KEY="")).ended
    assert ended.failure is Failure.AUTH
    assert ended.error


@slow
def test_the_key_of_a_login_reaches_the_model(tmp_path: Path) -> None:
    with bench(tmp_path, says("Hello.")) as made:
        save(tmp_path / "moved", json.dumps({"OPENAI_API_KEY": "key-of-the-login"}))
        engine = codex(made, OPENAI_API_KEY="", CODEX_HOME=str(tmp_path / "moved"))
        run = made.drive(engine, trial(made, "Hello."))
    assert run.ended.answer == "Hello."
    assert {request.headers["authorization"] for request in run.requests} == {
        "Bearer key-of-the-login"
    }


@slow
def test_variables_come_before_a_login(tmp_path: Path) -> None:
    with bench(tmp_path, says("Hello.")) as made:
        subscribe(made.home / ".codex", token(DAY))
        engine = codex(made, CODEX_API_KEY="first-key", OPENAI_API_KEY="second-key")
        found = [credential.source for credential in engine.credentials()]
        run = made.drive(engine, trial(made, "Hello."))
    assert found == ["CODEX_API_KEY", "OPENAI_API_KEY", ".codex/auth.json"]
    assert {request.headers["authorization"] for request in run.requests} == {"Bearer first-key"}


def test_what_is_handed_over_cannot_renew_the_login(tmp_path: Path) -> None:
    access = token(DAY)
    subscribe(tmp_path / ".codex", access, OPENAI_API_KEY="left-over")
    (credential,) = CodexEngine(Machine({}, tmp_path)).credentials()
    text = credential.files[".codex/auth.json"]
    assert RENEWAL not in text
    assert "left-over" not in text
    assert json.loads(text)["tokens"]["refresh_token"] == ""
    assert json.loads(text)["last_refresh"] > "2021"
    assert {access, RENEWAL} <= {*credential.secrets}
    assert access not in repr(credential)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "null", '{"tokens": 7}', '{"tokens": {"access_token": 7}}', "{" * 99],
)
def test_a_login_without_sense_is_none(tmp_path: Path, text: str) -> None:
    save(tmp_path / ".codex", text)
    engine = CodexEngine(Machine({}, tmp_path))
    assert engine.credentials() == []
    assert engine.lack() == "no credential"


def test_a_token_that_cannot_be_read_may_be_good(tmp_path: Path) -> None:
    subscribe(tmp_path / ".codex", "opaque")
    assert len(CodexEngine(Machine({}, tmp_path)).credentials()) == 1


def test_where_the_model_is(tmp_path: Path) -> None:
    subscribe(tmp_path / ".codex", token(DAY))
    engine = CodexEngine(Machine({"OPENAI_API_KEY": "k"}, tmp_path))
    key, subscription = engine.credentials()
    assert engine.endpoints(key) == ("api.openai.com:443",)
    assert engine.endpoints(subscription) == ("chatgpt.com:443",)
    given = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://10.0.0.1:8080/v1"}
    engine = CodexEngine(Machine(given, tmp_path))
    assert engine.endpoints(key) == ("10.0.0.1:8080",)
    assert engine.endpoints(subscription) == ("chatgpt.com:443",)


@slow
def test_how_it_is(tmp_path: Path) -> None:
    with bench(tmp_path, says("Never.")) as made:
        engine = codex(made, OPENAI_API_KEY="")
        bare = engine.inspect()
        subscribe(made.home / ".codex", token(-DAY))
        expired = engine.inspect()
        with pytest.raises(EngineFailure, match=r"has expired; .* codex login") as problem:
            made.drive(engine, trial(made, "Hello."))
        subscribe(made.home / ".codex", token(DAY))
        ready = engine.inspect()
        assert made.server.requests == ()
    assert problem.value.kind is Failure.AUTH
    assert (bare.installed, bare.version) == (True, VERSIONS["codex"])
    assert (bare.credential, bare.problem) == (None, "no credential")
    assert (expired.credential, expired.problem) == (None, "the login has expired")
    assert bare.fix == expired.fix == "set OPENAI_API_KEY or log in with: codex login"
    assert (ready.credential, ready.problem, ready.fix) == (".codex/auth.json", None, None)
    assert ready.endpoints == ("chatgpt.com:443",)
    asked = {"resume", "structured", "subagents", "mcp", "tools", "skills", "compact"}
    assert ready.abilities == asked
