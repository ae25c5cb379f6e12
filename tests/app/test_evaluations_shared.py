"""Capability runs of several processes on one database, whichever it is."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.app.measuring import (
    assert_whole,
    carried_out,
    case,
    free_app,
    sayings,
    started,
    write_set,
)
from tests.stores.postgres_server import Server
from whet.app.app import App
from whet.app.capability.runs import Evaluations
from whet.core.errors import Conflict

pytestmark = pytest.mark.slow

BODY = {"model_name": "simulated", "case_set": "mini", "language": "en-US"}
SLOW = {**BODY, "config_overrides": {"options": {"simulate": {"latency_ms": 300_000}}}}


@pytest.fixture(params=["sqlite", "postgres"])
def environment(request: pytest.FixtureRequest, postgres: Server) -> dict[str, str]:
    return {"WHET_DATABASE_URL": postgres.empty()} if request.param == "postgres" else {}


def taken_up(app: App, run_id: str) -> bool:
    try:
        Evaluations(app).take_up(run_id)
    except Conflict:
        return False
    return True


def test_of_many_who_want_a_run_one_gets_it(tmp_path: Path, environment: dict[str, str]) -> None:
    workspace = tmp_path / "workspace"
    write_set(workspace, sayings(2))
    with free_app(workspace, **environment) as dying:
        runs = [started(dying, BODY) for _ in range(5)]
    with (
        free_app(workspace, **environment) as first,
        free_app(workspace, **environment) as second,
        free_app(workspace, **environment) as third,
        ThreadPoolExecutor() as hands,
    ):
        for run_id in runs:
            tries = [hands.submit(taken_up, app, run_id) for app in (first, second, third)]
            won = [one.result() for one in tries]
            assert sum(won) == 1
            winner = (first, second, third)[won.index(True)]
            assert asyncio.run(Evaluations(winner).run(run_id)).status == "finished"
            assert_whole(winner, Evaluations(second).get(run_id))


def test_a_run_is_carried_out_and_cancelled_from_elsewhere(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    workspace = tmp_path / "workspace"
    write_set(workspace, [*sayings(4), case("absent", "say 1", prerequisites=["ptc"])])
    with free_app(workspace, **environment) as app, free_app(workspace, **environment) as other:
        detail = carried_out(app, BODY)
        assert_whole(other, detail)
        assert detail.run.status == "finished"
        run_id = started(app, SLOW)

        async def cancelled() -> str:
            running = asyncio.create_task(Evaluations(app).run(run_id))
            await asyncio.sleep(0.5)
            await Evaluations(other).cancel(run_id)
            return (await running).status

        assert asyncio.run(cancelled()) == "cancelled"
        assert_whole(other, Evaluations(other).get(run_id))
        Evaluations(other).delete(run_id)
        assert Evaluations(app).compare([detail.run.run_id, carried_out(app, BODY).run.run_id])
