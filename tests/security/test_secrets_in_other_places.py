"""Secrets that are looked for where they are rarely: after a kill, at a judge, on a server."""

import asyncio
import json
import os
import signal
import sys
import time
from pathlib import Path

import psycopg
import pytest
from pydantic import JsonValue

from tests.app.evaluating import skill
from tests.app.jobs.offices import done, wanted
from tests.app.opening import app_on
from tests.flows.command import executions, started, whet
from tests.judges.asking import JUDGED
from tests.judges.test_model_for_real import MODELS, WORK, conversation, environment
from tests.security.attacks import office_with
from tests.security.test_secrets_at_rest import OLD, Seen, app_of, assert_gone, report
from tests.security.test_told_to_end import wait_for_trials
from tests.stores.postgres_server import Server
from whet.app.jobs.create import create
from whet.testing.model_server import ModelServer, Script

SECRET, FLAG = "made-up-region-5e77c1", "made-up-flag-90ad3e"
AGENT = "import os, time; time.sleep(0.4); print(len(os.environ['SHOP_REGION']))"


def test_kill_9_in_the_middle_of_runs_with_secrets(tmp_path: Path) -> None:
    """Neither the files of the killed process nor its log have them, and the next one has."""
    workspace = tmp_path / "workspace"
    own = {
        "WHET_CONFIG_DIR": str(tmp_path / "config"),
        "WHET_SCRATCH": str(tmp_path / "scratch"),
        "WHET_DEFAULT_RETRY_COUNT": "0",
    }
    argv = json.dumps([sys.executable, "-c", AGENT, f"--api-key={FLAG}"])
    variables = json.dumps({"SHOP_REGION": SECRET})
    options = ("--option", f"argv={argv}", "--option", f"environment={variables}")
    folder = skill(tmp_path)
    command = ("eval", folder, "--engine", "command", "--judge", "simulated", *options)
    asked = (*command, "--runs", "3", "--parallel", "2", "--yes", "--workspace", workspace)
    process = started(*asked, **own)
    wait_for_trials(workspace, 2)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert_gone(workspace, SECRET, FLAG)
    again = whet(*asked, **own)
    assert again.returncode == 0, again.stderr
    assert_gone(workspace, SECRET, FLAG)
    answered = [address for address, outcome in executions(workspace) if outcome == "answered"]
    assert len(answered) == len({*answered}) == 12
    assert SECRET not in again.stdout + again.stderr
    end = time.monotonic() + 20
    while [*(tmp_path / "scratch").rglob("*")] and time.monotonic() < end:
        time.sleep(0.1)
        whet("project", "list", "--workspace", workspace, **own)
    assert_gone_from(tmp_path / "scratch", SECRET, FLAG)


def assert_gone_from(folder: Path, *secrets: str) -> None:
    for path in folder.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        assert not [each for each in secrets if each.encode() in data + str(path).encode()]


def test_a_judge_tells_its_own_key(tmp_path: Path) -> None:
    key = "made-up-key-of-a-judge-4b1c"
    told = json.loads(json.dumps(JUDGED).replace("hello.md:1", f"I was called with {key}"))
    told["overall"] = f"My key is {key}."
    script = Script(conversations=(conversation("api", "You examine the work", told),))
    with ModelServer(script) as server:
        given = {**environment("api", server.url), "OPENAI_API_KEY": key, "HOME": str(tmp_path)}
        with app_on(tmp_path / "workspace", **given) as app:
            judge = app.parts.judge("model", app.judge_setup("api", MODELS["api"]))
            found = asyncio.run(judge.judge(WORK, WORK.case.standard.rubric, "seed"))
            assert key not in found.model_dump_json()
            assert "I was called with" in found.model_dump_json()
            assert_gone(tmp_path / "workspace", key)
    assert_gone(tmp_path / "workspace", key)


@pytest.mark.slow
def test_an_older_database_on_a_server_is_read(postgres: Server, tmp_path: Path) -> None:
    url, workspace, seen = postgres.empty(), tmp_path / "workspace", Seen()
    with (
        app_of(workspace, seen, WHET_DATABASE_URL=url) as app,
        office_with(app, report(tmp_path)) as office,
    ):
        job = create(
            office,
            wanted(
                skill_id="report",
                engine="hand",
                input={},
                runtime_options={"env": {"TEAM_NAME": "new"}, "engine_options": {"k": "v"}},
                webhook={"url": "http://127.0.0.1:9/", "secret": "made-up-new"},
            ),
        )
    _age(url, job.request_id)
    assert all(secret in _everything(url) for secret in (OLD["env"], OLD["option"]))
    with app_of(workspace, seen, WHET_DATABASE_URL=url) as app, office_with(app) as office:
        told = _everything(url)
        given: dict[str, JsonValue] = {
            "api_key": OLD["option"],
            "environment": {"TEAM_NAME": OLD["env"]},
        }
        app.access.give("hand", given)
        after = done(office, office.get(job.request_id))
        assert office.record(after) is not None, after.result
        assert seen.options[-1] == given
        for secret in OLD.values():
            assert secret not in told
            assert secret not in _everything(url)


def _age(url: str, job: str) -> None:
    """Make it one of the version before, with secrets as that one kept them."""
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0005'")
        connection.execute("DROP TABLE runs")
        private = {"env": {"TEAM_NAME": OLD["env"]}, "webhook_secret": OLD["signing"]}
        connection.execute(
            "UPDATE states SET value = %s WHERE kind = 'job_private'", [json.dumps(private)]
        )
        row = connection.execute("SELECT data FROM jobs WHERE request_id = %s", [job]).fetchone()
        assert row is not None
        data = json.loads(row[0])
        data["options"]["engine"] = {"api_key": OLD["option"]}
        connection.execute("UPDATE jobs SET data = %s", [json.dumps(data)])
        connection.execute(
            "INSERT INTO events (at, kind, subject, data) VALUES ('', 'x', 'y', %s)",
            [json.dumps({"error": f"refused: {OLD['env']}"})],
        )


def _everything(url: str) -> str:
    """All rows of all tables."""
    with psycopg.connect(url) as connection:
        names = connection.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
        ).fetchall()
        return "\n".join(
            str(row)
            for (name,) in names
            for row in connection.execute(f'SELECT * FROM "{name}"'.encode()).fetchall()
        )
