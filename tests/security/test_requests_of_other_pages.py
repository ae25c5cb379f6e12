"""Web pages of another origin that make a browser on this machine send something."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.server.calling import Caller, assert_problem, caller

TOKEN = "a-long-token-of-these-tests"
SIGNED = {"authorization": f"Bearer {TOKEN}"}
SKILLS = "/v1/skills/import?filename=stolen.md"
BODY: dict[str, Any] = {"content": b"# Stolen\n\nDo as I say."}
CHANGE = {"default_retry_count": 2}
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> Generator[Caller]:
    with caller(tmp_path_factory.mktemp("open") / "workspace") as made:
        yield made


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Generator[Caller]:
    folder = tmp_path_factory.mktemp("signed") / "workspace"
    public = "https://whet.example:8443"
    with caller(folder, WHET_TOKEN=TOKEN, WHET_PUBLIC_URL=public) as made:
        yield made


def skills(call: Caller, **headers: str) -> int:
    return call("GET", "/v1/skills", headers=headers).json()["total"]


FOREIGN = [
    ("127.0.0.1:8642", "http://localhost:3000"),
    ("127.0.0.1:8642", "http://127.0.0.1:3000"),
    ("127.0.0.1:8642", "http://127.0.0.1"),
    ("127.0.0.1:8642", "http://localhost:8642"),
    ("127.0.0.1:8642", "http://127.0.0.1:86420"),
    ("127.0.0.1:8642", "http://127.0.0.1:8642.evil.example"),
    ("127.0.0.1:8642", "http://evil.example@127.0.0.1:8642"),
    ("127.0.0.1:8642", "null"),
    ("127.0.0.1:8642", ""),
    ("127.0.0.1:8642", "127.0.0.1:8642"),
    ("127.0.0.1:8642", "file://"),
    ("127.0.0.1:8642", "chrome-extension://127.0.0.1:8642"),
    ("127.0.0.1:8642", "http://127.0.0.1:8642, http://evil.example"),
    ("[::1]:8642", "http://[::1]:3000"),
    ("localhost", "http://localhost:8080"),
    ("localhost:443", "http://localhost"),
]


@pytest.mark.parametrize(("host", "origin"), FOREIGN)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_a_page_of_another_port_changes_nothing(
    call: Caller, signed: Caller, method: str, host: str, origin: str
) -> None:
    headers = {"host": host, "origin": origin, **JSON, "x-whet": "1"}
    assert_problem(call(method, "/v1/config", json=CHANGE, headers=headers), 403, "foreign_origin")
    answer = signed(method, "/v1/config", json=CHANGE, headers={**headers, **SIGNED})
    assert_problem(answer, 403, "foreign_origin", repr(origin))


OWN = [
    ("127.0.0.1:8642", "http://127.0.0.1:8642"),
    ("LOCALHOST:8642", "http://localhost:8642"),
    ("localhost.:8642", "http://localhost:8642"),
    ("localhost:8642", "http://localhost.:8642"),
    ("localhost", "http://localhost"),
    ("localhost", "http://localhost:80"),
    ("localhost:80", "http://localhost"),
    ("localhost", "https://localhost"),
    ("[::1]:8642", "http://[::1]:8642"),
    ("[0:0::1]:8642", "http://[::1]:8642"),
]


@pytest.mark.parametrize(("host", "origin"), OWN)
def test_the_page_of_the_server_itself_changes_things(call: Caller, host: str, origin: str) -> None:
    headers = {"host": host, "origin": origin, "sec-fetch-site": "same-origin"}
    assert call("PUT", "/v1/config", json=CHANGE, headers=headers).status_code == 200


def test_two_origins_or_two_hosts_are_no_way_around(call: Caller) -> None:
    own, other = ("origin", "http://127.0.0.1:8642"), ("origin", "http://localhost:3000")
    for headers in ([own, other], [other, own]):
        answer = call("PUT", "/v1/config", json=CHANGE, headers=headers)
        assert_problem(answer, 403, "foreign_origin")
    hosts = [("host", "127.0.0.1:8642"), ("host", "evil.example")]
    assert_problem(call("PUT", "/v1/config", json=CHANGE, headers=hosts), 403, "foreign_host")


def test_behind_a_proxy_the_public_address_is_the_own_one(signed: Caller) -> None:
    for host, origin, status in (
        ("127.0.0.1:8642", "https://whet.example:8443", 200),
        ("127.0.0.1:8642", "https://WHET.example:8443", 200),
        ("whet.example:8443", "https://whet.example:8443", 200),
        ("other.example", "https://other.example", 200),
        ("127.0.0.1:8642", "http://whet.example:8443", 403),
        ("127.0.0.1:8642", "https://whet.example", 403),
        ("127.0.0.1:8642", "https://evil.example:8443", 403),
    ):
        headers = {"host": host, "origin": origin, **SIGNED}
        answer = signed("PUT", "/v1/config", json=CHANGE, headers=headers)
        assert answer.status_code == status, (host, origin, answer.text)


@pytest.mark.parametrize("site", ["cross-site", "same-site", "Cross-Site", "strange"])
def test_what_a_browser_calls_foreign_is_refused(call: Caller, signed: Caller, site: str) -> None:
    headers = {"sec-fetch-site": site, "sec-fetch-mode": "no-cors", "x-whet": "1"}
    assert_problem(call("POST", SKILLS, **BODY, headers=headers), 403, "foreign_origin")
    answer = signed("POST", SKILLS, **BODY, headers={**headers, **SIGNED})
    assert_problem(answer, 403, "foreign_origin")
    navigated = {**headers, "sec-fetch-mode": "navigate"}
    assert_problem(call("POST", SKILLS, **BODY, headers=navigated), 403, "foreign_origin")
    for path in ("/v1/events", "/v1/home"):
        assert_problem(call("GET", path, headers=headers), 403, "foreign_origin")
    assert call("GET", "/v1/home", headers=navigated).status_code == 200


FORMS = [
    "text/plain",
    "Text/Plain; charset=utf-8",
    "application/x-www-form-urlencoded",
    " text/plain ;x",
]


@pytest.mark.parametrize("kind", FORMS)
def test_a_text_post_of_unknown_origin_replaces_no_skill(call: Caller, kind: str) -> None:
    headers = {"content-type": kind}
    answer = call("POST", SKILLS, **BODY, headers=headers)
    assert_problem(answer, 403, "own_header_needed", "X-Whet: 1")
    assert skills(call) == 0


def test_a_form_of_a_browser_without_an_origin_is_refused(call: Caller) -> None:
    files = {"file": ("x.zip", b"PK")}
    install = "/v1/skill-packages/install"
    headers = {"sec-fetch-site": "none", "sec-fetch-mode": "navigate"}
    answer = call("POST", install, files=files, headers=headers)
    assert_problem(answer, 403, "own_header_needed")
    # A program that uploads a form says nothing of where it comes from.
    assert_problem(call("POST", install, files=files), 400, "invalid_import")


@pytest.mark.parametrize(
    "headers",
    [
        {"x-whet": "1", "content-type": "text/plain"},
        {"origin": "http://127.0.0.1:8642", "content-type": "text/plain"},
        {"content-type": "application/octet-stream"},
        {},
    ],
)
def test_programs_and_the_own_page_import_a_skill(tmp_path: Path, headers: dict[str, str]) -> None:
    with caller(tmp_path / "workspace") as call:
        assert call("POST", SKILLS, **BODY, headers=headers).status_code in (200, 201)
        assert skills(call) == 1


def test_reading_changes_nothing_of_the_workspace(tmp_path: Path) -> None:
    """Pages of other origins may lead a browser to any address by a link."""
    workspace = tmp_path / "workspace"
    with caller(workspace) as call:
        call("POST", SKILLS, **BODY)
        name = call("GET", "/v1/skills").json()["items"][0]["id"]
        before = {path: path.read_bytes() for path in (workspace / "skills").rglob("*.*")}
        paths = call("GET", "/openapi.json").json()["paths"]
        streams = ("/events", "/tail")
        for path in [one for one in paths if "get" in paths[one] and not one.endswith(streams)]:
            filled = path.replace("{reference}", name).replace("{", "").replace("}", "")
            call("GET", filled)
        assert before == {path: path.read_bytes() for path in before}
        assert before.keys() == {*(workspace / "skills").rglob("*.*")}
