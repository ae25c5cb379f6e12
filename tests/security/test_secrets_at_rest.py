"""Whoever gets the files of a workspace looks for secrets in every byte of them."""

import asyncio
import json
import shlex
import sqlite3
import stat
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from pydantic import JsonValue
from typer.testing import CliRunner

from tests.app import evaluating
from tests.app.jobs.offices import done, wanted
from tests.app.measuring import carried_out, sayings, write_set
from tests.app.opening import COMPARISON, app_on, fill
from tests.app.recording import WithEngine, hand
from tests.run.agents import now
from tests.security.attacks import office_with, package
from whet.app.app import App
from whet.app.experiments import Experiments
from whet.app.jobs.bundle import bundle
from whet.app.jobs.create import create
from whet.app.jobs.office import Office
from whet.app.jobs.private import KIND
from whet.app.parts import InstalledParts
from whet.app.projects.create import create_project
from whet.app.secret_sweep import sweep_secrets
from whet.cli.main import app as cli
from whet.core.errors import ConsentNeeded, EnvironmentProblem, UsageError
from whet.core.job import Job
from whet.core.step import Ended, Said, Step
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.evaluate.project import projects
from whet.ports.workdir import Workdir
from whet.stores.checkup import check_database

SECRETS = {
    name: f"made-up-{name}-{number}9f3c7a"
    for number, name in enumerate(
        ("variable", "flag", "header", "env", "query", "cookie", "team", "user", "option")
    )
}
ENV, SIGNING, HOOK = "made-up-env-7c0d51", "made-up-signing-1b9e44", "made-up-hook-e2a8f6"
OPTIONS: dict[str, JsonValue] = {
    "environment": {"SHOP_REGION": SECRETS["variable"]},
    "extra_flags": ["--verbose", f"--api-key={SECRETS['flag']}"],
    "mcp_servers": {
        "notes": {
            "command": "notes",
            "args": ["--header", f"Authorization: Bearer {SECRETS['header']}", "--key", "k3y"],
            "env": {"MODE": SECRETS["env"]},
        },
        "far": {
            "url": f"https://far.example/mcp?key={SECRETS['query']}&page=2",
            "headers": {"Cookie": SECRETS["cookie"], "X-Team": SECRETS["team"]},
        },
        "near": {"url": f"https://{SECRETS['user']}@near.example/mcp"},
    },
    "api_key": SECRETS["option"],
}


