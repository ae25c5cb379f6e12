"""What is particular about a database on a server: opening it, losing it, and many at once."""

import sys
import threading
import traceback
from collections.abc import Callable, Generator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from tests.stores.postgres_server import PASSWORD, Server
from tests.stores.processes import programs
from whet.app.clock import SystemClock
from whet.core.errors import Conflict, EnvironmentProblem, WhetError
from whet.core.execution import Execution
from whet.ports.timers import Timer
from whet.stores import migrate
from whet.stores import postgres as module
from whet.stores.checkup import check_database
from whet.stores.chosen import chosen
from whet.stores.database import Database
from whet.stores.schema import metadata
from whet.stores.sql import SqlStore
from whet.testing.store import closed, execution, record
from whet.testing.store_evaluations import item, run

OPEN = """
import sys, pathlib
from whet.app.clock import SystemClock
from whet.stores.sql import SqlStore
import whet.stores.migrate, whet.stores.postgres
print("ready", flush=True)
sys.stdin.readline()
store = SqlStore(pathlib.Path(sys.argv[1]), lambda owner: True, SystemClock(), sys.argv[2])
store.states.put("k", sys.argv[3], 0, {})
store.close()
"""


@pytest.fixture
def url(postgres: Server) -> str:
    return postgres.fresh()


def opened(folder: Path, url: str) -> SqlStore:
    return SqlStore(folder, lambda _owner: True, SystemClock(), url)


@pytest.fixture
def stores(tmp_path: Path, url: str) -> Generator[tuple[SqlStore, SqlStore]]:
    """Two of them on one database, as two processes have them."""
    with closing(opened(tmp_path, url)) as one, closing(opened(tmp_path, url)) as two:
        yield one, two


@pytest.mark.slow
def test_migrations_lead_to_the_schema(postgres: Server, tmp_path: Path) -> None:
    engine = chosen(tmp_path, postgres.empty()).engine
    migrate.upgrade(engine)
    url = postgres.empty()
    opened(tmp_path, url).close()
    wanted = chosen(tmp_path, url).engine
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    # What alembic does not compare, as the condition of an index, the database itself tells.
    columns = (
        "SELECT table_name, column_name, data_type, collation_name, is_nullable, column_default "
        "FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2"
    )
    indexes = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1"
    for question in (columns, indexes):
        with engine.connect() as ours, wanted.connect() as theirs:
            found = ours.execute(text(question)).all()
            assert found == theirs.execute(text(question)).all()
            assert found
    engine.dispose()
    wanted.dispose()


@pytest.mark.slow
def test_processes_that_meet_an_empty_database_all_get_in(postgres: Server, tmp_path: Path) -> None:
    url = postgres.empty()
    with programs(OPEN, *((tmp_path, url, number) for number in range(4))) as four:
        assert [program.line() for program in four] == ["ready"] * 4
        for program in four:
            program.go()
        for program in four:
            program.end()
    with closing(opened(tmp_path, url)) as store:
        assert len(store.states.list("k")) == 4


def test_a_sequence_alone_would_lose_events(url: str) -> None:
    """Why there is a lock: whoever got the smaller cursor may commit later."""
    with (
        psycopg.connect(url) as slow,
        psycopg.connect(url) as quick,
        psycopg.connect(url, autocommit=True) as reader,
    ):
        append = "INSERT INTO events (at, kind, subject, data) VALUES ('', 'k', %s, '{}')"
        after = "SELECT cursor, subject FROM events WHERE cursor > %s"
        slow.execute(append, ["slow"])
        quick.execute(append, ["quick"])
        quick.commit()
        seen = reader.execute(after, [0]).fetchall()
        slow.commit()
        rest = reader.execute(after, [seen[-1][0]]).fetchall()
        assert [subject for _, subject in seen + rest] == ["quick"]


@pytest.mark.slow
def test_cursors_are_in_commit_order(stores: tuple[SqlStore, SqlStore]) -> None:
    slow, quick = stores
    inside, over = threading.Event(), threading.Event()

    def append_slowly() -> None:
        with slow.transaction():
            slow.events.append("k", "slow", {})
            inside.set()
            over.wait(30)

    def append() -> None:
        inside.wait(30)
        quick.events.append("k", "quick", {})

    threads = [threading.Thread(target=each) for each in (append_slowly, append)]
    for thread in threads:
        thread.start()
    assert inside.wait(30)
    threads[1].join(0.3)
    assert threads[1].is_alive(), "it waits for its turn"
    seen = list(quick.events.since(0))
    over.set()
    for thread in threads:
        thread.join(30)
    seen += quick.events.since(seen[-1].cursor if seen else 0)
    assert [event.subject for event in seen] == ["slow", "quick"]


def at_once(stores: tuple[SqlStore, SqlStore], act: Callable[[SqlStore, int], object]) -> list[int]:
    """The numbers of those, of eight on two stores, whose act came to something."""
    gate = threading.Barrier(8)
    won: list[int] = []

    def work(number: int) -> None:
        gate.wait(30)
        try:
            if act(stores[number % 2], number):
                won.append(number)
        except Conflict:
            pass

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return won


def test_of_many_at_once_one_gets_it(stores: tuple[SqlStore, SqlStore]) -> None:
    store = stores[0]
    noon = datetime(2024, 1, 1, 12, tzinfo=UTC)
    store.timers.set(Timer("t", "1", noon, {}))
    store.ledger.claim(execution(50, "done"))
    store.ledger.close(closed(execution(50, "done")), record(execution(50, "done")))
    store.evaluations.create_eval_run(run(9))
    acts: list[Callable[[SqlStore, int], object]] = [
        lambda one, _n: one.states.put("k", "new", 0, {}),
        lambda one, n: one.states.put("k", "new", 1, {"by": n}),
        lambda one, n: isinstance(one.ledger.claim(execution(n)), Execution),
        lambda one, _n: one.timers.take("t", "1", noon),
        lambda one, _n: one.ledger.retry(["done"]),
        lambda one, n: one.evaluations.create_eval_run(run(1, user_id=str(n))) is None,
        lambda one, _n: one.evaluations.update_eval_run("run-9", {"status": "failed"}, ["running"]),
    ]
    for act in acts:
        assert len(at_once(stores, act)) == 1
    assert store.ledger.generation("done") == 2


