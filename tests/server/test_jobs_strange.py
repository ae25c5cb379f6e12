"""Requests that mean no good: bodies without end, paths that lead out, odd ranges and names."""

from pathlib import Path

import httpx
import pytest

from tests.flows.job_client import zipped
from tests.server.calling import Caller, assert_problem
from tests.server.job_lives import EXAMPLE, done, run
from whet.app.library.library import library
from whet.app.packages.packages import Packages
from whet.server.desk import Desk

JSON = {"content-type": "application/json"}


@pytest.fixture
def installed(shelf: Path) -> None:
    with library(shelf, "skill") as skills:
        Packages(skills, ("claude", "simulated")).install(EXAMPLE)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("depth", [300, 10_000])
@pytest.mark.parametrize("place", ["%s", '{"skill_id": "text-report", "input": {"title": %s}}'])
def test_a_body_that_goes_too_deep_is_refused(call: Caller, depth: int, place: str) -> None:
    body = place % ('{"a":' * depth + "1" + "}" * depth)
    assert_problem(call("POST", "/v1/jobs", content=body, headers=JSON), 400, "invalid_document")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("body", "status"),
    [
        ('{"skill_id": "text-report", "input": {"title": NaN}}', 400),
        ('{"skill_id": "text-report", "input": {"title": "\\ud83d"}}', 400),
        ('{"skill_id": "text-report", "input": []}', 400),
        ('{"skill_id": 7}', 400),
        ('{"skill_id": "text-report", "runtime_options": {"nobody": 1}}', 400),
        ('{"skill_id": "text-report", "nobody": 1}', 400),
        ('{"skill_id": "../../etc"}', 404),
        ("[]", 400),
        ("", 400),
    ],
)
def test_a_body_that_makes_no_sense_is_refused(call: Caller, body: str, status: int) -> None:
    answer = call("POST", "/v1/jobs", content=body, headers=JSON)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"


def test_only_delivered_files_can_be_taken_away(tmp_path: Path) -> None:
    async def flow(client: httpx.AsyncClient, _desk: Desk) -> None:
        job = await done(client)
        base = f"/v1/jobs/{job['request_id']}/artifacts"
        whole = (await client.get(f"{base}/artifacts/report.md")).content
        for path in (
            "report.md",
            "uploads/document",
            "/etc/passwd",
            "artifacts/../uploads/document",
            "artifacts/%2e%2e/uploads/document",
            "artifacts//report.md",
            "artifacts/%5c..%5cx",
            "artifacts/report.md%00",
            "artifacts/nobody",
        ):
            answer = await client.get(f"{base}/{path}")
            assert answer.status_code in (400, 404), path
        shown = await client.get(f"{base}/artifacts/report.md")
        assert shown.headers["content-disposition"].startswith("attachment")
        assert shown.headers["x-content-type-options"] == "nosniff"
        for wanted, status, data in (
            ("bytes=0-0", 206, whole[:1]),
            ("bytes=2-", 206, whole[2:]),
            ("bytes=-3", 206, whole[-3:]),
            ("bytes=0-999999", 206, whole),
            ("bytes=999999-", 416, b""),
            ("bytes=5-2", 416, b""),
            ("bytes=-0", 416, b""),
            ("bytes=0-1,3-4", 200, whole),
            ("lines=1-2", 200, whole),
        ):
            answer = await client.get(f"{base}/artifacts/report.md", headers={"range": wanted})
            assert (answer.status_code, answer.content) == (status, data), wanted
        again = {"if-none-match": shown.headers["etag"]}
        assert (await client.get(f"{base}/artifacts/report.md", headers=again)).status_code == 304

    run(tmp_path / "workspace", flow)


def test_a_path_in_the_output_leads_to_nothing_outside(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("mine")

    async def flow(client: httpx.AsyncClient, _desk: Desk) -> None:
        options = {"engine_options": {"simulate": {"outside": str(secret)}}}
        job = await done(client, runtime_options=options)
        result = (await client.get(f"/v1/jobs/{job['request_id']}/result")).json()["result"]
        assert result["artifacts"] == ["artifacts/report.md"]
        assert [each["code"] for each in result["validation_warnings"]] == ["artifact_path_unknown"]
        bundle = (await client.get(f"/v1/jobs/{job['request_id']}/bundle/debug")).content
        assert b"mine" not in bundle

    run(tmp_path / "workspace", flow)
    assert secret.read_text() == "mine"


@pytest.mark.usefixtures("installed")
def test_a_link_in_an_upload_is_refused(call: Caller) -> None:
    body = {"skill_id": "text-report", "input": {"title": "T"}}
    job = call("POST", "/v1/jobs", json=body).json()["request_id"]
    for name in ("../document", "/document", "a\\b"):
        answer = call("POST", f"/v1/jobs/{job}/upload", content=zipped({name: b"x"}))
        assert answer.status_code == 400, name
