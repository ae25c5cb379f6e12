"""A model's help over HTTP: tags, purposes and drafts of cases."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.assisting import logs, pending, says
from tests.app.opening import app_on, fill
from tests.app.recording import app_with, hand
from tests.curate.shelves import identity
from tests.flows.serving import sent
from tests.run.agents import Waiting
from tests.server.calling import assert_problem, calling
from whet.app.library.assist import Assistant
from whet.app.library.assist_cases import Drafts
from whet.app.library.assist_tags import AutoTags
from whet.app.library.library import library
from whet.curate.draft import About
from whet.ports.engine import Engine
from whet.server.api import make_api

SKILLS, BASELINES = "/v1/skills", "/v1/baselines"
WANTED = {"name": "Sums", "purpose": "code", "description": "Adding numbers.", "number": 3}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace")
    return tmp_path / "workspace"


@asynccontextmanager
async def asking(workspace: Path, engine: Engine) -> AsyncGenerator[httpx.AsyncClient]:
    """A client of a server that has one engine more."""
    with app_with(workspace, engine) as app:
        api = make_api(app)
        transport = httpx.ASGITransport(app=api, raise_app_exceptions=False)
        async with (
            api.router.lifespan_context(api),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8642") as client,
        ):
            yield client


async def ended(client: httpx.AsyncClient, path: str) -> dict[str, Any]:
    """What is there once it does not run any more."""
    async with asyncio.timeout(30):
        while True:
            answer = await client.get(path)
            assert answer.status_code == 200, answer.text
            if answer.json()["status"] != "running":
                return answer.json()
            await asyncio.sleep(0.02)


def test_tags_are_proposed_in_the_background_and_their_state_outlives_the_server(
    workspace: Path,
) -> None:
    async def first() -> dict[str, Any]:
        async with calling(workspace) as (client, _):
            answer = await client.post(f"{SKILLS}/auto-tag", json={"assets": ["Writer", "Author"]})
            assert answer.status_code == 202, answer.text
            started = answer.json()
            assert started["total"] == 2
            state = await ended(client, f"{SKILLS}/auto-tag/{started['id']}")
            listed = (await client.get(SKILLS)).json()["items"]
            counts = {item["name"]: item["pending_tag_count"] for item in listed}
            assert counts == {asset["name"]: len(asset["tags"]) for asset in state["assets"]}
            foreign = await client.get(f"{BASELINES}/auto-tag/{started['id']}")
            assert_problem(foreign, 404, "not_found")
            return state

    async def later(identity: str) -> dict[str, Any]:
        async with calling(workspace) as (client, _):
            stopped = await client.post(f"{SKILLS}/auto-tag/{identity}/stop")
            assert stopped.json()["status"] == "completed", "what is over stays so"
            return await ended(client, f"{SKILLS}/auto-tag/{identity}")

    state = asyncio.run(first())
    assert (state["status"], state["simulated"], state["engine"]) == (
        "completed",
        True,
        "simulated",
    )
    for asset in state["assets"]:
        assert (asset["status"], asset["error"]) == ("completed", None)
        assert pending(workspace, asset["name"]) == asset["tags"] != []
    assert asyncio.run(later(state["id"])) == state


@pytest.mark.slow
def test_whoever_follows_misses_nothing(workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, desk):
            body = {"assets": ["Tests"]}
            started = (await client.post(f"{BASELINES}/auto-tag", json=body)).json()
            path = f"{BASELINES}/auto-tag/{started['id']}"
            state = await ended(client, path)
            desk.stopped = True  # else the stream goes on as long as the server does
            whole = [*sent(iter((await client.get(f"{path}/events")).text.splitlines()))]
            assert [event.kind.partition(".")[2] for event in whole] == [
                "started",
                "settled",
                "finished",
            ]
            assert whole[0].data["data"]["total"] == 1
            assert whole[1].data["data"] == state["assets"][0]
            headers = {"last-event-id": str(whole[1].cursor)}
            rest = await client.get(f"{path}/events", headers=headers)
            assert [*sent(iter(rest.text.splitlines()))] == whole[2:]

    asyncio.run(story())


def test_several_paid_answers_have_to_be_confirmed(workspace: Path) -> None:
    engine = hand(says(lambda _prompt: {"tags": ["good"]}))

    async def story() -> None:
        async with asking(workspace, engine) as client:
            body = {"assets": ["Writer", "Author"], "engine": "hand", "model": "big"}
            refused = await client.post(f"{SKILLS}/auto-tag", json=body)
            assert_problem(refused, 409, "confirmation_needed", "2 answers of hand:big")
            assert not engine.starts
            for wanted in ({**body, "confirmed": True}, {**body, "assets": ["Writer"]}):
                answer = await client.post(f"{SKILLS}/auto-tag", json=wanted)
                assert answer.status_code == 202, answer.text
                state = await ended(client, f"{SKILLS}/auto-tag/{answer.json()['id']}")
                assert (state["status"], state["model"]) == ("completed", "big")

    asyncio.run(story())


def test_a_batch_can_be_stopped(workspace: Path) -> None:
    waiting = Waiting()

    async def story() -> None:
        async with asking(workspace, hand(waiting)) as client:
            body = {"assets": ["Writer"], "engine": "hand"}
            started = (await client.post(f"{SKILLS}/auto-tag", json=body)).json()
            await waiting.begun.wait()
            path = f"{SKILLS}/auto-tag/{started['id']}"
            assert (await client.get(path)).json()["status"] == "running"
            stopped = (await client.post(f"{path}/stop")).json()
            assert (stopped["status"], stopped["error"]) == ("interrupted", None)
            assert [asset["status"] for asset in stopped["assets"]] == ["waiting"]

    asyncio.run(story())
    assert [log.status for log in logs(workspace, "Writer")] == ["failed"]
    assert pending(workspace, "Writer") == []


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        (f"{SKILLS}/auto-tag", {"assets": ["nobody"]}, 404, "not_found"),
        (f"{SKILLS}/auto-tag", {"assets": ["Tests"]}, 404, "not_found"),
        (f"{SKILLS}/auto-tag", {"assets": []}, 422, "invalid_request"),
        (f"{SKILLS}/auto-tag", {"assets": ["x"] * 201}, 422, "invalid_request"),
        (f"{SKILLS}/auto-tag", {"assets": ["Writer"], "id": "x"}, 422, "invalid_request"),
        (f"{SKILLS}/auto-tag", {"assets": ["Writer"], "engine": "?"}, 400, "unknown_part"),
        (f"{SKILLS}/auto-tag", {"assets": ["Writer"], "model": "m"}, 400, "invalid_request"),
        (f"{SKILLS}/suggest-purpose", {"purpose": ""}, 422, "invalid_request"),
        (f"{SKILLS}/suggest-purpose", {"purpose": "x" * 501}, 422, "invalid_request"),
        (f"{BASELINES}/generate", {**WANTED, "purpose": "../x"}, 400, "invalid_request"),
        (f"{BASELINES}/generate", {**WANTED, "name": "a\u0000b"}, 400, "invalid_request"),
        (f"{BASELINES}/generate", {**WANTED, "number": 51}, 422, "invalid_request"),
        (f"{BASELINES}/generate", {**WANTED, "cases": []}, 422, "invalid_request"),
        (f"{BASELINES}/generate", {**WANTED, "description": " "}, 400, "invalid_request"),
    ],
)
def test_what_cannot_be_is_refused_and_leaves_nothing(
    path: str, body: dict[str, Any], status: int, code: str, workspace: Path
) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, desk):
            assert_problem(await client.post(path, json=body), status, code)
            assert desk.app.store.events.last() == 0

    asyncio.run(story())
    assert not (workspace / "cli").exists()


@pytest.mark.parametrize("path", [f"{SKILLS}/auto-tag/x", f"{BASELINES}/generate/x"])
def test_what_never_was_is_not_found(path: str, workspace: Path) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            assert_problem(await client.get(path), 404, "not_found")

    asyncio.run(story())


def test_a_draft_is_written_looked_at_and_saved(workspace: Path) -> None:
    async def story() -> dict[str, Any]:
        async with calling(workspace) as (client, _):
            answer = await client.post(f"{BASELINES}/generate", json=WANTED)
            assert answer.status_code == 202, answer.text
            state = await ended(client, f"{BASELINES}/generate/{answer.json()['id']}")
            draft = state["draft"]
            body = {key: draft[key] for key in ("name", "purpose", "provider", "source")}
            answer = await client.post(BASELINES, json={**body, "cases": draft["cases"][1:]})
            assert answer.status_code == 201, answer.text
            meta = json.loads((Path(answer.json()["path"]) / "meta.json").read_text())
            assert (meta["source"], meta["case_count"]) == (draft["source"], 2)
            return state

    async def later(identity: str) -> dict[str, Any]:
        async with calling(workspace) as (client, _):
            return await ended(client, f"{BASELINES}/generate/{identity}")

    state = asyncio.run(story())
    assert (state["status"], state["simulated"], state["missing"]) == ("completed", True, {})
    assert "simulated" in state["draft"]["source"]
    assert asyncio.run(later(state["id"])) == state, "also after a restart"


def test_a_draft_that_fails_says_why(workspace: Path) -> None:
    async def story() -> None:
        async with asking(workspace, hand(says(lambda _prompt: "no idea"))) as client:
            answer = await client.post(f"{BASELINES}/generate", json={**WANTED, "engine": "hand"})
            assert answer.status_code == 202, answer.text
            state = await ended(client, f"{BASELINES}/generate/{answer.json()['id']}")
            assert (state["status"], state["draft"]) == ("failed", None)
            assert "no usable answer from hand" in state["error"]

    asyncio.run(story())


def test_what_a_server_left_when_it_died_is_interrupted(workspace: Path) -> None:
    with app_on(workspace) as gone, library(workspace, "baseline") as shelf:
        assistant = Assistant(gone, shelf)
        drafts, tagging = Drafts(assistant), AutoTags(assistant)
        order = drafts.order(About("Sums", "code", "me"), "Sums.", 3, assistant.how())
        batch = tagging.batch([identity("Tests")], assistant.how())
        gone.store.events.append("generation.started", order.id, drafts._start(order))
        gone.store.events.append("auto_tag.started", batch.id, tagging._start(batch))

    async def story() -> None:
        async with calling(workspace) as (client, _):
            draft = (await client.get(f"{BASELINES}/generate/{order.id}")).json()
            assert (draft["status"], draft["draft"]) == ("interrupted", None)
            assert "ask again" in draft["error"]
            tags = (await client.get(f"{BASELINES}/auto-tag/{batch.id}")).json()
            assert (tags["status"], tags["assets"][0]["status"]) == ("interrupted", "waiting")

    asyncio.run(story())


@pytest.mark.parametrize("path", [SKILLS, BASELINES])
def test_a_purpose_that_is_there_under_another_name_is_suggested(
    path: str, workspace: Path
) -> None:
    async def story() -> None:
        async with calling(workspace) as (client, _):
            answer = await client.post(f"{path}/suggest-purpose", json={"purpose": "Test-Code"})
            assert answer.status_code == 200, answer.text
            assert answer.json() == {
                "purpose": "code_test",
                "reason": "the same words, written otherwise",
                "by": "rule",
                "simulated": False,
            }

    asyncio.run(story())
