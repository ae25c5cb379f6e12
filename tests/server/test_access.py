"""Who may call."""

from pathlib import Path

import pytest

from tests.server.calling import ask, assert_problem
from whet.app.settings import Settings, read
from whet.core.errors import UsageError
from whet.server.access import fit_for_network, is_loopback

HEALTH = ("GET", "/v1/health")
HERE = [
    "127.0.0.1",
    "127.0.0.1:8642",
    "localhost",
    "localhost:1",
    "[::1]:8642",
    "[::1]",
    "127.9.9.9",
]
ELSEWHERE = [
    "evil.example",
    "evil.example:8642",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "evil.example#localhost",
    "192.168.0.1:8642",
    "0.0.0.0",
    "[::]",
    "[2001:db8::1]:8642",
    "[::1",
    "",
]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("access") / "workspace"


@pytest.mark.parametrize("host", HERE)
def test_a_name_of_this_machine_is_answered(workspace: Path, host: str) -> None:
    assert ask(workspace, *HEALTH, headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ELSEWHERE)
def test_a_foreign_name_is_refused(workspace: Path, host: str) -> None:
    answer = ask(workspace, *HEALTH, headers={"host": host})
    assert_problem(answer, 403, "foreign_host", repr(host))


@pytest.mark.parametrize("origin", ["http://localhost:3000", "http://127.0.0.1", "http://[::1]:5"])
def test_a_page_of_this_machine_is_answered(workspace: Path, origin: str) -> None:
    assert ask(workspace, *HEALTH, headers={"origin": origin}).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "", "http://[", "file://"])
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
def test_a_page_from_elsewhere_is_refused(workspace: Path, origin: str, method: str) -> None:
    answer = ask(workspace, method, "/v1/runs", headers={"origin": origin})
    assert_problem(answer, 403, "foreign_origin", repr(origin))


@pytest.mark.parametrize(
    "given",
    [None, "", "Bearer", "Bearer wrong", "Basic a-long-secret-of-tests", "a-long-secret-of-tests"],
)
def test_with_a_token_nobody_gets_in_without_it(workspace: Path, given: str | None) -> None:
    headers = {} if given is None else {"authorization": given}
    for path in ("/v1/health", "/v1/runs", "/openapi.json", "/nowhere"):
        answer = ask(workspace, "GET", path, token="a-long-secret-of-tests", headers=headers)
        assert_problem(answer, 401, "unauthorized")
        assert answer.headers["www-authenticate"] == "Bearer"
        assert "a-long-secret-of-tests" not in answer.text


@pytest.mark.parametrize("host", ["127.0.0.1", "whet.example"])
def test_the_right_token_opens_from_anywhere(workspace: Path, host: str) -> None:
    headers = {"authorization": "Bearer a-long-secret-of-tests", "host": host}
    assert (
        ask(workspace, *HEALTH, token="a-long-secret-of-tests", headers=headers).status_code == 200
    )


def settings(folder: Path, **environment: str) -> Settings:
    return read(None, {"WHET_SCRATCH": str(folder), **environment})


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", "", "2130706433"])
def test_beyond_loopback_a_token_and_a_sandbox_are_needed(host: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="WHET_TOKEN"):
        fit_for_network(settings(tmp_path), host)
    with pytest.raises(UsageError, match="WHET_TOKEN"):
        fit_for_network(settings(tmp_path, WHET_TOKEN=""), host)
    with pytest.raises(UsageError, match="WHET_SANDBOX"):
        fit_for_network(
            settings(tmp_path, WHET_TOKEN="a-long-secret-of-tests", WHET_SANDBOX="off"), host
        )
    fit = fit_for_network(settings(tmp_path, WHET_TOKEN="a-long-secret-of-tests"), host)
    assert fit.sandbox == "required"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"])
def test_loopback_needs_none(host: str, tmp_path: Path) -> None:
    assert is_loopback(host)
    free = settings(tmp_path, WHET_SANDBOX="off")
    assert fit_for_network(free, host) is free
