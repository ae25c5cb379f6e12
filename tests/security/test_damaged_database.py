"""A database that is not what was written: whoever reads it says so, and how to go on."""

import asyncio
import random
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.app.opening import COMPARISON, app_on, fill
from tests.flows.command import environment, started, whet
from tests.server.calling import assert_problem, calling
from whet.app.app import opened
from whet.app.experiments import Experiments
from whet.app.projects.create import create_project
from whet.app.settings import read

PAGE = 4096


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with something in it."""
    workspace = tmp_path_factory.mktemp("whole") / "workspace"
    fill(workspace)
    scratch = {"WHET_SCRATCH": str(workspace.with_name("scratch"))}
    with opened(read(workspace, scratch)) as app:
        asyncio.run(Experiments(app).run(create_project(app, COMPARISON)))
    return workspace


def flipped(data: bytearray, chance: random.Random) -> None:
    for _ in range(200):
        data[chance.randrange(PAGE, len(data))] ^= 0xFF


def zeroed(data: bytearray, chance: random.Random) -> None:
    pages = len(data) // PAGE
    for page in chance.sample(range(1, pages), max(3, pages // 20)):
        data[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)


def cut(data: bytearray, chance: random.Random) -> None:
    del data[chance.randrange(2 * PAGE, len(data) - PAGE) :]


def replaced(data: bytearray, chance: random.Random) -> None:
    data[:] = chance.randbytes(len(data))


Damage = Callable[[bytearray, random.Random], None]
DAMAGES: tuple[Damage, ...] = (flipped, zeroed, cut, replaced)
COMMANDS = (
    ("project", "list"),
    ("project", "status", "Small"),
    ("session", "list"),
    ("capability", "list"),
    ("job", "list"),
    ("project", "run", "Small", "--yes"),
    ("doctor",),
)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda one: one.__name__)
def test_every_command_that_reads_it_says_so(whole: Path, tmp_path: Path, damage: Damage) -> None:
    workspace = Path(shutil.copytree(whole, tmp_path / "workspace"))
    database = workspace / "whet.db"
    data = bytearray(database.read_bytes())
    damage(data, random.Random(7))
    database.write_bytes(data)
    running = [started(*one, "--workspace", workspace) for one in COMMANDS]
    for command, process in zip(COMMANDS, running, strict=True):
        out, errors = process.communicate(timeout=60)
        said = out if command == ("doctor",) else errors
        assert process.returncode == 3, (command, out, errors)
        assert "damaged" in said or "cannot be read" in said, (command, said)
        assert "Traceback" not in errors
    refused = whet("serve", "--port", "0", "--workspace", workspace)
    assert refused.returncode == 3
    fix = refused.stderr.partition("with: ")[2].partition(" (")[0]
    subprocess.run(["sh", "-c", fix], check=True, env=environment())
    listed = whet("project", "list", "--workspace", workspace)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "Small" in listed.stdout


def test_a_workspace_was_copied_without_the_log_of_its_database(
    whole: Path, tmp_path: Path
) -> None:
    """As it was beside a running process, or one that was killed."""
    there, here = (tmp_path / name / "workspace" for name in ("there", "here"))
    shutil.copytree(whole, there)
    with app_on(there) as app:
        with app.store.transaction():
            app.store.events.append("said", "somebody", {})
        shutil.copytree(there, here)
    log, index = here / "whet.db-wal", here / "whet.db-shm"
    assert log.stat().st_size
    assert index.exists()
    log.unlink()
    for command in (("doctor", "--json"), ("project", "list"), ("session", "list")):
        done = whet(*command, "--workspace", here)
        assert done.returncode == 3, (command, done.stdout, done.stderr)
        assert "whet.db-wal is missing" in done.stdout + done.stderr
    fix = done.stderr.partition("go on without it: ")[2].splitlines()[0]
    subprocess.run(["sh", "-c", fix], check=True)
    assert whet("project", "list", "--workspace", here).returncode == 0


def test_damage_under_a_running_server_is_a_problem_document(whole: Path, tmp_path: Path) -> None:
    workspace = Path(shutil.copytree(whole, tmp_path / "workspace"))

    async def flow() -> None:
        async with calling(workspace) as (client, _):
            with sqlite3.connect(workspace / "whet.db") as database:
                database.execute("UPDATE runs SET data = '{'")
            database.close()
            assert_problem(await client.get("/v1/runs"), 503, "environment", "damaged")

    asyncio.run(flow())
