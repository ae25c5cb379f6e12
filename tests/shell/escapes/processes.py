"""Attempts to get at other processes. The victim stands for whet itself."""

import ctypes
import fcntl
import os
import resource
import signal
import socket
import struct
from pathlib import Path

from tests.shell.escapes.attempts import LIBC, Aims, attempt, checked, syscall

LOOK = "look into memory, environment and descriptors of other processes"
NAMES = "see names and arguments of other processes"
SIGNALS = "signal other processes"
PRIORITIES = "set limits and priorities of other processes"


def _victim(aims: Aims) -> int:
    return int(aims["victim"])


@attempt(LOOK)
def read_the_environment(aims: Aims) -> object:
    return b"SECRET=" in Path(f"/proc/{aims['victim']}/environ").read_bytes()


@attempt(LOOK)
def read_the_memory(aims: Aims) -> object:
    return os.open(f"/proc/{aims['victim']}/mem", os.O_RDONLY)


@attempt(LOOK)
def write_the_memory(aims: Aims) -> object:
    return os.open(f"/proc/{aims['victim']}/mem", os.O_WRONLY)


@attempt(LOOK)
def read_the_map_of_memory(aims: Aims) -> object:
    return Path(f"/proc/{aims['victim']}/maps").read_bytes()


@attempt(LOOK)
def trace_a_process(aims: Aims) -> object:
    seize, detach = 0x4206, 17
    checked(LIBC.ptrace(seize, _victim(aims), None, None))
    LIBC.ptrace(detach, _victim(aims), None, None)
    return True


@attempt(LOOK)
def read_memory_by_a_call(aims: Aims) -> object:
    place = int(aims["address"])
    buffer = ctypes.create_string_buffer(8)
    here = struct.pack("PN", ctypes.addressof(buffer), 8)
    syscall("process_vm_readv", _victim(aims), here, 1, struct.pack("PN", place, 8), 1, 0)
    return True


@attempt(LOOK)
def write_memory_by_a_call(aims: Aims) -> object:
    buffer = ctypes.create_string_buffer(b"changed", 8)
    here = struct.pack("PN", ctypes.addressof(buffer), 8)
    there = struct.pack("PN", int(aims["address"]) + 32, 8)
    return syscall("process_vm_writev", _victim(aims), here, 1, there, 1, 0)


@attempt(LOOK)
def push_memory_out(aims: Aims) -> object:
    """By advice about the memory of another."""
    place = struct.pack("PN", int(aims["address"]) & ~4095, 4096)
    descriptor = os.pidfd_open(_victim(aims))
    return syscall("process_madvise", descriptor, place, 1, 20, 0)  # MADV_COLD


@attempt(LOOK)
def see_where_pages_are(aims: Aims) -> object:
    page = struct.pack("P", int(aims["address"]) & ~4095)
    status = ctypes.create_string_buffer(4)
    syscall("move_pages", _victim(aims), 1, page, None, status, 0)
    return True


@attempt(LOOK, "may work")
def compare_descriptors(aims: Aims) -> object:
    syscall("kcmp", os.getpid(), _victim(aims), 0, 0, 0)
    return True


@attempt(LOOK, "may work")
def read_the_call_that_it_waits_in(aims: Aims) -> object:
    return Path(f"/proc/{aims['victim']}/syscall").read_bytes()


@attempt(LOOK)
def take_a_descriptor(aims: Aims) -> object:
    return syscall("pidfd_getfd", os.pidfd_open(_victim(aims)), 0, 0) >= 0


@attempt(NAMES)
def read_the_arguments(aims: Aims) -> object:
    return b"victim" in Path(f"/proc/{aims['victim']}/cmdline").read_bytes()


@attempt(NAMES)
def read_the_status(aims: Aims) -> object:
    return Path(f"/proc/{aims['victim']}/status").read_bytes()


@attempt(NAMES)
def list_the_connections(aims: Aims) -> object:
    wanted = f":{int(aims['elsewhere']):04X} "
    return wanted in Path("/proc/net/tcp").read_text()


@attempt(NAMES)
def list_the_keys(aims: Aims) -> object:
    return aims["key name"] in Path("/proc/keys").read_text()


@attempt(SIGNALS)
def signal_a_process(aims: Aims) -> object:
    os.kill(_victim(aims), signal.SIGURG)
    return True


@attempt(SIGNALS)
def signal_a_group(aims: Aims) -> object:
    os.killpg(_victim(aims), signal.SIGURG)
    return True


@attempt(SIGNALS)
def signal_a_thread(aims: Aims) -> object:
    syscall("tgkill", _victim(aims), _victim(aims), signal.SIGURG)
    return True