class Seen:
    """An agent that notes what it was given, and says all of it."""

    def __init__(self) -> None:
        self.options: list[dict[str, JsonValue]] = []
        self.engine = hand(self.script)

    async def script(self, spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
        if spec.options:  # a judge has none
            self.options.append(spec.options)
        told = json.dumps(spec.options)
        (workdir.work / "answer.py").write_text(f'"""{told}"""\n')
        yield Said(now(), told)
        yield Ended(now(), f"done {told}", Usage(input_tokens=1, cost_usd=0.1))


@contextmanager
def app_of(workspace: Path, seen: Seen, **environment: str) -> Generator[App]:
    allowed = {"WHET_OUTBOUND_HOSTS": "127.0.0.1:9"}
    with app_on(workspace, **allowed, **environment) as app:
        yield replace(app, parts=WithEngine(seen.engine, InstalledParts(app.settings.machine)))


def assert_gone(workspace: Path, *secrets: str) -> None:
    """Every byte of every file, and every name."""
    files = [path for path in workspace.rglob("*") if path.is_file()]
    assert any(path.name == "whet.db" for path in files)
    for path in files:
        data = path.read_bytes() + str(path).encode()
        for secret in secrets:
            assert secret.encode() not in data, f"{secret} is in {path}"


def run_eval(app: App, folder: Path) -> None:
    evaluating.run(app, evaluating.skill(folder), engines=("hand",), options=OPTIONS)


def run_project(app: App, _folder: Path) -> None:
    fill(app.settings.workspace)
    options = {name: value for name, value in OPTIONS.items() if name != "extra_flags"}
    flags = tuple(map(str, OPTIONS["extra_flags"]))  # type: ignore[arg-type]
    change = {"engine": "hand", "options": options, "extra_flags": flags, "repeats": 1}
    made = create_project(app, COMPARISON.model_copy(update=change))
    asyncio.run(Experiments(app).run(made))


def run_capability(app: App, _folder: Path) -> None:
    write_set(app.settings.workspace, sayings(2))
    options = {name: value for name, value in OPTIONS.items() if name != "mcp_servers"}
    servers = OPTIONS["mcp_servers"]
    body: dict[str, Any] = {
        "model_name": "hand",
        "case_set": "mini",
        "language": "en-US",
        "config_overrides": {"options": options, "mcp_servers": servers},
    }
    carried_out(app, body)


def asked_job(office: Office, **more: JsonValue) -> Job:
    options = {name: value for name, value in OPTIONS.items() if name != "environment"}
    return create(
        office,
        wanted(
            skill_id="report",
            engine="hand",
            input={},
            runtime_options={"env": {"TEAM_NAME": ENV}, "engine_options": options, "debug": True},
            webhook={"url": f"http://127.0.0.1:9/done?token={HOOK}", "secret": SIGNING},
            **more,
        ),
    )


def report(folder: Path) -> Path:
    """A package that the agent of this module may run."""
    made = package(folder, "report")
    runner = json.loads((made / "assets/runner.json").read_text())
    del runner["engines"]
    (made / "assets/runner.json").write_text(json.dumps(runner))
    return made


def run_job(app: App, folder: Path) -> None:
    with office_with(app, report(folder)) as office:
        job = done(office, asked_job(office, idempotency_key="once"))
        assert asked_job(office, idempotency_key="once").request_id == job.request_id
        with bundle(office, job, debug=True) as zipped, ZipFile(BytesIO(zipped.read())) as archive:
            for name in archive.namelist():
                for secret in (*SECRETS.values(), ENV, SIGNING, HOOK):
                    assert secret.encode() not in archive.read(name), f"{secret} is in {name}"


RUNS: dict[str, Callable[[App, Path], None]] = {
    "eval": run_eval,
    "project": run_project,
    "capability": run_capability,
    "job": run_job,
}


@pytest.mark.parametrize("kind", RUNS)
def test_a_thief_reads_the_files_of_a_workspace(tmp_path: Path, kind: str) -> None:
    workspace, seen = tmp_path / "workspace", Seen()
    with app_of(workspace, seen) as app:
        RUNS[kind](app, tmp_path)
        assert_gone(workspace, *SECRETS.values(), ENV, SIGNING, HOOK)  # its log is not folded in
    assert_gone(workspace, *SECRETS.values(), ENV, SIGNING, HOOK)
    assert seen.options, "it was started"
    for given in seen.options:
        for name, value in OPTIONS.items():
            if name != "environment" or kind != "job":
                assert given[name] == value
        assert kind != "job" or given["environment"] == {"TEAM_NAME": ENV}


@pytest.mark.parametrize("kind", RUNS)
def test_another_user_of_the_machine_looks_in(tmp_path: Path, kind: str) -> None:
    workspace = tmp_path / "workspace"
    with app_of(workspace, Seen()) as app:
        RUNS[kind](app, tmp_path)
        files = [workspace / f"whet.db{suffix}" for suffix in ("", "-wal", "-shm")]
        assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert stat.S_IMODE(workspace.stat().st_mode) == 0o700
    kept = [*(tmp_path / "config" / "secrets").rglob("*")]
    for path in kept:
        wanted = 0o700 if path.is_dir() and path.name != ".locks" else None
        assert wanted is None or stat.S_IMODE(path.stat().st_mode) == wanted, path
        assert (
            path.is_dir() or stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 or not path.read_bytes()
        )


def test_secrets_of_finished_work_are_found_later(tmp_path: Path) -> None:
    workspace, seen = tmp_path / "workspace", Seen()
    with app_of(workspace, seen) as app:
        run_capability(app, tmp_path)
        with office_with(app, report(tmp_path)) as office:
            job = done(office, asked_job(office))
            sweep_secrets(app.settings, app.store)
            left = {one.name for one in app.secrets.list() if one.owner != "shared"}
            assert left == {"webhook.secret", "webhook.url"}  # its message is not delivered yet
            app.store.states.put(KIND, job.request_id, 2, {})
        sweep_secrets(app.settings, app.store)
        assert {one.owner for one in app.secrets.list()} == {"shared"}


def test_a_secret_is_guessed_from_a_digest(tmp_path: Path) -> None:
    """Two users give the same secret; nothing that is kept is the same but what anybody knows."""
    addresses: list[set[str]] = []
    for name in ("one", "other"):
        workspace = tmp_path / name / "workspace"
        with app_of(workspace, Seen()) as app:
            run_project(app, tmp_path)
            addresses.append({*app.store.ledger.addresses()})
    assert not addresses[0] & addresses[1]


def test_the_same_secret_is_the_same_trial(tmp_path: Path) -> None:
    seen = Seen()
    with app_of(tmp_path / "workspace", seen) as app:
        folder = evaluating.skill(tmp_path)
        first = evaluating.run(app, folder, engines=("hand",), options=OPTIONS)
        again = evaluating.run(app, folder, engines=("hand",), options=OPTIONS)
        assert evaluating.extent(first)[0] == len(seen.options)
        assert evaluating.extent(again)[0] == 0
        other = {**OPTIONS, "api_key": "made-up-other-5d5d5d"}
        assert evaluating.run(app, folder, engines=("hand",), options=other).legs[0].extent.missing


def test_a_copied_workspace_asks_for_its_secrets(tmp_path: Path) -> None:
    there, here, seen = tmp_path / "there/workspace", tmp_path / "here/workspace", Seen()
    with app_of(there, seen) as app:
        fill(there)
        change = {"engine": "hand", "options": {"environment": {"SHOP_REGION": "made-up-4f4f4f"}}}
        create_project(app, COMPARISON.model_copy(update=change))
    here.parent.mkdir()
    there.rename(here)
    with app_of(here, seen) as app:
        [project] = projects(here).found
        wide = project.config.cli_config.options or {}
        app.access.give("hand", wide)
        with pytest.raises(EnvironmentProblem, match=r"environment\.SHOP_REGION") as told:
            asyncio.run(Experiments(app).run(project))
        assert not seen.options
    words = shlex.split(str(told.value).partition("again: whet ")[2])
    given = CliRunner().invoke(cli, words, input="made-up-4f4f4f\n", env=_env(here))
    assert given.exit_code == 0, given.output
    assert "made-up" not in given.output
    with app_of(here, seen) as app:
        app.access.give("hand", wide)
        asyncio.run(Experiments(app).run(project))
    assert seen.options[0] == {"environment": {"SHOP_REGION": "made-up-4f4f4f"}}
    assert_gone(here, "made-up-4f4f4f")


def _env(workspace: Path) -> dict[str, str]:
    return {"WHET_CONFIG_DIR": str(workspace.with_name("config"))}


def test_a_request_asks_for_a_secret_by_its_reference(tmp_path: Path) -> None:
    with app_of(tmp_path / "workspace", Seen()) as app:
        reference = app.secrets.put_aside("made-up-8a8a8a", "environment.SHOP_REGION")
        dangers: list[dict[str, JsonValue]] = [
            {"environment": {"SHOP_REGION": reference}},
            {"argv": [f"x{reference}"]},
        ]
        for options in dangers:
            with pytest.raises(UsageError, match="reference"):
                app.access.decide(hand(), options, "request")


def test_a_package_moves_a_secret_to_where_it_can_be_read(tmp_path: Path) -> None:
    with app_of(tmp_path / "workspace", Seen()) as app:
        reference = app.secrets.put_aside("made-up-8a8a8a", "environment.SHOP_REGION")
        assert app.secrets.reveal({"environment": {"SHOP_REGION": reference}}) == {
            "environment": {"SHOP_REGION": "made-up-8a8a8a"}
        }
        with pytest.raises(EnvironmentProblem, match="argv"):
            app.secrets.reveal({"argv": ["echo", reference]})
        server = replace(app.access, door="server")
        with pytest.raises(ConsentNeeded) as told:
            server.decide(hand(), {"environment": {"SHOP_REGION": reference}}, "file")
        assert "made-up" not in str(told.value)


OLD = {name: f"made-up-old-{name}-3c3c3c" for name in ("env", "signing", "option", "eval", "freed")}


def age(workspace: Path, job: str, project: Path) -> None:
    """Make a workspace one of the version before, with secrets as that one kept them."""
    options = {"environment": {"REGION": OLD["option"]}}
    config = json.loads((project / "config.json").read_text())
    config["cli_config"]["options"] = options
    (project / "config.json").write_text(json.dumps(config))
    with closing(sqlite3.connect(workspace / "whet.db", isolation_level=None)) as database:
        database.execute("PRAGMA secure_delete=OFF")
        database.execute("UPDATE alembic_version SET version_num = '0005'")
        database.execute("DROP TABLE runs")
        private = {"env": {"TEAM_NAME": OLD["env"]}, "webhook_secret": OLD["signing"]}
        database.execute(
            "UPDATE states SET value = ? WHERE kind = 'job_private'", [json.dumps(private)]
        )
        [(text,)] = database.execute("SELECT data FROM jobs WHERE request_id = ?", [job])
        data = json.loads(text)
        data["options"]["engine"] = {"api_key": OLD["option"]}
        data["digest"] = "an older digest"
        database.execute("UPDATE jobs SET data = ?", [json.dumps(data)])
        value = {"request": {"options": {"environment": {"A": OLD["eval"]}}}, "status": "partial"}
        row = "INSERT INTO states VALUES ('eval', 'eval_1', 1, '2026-01-01', ?)"
        database.execute(row, [json.dumps(value)])
        database.execute(
            "INSERT INTO events (at, kind, subject, data) VALUES ('', 'x', 'y', ?)",
            [json.dumps({"error": f"refused: {OLD['env']}"})],
        )
        # Deleted, and still in the file.
        database.execute(row.replace("eval_1", "eval_2"), [OLD["freed"] * 2_000])
        database.execute("DELETE FROM states WHERE key = 'eval_2'")
    for path in workspace.glob("whet.db*"):
        path.chmod(0o644)


@pytest.mark.parametrize("is_open", [False, True])
def test_a_workspace_of_the_version_before_is_read(tmp_path: Path, *, is_open: bool) -> None:
    workspace, seen = tmp_path / "workspace", Seen()
    with app_of(workspace, seen) as app:
        fill(workspace)
        change = {"engine": "hand", "options": {"environment": {"REGION": "x"}}, "repeats": 1}
        project = create_project(app, COMPARISON.model_copy(update=change))
        with office_with(app, report(tmp_path)) as office:
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
    age(workspace, job.request_id, project.folder)
    raw = (workspace / "whet.db").read_bytes()
    assert all(secret.encode() in raw for secret in OLD.values())
    with app_of(workspace, seen) as app:
        if is_open:
            assert_gone(workspace, *OLD.values())
        given: dict[str, JsonValue] = {
            "api_key": OLD["option"],
            "environment": {"TEAM_NAME": OLD["env"]},
        }
        app.access.give("hand", given)
        with office_with(app) as office:
            after = done(office, office.get(job.request_id))
            assert office.record(after) is not None, after.result
        assert seen.options[-1] == given
        [found] = projects(workspace).found
        app.access.give("hand", found.config.cli_config.options or {})
        asyncio.run(Experiments(app).run(found))
        assert seen.options[-1] == {"environment": {"REGION": OLD["option"]}}
    assert_gone(workspace, *OLD.values())
    assert stat.S_IMODE((workspace / "whet.db").stat().st_mode) == 0o600


def test_a_process_that_holds_an_old_database_keeps_its_secrets_in_the_file(
    tmp_path: Path,
) -> None:
    """Only until the next one opens it alone; doctor says so meanwhile."""
    workspace, secret = tmp_path / "workspace", OLD["freed"]
    with app_on(workspace):
        pass
    with closing(sqlite3.connect(workspace / "whet.db", isolation_level=None)) as database:
        database.execute("PRAGMA secure_delete=OFF")
        row = "INSERT INTO states VALUES ('eval', 'eval_2', 1, '2026-01-01', ?)"
        database.execute(row, [secret * 2_000])
        database.execute("DELETE FROM states WHERE key = 'eval_2'")
        database.execute("UPDATE alembic_version SET version_num = '0005'")
        database.execute("DROP TABLE runs")
    with closing(sqlite3.connect(workspace / "whet.db", isolation_level=None)) as holder:
        holder.execute("BEGIN")
        holder.execute("SELECT count(*) FROM states").fetchall()
        with app_on(workspace):
            pass
        assert secret.encode() in (workspace / "whet.db").read_bytes()
        assert "secrets" in (check_database(workspace).fix or "")
    with app_on(workspace):
        assert_gone(workspace, secret)
    assert check_database(workspace).fix is None
