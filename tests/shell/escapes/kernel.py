"""Attempts to get privileges, and at the kernel and the machine itself."""

import ctypes
import fcntl
import mmap
import os
import platform
import pty
import struct
import time
from pathlib import Path

from tests.shell.escapes.attempts import LIBC, Aims, attempt, checked, syscall

PRIVILEGES = "get privileges, namespaces or mounts"
KERNEL = "load into, look into or set the kernel and the machine"
BUSY = "see how busy the machine is, and as root how its memory is used"
FILTER = "get around the filter on system calls"
TERMINAL = "type into a terminal"


@attempt(PRIVILEGES, "may work")
def become_root(_aims: Aims) -> object:
    os.setresuid(0, 0, 0)
    return "CapEff:\t0000000000000000" not in Path("/proc/self/status").read_text()


@attempt(PRIVILEGES, "may work")
def become_somebody_else(_aims: Aims) -> object:
    os.setgroups([])
    os.setresuid(12345, 12345, 12345)
    return True


@attempt(PRIVILEGES, "may work")
def take_capabilities(_aims: Aims) -> object:
    header = struct.pack("Ii", 0x20080522, 0)
    syscall("capset", header, struct.pack("IIIIII", 1 << 21, 1 << 21, 0, 0, 0, 0))
    return True


@attempt(PRIVILEGES, "may work")
def run_a_program_as_its_owner(_aims: Aims) -> object:
    """Programs like that get what their owner may do, unless that is given up for good."""
    return "NoNewPrivs:\t1" not in Path("/proc/self/status").read_text()


@attempt(PRIVILEGES, "may work")
def make_a_user_namespace(_aims: Aims) -> object:
    syscall("unshare", 0x10000000)
    return True


@attempt(PRIVILEGES, "may work")
def make_a_mount_namespace(_aims: Aims) -> object:
    syscall("unshare", 0x20000)
    return True


@attempt(PRIVILEGES, "may work")
def make_a_namespace_with_a_process(_aims: Aims) -> object:
    arguments = struct.pack("8Q", 0x10000000, 0, 0, 0, 17, 0, 0, 0)
    pid = syscall("clone3", arguments, len(arguments))
    if pid == 0:
        os._exit(0)
    return True


@attempt(PRIVILEGES, "may work")
def enter_the_namespace_of_another(aims: Aims) -> object:
    syscall("setns", os.open(f"/proc/{aims['victim']}/ns/mnt", os.O_RDONLY), 0)
    return True


@attempt(PRIVILEGES, "unsafe")
def mount_memory(_aims: Aims) -> object:
    syscall("mount", b"none", os.fsencode(Path.cwd()), b"tmpfs", 0, None)
    return True


@attempt(PRIVILEGES, "unsafe")
def mount_a_folder(aims: Aims) -> object:
    syscall("mount", os.fsencode(aims["home"]), os.fsencode(Path.cwd()), None, 4096, None)
    return True


@attempt(PRIVILEGES, "may work")
def prepare_a_file_system(_aims: Aims) -> object:
    return syscall("fsopen", b"tmpfs", 0) >= 0


@attempt(PRIVILEGES, "may work")
def change_the_root(_aims: Aims) -> object:
    os.chroot(".")
    return True


@attempt(PRIVILEGES, "unsafe")
def swap_the_root(_aims: Aims) -> object:
    syscall("pivot_root", b".", b".")
    return True


@attempt(KERNEL, "unsafe")
def load_a_module(_aims: Aims) -> object:
    syscall("finit_module", os.open(__file__, os.O_RDONLY), b"", 0)
    return True


@attempt(KERNEL, "unsafe")
def load_another_kernel(_aims: Aims) -> object:
    syscall("kexec_load", 0, 0, None, 0)
    return True


@attempt(KERNEL, "unsafe")
def restart_the_machine(_aims: Aims) -> object:
    """With numbers that only switch what Ctrl-Alt-Del does."""
    syscall("reboot", 0xFEE1DEAD, 672274793, 0, None)
    return True


@attempt(KERNEL, "unsafe")
def set_the_clock(_aims: Aims) -> object:
    time.clock_settime(time.CLOCK_REALTIME, time.time())
    return True


@attempt(KERNEL, "unsafe")
def name_the_machine(_aims: Aims) -> object:
    name = platform.node().encode()
    checked(LIBC.sethostname(name, len(name)))
    return True


@attempt(KERNEL, "unsafe")
def swap_to_a_file(_aims: Aims) -> object:
    syscall("swapon", b"/proc/self/exe", 0)
    return True


@attempt(KERNEL, "unsafe")
def keep_accounts(_aims: Aims) -> object:
    syscall("acct", None)
    return True


@attempt(KERNEL, "may work")
def load_a_program_into_the_kernel(_aims: Aims) -> object:
    attributes = struct.pack("IIII", 2, 4, 8, 1) + bytes(112)
    return syscall("bpf", 0, attributes, len(attributes)) >= 0


@attempt(KERNEL, "may work")
def measure_the_machine(_aims: Aims) -> object:
    attributes = struct.pack("IIQ", 1, 128, 0) + bytes(112)
    return syscall("perf_event_open", attributes, 0, -1, -1, 0) >= 0


