"""What the filters decide, on both architectures, by the kernel's own rules for such programs."""

import errno
import struct

import pytest

from whet.shell import seccomp

ALLOWED = 0
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
SCOPES: tuple[seccomp.Scope, ...] = ("init", "bubblewrap", "landlock")
MACHINES = pytest.mark.parametrize("machine", ARCHITECTURES)


def decided(program: bytes, number: int, *arguments: int, architecture: int) -> int:
    """The error that a call gets; 0 if it is allowed."""
    words = [*arguments, *(0 for _ in range(6 - len(arguments)))]
    unsigned = (word & (1 << 64) - 1 for word in words)
    data = struct.pack("<IIQ6Q", number, architecture, 0, *unsigned)
    code = list(struct.iter_unpack("HBBI", program))
    loaded = place = 0
    while True:
        operation, yes, no, value = code[place]
        place += 1
        tests = {0x15: loaded == value, 0x25: loaded > value, 0x35: loaded >= value}
        tests[0x45] = bool(loaded & value)
        if operation == 0x20:
            (loaded,) = struct.unpack_from("<I", data, value)
        elif operation == 0x54:
            loaded &= value
        elif operation == 0x06:
            return ALLOWED if value == 0x7FFF0000 else value & 0xFFFF
        else:
            place += yes if tests[operation] else no


class Filter:
    """A filter for a machine; calls are given by their numbers on both architectures."""

    def __init__(self, machine: str, scope: seccomp.Scope, *, network: bool = False) -> None:
        self._machine = machine
        self._program = seccomp.program(scope, network=network, machine=machine)

    def __call__(self, numbers: tuple[int, int], *arguments: int) -> int:
        number = numbers[self._machine == "aarch64"]
        architecture = ARCHITECTURES[self._machine]
        return decided(self._program, number, *arguments, architecture=architecture)

    def foreign(self, number: int, architecture: int) -> int:
        return decided(self._program, number, architecture=architecture)


GETPID, READ, EXECVE = (39, 172), (0, 63), (59, 221)
SOCKET, SOCKETPAIR, SENDTO = (41, 198), (53, 199), (44, 206)
PRLIMIT, SETPRIORITY, IOPRIO = (302, 261), (141, 140), (251, 30)
KEYCTL, MEMFD, SHMGET, MQ_OPEN = (250, 219), (319, 279), (29, 194), (240, 180)
CLONE, UNSHARE, MOUNT, IOCTL = (56, 220), (272, 97), (165, 40), (16, 29)
AFFINITY = (203, 122)


@MACHINES
@pytest.mark.parametrize("scope", SCOPES)
def test_what_every_program_does_is_allowed(machine: str, scope: seccomp.Scope):
    call = Filter(machine, scope)
    assert [call(one) for one in (GETPID, READ, EXECVE)] == [ALLOWED] * 3
    assert call(SOCKET, 2, 1 | 0o2000000, 6) == ALLOWED
    assert call(SOCKET, 10, 2, 0) == ALLOWED
    assert call(SOCKET, 16, 3, 0) == ALLOWED
    assert call(SOCKETPAIR, 1, 1 | 0o2000000, 0) == ALLOWED
    assert call(CLONE, 0x3D0F00) == ALLOWED  # a thread
    assert call(CLONE, 17) == ALLOWED  # a fork
    assert call(IOCTL, 0, 0x5413) == ALLOWED
    assert call(PRLIMIT, 0, 7, 1, 0) == ALLOWED
    assert call(SETPRIORITY, 0, 0, 10) == ALLOWED


@MACHINES
@pytest.mark.parametrize("scope", SCOPES)
def test_other_architectures_and_kinds_of_calls_are_refused(machine: str, scope: seccomp.Scope):
    call = Filter(machine, scope)
    others = [0x40000003, 0x40000028, *(set(ARCHITECTURES.values()) - {ARCHITECTURES[machine]})]
    assert {call.foreign(20, other) for other in others} == {errno.ENOSYS}
    second = 0x40000000
    assert call.foreign(second, ARCHITECTURES[machine]) == errno.ENOSYS
    assert call.foreign(second + 319, ARCHITECTURES[machine]) == errno.ENOSYS


