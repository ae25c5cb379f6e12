"""Whose credential the program gets, and how much of it."""

import asyncio
import json
import socket
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.engines.claude_trials import bash, claude, trial
from tests.engines.driving import Bench, bench, says
from tests.engines.installed import installed
from whet.core.errors import EngineFailure
from whet.core.failure import Failure
from whet.engines.claude import ClaudeEngine
from whet.ports.machine import Machine
from whet.testing.model_server import Turn

TOKEN = "access-token-of-a-made-up-login"
REFRESH = "refresh-token-of-a-made-up-login"
HOUR = 3600.0


def logged_in(home: Path, *, hours: float = 8, folder: str = ".claude") -> None:
    """Leave a login as the program itself does."""
    oauth: dict[str, JsonValue] = {
        "accessToken": TOKEN,
        "refreshToken": REFRESH,
        "expiresAt": int((time.time() + hours * HOUR) * 1000),
        "scopes": ["user:inference", "user:profile"],
        "subscriptionType": "max",
    }
    (home / folder).mkdir(parents=True, exist_ok=True)
    (home / folder / ".credentials.json").write_text(json.dumps({"claudeAiOauth": oauth}))


def engine(home: Path, **environment: str) -> ClaudeEngine:
    """With no program on its PATH unless the test gives one."""
    return ClaudeEngine(Machine(environment, home))


def sources(home: Path, **environment: str) -> list[str]:
    return [each.source for each in engine(home, **environment).credentials()]


def test_variables_come_before_logins(tmp_path: Path) -> None:
    assert sources(tmp_path) == []
    logged_in(tmp_path)
    (tmp_path / ".claude.json").write_text(json.dumps({"primaryApiKey": "key-of-a-made-up-login"}))
    assert sources(tmp_path) == [".claude/.credentials.json", ".claude.json"]
    assert sources(tmp_path, CLAUDE_CODE_OAUTH_TOKEN="t")[0] == "CLAUDE_CODE_OAUTH_TOKEN"
    both = {"ANTHROPIC_AUTH_TOKEN": "a", "CLAUDE_CODE_OAUTH_TOKEN": "t"}
    assert sources(tmp_path, **both)[0] == "ANTHROPIC_AUTH_TOKEN"
    assert sources(tmp_path, **both, ANTHROPIC_API_KEY="k")[0] == "ANTHROPIC_API_KEY"


def test_every_token_is_a_secret_and_none_is_shown(tmp_path: Path) -> None:
    logged_in(tmp_path)
    (tmp_path / ".claude.json").write_text(json.dumps({"primaryApiKey": "key-of-a-made-up-login"}))
    made = engine(tmp_path, ANTHROPIC_API_KEY="key-of-the-user", PASSED="passed-on")
    secrets = made.secrets({"pass_environment": ["PASSED"]})
    kept = {TOKEN, REFRESH, "key-of-a-made-up-login"}
    assert set(secrets) == {*kept, "key-of-the-user", "passed-on"}
    for credential in made.credentials():
        assert not any(secret in repr(credential) for secret in secrets)
        assert REFRESH not in str((credential.environment, credential.files))


def test_a_login_is_found_where_the_user_has_moved_it(tmp_path: Path) -> None:
    logged_in(tmp_path, folder="elsewhere")
    assert sources(tmp_path) == []
    moved = str(tmp_path / "elsewhere")
    assert sources(tmp_path, CLAUDE_CONFIG_DIR=moved) == [".claude/.credentials.json"]


@pytest.mark.parametrize("hours", [-1.0, 0.0])
def test_a_login_that_has_expired(tmp_path: Path, hours: float) -> None:
    logged_in(tmp_path, hours=hours)
    made = engine(tmp_path)
    assert made.credentials() == []
    words = "claude: the login has expired; set ANTHROPIC_API_KEY or log in with: claude auth login"
    with pytest.raises(EngineFailure, match=words) as problem:
        made.credential()
    assert problem.value.kind is Failure.AUTH
    assert not problem.value.kind.is_transient


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"claudeAiOauth": 7}', '{"claudeAiOauth": {"accessToken": ["x"]}}', "\0"],
)
def test_a_login_without_sense_is_none(tmp_path: Path, text: str) -> None:
    for path in (".claude/.credentials.json", ".claude.json"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    assert sources(tmp_path) == []


@pytest.mark.slow
def test_inspection(tmp_path: Path) -> None:
    path = f"{installed('claude').parent}:/usr/bin:/bin"
    missing = engine(tmp_path, PATH=path).inspect()
    assert missing.installed
    assert missing.credential is None
    assert missing.problem == "no credential"
    assert missing.fix == "set ANTHROPIC_API_KEY or log in with: claude auth login"
    logged_in(tmp_path, hours=-1)
    assert engine(tmp_path, PATH=path).inspect().problem == "the login has expired"
    logged_in(tmp_path)
    found = engine(tmp_path, PATH=path).inspect()
    assert (found.problem, found.fix) == (None, None)
    assert found.credential == ".claude/.credentials.json"
    assert found.version
    assert found.program == str(installed("claude"))
    assert found.endpoints == ("api.anthropic.com:443",)
    gateway = engine(tmp_path, PATH=path, ANTHROPIC_BASE_URL="http://gateway.test:8080/api")
    assert gateway.inspect().endpoints == ("gateway.test:8080",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("ANTHROPIC_AUTH_TOKEN", "Bearer token-of-the-user"),
        ("CLAUDE_CODE_OAUTH_TOKEN", "Bearer token-of-the-user"),
    ],
)
def test_a_token_reaches_the_model(tmp_path: Path, name: str, header: str) -> None:
    with bench(tmp_path, says("Fine.")) as made, _no_way_out() as closed:
        given = {"ANTHROPIC_API_KEY": "", name: "token-of-the-user", **closed}
        run = made.drive(claude(made, **given), trial(made, "Hello."))
    assert run.ended.answer == "Fine."
    assert {request.headers["authorization"] for request in run.requests} == {header}
    assert not any("x-api-key" in request.headers for request in run.requests)


@pytest.mark.slow
def test_the_user_s_login_reaches_the_model_and_cannot_be_renewed(tmp_path: Path) -> None:
    with bench(tmp_path, says(Turn(calls=(bash("env > env.txt"),)), "Fine.")) as made:
        logged_in(made.home)
        kept = (made.home / ".claude/.credentials.json").read_bytes()
        with _no_way_out() as closed:
            run, texts = asyncio.run(_looked_into(made, closed))
        assert (made.home / ".claude/.credentials.json").read_bytes() == kept
    assert run == "Fine."
    assert {request.headers.get("authorization") for request in made.server.requests} == {
        f"Bearer {TOKEN}"
    }
    assert REFRESH.encode() not in texts


async def _looked_into(made: Bench, variables: dict[str, str]) -> tuple[str, bytes]:
    """The answer, and all that was written, the agent's own environment included."""
    spec = trial(made, "Hello.")
    with made.workdir(spec) as workdir:
        run = await made.conversed(claude(made, ANTHROPIC_API_KEY="", **variables), spec, workdir)
        files = (path for path in workdir.root.rglob("*") if path.is_file())
        return run.ended.answer, b"".join(path.read_bytes() for path in files)


@contextmanager
def _no_way_out() -> Generator[dict[str, str]]:
    """A proxy that nobody listens at: what is not on this machine cannot be reached."""
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}"
        yield {"HTTPS_PROXY": url, "HTTP_PROXY": url, "NO_PROXY": "127.0.0.1"}
