"""Uploads as an attacker or a careless program sends them: refused as a whole, nothing is left,
and the job can still be given what it needs."""

from collections.abc import AsyncIterator, Callable, Generator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.curate.intake.zips import zipped
from tests.server.calling import Caller, assert_problem, caller
from tests.server.hostile_zips import DOCUMENT, REFUSED, bomb, broken_behind, crowded
from tests.server.job_packages import (
    JOBS,
    WITH_FILE,
    created,
    inputs,
    package,
    send,
    settled,
    started,
)
from whet.app.jobs import uploads
from whet.server import jobs_files

SKILL = package(input=WITH_FILE)
ZIP = {"content-type": "application/zip"}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("jobs") / "workspace"


@pytest.fixture(scope="module")
def call(shelf: Path) -> Generator[Caller]:
    with caller(shelf, HOME=str(shelf.with_name("home"))) as made:
        yield made


@pytest.fixture(autouse=True)
def nothing_left(shelf: Path) -> Generator[None]:
    """Nothing is written outside of the workspace and of the user's own folder, and no half upload
    stays."""
    yield
    beside = {path.name for path in shelf.parent.iterdir()}
    assert beside <= {"workspace", "scratch", "home", "config"}
    assert [*(shelf / "requests").iterdir()] == []


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED.keys())
def test_a_zip_that_is_none_or_leads_out_is_refused_as_a_whole(
    call: Caller, shelf: Path, make: Callable[[], bytes]
) -> None:
    request_id = created(call)
    answer = send(call, request_id, file=make(), skill_package=SKILL)
    assert_problem(answer, 400, "invalid_import")
    assert str(shelf) not in answer.text
    assert call("GET", f"{JOBS}/{request_id}").json()["state"] == "waiting_upload"
    assert not (shelf / "runs").exists() or [*(shelf / "runs").glob("*/uploads/evil*")] == []


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED.keys())
def test_a_package_is_refused_for_the_same_reasons(call: Caller, make: Callable[[], bytes]) -> None:
    answer = send(call, created(call), file=zipped(DOCUMENT), skill_package=make())
    assert answer.status_code == 400, answer.text
    assert answer.json()["code"] in ("invalid_import", "invalid_skill")


@pytest.mark.slow
@pytest.mark.parametrize("make", [bomb, crowded])
@pytest.mark.parametrize("field", ["file", "skill_package"])
def test_bombs_are_found_by_what_they_claim(
    call: Caller, make: Callable[[], bytes], field: str
) -> None:
    """Fault 6 of the original: it unfolded 300 MB of a zip of 292 KB, twice."""
    data = make()
    assert len(data) < 20_000_000
    parts = {"file": zipped(DOCUMENT), "skill_package": SKILL, field: data}
    assert_problem(send(call, created(call), **parts), 400, "invalid_import", "")


def test_what_is_refused_is_not_in_the_store_either(call: Caller, shelf: Path) -> None:
    """Files of the store are there for good: they come after all checks."""
    large = zipped(("other", bytes(range(256)) * 1_000))
    request_id = created(call)
    before = {*(shelf / "blobs").rglob("*")}
    refused = send(call, request_id, file=large, skill_package=SKILL)
    assert_problem(refused, 400, "invalid_job", "input.document: the file is missing")
    bad = send(call, request_id, file=broken_behind(), skill_package=SKILL)
    assert_problem(bad, 400, "invalid_import")
    assert {*(shelf / "blobs").rglob("*")} == before
    sent = send(call, request_id, file=zipped(DOCUMENT), skill_package=SKILL)
    assert sent.status_code == 200, sent.text
    assert settled(call, request_id)["state"] == "succeeded"


