"""The pages: what browsers are told, what is kept, and that nothing else is given out."""

import gzip
import re
from pathlib import Path

import pytest

from tests.server.calling import Caller, ask, assert_problem
from whet.app.ui import STATIC
from whet.server import ui

SCRIPT = b"const answer = 42;\n" * 100


@pytest.fixture
def static(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small interface, and a secret beside it."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>whet</title>")
    (folder / "favicon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "assets/app-1a2b.js").write_bytes(SCRIPT)
    (folder / "assets/app-1a2b.js.gz").write_bytes(gzip.compress(SCRIPT))
    (folder / "assets/.hidden").write_text("hush")
    (folder / "assets/link.js").symlink_to(folder / "assets/app-1a2b.js")
    (folder / ".inputs.sha256").write_text("hush")
    (tmp_path / "secret.js").write_text("hush")
    monkeypatch.setattr(ui, "STATIC", folder)
    return folder


def test_the_page_lets_no_stranger_in(static: Path, call: Caller) -> None:
    answer = call("GET", "/")
    assert answer.status_code == 200
    assert answer.text == (static / "index.html").read_text()
    headers = answer.headers
    policy = dict(
        part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["connect-src"] == policy["worker-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-cache"
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert call("HEAD", "/").status_code == 200


@pytest.mark.usefixtures("static")
def test_an_asset_is_kept_for_good_and_packed_for_who_can_unpack(call: Caller) -> None:
    path = "/assets/app-1a2b.js"
    packed = call("GET", path, headers={"accept-encoding": "br, gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "javascript" in packed.headers["content-type"]
    assert packed.headers["vary"] == "accept-encoding"
    assert int(packed.headers["content-length"]) < len(SCRIPT)
    assert packed.content == SCRIPT
    for refusal in ("", "identity", "gzip;q=0", "br;q=1, gzip; q=0.0"):
        plain = call("GET", path, headers={"accept-encoding": refusal})
        assert "content-encoding" not in plain.headers
        assert plain.content == SCRIPT
        assert plain.headers["vary"] == "accept-encoding"


@pytest.mark.usefixtures("static")
@pytest.mark.parametrize(
    "path",
    [
        "/assets/",
        "/assets/no-such.js",
        "/assets/.hidden",
        "/assets/app-1a2b.js.gz",
        "/assets/..%2f.inputs.sha256",
        "/assets/..%2f..%2fsecret.js",
        "/assets/%2e%2e/%2e%2e/secret.js",
        "/assets/%2e%2e%5c%2e%2e%5csecret.js",
        "/assets/app-1a2b.js%00",
        "/assets/" + "a" * 5000 + ".js",
        "/.inputs.sha256",
        "/index.html/../../secret.js",
        "/report/report.html",
        "/third-party-licenses.md",
    ],
)
def test_nothing_else_is_given_out(call: Caller, path: str) -> None:
    answer = call("GET", path)
    assert answer.status_code == 404
    assert "hush" not in answer.text


@pytest.mark.usefixtures("static")
def test_only_looking_is_allowed(call: Caller) -> None:
    assert_problem(call("POST", "/"), 405, "method_not_allowed")
    assert_problem(call("DELETE", "/assets/app-1a2b.js"), 405, "method_not_allowed")


@pytest.mark.usefixtures("static")
def test_the_page_asks_for_the_token_and_the_rest_wants_it(tmp_path: Path) -> None:
    def status(method: str, path: str) -> int:
        return ask(tmp_path / "workspace", method, path, token="secret").status_code

    assert [status("GET", path) for path in ("/", "/favicon.svg", "/assets/app-1a2b.js")] == [
        200
    ] * 3
    assert status("POST", "/") == 401
    for path in ("/v1/home", "/v1/events", "/openapi.json", "/v1/demo", "//v1/home", "/assetsx"):
        assert status("GET", path) == 401


def test_without_pages_somebody_is_told_how_to_build_them(static: Path, call: Caller) -> None:
    (static / "index.html").unlink()
    answer = call("GET", "/")
    assert answer.status_code == 503
    assert "make web" in answer.text
    assert "script-src 'self'" in answer.headers["content-security-policy"]


def test_the_built_page_keeps_its_own_policy() -> None:
    """No inline script, no address of elsewhere; every asset that it names is there."""
    page = (STATIC / "index.html").read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert not re.search(r"\bon\w+=", page)
    named = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert named
    for path in named:
        assert re.fullmatch(r"/(?:assets/)?[\w.-]+", path)
        assert (STATIC / path.removeprefix("/")).is_file()
