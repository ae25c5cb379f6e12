"""Keys and logins: which one is taken, and that it is what reaches the model."""

import json
import time
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.engines.driving import bench, says, snapshot
from tests.engines.gemini_trials import MODEL, gemini
from tests.engines.google_login import MODELS, TOKENS, Google, google
from whet.core.errors import EngineFailure, EnvironmentProblem
from whet.core.failure import Failure
from whet.core.step import Ended
from whet.core.usage import Usage
from whet.engines.gemini import GeminiEngine
from whet.ports.machine import Machine

ACCESS = "ya29.the-access-token-of-a-made-up-user"
RENEWED = "ya29.another-access-token-of-that-user"
REFRESH = "1//the-refresh-token-of-a-made-up-user"
HOUR = 3600


def _log_in(home: Path, *, hours: float, refresh: bool = True) -> None:
    login: dict[str, JsonValue] = {
        "access_token": ACCESS,
        "scope": "https://www.googleapis.com/auth/cloud-platform openid",
        "token_type": "Bearer",
        "expiry_date": round((time.time() + hours * HOUR) * 1000),
    }
    if refresh:
        login["refresh_token"] = REFRESH
    (home / ".gemini").mkdir(exist_ok=True)
    (home / ".gemini/oauth_creds.json").write_text(json.dumps(login))
    account: dict[str, JsonValue] = {"active": "somebody@example.com", "old": []}
    (home / ".gemini/google_accounts.json").write_text(json.dumps(account))


def _engine(home: Path, **environment: str) -> GeminiEngine:
    """With a program that can only say its version."""
    (home / "bin").mkdir(exist_ok=True)
    program = home / "bin/gemini"
    program.write_text("#!/bin/sh\necho 7.8.9\n")
    program.chmod(0o755)
    return GeminiEngine(Machine({"PATH": f"{home}/bin:/usr/bin:/bin", **environment}, home))


def test_keys_come_before_the_login(tmp_path: Path) -> None:
    _log_in(tmp_path, hours=1)
    given = {
        "GEMINI_API_KEY": "key-one",
        "GOOGLE_API_KEY": "key-two",
        "GOOGLE_GENAI_USE_VERTEXAI": "true",
        "GOOGLE_CLOUD_PROJECT": "my-project",
    }
    engine = _engine(tmp_path, **given)
    key, vertex, login = engine.credentials()
    assert (key.source, dict(key.environment)) == ("GEMINI_API_KEY", {"GEMINI_API_KEY": "key-one"})
    assert vertex.environment["GOOGLE_GENAI_USE_VERTEXAI"] == "true"
    assert vertex.environment["GOOGLE_CLOUD_PROJECT"] == "my-project"
    assert set(login.files) == {".gemini/oauth_creds.json", ".gemini/google_accounts.json"}
    assert login.secrets == (ACCESS, REFRESH)
    assert engine.endpoints(key) == ("generativelanguage.googleapis.com:443",)
    assert engine.endpoints(vertex) == ("aiplatform.googleapis.com:443",)
    assert engine.endpoints(login) == (f"{MODELS}:443", f"{TOKENS}:443")
    assert {"key-one", "key-two", ACCESS, REFRESH} <= {*engine.secrets({})}
    assert ACCESS not in repr(login)


def test_a_key_for_vertex_is_none_for_anything_else(tmp_path: Path) -> None:
    assert _engine(tmp_path, GOOGLE_API_KEY="key-two").credentials() == []


def test_a_login_lives_as_long_as_it_can_be_renewed(tmp_path: Path) -> None:
    engine = _engine(tmp_path)
    for hours, refresh in ((1, True), (-1, True), (1, False)):
        _log_in(tmp_path, hours=hours, refresh=refresh)
        assert engine.credentials()
    _log_in(tmp_path, hours=-1, refresh=False)
    assert not engine.credentials()