def test_items_of_many_at_once_are_all_there(stores: tuple[SqlStore, SqlStore]) -> None:
    stores[0].evaluations.create_eval_run(run())

    def add(store: SqlStore, number: int) -> bool:
        for turn in range(5):
            with store.transaction():
                store.evaluations.append_eval_item(item(f"{number}-{turn}"))
                store.events.append("k", "s", {})
        return True

    assert len(at_once(stores, add)) == 8
    found = stores[0].evaluations.get_eval_run_detail("run-1")
    assert found is not None
    assert len({each.case_id for each in found.items}) == 40
    assert len(stores[0].events.since(0)) == 40


END = (
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


def test_a_lost_connection_is_replaced(stores: tuple[SqlStore, SqlStore], url: str) -> None:
    """The server was started anew since: whoever is not in the middle does not notice."""
    store = stores[0]

    def lose_it_in_the_middle() -> None:
        with store.transaction():
            store.states.put("k", "2", 0, {})
            other.execute(END)
            store.states.put("k", "3", 0, {})

    with psycopg.connect(url, autocommit=True) as other:
        store.states.put("k", "1", 0, {})
        other.execute(END)
        store.states.put("k", "1", 1, {})
        with pytest.raises(EnvironmentProblem, match="cannot write the database") as problem:
            lose_it_in_the_middle()
    assert len(str(problem.value).splitlines()) == 1
    assert [state.key for state in store.states.list("k")] == ["1"]


def test_whoever_waits_too_long_is_told(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SETTINGS", b"SET lock_timeout = '50ms'")
    with (
        closing(opened(tmp_path, url)) as one,
        closing(opened(tmp_path, url)) as two,
        one.transaction(),
        pytest.raises(EnvironmentProblem, match=r"cannot write the database .* lock timeout"),
    ):
        two.states.put("k", "1", 0, {})


def test_a_second_workspace_is_not_let_in(tmp_path: Path, url: str) -> None:
    with closing(opened(tmp_path / "first", url)) as store:
        store.states.put("k", "1", 0, {})
    with pytest.raises(EnvironmentProblem, match="belongs to another workspace"):
        opened(tmp_path / "second", url)
    opened(tmp_path / "first", url).close()


HIDDEN = ("secret-word", "Secret%2Fword", "Secret/word")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("postgresql://u:secret-word@127.0.0.1:1/db", "refused"),
        ("postgres://u:secret-word@/db?host=/nowhere/at/all", "No such file"),
        ("postgresql://u@127.0.0.1:1/db?password=secret-word&sslpassword=secret-word", "refused"),
        ("postgresql://u:Secret%2Fword@127.0.0.1:1/db", "refused"),
        ("postgresql://u:Secret/word@127.0.0.1:1/db", "refused"),
        ("postgresql://u:secret-word@host:port/db", "WHET_DATABASE_URL"),
        ("postgresql://u:secret-word@127.0.0.1:1/db?odd=secret-word", "odd"),
        ("mysql://u:secret-word@127.0.0.1/db", "no address of a PostgreSQL server"),
        ("secret-word", "no address of a PostgreSQL server"),
    ],
)
def test_what_cannot_be_reached_is_one_clear_line(url: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(WhetError, match=reason) as problem:
        opened(tmp_path, url)
    found = check_database(tmp_path, url)
    assert found.problem is not None
    assert found.fix is not None
    assert len(str(problem.value).splitlines()) == 1
    told = "".join(traceback.format_exception(problem.value)) + repr(found)
    assert not [word for word in HIDDEN if word in told]


def test_a_wrong_password_and_a_missing_database_are_named(
    postgres: Server, tmp_path: Path
) -> None:
    for url, reason in (
        (postgres.url("postgres", "not the right one"), "authentication failed"),
        (postgres.url("nowhere"), "does not exist"),
    ):
        with pytest.raises(EnvironmentProblem, match=f"cannot open the database .*{reason}") as e:
            opened(tmp_path, url)
        told = "".join(traceback.format_exception(e.value)) + repr(check_database(tmp_path, url))
        for secret in (PASSWORD, "not the right one"):
            assert secret not in told
            assert quote(secret, safe="") not in told


def test_a_database_in_another_encoding_is_refused(postgres: Server, tmp_path: Path) -> None:
    url = postgres.empty("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(EnvironmentProblem, match="its encoding is LATIN1"):
        opened(tmp_path, url)


def test_without_a_driver_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "whet.stores.postgres")
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(EnvironmentProblem, match=r"install whet\[postgres\]"):
        opened(tmp_path, "postgresql://localhost/db")


def test_the_check_up_looks_and_changes_nothing(postgres: Server, tmp_path: Path) -> None:
    url = postgres.empty()
    found = check_database(tmp_path, url)
    assert (found.kind, found.size_bytes, found.problem) == ("postgresql", None, None)
    Database(chosen(tmp_path, url)).close()
    found = check_database(tmp_path, url)
    assert found.problem is None
    assert found.size_bytes is not None
    assert found.place.startswith("postgresql://whet@/db_")
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert check_database(tmp_path, url).fix == "upgrade whet"
    with pytest.raises(EnvironmentProblem, match="a newer whet made it"):
        opened(tmp_path, url)
