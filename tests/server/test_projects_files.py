"""Projects as files over HTTP: away, back, reported and compared."""

import asyncio
import csv
import io
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.app.bundling import bundle, packed, unpacked, with_config
from tests.app.opening import fill
from tests.curate.intake.zips import LINK, many, with_claimed_size, zipped
from tests.server.calling import ask, assert_problem, calling
from tests.server.projects import PROJECTS, carried_out, ended, made, results
from whet.server import projects_files

IMPORT = f"{PROJECTS}/import"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT[0-9:.]+Z")


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return bundle(tmp_path_factory.mktemp("good"))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace")
    return tmp_path / "workspace"


def folders(workspace: Path) -> list[str]:
    """Everything among the projects, half ones too."""
    root = workspace / "projects"
    return sorted(path.name for path in root.iterdir()) if root.exists() else []


async def taken(client: httpx.AsyncClient, data: bytes, **query: object) -> httpx.Response:
    params = {"filename": "theirs.zip", **{name: str(value) for name, value in query.items()}}
    return await client.post(IMPORT, content=data, params=params)


@pytest.mark.slow
def test_away_and_back(workspace: Path, tmp_path: Path) -> None:
    async def away() -> tuple[httpx.Response, list[dict[str, object]]]:
        async with calling(workspace) as (client, _):
            project = await carried_out(client)
            plain = await client.get(f"{project}/export")
            whole = await client.get(f"{project}/export", params={"trials": True})
            assert len(plain.content) < len(whole.content)
            assert (await client.get(f"{project}/export")).content == plain.content
            return whole, await results(client, project)

    async def back(data: bytes) -> list[dict[str, object]]:
        async with calling(tmp_path / "elsewhere") as (client, _):
            answer = await taken(client, data)
            assert answer.status_code == 201, answer.text
            body = answer.json()
            assert (body["trials"], body["notes"]) == (8, [])
            assert body["project"]["status"] == "completed"
            project = f"{PROJECTS}/{body['project']['id']}"
            await client.post(f"{project}/run")
            run = (await ended(client, project))["run"]
            assert run["reused"] == run["total"] == 8
            assert_problem(await taken(client, data), 400, "invalid_request", "renamed=true")
            again = await taken(client, data, renamed=True)
            assert again.status_code == 201
            assert again.json()["project"]["id"] != body["project"]["id"]
            return await results(client, project)

    whole, before = asyncio.run(away())
    name = folders(workspace)[0]
    assert whole.headers["content-type"] == "application/zip"
    assert whole.headers["content-length"] == str(len(whole.content))
    assert whole.headers["content-security-policy"] == "sandbox"
    assert f'attachment; filename="{name}.zip"' in whole.headers["content-disposition"]
    assert folders(workspace) == [name]
    after = asyncio.run(back(whole.content))
    assert [{**one, "generation": 0} for one in before] == after
    assert len(folders(tmp_path / "elsewhere")) == 2


def test_what_stays_behind_is_told(workspace: Path) -> None:
    async def story() -> httpx.Response:
        async with calling(workspace) as (client, _):
            project = await made(client)
            (workspace / "projects" / folders(workspace)[0] / "mine.txt").write_text("x")
            return await client.get(f"{project}/export")

    [note] = json.loads(asyncio.run(story()).headers["x-whet-notes"])
    assert note == "'mine.txt' is left out: it is no part of a project"


def hostile(good: bytes) -> dict[str, bytes]:
    every = [*unpacked(good).items()]
    config = unpacked(good)
    with_config(skills__0__local_path="../../../etc")(config)
    cassette = {**unpacked(good), "trials/0001.zip": b"PK"}
    return {
        "empty": b"",
        "no zip": b"PK\3\4 but no more",
        "cut": good[:-30],
        "slip": zipped(*every, ("../../out", b"x")),
        "absolute": zipped(*every, ("/etc/out", b"x")),
        "link": zipped(*every, ("logs/x", b"/etc"), modes={"logs/x": LINK}),
        "bomb": zipped(*every, ("logs/x", bytes(60_000_000))),
        "liar": with_claimed_size(zipped(*every), 1),
        "elsewhere": zipped(*every, ("whet.db", b"x")),
        "no config": many(["logs/x"]),
        "config": packed(config),
        "cassette": packed(cassette),
    }