@MACHINES
@pytest.mark.parametrize("scope", SCOPES)
def test_keys_and_hidden_memory_are_refused(machine: str, scope: seccomp.Scope):
    call = Filter(machine, scope)
    assert call(MEMFD, 0, 0) == errno.ENOSYS
    assert call(KEYCTL, 11, 5) == errno.EPERM
    assert call(KEYCTL, 1, 0) == ALLOWED  # an empty keyring
    assert call(KEYCTL, 1, 0x7FFF) == errno.EPERM  # one with a name
    assert call(KEYCTL, 1, 1 << 40) == errno.EPERM
    assert call(SHMGET, 0, 1 << 32) in (errno.ENOMEM, errno.EPERM)
    assert call(SHMGET, 0, 65537) in (errno.ENOMEM, errno.EPERM)


@MACHINES
@pytest.mark.parametrize("family", [*range(3, 10), *range(11, 16), *range(17, 46)])
def test_sockets_of_other_families_are_refused(machine: str, family: int):
    for scope in SCOPES:
        for network in (True, False):
            call = Filter(machine, scope, network=network)
            assert call(SOCKET, family, 1, 0) == errno.EAFNOSUPPORT
            assert call(SOCKETPAIR, family, 1, 0) == errno.EAFNOSUPPORT


@MACHINES
def test_protocols_are_those_of_tcp_and_udp_unless_the_network_is_open(machine: str):
    call, opened = Filter(machine, "landlock"), Filter(machine, "landlock", network=True)
    for arguments in ((2, 1, 262), (2, 3, 1), (10, 5, 132), (2, 2, 136)):
        assert call(SOCKET, *arguments) == errno.EPROTONOSUPPORT
        assert opened(SOCKET, *arguments) == ALLOWED
    assert call(SENDTO, 3, 0, 1, 0x20000000) == errno.EPERM
    assert opened(SENDTO, 3, 0, 1, 0x20000000) == ALLOWED
    assert opened(SOCKET, 16, 3, 16) == errno.EPROTONOSUPPORT


@MACHINES
def test_namespaces_are_for_the_first_process_only(machine: str):
    for scope in ("bubblewrap", "landlock"):
        call = Filter(machine, scope)
        for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
            assert call(UNSHARE, flag) == call(CLONE, flag | 17) == errno.EPERM
        assert call(UNSHARE, 0x80) == errno.EPERM
        assert call(UNSHARE, 0x400) == ALLOWED
        assert call(MOUNT) == errno.EPERM
    assert Filter(machine, "init")(UNSHARE, 0x10000000) == ALLOWED


@MACHINES
def test_under_landlock_a_process_sets_itself_only(machine: str):
    call = Filter(machine, "landlock")
    for resource in range(16):
        assert call(PRLIMIT, 77, resource, 0, 1) == ALLOWED  # a question
        assert call(PRLIMIT, 77, resource, 1, 0) == errno.EPERM
        assert call(PRLIMIT, 77, resource, 1 << 40, 0) == errno.EPERM
    assert call(PRLIMIT, (1 << 32) + 77, 7, 1, 0) == errno.EPERM
    assert [call(SETPRIORITY, kind, 0) for kind in range(3)] == [ALLOWED, ALLOWED, errno.EPERM]
    assert [call(IOPRIO, kind, 0) for kind in range(1, 4)] == [ALLOWED, ALLOWED, errno.EPERM]
    assert call(SETPRIORITY, 0, 77) == call(SETPRIORITY, 1, -5) == errno.EPERM
    assert call(AFFINITY, 0) == ALLOWED
    assert call(AFFINITY, 77) == errno.EPERM
    assert call(SOCKET, 1, 1, 0) == errno.EAFNOSUPPORT
    assert call(SOCKETPAIR, 1, 2, 0) == errno.EPERM
    assert call(SHMGET, 5, 0) == call(MQ_OPEN) == errno.EPERM


@MACHINES
def test_bubblewrap_has_namespaces_for_that(machine: str):
    call = Filter(machine, "bubblewrap")
    assert call(SOCKET, 1, 2, 0) == call(SOCKETPAIR, 1, 2, 0) == ALLOWED
    assert call(SHMGET, 5, 56) == call(MQ_OPEN) == ALLOWED
    assert call(PRLIMIT, 77, 7, 1, 0) == ALLOWED