def test_inspect(tmp_path: Path) -> None:
    engine = _engine(tmp_path)
    nothing = engine.inspect()
    assert (nothing.installed, nothing.version) == (True, "7.8.9")
    assert (nothing.credential, nothing.problem) == (None, "no credential")
    assert nothing.fix
    assert "GEMINI_API_KEY" in nothing.fix
    _log_in(tmp_path, hours=-1, refresh=False)
    assert engine.inspect().problem == "the login has expired"
    _log_in(tmp_path, hours=1)
    fine = engine.inspect()
    assert (fine.credential, fine.problem, fine.fix) == (".gemini/oauth_creds.json", None, None)
    assert fine.endpoints == (f"{MODELS}:443", f"{TOKENS}:443")
    assert fine.abilities == {"resume", "subagents", "mcp", "tools", "skills"}


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    engine = GeminiEngine(Machine({"PATH": str(tmp_path)}, tmp_path))
    missing = engine.inspect()
    assert (missing.installed, missing.fix) == (False, "npm install -g @google/gemini-cli")
    with pytest.raises(EnvironmentProblem, match="npm install -g @google/gemini-cli"):
        engine.version({})


def test_without_a_credential_nothing_starts(tmp_path: Path) -> None:
    with bench(tmp_path, says("Hello.")) as made:
        engine = _engine(made.home)
        spec = made.spec(engine, "Hello?", model=MODEL)
        with pytest.raises(EngineFailure, match="no credential") as missing:
            made.drive(engine, spec)
        _log_in(made.home, hours=-1, refresh=False)
        with pytest.raises(EngineFailure, match="the login has expired") as expired:
            made.drive(engine, spec)
        assert missing.value.kind is expired.value.kind is Failure.AUTH


def _with_login(folder: Path, google_: Google, *, hours: float) -> Ended:
    """A run with nothing but a login, which it must leave as it is."""
    with bench(folder, says("Never said.")) as made:
        _log_in(made.home, hours=hours)
        before = snapshot(made.home)
        engine = GeminiEngine(made.machine("gemini", **google_.environment))
        ended = made.drive(engine, made.spec(engine, "Hello?", model=MODEL)).ended
        assert snapshot(made.home) == before
        assert not made.server.requests
        return ended


@pytest.mark.slow
@pytest.mark.parametrize("hours", [1, -1])
def test_the_login_is_what_reaches_the_model(
    tmp_path_factory: pytest.TempPathFactory, hours: float
) -> None:
    token = ACCESS if hours > 0 else RENEWED
    renewed = RENEWED if hours < 0 else ""
    with google(tmp_path_factory.mktemp("google"), token, renewed=renewed) as there:
        ended = _with_login(tmp_path_factory.mktemp("gemini"), there, hours=hours)
    assert (ended.answer, ended.error) == ("Hello from Google.", None)
    assert ended.usage == Usage(input_tokens=20, output_tokens=3)
    asked = [one for one in there.of(MODELS) if "streamGenerateContent" in one.path]
    assert [one.authorization for one in asked] == [f"Bearer {token}"]
    assert "Hello?" in asked[0].body
    assert {one.host for one in there.asked} == {MODELS, TOKENS}
    renewals = [one for one in there.of(TOKENS) if one.path == "/token"]
    assert [REFRESH.replace("/", "%2F") in one.body for one in renewals] == ([True] * (hours < 0))


@pytest.mark.slow
def test_a_login_that_google_does_not_know_any_more(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with google(tmp_path_factory.mktemp("google")) as there:
        ended = _with_login(tmp_path_factory.mktemp("gemini"), there, hours=1)
    assert ended.failure is Failure.AUTH
    assert ended.error
    assert not there.of(MODELS)


@pytest.mark.slow
def test_the_version_is_the_programs_own(tmp_path: Path) -> None:
    with bench(tmp_path, says("Hello.")) as made:
        assert gemini(made).version({}) == "0.61.0"
