"""Opening the database: new, old, foreign, broken, and by several processes at once."""

import sqlite3
import stat
import tempfile
import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from tests.stores.processes import programs
from whet.core.errors import EnvironmentProblem
from whet.stores import migrate
from whet.stores.database import Database
from whet.stores.schema import HEAD, metadata
from whet.stores.sqlite import in_file

OPEN = """
import sys, pathlib
from whet.stores.database import Database
from whet.stores.sqlite import in_file
import whet.stores.migrate
print("ready", flush=True)
sys.stdin.readline()
database = Database(in_file(pathlib.Path(sys.argv[1])))
with database.write() as connection:
    connection.exec_driver_sql("INSERT INTO states VALUES ('k', ?, 1, '', '{}')", (sys.argv[2],))
database.close()
"""

OPEN_AS_A_NOBODY = """
import os, sys, pathlib
from whet.core.errors import EnvironmentProblem
from whet.stores.database import Database
from whet.stores.sqlite import in_file
import whet.stores.migrate
if os.getuid() == 0:  # root may write everywhere
    os.setuid(65534)
try:
    database = Database(in_file(pathlib.Path(sys.argv[1])))
    with database.write() as connection:
        connection.exec_driver_sql("INSERT INTO states VALUES ('k', '1', 1, '', '{}')")
except EnvironmentProblem as problem:
    print(problem)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "whet.db"


@pytest.fixture
def public() -> Generator[Path]:
    """A folder that everybody may look into; pytest's own are private."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def made(path: Path) -> Path:
    Database(in_file(path)).close()
    return path


def statements(path: Path) -> dict[str, str]:
    """The SQL that made each table and index, by name and without white space."""
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    found = {name: "".join(sql.split()) for name, sql in rows}
    connection.close()
    found.pop("sqlite_sequence", None)
    return found


def test_migrations_lead_to_the_schema(path: Path, tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'migrated.db'}")
    migrate.upgrade(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()
    # What alembic does not compare, as the condition of an index, the database itself tells. A new
    # database is made without migrations and has the same.
    assert statements(tmp_path / "migrated.db") == statements(made(path))


def test_the_schema_names_the_newest_migration() -> None:
    config = Config()
    migrations = Path(migrate.__file__).parent / "migrations"
    config.set_main_option("script_location", str(migrations))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_opening_again_changes_nothing(path: Path) -> None:
    before = made(path).read_bytes()
    assert made(path).read_bytes() == before


def test_commits_are_durable(path: Path) -> None:
    database = Database(in_file(path))
    with database.write() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    database.close()


@pytest.mark.slow
def test_processes_that_meet_a_new_file_all_get_in(path: Path) -> None:
    with programs(OPEN, *((path, number) for number in range(4))) as four:
        assert [program.line() for program in four] == ["ready"] * 4
        for program in four:
            program.go()
        for program in four:
            program.end()
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT count(*) FROM states").fetchone() == (4,)
    connection.close()


def a_folder(path: Path) -> None:
    path.mkdir()


def another_file(path: Path) -> None:
    path.write_text("Dear diary, today I ate a database. " * 50)


def half_a_database(path: Path) -> None:
    path.write_bytes(made(path).read_bytes()[:5000])


def a_newer_one(path: Path) -> None:
    connection = sqlite3.connect(made(path))
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()


def no_folder_above(path: Path) -> None:
    path.parent.rmdir()
    path.parent.write_text("")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (a_folder, "unable to open database file"),
        (another_file, "file is not a database"),
        (half_a_database, "malformed"),
        (a_newer_one, "newer"),
        (no_folder_above, "Not a directory"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_cannot_be_opened_is_one_clear_line(
    spoil: Callable[[Path], None], reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "workspace" / "whet.db"
    path.parent.mkdir()
    spoil(path)
    with pytest.raises(EnvironmentProblem) as problem:
        Database(in_file(path))
    message = str(problem.value)
    assert message.startswith(f"cannot open the database {path}: ")
    assert reason in message
    assert len(message.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("there", [True, False], ids=["database", "no database"])
def test_a_folder_one_may_not_write_in_is_one_clear_line(public: Path, *, there: bool) -> None:
    folder = public / "workspace"
    folder.mkdir()
    path = folder / "whet.db"
    if there:
        made(path)
    for one in (*folder.iterdir(), folder):
        one.chmod(one.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
    with programs(OPEN_AS_A_NOBODY, (path,)) as [program]:
        [message] = program.end()
    folder.chmod(0o755)
    assert str(path) in message
    assert message.startswith(("cannot open the database", "cannot write the database"))


def test_an_error_inside_a_transaction_is_not_called_a_database_problem(path: Path) -> None:
    database = Database(in_file(path))
    with pytest.raises(ZeroDivisionError), database.write():
        raise ZeroDivisionError
    database.close()


def test_a_locked_database_is_one_clear_line(path: Path) -> None:
    """Only our own connections wait long; this one is told not to."""
    database = Database(in_file(path))
    blocker = sqlite3.connect(path, isolation_level=None)
    with database.read() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout=1")
    blocker.execute("BEGIN IMMEDIATE")
    with (
        pytest.raises(
            EnvironmentProblem, match=r"cannot write the database .*: database is locked"
        ),
        database.write(),
    ):
        pass
    blocker.rollback()
    blocker.close()
    database.close()


def test_a_file_damaged_while_it_is_open_is_one_clear_line(path: Path) -> None:
    database = Database(in_file(path))
    with database.write() as connection:
        for number in range(400):
            row = ("k", str(number), 1, "", "x" * 500)
            connection.exec_driver_sql("INSERT INTO states VALUES (?, ?, ?, ?, ?)", row)
    database.close()
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    with pytest.raises(EnvironmentProblem, match=str(path)):
        read_everything(path)


def read_everything(path: Path) -> None:
    database = Database(in_file(path))
    try:
        with database.read() as connection:
            connection.exec_driver_sql("SELECT * FROM states").fetchall()
    finally:
        database.close()


def test_who_closes_does_not_stop_a_transaction_under_way(path: Path) -> None:
    """A task that is cancelled leaves its thread at work, and closes the database under it."""
    database = Database(in_file(path))
    is_open, is_closed = threading.Event(), threading.Event()

    def work() -> None:
        with database.write() as connection:
            is_open.set()
            is_closed.wait(10)
            with database.write() as same:
                assert same is connection

    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(work)
        assert is_open.wait(10)
        database.close()
        is_closed.set()
        working.result(10)
    database.close()