@attempt(KERNEL, "may work")
def handle_page_faults(_aims: Aims) -> object:
    return syscall("userfaultfd", 1) >= 0


@attempt(KERNEL, "may work")
def queue_calls_past_the_filter(_aims: Aims) -> object:
    return syscall("io_uring_setup", 2, ctypes.create_string_buffer(120)) >= 0


@attempt(KERNEL, "may work")
def watch_all_files(_aims: Aims) -> object:
    return syscall("fanotify_init", 0, 0) >= 0


@attempt(KERNEL, "may work")
def read_the_log_of_the_kernel(_aims: Aims) -> object:
    return syscall("syslog", 10, None, 0) >= 0


@attempt(KERNEL, "may work")
def read_the_log_device(_aims: Aims) -> object:
    return os.open("/dev/kmsg", os.O_RDONLY)


@attempt(KERNEL, "may work")
def open_the_memory_device(_aims: Aims) -> object:
    return os.open("/dev/mem", os.O_RDONLY)


@attempt(KERNEL, "may work")
def use_ports_of_the_processor(_aims: Aims) -> object:
    syscall("iopl", 3)
    return True


def _open_to_write(path: str) -> bool:
    os.close(os.open(path, os.O_WRONLY))
    return True


@attempt(KERNEL, "may work")
def set_where_cores_go(_aims: Aims) -> object:
    return _open_to_write("/proc/sys/kernel/core_pattern")


@attempt(KERNEL, "may work")
def set_how_modules_are_found(_aims: Aims) -> object:
    return _open_to_write("/proc/sys/kernel/modprobe")


@attempt(KERNEL, "may work")
def press_the_magic_key(_aims: Aims) -> object:
    return _open_to_write("/proc/sysrq-trigger")


@attempt(KERNEL, "may work")
def set_anything_of_the_kernel(_aims: Aims) -> object:
    """All that is in /proc and belongs to no process."""
    top = [one for one in Path("/proc").iterdir() if not one.name.isdecimal()]
    names = {one for one in top if "self" not in one.name and not one.is_symlink()}
    files = (file for one in names for file in (one.rglob("*") if one.is_dir() else [one]))
    return [str(file) for file in files if _can_write(file)]


def _can_write(path: Path) -> bool:
    try:
        return path.is_file() and _open_to_write(str(path))
    except OSError:
        return False


@attempt(KERNEL, "may work")
def set_a_device(_aims: Aims) -> object:
    return _open_to_write("/sys/kernel/uevent_helper")


@attempt(KERNEL, "may work")
def join_another_control_group(_aims: Aims) -> object:
    found = sorted(Path("/sys/fs/cgroup").rglob("cgroup.procs"))
    return bool(found) and _open_to_write(str(found[0]))


def _machine_code(code: bytes) -> int:
    """What the code leaves as its result."""
    memory = mmap.mmap(-1, mmap.PAGESIZE, prot=7)
    memory.write(code)
    place = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    return ctypes.CFUNCTYPE(ctypes.c_int)(place)()


@attempt(FILTER, "may work")
def call_as_a_32_bit_program(_aims: Aims) -> object:
    """``memfd_create`` by its number of old, which the filter knows under another one."""
    if platform.machine() != "x86_64":
        raise OSError(38, "only processors of that kind have such calls")
    getpid = b"\x53\xb8\x14\0\0\0\xcd\x80\x5b\xc3"
    return _machine_code(getpid) == os.getpid()


@attempt(FILTER, "may work")
def call_with_32_bit_pointers(_aims: Aims) -> object:
    if platform.machine() != "x86_64":
        raise OSError(38, "only processors of that kind have such calls")
    return checked(LIBC.syscall(ctypes.c_long(0x40000000 + 39)))


@attempt(FILTER, "unsafe")
def use_the_first_process_of_the_sandbox(_aims: Aims) -> object:
    """Its memory may be written, but it is under a filter as well."""
    Path("/proc/1/mem").open("r+b", buffering=0).close()
    return "Seccomp:\t2" not in Path("/proc/1/status").read_text()


@attempt(TERMINAL, "may work")
def type_into_a_terminal(_aims: Aims) -> object:
    os.setsid()
    _, terminal = pty.openpty()
    fcntl.ioctl(terminal, 0x540E, 0)
    fcntl.ioctl(terminal, 0x5412, b"x")
    return True


@attempt(BUSY)
def see_how_busy_the_machine_is(_aims: Aims) -> object:
    return Path("/proc/loadavg").read_text() and Path("/proc/meminfo").read_text()


@attempt(BUSY, "may work")
def see_how_every_page_is_used(_aims: Aims) -> object:
    return os.open("/proc/kpageflags", os.O_RDONLY)


@attempt(KERNEL, "may work")
def open_a_device_of_the_machine(_aims: Aims) -> object:
    """For virtual machines, networks, file systems or disks."""
    found = ("kvm", "net/tun", "fuse", "loop-control", "mapper/control", "vda")
    there = [name for name in found if Path("/dev", name).exists()]
    return there and [os.close(os.open(f"/dev/{name}", os.O_RDWR)) for name in there]