def test_after_a_rollback_the_skill_is_kept_with_the_next_upload(call: Caller, shelf: Path) -> None:
    """The first upload is undone when its skill is already on its way into the store."""
    skill = package("rolled-back", input=WITH_FILE)
    request_id = created(call)
    assert send(call, request_id, skill_package=skill).status_code == 400
    assert send(call, request_id, file=zipped(DOCUMENT), skill_package=skill).status_code == 200
    with caller(shelf) as fresh:  # it has nothing in memory
        assert settled(fresh, request_id)["state"] == "succeeded"
        bundle = fresh("GET", f"{JOBS}/{request_id}/bundle/debug")
        assert bundle.status_code == 200, bundle.text


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "json": ({"json": {"file": "x"}}, ""),
    "urlencoded": ({"data": {"file": "x"}}, "send a zip"),
    "text": ({"content": b"x", "headers": {"content-type": "text/plain"}}, ""),
    "no boundary": (
        {"content": b"x", "headers": {"content-type": "multipart/form-data"}},
        "must be multipart/form-data",
    ),
    "other boundary": (
        {"content": b"x", "headers": {"content-type": "multipart/form-data; boundary=b"}},
        "",
    ),
    "cut off": (
        {
            "content": b'--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\nx',
            "headers": {"content-type": "multipart/form-data; boundary=b"},
        },
        "cut off",
    ),
    "odd alphabet": (
        {
            "content": b'--b\r\ncontent-disposition: form-data; name="f\xff"\r\n\r\nx\r\n--b--\r\n',
            "headers": {"content-type": "multipart/form-data; boundary=b; charset=rot13"},
        },
        "the skill is missing",
    ),
    "no name": (
        {
            "content": b"--b\r\ncontent-type: text/plain\r\n\r\nx\r\n--b--\r\n",
            "headers": {"content-type": "multipart/form-data; boundary=b"},
        },
        "the skill is missing",
    ),
    "long head": (
        {
            "content": b"--b\r\nx: " + b"y" * 100_000,
            "headers": {"content-type": "multipart/form-data; boundary=b"},
        },
        "form cannot be read",
    ),
    "unknown field": ({"files": {"files": ("f.zip", zipped(DOCUMENT))}}, "'files' is no field"),
    "two files": (
        {"files": [("file", ("a.zip", zipped(DOCUMENT))), ("file", ("b.zip", zipped(DOCUMENT)))]},
        "'file' twice",
    ),
    "many fields": (
        {"files": [("file", (f"{number}.zip", b"x")) for number in range(50)]},
        "'file' twice",
    ),
    "a text for a file": (
        {"data": {"skill_package": "x"}, "files": {"file": ("f", zipped(DOCUMENT))}},
        "skill_package.zip is no zip",
    ),
    "an empty file": ({"files": {"file": ("f.zip", b"")}}, ""),
}


@pytest.mark.parametrize(("request_", "says"), WRONG.values(), ids=WRONG.keys())
def test_a_body_of_another_kind_is_refused(
    call: Caller, request_: dict[str, Any], says: str
) -> None:
    request_id = created(call)
    request_ = {**request_, "headers": {"x-whet": "1", **request_.get("headers", {})}}
    answer = call("POST", f"{JOBS}/{request_id}/upload", **request_)
    assert answer.status_code == 400, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert says in answer.json()["detail"]
    assert call("GET", f"{JOBS}/{request_id}").json()["state"] == "waiting_upload"


def test_an_empty_zip_is_one_without_files(call: Caller) -> None:
    needs = send(call, created(call), file=inputs(), skill_package=SKILL)
    assert_problem(needs, 400, "invalid_job", "input.document: the file is missing")
    request_id = created(call)
    sent = send(call, request_id, file=inputs(), skill_package=package("needs-nothing"))
    assert (sent.status_code, sent.json()["extracted_files"]) == (200, [])


def test_the_body_itself_may_be_the_zip(call: Caller) -> None:
    """Of a job that has its skill; here it comes too late, and that is told."""
    request_id = started(call, SKILL, zipped(DOCUMENT), input={"title": "raw"})
    path = f"{JOBS}/{request_id}/upload"
    again = call("POST", path, content=zipped(DOCUMENT), headers=ZIP)
    assert again.status_code == 200, again.text
    other = call("POST", path, content=zipped(("document", b"Other.")), headers=ZIP)
    assert_problem(other, 409, "wrong_status", "its files cannot be changed any more")
    settled(call, request_id)


@pytest.mark.parametrize("request_id", ["nobody", "..", "%2e%2e", "a/b", "%00", "x" * 5_000])
def test_nobody_uploads_to_a_job_that_is_not_there(call: Caller, request_id: str) -> None:
    answer = call("POST", f"{JOBS}/{request_id}/upload", content=zipped(DOCUMENT), headers=ZIP)
    assert answer.status_code in (404, 405), answer.text


async def endless(size: int, sent: list[int]) -> AsyncIterator[bytes]:
    for _ in range(size >> 16):
        sent.append(1 << 16)
        yield bytes(1 << 16)


@pytest.mark.parametrize("kind", ["application/zip", "multipart/form-data; boundary=b"])
def test_too_much_is_refused_while_it_comes(
    shelf: Path, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_files, "MOST_BYTES", 1024 * 1024)
    sent: list[int] = []
    head = b'--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n'

    async def body() -> AsyncIterator[bytes]:
        if "boundary" in kind:
            yield head
        async for part in endless(64 << 20, sent):
            yield part

    with caller(shelf, HOME=str(tmp_path / "home")) as call:
        path = f"{JOBS}/{created(call)}/upload"
        answer: httpx.Response = call("POST", path, content=body(), headers={"content-type": kind})
    assert_problem(answer, 413, "request_entity_too_large")
    assert sum(sent) < 4 << 20


def test_no_upload_is_larger_than_the_server_lets_in() -> None:
    assert jobs_files.MOST_BYTES >= uploads.MOST_PACKED
