"""Attempts to use more than is allowed, and to stay when the agent has ended."""

import ctypes
import mmap
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.shell.escapes.attempts import LIBC, Aims, attempt, checked, syscall

MEMORY = "use more memory than the limit"
HIDDEN = "use memory that no process shows, such as shared memory that was let go of"
PROCESSES = "use more processes and threads than the limit"
FILE = "write a larger file than the limit"
TOTAL = "fill the disk with many files, and keep the processors busy until its time is up"
STAY = "stay after the end, or put it off"

MIB = 1024 * 1024
AMOUNT = 160 * MIB
STEP = bytes(4 * MIB)
HELD_SECONDS = 4.0


def _fill(descriptor: int) -> bool:
    for _ in range(AMOUNT // len(STEP)):
        os.write(descriptor, STEP)
    return _kept()


def _kept() -> bool:
    """Long enough for anybody who looks."""
    time.sleep(HELD_SECONDS)
    return True


@attempt(MEMORY)
def use_plain_memory(_aims: Aims) -> object:
    eaten = b"x" * AMOUNT
    return _kept() and eaten


@attempt(MEMORY)
def use_a_file_without_a_name(_aims: Aims) -> object:
    return _fill(os.memfd_create("hidden"))


@attempt(MEMORY, "may work")
def use_a_secret_file(_aims: Aims) -> object:
    descriptor = syscall("memfd_secret", 0)
    os.ftruncate(descriptor, MIB)
    return True


@attempt(MEMORY)
def use_the_folder_for_shared_memory(_aims: Aims) -> object:
    return _fill(_unnamed("/dev/shm"))


@attempt(MEMORY)
def use_the_temporary_folder(_aims: Aims) -> object:
    return _fill(_unnamed("/tmp"))


def _unnamed(folder: str) -> int:
    path = Path(folder, f"whet-excess-{os.getpid()}")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    path.unlink()
    return descriptor


@attempt(MEMORY)
def use_system_v_memory(_aims: Aims) -> object:
    number = syscall("shmget", 0, AMOUNT, 0o1600)
    try:
        LIBC.shmat.restype = ctypes.c_void_p
        place = LIBC.shmat(number, None, 0)
        ctypes.memset(place, 1, AMOUNT)
        checked(LIBC.shmdt(ctypes.c_void_p(place)))
        return _kept()
    finally:
        LIBC.shmctl(number, 0, None)


@attempt(HIDDEN)
def let_go_of_shared_memory(_aims: Aims) -> object:
    memory = mmap.mmap(-1, AMOUNT)
    size = len(STEP)
    for start in range(0, AMOUNT, size):
        memory[start : start + size] = b"x" * size
        memory.madvise(mmap.MADV_DONTNEED, start, size)
    return _kept() and memory[AMOUNT - 1] == ord("x")


@attempt(PROCESSES)
def start_many_processes(_aims: Aims) -> object:
    for _ in range(60):
        if os.fork() == 0:
            time.sleep(HELD_SECONDS)
            os._exit(0)
    return _kept()


@attempt(PROCESSES)
def start_many_processes_in_groups_of_their_own(_aims: Aims) -> object:
    for _ in range(60):
        if os.fork() == 0:
            os.setsid()
            time.sleep(HELD_SECONDS)
            os._exit(0)
    return _kept()


@attempt(PROCESSES)
def start_many_threads(_aims: Aims) -> object:
    for _ in range(120):
        threading.Thread(target=_kept, daemon=True).start()
    return _kept()


@attempt(FILE, "may work")
def write_a_large_file(_aims: Aims) -> object:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with Path("large").open("wb") as file:
        os.ftruncate(file.fileno(), 2 * AMOUNT)
    return Path("large").stat().st_size


@attempt(TOTAL)
def write_many_files(_aims: Aims) -> object:
    """More than one file may have."""
    names = [Path(f"many-{number}") for number in range(12)]
    try:
        for name in names:
            with name.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, AMOUNT // 5)
        return sum(name.stat().st_size for name in names) > 2 * AMOUNT
    finally:
        for name in names:
            name.unlink(missing_ok=True)


@attempt(TOTAL)
def keep_the_processors_busy(_aims: Aims) -> object:
    end = time.process_time() + 0.2
    while time.process_time() < end:
        pass
    return True


def _stay(name: str, leave: Callable[[], object]) -> bool:
    """Be two processes further, and write now and then for some seconds."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return True
    if os.fork():
        os._exit(0)
    try:
        leave()
    finally:
        with Path(f"{name}.beats").open("ab", buffering=0) as file:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            for stream in range(3):
                os.dup2(os.open(os.devnull, os.O_RDWR), stream)
            file.write(f"{os.getpid()}\n".encode())
            for _ in range(600):
                file.write(b"x")
                time.sleep(0.05)
        os._exit(0)


@attempt(STAY, "may work")
def stay_in_the_background(_aims: Aims) -> object:
    return _stay("stay in the background", lambda: None)


@attempt(STAY)
def stay_in_a_session_of_its_own(_aims: Aims) -> object:
    return _stay("stay in a session of its own", os.setsid)


@attempt(STAY, "may work")
def stay_in_the_group_of_the_reaper(_aims: Aims) -> object:
    agent = os.getppid()
    parent = int(Path(f"/proc/{agent}/stat").read_text().rpartition(")")[2].split()[1])
    return _stay("stay in the group of the reaper", lambda: os.setpgid(0, parent))


@attempt(STAY, "may work")
def stay_in_the_group_of_the_agent(_aims: Aims) -> object:
    group = os.getpgid(os.getppid())
    return _stay("stay in the group of the agent", lambda: os.setpgid(0, group))


@attempt(STAY, "may work")
def stay_as_a_sibling(_aims: Aims) -> object:
    """A child of the agent's parent, in a session of its own."""
    clone_parent = 0x8000
    if syscall("clone", clone_parent | signal.SIGCHLD, 0, 0, 0, 0):
        time.sleep(0.5)
        return True
    return _stay("stay as a sibling", os.setsid)


@attempt(HIDDEN)
def fill_sockets(_aims: Aims) -> object:
    """What was sent and not received belongs to nobody."""
    sent = 0
    kept: list[tuple[socket.socket, socket.socket]] = []
    while sent < AMOUNT:
        one, other = socket.socketpair()
        kept.append((one, other))
        for end in (one, other):
            end.settimeout(0)
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MIB)
            with suppress(BlockingIOError):
                while True:
                    sent += end.send(STEP[: 64 * 1024])
    return _kept() and kept