@pytest.mark.slow
def test_a_zip_is_taken_whole_or_not_at_all(workspace: Path, good: bytes) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, desk):
            for name, data in hostile(good).items():
                answer = await taken(client, data)
                assert_problem(answer, 400, "invalid_import", "theirs.zip")
                assert answer.json()["problems"], name
                assert str(workspace) not in answer.text
                assert folders(workspace) == [], name
            assert not desk.app.store.ledger.addresses()
            assert (await client.get(PROJECTS)).json()["total"] == 0

    asyncio.run(story())


async def chunks(count: int) -> AsyncIterator[bytes]:
    for _ in range(count):
        yield bytes(1024 * 1024)


@pytest.mark.slow
def test_a_project_may_be_larger_than_other_bodies_but_not_without_end(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = ask(workspace, "POST", IMPORT, content=chunks(20))
    assert_problem(answer, 400, "invalid_import", "project.zip")
    monkeypatch.setattr(projects_files, "MOST_BYTES", 18 * 1024 * 1024)
    answer = ask(workspace, "POST", IMPORT, content=chunks(20))
    assert_problem(answer, 413, "request_entity_too_large", "18 MiB")
    for path in (f"{IMPORT}/", f"{PROJECTS}/x/import", PROJECTS):
        answer = ask(workspace, "POST", path, content=chunks(17))
        assert answer.status_code in (307, 404, 413), answer.text
    assert folders(workspace) == []


def test_a_form_is_no_file(workspace: Path, good: bytes) -> None:
    answer = ask(workspace, "POST", IMPORT, files={"file": ("x.zip", good)})
    assert_problem(answer, 400, "invalid_request", "--data-binary")
    assert folders(workspace) == []


def test_reports(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            project = await carried_out(client, name="<script>alert(1)</script>")
            path = f"{project}/report"
            found = {
                form: await client.get(path, params={"format": form})
                for form in ("json", "csv", "markdown", "html")
            }
            assert {
                form: one.headers["content-type"].partition(";")[0] for form, one in found.items()
            } == {
                "json": "application/json",
                "csv": "text/csv",
                "markdown": "text/markdown",
                "html": "text/html",
            }
            for one in found.values():
                assert one.headers["content-security-policy"] == "sandbox"
            assert len(found["json"].json()["results"]) == 8
            rows = [*csv.reader(io.StringIO(found["csv"].text))]
            assert len(rows) == 9
            assert "attachment" in found["csv"].headers["content-disposition"]
            assert "<script>alert" not in found["html"].text
            usual = (await client.get(path)).text
            assert MOMENT.sub("", usual) == MOMENT.sub("", found["html"].text)
            chinese = await client.get(path, params={"format": "html", "language": "zh"})
            assert chinese.text != found["html"].text
            for query in ({"format": "pdf"}, {"language": "fr"}):
                assert_problem(await client.get(path, params=query), 422, "invalid_request")

    asyncio.run(story())


def test_comparisons(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            await carried_out(client)
            path = f"{PROJECTS}/compare"
            sides = {"left": "Small:Writer", "right": "Small:Author"}
            found = (await client.get(path, params=sides)).json()
            assert (found["left"]["skill_name"], found["right"]["skill_name"]) == (
                "Writer",
                "Author",
            )
            assert len(found["cases"]) == 2
            assert found["wins"] + found["losses"] + found["ties"] == 2
            turned = {"left": sides["right"], "right": sides["left"]}
            other = (await client.get(path, params=turned)).json()
            assert (other["wins"], other["losses"]) == (found["losses"], found["wins"])
            answers = await client.get(path, params={**sides, "case": "case_002", "attempt": 2})
            assert (answers.json()["case_id"], answers.json()["attempt"]) == ("case_002", 2)
            for query, status, code in (
                ({"left": "Small:Writer"}, 422, "invalid_request"),
                ({**sides, "right": "Small:Writer"}, 400, "invalid_request"),
                ({**sides, "right": "Small:Nobody"}, 404, "not_found"),
                ({**sides, "left": "None"}, 404, "not_found"),
                ({**sides, "case": "case_009"}, 404, "not_found"),
                ({**sides, "case": "case_001", "attempt": 3}, 404, "not_found"),
            ):
                assert_problem(await client.get(path, params=query), status, code)

    asyncio.run(story())
