"""Looking at a database without touching it."""

import sqlite3
from pathlib import Path

from whet.app.clock import SystemClock
from whet.stores.checkup import check_database
from whet.stores.sql import SqlStore


def made(folder: Path) -> Path:
    SqlStore(folder, lambda _owner: True, SystemClock()).close()
    return folder / "whet.db"


def test_no_database_is_no_problem_and_none_is_made(tmp_path: Path) -> None:
    found = check_database(tmp_path)
    assert (found.size_bytes, found.problem) == (None, None)
    assert not list(tmp_path.iterdir())


def test_a_good_one_stays_as_it_is(tmp_path: Path) -> None:
    path = made(tmp_path)
    before = path.read_bytes()
    found = check_database(path.parent)
    assert (found.problem, found.fix) == (None, None)
    assert found.size_bytes == len(before)
    assert path.read_bytes() == before


def test_damage_is_found(tmp_path: Path) -> None:
    path = made(tmp_path)
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    found = check_database(path.parent)
    assert found.problem is not None
    assert found.fix is not None
    assert "backup" in found.fix


def test_what_is_no_database_is_said_to_be_none(tmp_path: Path) -> None:
    path = tmp_path / "whet.db"
    path.write_text("a diary")
    found = check_database(path.parent)
    assert found.problem is not None


def test_a_newer_one_asks_for_a_newer_whet(tmp_path: Path) -> None:
    path = made(tmp_path)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    found = check_database(path.parent)
    assert found.fix == "upgrade whet"
