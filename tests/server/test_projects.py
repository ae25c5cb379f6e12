"""Projects over HTTP: make, list, look, change, put away, follow."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.opening import fill
from tests.curate.shelves import add_baseline, add_skill
from tests.flows.command import assert_every_trial_answered_once, executions
from tests.server.calling import SMALL, assert_problem, calling
from tests.server.projects import PROJECTS, carried_out, ended, made, results
from whet.evaluate.project import projects


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace")
    return tmp_path / "workspace"


def only(workspace: Path, pattern: str) -> Path:
    """The project whose folder is called so."""
    [folder] = (workspace / "projects").glob(pattern)
    return folder


def test_a_project_is_made_and_not_started(workspace: Path) -> None:
    more = {"description": "Which one?", "retries": 1, "readings": 2, "judges": ["simulated"]}

    async def story() -> None:
        async with calling(workspace) as (client, _):
            answer = await client.post(PROJECTS, json={**SMALL, **more})
            assert answer.status_code == 201
            item = answer.json()
            assert (item["name"], item["status"], item["control"]) == ("Small", "pending", None)
            assert [skill["name"] for skill in item["skills"]] == ["Writer", "Author"]
            assert (item["description"], item["total_trials"]) == ("Which one?", 8)
            detail = (await client.get(f"{PROJECTS}/{item['id']}")).json()
            assert detail["project"] == item
            assert detail["summary"] is None
            assert detail["config"]["cli_config"]["retry_count"] == 1
            assert detail["config"]["grading_config"] == {"judges": ["simulated"], "readings": 2}
            status = (await client.get(f"{PROJECTS}/{item['id']}/status")).json()
            assert (status["status"], status["run"], status["total_trials"]) == ("pending", None, 8)

    asyncio.run(story())
    assert executions(workspace) == []


def test_a_project_is_named_in_several_ways(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            first = await made(client, name="One")
            await made(client, name="Two")
            identity = first.rpartition("/")[2]
            folder = only(workspace, "project_one_*")
            for reference in (identity, identity[:8], "One", folder.name):
                found = (await client.get(f"{PROJECTS}/{reference}")).json()
                assert found["project"]["id"] == identity

    asyncio.run(story())


async def names(client: httpx.AsyncClient, **query: Any) -> list[str]:
    answer = await client.get(PROJECTS, params=query)
    assert answer.status_code == 200, answer.text
    return [item["name"] for item in answer.json()["items"]]


def test_lists(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            for number in range(5):
                await made(client, name=f"Project {number}")
            await carried_out(client, name="Done", repeats=1)
            every = await names(client)
            assert sorted(every) == ["Done", *(f"Project {number}" for number in range(5))]
            pages = [await names(client, page=page, page_size=4) for page in (1, 2, 3)]
            assert [name for page in pages for name in page] == every
            assert [len(page) for page in pages] == [4, 2, 0]
            assert await names(client, status="completed") == ["Done"]
            assert await names(client, keyword="PROJECT 3") == ["Project 3"]
            assert await names(client, keyword="%") == []
            await client.post(f"{PROJECTS}/Done/archive")
            assert len(await names(client)) == 5
            assert await names(client, archived=True) == ["Done"]
            assert len(await names(client, archived="all")) == 6
            page = (await client.get(PROJECTS, params={"page_size": 1})).json()
            assert (page["total"], page["page"], page["page_size"]) == (5, 1, 1)

    asyncio.run(story())


def test_a_broken_project_is_named_and_hides_no_other(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            await made(client, name="Sound")
            await made(client, name="Broken")
            (only(workspace, "project_broken_*") / "config.json").write_text("{")
            page = (await client.get(PROJECTS)).json()
            assert [item["name"] for item in page["items"]] == ["Sound"]
            [problem] = page["problems"]
            assert "project_broken" in problem
            answer = await client.get(f"{PROJECTS}/Broken")
            assert_problem(answer, 404, "not_found", "no project 'Broken'", "not readable")

    asyncio.run(story())


def test_a_name_and_a_description_change(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            project = await made(client)
            item = (await client.patch(project, json={"name": "New"})).json()
            assert (item["name"], item["description"]) == ("New", "")
            item = (await client.patch(project, json={"description": "Why?"})).json()
            assert (item["name"], item["description"]) == ("New", "Why?")
            unchanged = (await client.patch(project, json={})).json()
            assert unchanged == item
            for body in ({"name": " "}, {"name": "a\nb"}, {"name": "x" * 201}):
                assert_problem(await client.patch(project, json=body), 400, "invalid_request")
            for body in ({"status": "completed"}, {"description": "x" * 20_001}, {"name": 1}):
                assert_problem(await client.patch(project, json=body), 422, "invalid_request")
            assert (await client.get(f"{PROJECTS}/New")).json()["project"] == item

    asyncio.run(story())


def test_archiving_hides_and_restoring_brings_back(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            project = await carried_out(client)
            assert (await client.post(f"{project}/archive")).json()["archived"] is True
            assert (await client.post(f"{project}/archive")).json()["archived"] is True
            assert len(await results(client, project)) == 8
            assert (await client.post(f"{project}/restore")).json()["archived"] is False
            assert await names(client) == ["Small"]

    asyncio.run(story())


def test_a_clone_has_the_design_and_no_results(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            project = await carried_out(client, description="Why?", retries=1)
            add_skill(workspace, "Writer", version="v2", text="Be better.")
            same = (await client.post(f"{project}/clone")).json()
            assert (same["name"], same["status"]) == ("Small (copy)", "pending")
            assert [skill["version"] for skill in same["skills"]] == ["v1", "v1"]
            answer = await client.post(f"{project}/clone", json={"name": "New", "newest": True})
            assert answer.status_code == 201
            newer = answer.json()
            assert newer["name"] == "New"
            assert [skill["version"] for skill in newer["skills"]] == ["v2", "v1"]
            assert newer["trials"]["completed"] == 0
            old, new = [
                (await client.get(f"{PROJECTS}/{one['id']}/environment")).json()
                for one in (same, newer)
            ]
            assert old["skills"][0]["digest"] != new["skills"][0]["digest"]
            assert old["skills"][1] == new["skills"][1]
            assert (new["engine"], new["retry_count"], new["repeats"]) == ("simulated", 1, 2)

    asyncio.run(story())


def test_a_summary_is_there_once_it_is_completed(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            project = await made(client)
            assert_problem(
                await client.get(f"{project}/summary"), 404, "not_found", "no summary yet"
            )
            project = await carried_out(client)
            found = (await client.get(f"{project}/summary")).json()
            assert found == (await client.get(project)).json()["summary"]
            assert sorted(entry["skill_name"] for entry in found["ranking"]) == ["Author", "Writer"]

    asyncio.run(story())


def test_results_by_page_and_one_in_full(workspace: Path) -> None:
    add_baseline(workspace, "More", count=2)

    async def story() -> None:
        async with calling(workspace) as (client, _):
            project = await carried_out(client, baselines=["Tests", "More"])
            every = await results(client, project)
            assert len({(r["arm"], r["set"], r["case"], r["attempt"]) for r in every}) == 16
            page = await client.get(f"{project}/results", params={"page": 2, "page_size": 5})
            assert page.json()["items"] == every[5:10]
            writer = await results(client, project, skill="Writer")
            assert len(writer) == 8
            [arm] = {result["arm"] for result in writer}
            assert await results(client, project, skill=arm) == writer
            assert len(await results(client, project, baseline="More", case="case_001")) == 4
            assert len(await results(client, project, status="completed")) == 16
            assert await results(client, project, status="failed") == []
            assert await results(client, project, grade_status="unscored") == []
            one = f"{project}/results/{arm}/case_002"
            assert_problem(await client.get(one), 400, "invalid_request", "several baselines")
            answer = await client.get(one, params={"set": "More", "attempt": 2})
            assert answer.status_code == 200, answer.text
            detail = answer.json()
            assert (detail["item"]["baseline_name"], detail["item"]["attempt"]) == ("More", 2)
            assert (detail["attempts"], detail["result"]["case_id"]) == (2, "case_002")
            assert detail["result"]["actual_output"]
            assert detail["dimensions"]

    asyncio.run(story())


RESULT_PROBLEMS: list[tuple[str, dict[str, Any], int, str]] = [
    ("", {"skill": "Nobody"}, 404, "not_found"),
    ("", {"baseline": "None"}, 404, "not_found"),
    ("", {"page": 0}, 422, "invalid_request"),
    ("", {"page_size": 201}, 422, "invalid_request"),
    ("", {"status": "done"}, 422, "invalid_request"),
    ("", {"unknown": 1}, 422, "invalid_request"),
    ("/Writer/case_009", {}, 404, "not_found"),
    ("/Writer/..%2f..%2fconfig", {}, 404, "not_found"),
    ("/Nobody/case_001", {}, 404, "not_found"),
    ("/Writer/case_001", {"attempt": 3}, 404, "not_found"),
    ("/Writer/case_001", {"attempt": 0}, 422, "invalid_request"),
    ("/Writer/case_001", {"set": "None"}, 404, "not_found"),
]


def test_results_that_are_not_there(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            project = await carried_out(client)
            for path, query, status, code in RESULT_PROBLEMS:
                answer = await client.get(f"{project}/results{path}", params=query)
                assert_problem(answer, status, code)
            beyond = await client.get(f"{project}/results", params={"page": 10**6})
            assert beyond.json()["items"] == []

    asyncio.run(story())


@pytest.mark.slow
def test_a_project_is_followed(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, desk):
            project = await carried_out(client)
            desk.stopped = True  # the stream of what is there, and no more
            answer = await client.get(f"{project}/events")
            kinds = [line[7:] for line in answer.text.splitlines() if line.startswith("event: ")]
            assert kinds == ["progress", *["settled"] * 8, "ended"]
            first = next(line for line in answer.text.splitlines() if line.startswith("id: "))
            rest = await client.get(f"{project}/events", headers={"last-event-id": first[4:]})
            assert len(rest.text) < len(answer.text)
            assert "experiment.started" not in rest.text

    asyncio.run(story())


def test_results_that_lie_in_files_only_are_found(workspace: Path) -> None:
    async def first() -> list[dict[str, Any]]:
        async with calling(workspace) as (client, _):
            return await results(client, await carried_out(client))

    async def second() -> list[dict[str, Any]]:
        async with calling(workspace) as (client, _):
            status = (await client.get(f"{PROJECTS}/Small/status")).json()
            assert (status["status"], status["trials"]["completed"]) == ("completed", 8)
            return await results(client, f"{PROJECTS}/Small")

    before = asyncio.run(first())
    for path in workspace.glob("whet.db*"):
        path.unlink()
    after = asyncio.run(second())
    changed = {"generation": 0}
    assert [{**one, **changed} for one in before] == [{**one, **changed} for one in after]
    assert {one["generation"] for one in after} == {0}


def test_a_running_project_whose_process_is_gone_is_interrupted(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            project = await made(client)
            [found] = projects(workspace).found
            found.saved(status="running")
            item = (await client.get(project)).json()["project"]
            assert item["status"] == "interrupted"
            assert await names(client, status="running") == []
            assert_problem(
                await client.post(f"{project}/pause"), 409, "wrong_status", "not running"
            )
            assert (await client.post(f"{project}/run")).status_code == 202
            assert (await ended(client, project))["status"] == "completed"

    asyncio.run(story())
    assert_every_trial_answered_once(workspace, 8)


def test_two_projects_differ_in_what_they_are_carried_out_with(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            first, second = (
                await made(client, name="One"),
                await made(client, name="Two", retries=7),
            )
            answer = await client.get(f"{first}/environment", params={"against": "Two"})
            found = answer.json()
            assert (answer.status_code, found["identical"]) == (200, False)
            assert [one["field"] for one in found["differences"]] == ["retry_count"]
            assert (await client.get(f"{second}/environment")).json()["retry_count"] == 7
            assert_problem(
                await client.get(f"{first}/environment", params={"against": "Nobody"}),
                404,
                "not_found",
                "no project 'Nobody'",
            )

    asyncio.run(story())
