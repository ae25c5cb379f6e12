"""What an attempt to get out of a sandbox is, and how all of them are tried.

These modules run inside the sandbox, so they need the standard library only.
"""

import ctypes
import json
import os
import platform
import select
import signal
import socket
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Aims = dict[str, str]
Act = Callable[[Aims], object]
Control = Literal["works", "may work", "unsafe"]
"""Without a sandbox an attempt works, may work on this machine, or must not be tried."""

SECONDS = 10
LIBC = ctypes.CDLL(None, use_errno=True)

CALLS = {
    "shmget": (29, 194),
    "shmat": (30, 196),
    "msgget": (68, 186),
    "msgrcv": (70, 188),
    "semget": (64, 190),
    "semctl": (66, 191),
    "mq_open": (240, 180),
    "mq_timedreceive": (243, 183),
    "mq_unlink": (241, 181),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "ioprio_set": (251, 30),
    "sched_setattr": (314, 274),
    "pidfd_getfd": (438, 438),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "move_pages": (279, 239),
    "kcmp": (312, 272),
    "clone": (56, 220),
    "tgkill": (234, 131),
    "mount": (165, 40),
    "pivot_root": (155, 41),
    "fsopen": (430, 430),
    "setns": (308, 268),
    "unshare": (272, 97),
    "clone3": (435, 435),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "kexec_load": (246, 104),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "acct": (163, 89),
    "capset": (126, 91),
    "iopl": (172, -1),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "memfd_secret": (447, 447),
}


@dataclass(frozen=True)
class Attempt:
    """One way to get at something."""

    name: str
    kind: str
    """The row of the table that it belongs to."""

    act: Act
    control: Control


ATTEMPTS: dict[str, Attempt] = {}


def attempt(kind: str, control: Control = "works") -> Callable[[Act], Act]:
    """Register a function that returns something true, or nothing false, if it worked."""

    def register(act: Act) -> Act:
        name = act.__name__.replace("_", " ")
        assert name not in ATTEMPTS, name
        ATTEMPTS[name] = Attempt(name, kind, act, control)
        return act

    return register


def syscall(name: str, *arguments: object) -> int:
    """Make a system call that the C library may have no function for."""
    number = CALLS[name][platform.machine() == "aarch64"]
    return checked(LIBC.syscall(ctypes.c_long(number), *map(_argument, arguments)))


def checked(result: int) -> int:
    """Raise what the C library says."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def _argument(value: object) -> object:
    return ctypes.c_long(value) if isinstance(value, int) else value


def talk(connection: socket.socket) -> bool:
    """Whether somebody answers there."""
    connection.settimeout(SECONDS / 2)
    with connection:
        return bool(connection.recv(2))


def read(path: str | Path) -> bool:
    """Whether the secret can be read there."""
    return b"the expected output" in Path(path).read_bytes()


def try_all(names: Iterable[str], aims: Aims) -> dict[str, str | None]:
    """What came of each: None if it worked, or why it did not."""
    return {name: _try(ATTEMPTS[name], aims) for name in names}


def _try(one: Attempt, aims: Aims) -> str | None:
    """In a process of its own, as it may harm or hang itself."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        try:
            os.write(writing, json.dumps(_outcome(one, aims)).encode())
        finally:
            os._exit(0)
    os.close(writing)
    ready, _, _ = select.select([reading], [], [], SECONDS)
    said = os.read(reading, 4096) if ready else b'"hangs"'
    os.close(reading)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return json.loads(said) if said else "broken: it died or raised what is no refusal"


def _outcome(one: Attempt, aims: Aims) -> str | None:
    try:
        return None if one.act(aims) else "no effect"
    except OSError as error:
        return f"{type(error).__name__} {error.errno} {error.strerror}"


def main() -> None:
    """Try those that are named in the first argument; the aims are in the second."""
    names, aims = map(json.loads, sys.argv[1:3])
    sys.stdout.write(json.dumps(try_all(names, aims)) + "\n")