@attempt(SIGNALS)
def signal_by_a_descriptor(aims: Aims) -> object:
    signal.pidfd_send_signal(os.pidfd_open(_victim(aims)), signal.SIGURG)
    return True


@attempt(SIGNALS)
def queue_a_signal(aims: Aims) -> object:
    checked(LIBC.sigqueue(_victim(aims), signal.SIGURG, None))
    return True


@attempt(SIGNALS)
def own_a_pipe_for_another(aims: Aims) -> object:
    """The kernel signals the owner when there is something to read."""
    reading, writing = os.pipe()
    fcntl.fcntl(reading, 10, signal.SIGWINCH)  # F_SETSIG
    fcntl.fcntl(reading, fcntl.F_SETOWN, _victim(aims))
    fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
    before = _received(aims)
    os.write(writing, b"x")
    return _received(aims) > before


@attempt(SIGNALS)
def own_a_socket_for_another(aims: Aims) -> object:
    """The same by the older calls for sockets."""
    one, other = socket.socketpair()
    fcntl.fcntl(one, 10, signal.SIGWINCH)  # F_SETSIG
    fcntl.ioctl(one, 0x8901, struct.pack("i", _victim(aims)))  # FIOSETOWN
    fcntl.ioctl(one, 0x5452, struct.pack("i", 1))  # FIOASYNC
    before = _received(aims)
    other.send(b"x")
    return _received(aims) > before


@attempt(SIGNALS, "unsafe")
def signal_everybody(aims: Aims) -> object:
    before = _received(aims)
    os.kill(-1, signal.SIGURG)
    return _received(aims) > before


def _received(aims: Aims) -> int:
    """How many signals the victim has counted, which it tells by the size of a file."""
    LIBC.usleep(200_000)
    return Path(aims["received"]).stat().st_size


@attempt(PRIORITIES)
def limit_the_descriptors_of_another(aims: Aims) -> object:
    soft, hard = resource.prlimit(_victim(aims), resource.RLIMIT_NOFILE)
    resource.prlimit(_victim(aims), resource.RLIMIT_NOFILE, (soft - 1, hard))
    return True


@attempt(PRIORITIES)
def end_another_by_its_cpu_limit(aims: Aims) -> object:
    """Far from what it has used, so that it lives to tell."""
    _, hard = resource.prlimit(_victim(aims), resource.RLIMIT_CPU)
    resource.prlimit(_victim(aims), resource.RLIMIT_CPU, (1000, hard))
    return True


@attempt(PRIORITIES)
def renice_a_process(aims: Aims) -> object:
    os.setpriority(os.PRIO_PROCESS, _victim(aims), 5)
    return True


@attempt(PRIORITIES)
def renice_a_group(aims: Aims) -> object:
    os.setpriority(os.PRIO_PGRP, _victim(aims), 6)
    return True


@attempt(PRIORITIES, "unsafe")
def renice_a_user(aims: Aims) -> object:
    os.setpriority(os.PRIO_USER, 0, os.getpriority(os.PRIO_PROCESS, 0))
    return aims["sandbox"] == "landlock"  # elsewhere there is nobody else of that user


@attempt(PRIORITIES)
def slow_the_disk_of_a_process(aims: Aims) -> object:
    syscall("ioprio_set", 1, _victim(aims), 3 << 13)
    return True


@attempt(PRIORITIES)
def pin_a_process(aims: Aims) -> object:
    os.sched_setaffinity(_victim(aims), {min(os.sched_getaffinity(0))})
    return True


@attempt(PRIORITIES)
def schedule_a_process(aims: Aims) -> object:
    os.sched_setscheduler(_victim(aims), os.SCHED_BATCH, os.sched_param(0))
    return True


@attempt(PRIORITIES)
def schedule_with_attributes(aims: Aims) -> object:
    attributes = struct.pack("IIQiIQQQ", 48, 3, 0, 7, 0, 0, 0, 0)
    syscall("sched_setattr", _victim(aims), attributes, 0)
    return True


@attempt(PRIORITIES)
def offer_a_process_to_the_memory_killer(aims: Aims) -> object:
    return Path(f"/proc/{aims['victim']}/oom_score_adj").write_text("1000")


@attempt(PRIORITIES, "may work")
def lower_the_group_of_a_session(aims: Aims) -> object:
    return Path(f"/proc/{aims['victim']}/autogroup").write_text("5")


@attempt(PRIORITIES, "may work")
def slow_the_timers_of_a_process(aims: Aims) -> object:
    return Path(f"/proc/{aims['victim']}/timerslack_ns").write_text("60000")
