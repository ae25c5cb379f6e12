"""The whole loop on a PostgreSQL server: nothing is lost, nothing runs twice, no secret is told."""

import json
import os
import signal
import subprocess
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from tests.flows.command import demo, started, whet
from tests.flows.serving import SKILLS, Serving
from tests.stores.postgres_server import PASSWORD, Server
from whet.app.sample import install

pytestmark = pytest.mark.slow

TRIALS = 90


def outcomes(url: str) -> list[tuple[str, str | None]]:
    """Address and outcome of every execution."""
    with psycopg.connect(url) as connection:
        try:
            return connection.execute("SELECT address, outcome FROM executions").fetchall()
        except psycopg.errors.UndefinedTable:  # it has just been started
            return []


def killed_in_the_middle(url: str, process: subprocess.Popen[str], more: int) -> None:
    """Kill it when it has some answers of its own."""

    def answered() -> int:
        return sum(outcome == "answered" for _, outcome in outcomes(url))

    before, deadline = answered(), time.monotonic() + 60
    while answered() < before + more:
        assert time.monotonic() < deadline
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


def test_a_project_survives_on_a_server(postgres: Server, tmp_path: Path) -> None:
    """Killed alone, killed beside another one, and resumed by that one and by a third."""
    url, workspace = postgres.empty(), tmp_path / "workspace"
    wanted = json.dumps(demo(tmp_path / "undisturbed")["ranking"])
    run = ("demo", "--workspace", workspace, "--json")
    killed_in_the_middle(url, started(*run, WHET_DATABASE_URL=url), 5)
    assert 0 < sum(outcome == "answered" for _, outcome in outcomes(url)) < TRIALS
    dying, living = (started(*run, WHET_DATABASE_URL=url) for _ in range(2))
    killed_in_the_middle(url, dying, 5)
    said, errors = living.communicate(timeout=90)
    again = whet(*run, WHET_DATABASE_URL=url)
    assert json.dumps(json.loads(said)["ranking"]) == wanted
    assert json.dumps(json.loads(again.stdout)["ranking"]) == wanted
    every = outcomes(url)
    answered = Counter(address for address, outcome in every if outcome == "answered")
    assert len(answered) == TRIALS
    assert set(answered.values()) == {1}
    assert not [address for address, outcome in every if outcome is None]
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM trials").fetchone() == (TRIALS,)
        cursors = [cursor for (cursor,) in connection.execute("SELECT cursor FROM events")]
        assert len(set(cursors)) == len(cursors)
    assert not (workspace / "whet.db").exists()
    assert_it_is_nowhere(workspace, said, errors, again.stdout, again.stderr)


def test_events_come_once_and_in_order(postgres: Server, tmp_path: Path) -> None:
    """Over two connections, while another process writes to the same database."""
    url, workspace = postgres.fresh(), tmp_path / "workspace"
    install(workspace, "en")
    with Serving.on(workspace, WHET_DATABASE_URL=url) as serving:
        identity = serving.start(skills=SKILLS[:2], repeats=2)["id"]
        other = started("demo", "--workspace", workspace, "--json", WHET_DATABASE_URL=url)
        with serving.following(identity) as events:
            first = list(islice(events, 15))
        second = serving.until(identity, "experiment.finished", last=first[-1].cursor)
        assert other.wait(90) == 0, other.communicate()
        other.communicate()
    every = (*first, *second)
    cursors = [event.cursor for event in every]
    assert cursors == sorted(set(cursors))
    kinds = [event.kind for event in every]
    assert kinds == ["experiment.started", *["trial.settled"] * 40, "experiment.finished"]


def test_the_doctor_names_the_server_and_not_its_password(postgres: Server, tmp_path: Path) -> None:
    url = postgres.fresh()
    good = whet("doctor", "--workspace", tmp_path, "--json", WHET_DATABASE_URL=url)
    report = json.loads(good.stdout)["database"]
    assert report["kind"] == "postgresql"
    assert report["path"].startswith("postgresql://whet@/")
    assert report["problem"] is None
    bad = whet("doctor", "--workspace", tmp_path, WHET_DATABASE_URL=url.replace("/db_", "/no_"))
    assert bad.returncode == 3
    assert "does not answer" in " ".join(bad.stdout.split())
    wrong = [
        whet("project", "list", "--workspace", tmp_path, WHET_DATABASE_URL=address)
        for address in (
            "postgresql://u:secret-word@127.0.0.1:1/db",
            "mysql://u:secret-word@127.0.0.1/db",
        )
    ]
    for done in wrong:
        assert done.returncode in (2, 3)
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr
        assert "secret-word" not in done.stdout + done.stderr
    said = [text for done in (good, bad, *wrong) for text in (done.stdout, done.stderr)]
    assert_it_is_nowhere(tmp_path, *said)


def assert_it_is_nowhere(workspace: Path, *said: str) -> None:
    """The password, in whatever form."""
    forms = (PASSWORD, quote(PASSWORD, safe=""), quote(PASSWORD))
    for text in said:
        assert not [form for form in forms if form in text]
    for path in workspace.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert not [form for form in forms if form.encode() in content], path
