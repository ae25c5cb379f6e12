"""Filters on system calls: they close what namespaces and Landlock leave open.

A filter sees the number of a call and its plain arguments, never what they point to. So it
decides by kinds of sockets, by flags and by numbers of processes, and not by paths.

Refused everywhere are keys of the kernel, memory that belongs to no process, new namespaces
and mounts, kinds of sockets that no agent needs, and what rules the whole machine. A process
under Landlock shares the machine with all others: there it can neither set limits and
priorities of others nor use System V memory, message queues or unix sockets with a name.
"""

import errno
import os
import struct
import sys
from functools import cache
from typing import Literal, NamedTuple

Scope = Literal["init", "bubblewrap", "landlock"]
"""Whom a filter is for. ``init`` is bubblewrap's own first process, which still has to make a
namespace."""

_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000

_LOAD = 0x20
_AND = 0x54
_RETURN = 0x06
_IF_EQUAL = 0x15
_IF_MORE = 0x25
_IF_AT_LEAST = 0x35
_IF_ANY_BIT = 0x45

_NUMBER = 0
_ARCHITECTURE = 4
_ARGUMENTS = 16

_OTHER_ABI = 0x40000000
"""The first number of calls of a second kind, for 32 bit pointers."""

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_UNIX, _NETLINK = 1, 16
_INTERNET = (2, 10)
_STREAM, _DATAGRAM, _PACKETS = 1, 2, 5
_TYPE_BITS = 0xF
_PROTOCOLS = (0, 6, 17)
"""The usual one of a type, TCP, UDP."""

_FAST_OPEN = 0x20000000
_NAMESPACES = 0x7E020000
_NAMESPACE_OF_TIME = 0x80
_TERMINAL_INPUT = (0x5412, 0x541C)
"""The ioctls TIOCSTI and TIOCLINUX, which type into a terminal."""

_JOIN_SESSION_KEYRING = 1
_SMALL_SEGMENT = 64 * 1024
"""Bytes of System V memory that a database needs as a lock; there are at most 4096 of them."""


class _Numbers(NamedTuple):
    """The number of a call on each architecture; None where it does not exist."""

    x86_64: int
    aarch64: int | None


def _same(number: int) -> _Numbers:
    return _Numbers(number, number)


_CALLS = {
    "ioctl": _Numbers(16, 29),
    "socket": _Numbers(41, 198),
    "socketpair": _Numbers(53, 199),
    "sendto": _Numbers(44, 206),
    "sendmsg": _Numbers(46, 211),
    "sendmmsg": _Numbers(307, 269),
    "clone": _Numbers(56, 220),
    "unshare": _Numbers(272, 97),
    "keyctl": _Numbers(250, 219),
    "shmget": _Numbers(29, 194),
    "prlimit64": _Numbers(302, 261),
    "setpriority": _Numbers(141, 140),
    "ioprio_set": _Numbers(251, 30),
}

_UNKNOWN = {
    "clone3": _same(435),  # its flags are out of sight, and all fall back to clone
    "io_uring_setup": _same(425),  # its calls pass no filter
    "io_uring_enter": _same(426),
    "io_uring_register": _same(427),
    "memfd_create": _Numbers(319, 279),
    "memfd_secret": _same(447),
}
"""Refused as if the kernel were too old for them; programs then do without."""

_FORBIDDEN = {
    "add_key": _Numbers(248, 217),
    "request_key": _Numbers(249, 218),
    "bpf": _Numbers(321, 280),
    "perf_event_open": _Numbers(298, 241),
    "userfaultfd": _Numbers(323, 282),
    "kexec_load": _Numbers(246, 104),
    "kexec_file_load": _Numbers(320, 294),
    "init_module": _Numbers(175, 105),
    "finit_module": _Numbers(313, 273),
    "delete_module": _Numbers(176, 106),
    "clock_settime": _Numbers(227, 112),
    "settimeofday": _Numbers(164, 170),
    "clock_adjtime": _Numbers(305, 266),
    "adjtimex": _Numbers(159, 171),
    "reboot": _Numbers(169, 142),
    "swapon": _Numbers(167, 224),
    "swapoff": _Numbers(168, 225),
    "acct": _Numbers(163, 89),
    "quotactl": _Numbers(179, 60),
    "quotactl_fd": _same(443),
    "syslog": _Numbers(103, 116),
    "iopl": _Numbers(172, None),
    "ioperm": _Numbers(173, None),
    "open_by_handle_at": _Numbers(304, 265),
    "fanotify_init": _Numbers(300, 262),
    "sethostname": _Numbers(170, 161),
    "setdomainname": _Numbers(171, 162),
    "vhangup": _Numbers(153, 58),
}

_MOUNTING = {
    "setns": _Numbers(308, 268),
    "mount": _Numbers(165, 40),
    "umount2": _Numbers(166, 39),
    "pivot_root": _Numbers(155, 41),
    "chroot": _Numbers(161, 51),
    "open_tree": _same(428),
    "open_tree_attr": _same(467),
    "move_mount": _same(429),
    "fsopen": _same(430),
    "fsconfig": _same(431),
    "fsmount": _same(432),
    "fspick": _same(433),
    "mount_setattr": _same(442),
}

_SHARED_WITH_ALL = {
    "shmget": _Numbers(29, 194),
    "shmat": _Numbers(30, 196),
    "shmctl": _Numbers(31, 195),
    "msgget": _Numbers(68, 186),
    "msgsnd": _Numbers(69, 189),
    "msgrcv": _Numbers(70, 188),
    "msgctl": _Numbers(71, 187),
    "semget": _Numbers(64, 190),
    "semop": _Numbers(65, 193),
    "semctl": _Numbers(66, 191),
    "semtimedop": _Numbers(220, 192),
    "mq_open": _Numbers(240, 180),
    "mq_unlink": _Numbers(241, 181),
}
"""Without a namespace of its own a process would find there what is others'."""

_SCHEDULING = {
    "sched_setaffinity": _Numbers(203, 122),
    "sched_setscheduler": _Numbers(144, 119),
    "sched_setparam": _Numbers(142, 118),
    "sched_setattr": _Numbers(314, 274),
}
"""Their first argument is a process; 0 is the caller."""

_Instruction = tuple[int, int, int, int]
_RETURN_ALLOW: _Instruction = (_RETURN, 0, 0, _ALLOW)


def available() -> bool:
    """Whether there is such a filter for this machine, and for 64-bit programs like us."""
    is_64_bit = sys.maxsize > 1 << 32
    return sys.platform == "linux" and is_64_bit and os.uname().machine in _ARCHITECTURES


def call_number(name: str) -> int:
    """The number of a call on this machine."""
    return _number(_CALLS[name], os.uname().machine) or -1


@cache
def program(scope: Scope, *, network: bool, machine: str | None = None) -> bytes:
    """A filter for the kernel. With *network* every protocol of the internet is allowed."""
    machine = machine or os.uname().machine
    blocks = [
        *_refusing(_UNKNOWN, errno.ENOSYS),
        *_refusing(_FORBIDDEN, errno.EPERM),
        *_checks(scope, network=network),
    ]
    if scope != "init":
        blocks += _refusing(_MOUNTING, errno.EPERM)
    if scope == "landlock":
        blocks += _refusing(_SHARED_WITH_ALL, errno.EPERM)
    code: list[_Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_IF_EQUAL, 1, 0, _ARCHITECTURES[machine]),
        _fail(errno.ENOSYS),
        (_LOAD, 0, 0, _NUMBER),
        (_IF_AT_LEAST, 0, 1, _OTHER_ABI),
        _fail(errno.ENOSYS),
    ]
    for numbers, block in blocks:
        number = _number(numbers, machine)
        if number is not None:
            code += _when(number, block)
    code.append(_RETURN_ALLOW)
    return b"".join(struct.pack("HBBI", *one) for one in code)


_Block = tuple[_Numbers, list[_Instruction]]


def _refusing(calls: dict[str, _Numbers], number: int) -> list[_Block]:
    return [(numbers, [_fail(number)]) for numbers in calls.values()]


def _checks(scope: Scope, *, network: bool) -> list[_Block]:
    """The calls that are decided by their arguments."""
    alone = scope != "landlock"
    found = {
        "keyctl": _keyctl(),
        "ioctl": [_load(1), *_refuse(_TERMINAL_INPUT, errno.EPERM), _RETURN_ALLOW],
        "socket": _socket(unix=alone, network=network),
        "socketpair": _socketpair(datagrams=alone),
    }
    if not network:
        found |= {"sendto": _sending(3), "sendmsg": _sending(2), "sendmmsg": _sending(3)}
    if scope != "init":
        found |= {
            "clone": _without_flags(_NAMESPACES),
            "unshare": _without_flags(_NAMESPACES | _NAMESPACE_OF_TIME),
        }
    blocks = [(_CALLS[name], block) for name, block in found.items()]
    if alone:
        return [*blocks, (_CALLS["shmget"], _small_segment())]
    blocks += [(numbers, _only_zero(0)) for numbers in _SCHEDULING.values()]
    return [
        *blocks,
        (_CALLS["prlimit64"], _own_limits()),
        (_CALLS["setpriority"], _own_priority((0, 1))),
        (_CALLS["ioprio_set"], _own_priority((1, 2))),
    ]


def _socket(*, unix: bool, network: bool) -> list[_Instruction]:
    allowed = (_UNIX,) if unix else ()
    protocols = [
        _load(1),
        (_AND, 0, 0, _TYPE_BITS),
        *(_skip_if(number, ahead) for number, ahead in ((_STREAM, 2), (_DATAGRAM, 1))),
        _fail(errno.EPROTONOSUPPORT),
        _load(2),
        *_pass(_PROTOCOLS),
        _fail(errno.EPROTONOSUPPORT),
    ]
    questions = [_load(2), *_pass((0,)), _fail(errno.EPROTONOSUPPORT)]  # about the network
    return [
        _load(0),
        *_pass(allowed),
        *_when(_NETLINK, questions),
        *(_skip_if(number, ahead) for number, ahead in zip(_INTERNET, (2, 1), strict=True)),
        _fail(errno.EAFNOSUPPORT),
        *([_RETURN_ALLOW] if network else protocols),
    ]


def _socketpair(*, datagrams: bool) -> list[_Instruction]:
    """Pairs within the machine. One for datagrams could send to any path, too; so could a raw one,
    of which the kernel makes one for datagrams."""
    connected = [
        _load(1),
        (_AND, 0, 0, _TYPE_BITS),
        *_pass((_STREAM, _PACKETS)),
        _fail(errno.EPERM),
    ]
    return [
        _load(0),
        _skip_if(_UNIX, 1),
        _fail(errno.EAFNOSUPPORT),
        *([_RETURN_ALLOW] if datagrams else connected),
    ]


def _keyctl() -> list[_Instruction]:
    """Nothing but leaving the keys behind, for an empty keyring without a name."""
    return [
        _load(0),
        _skip_if(_JOIN_SESSION_KEYRING, 1),
        _fail(errno.EPERM),
        *_only_null(1),
    ]


def _sending(flags: int) -> list[_Instruction]:
    return _without_flags(_FAST_OPEN, flags)


def _without_flags(flags: int, argument: int = 0) -> list[_Instruction]:
    return [_load(argument), (_IF_ANY_BIT, 0, 1, flags), _fail(errno.EPERM), _RETURN_ALLOW]


def _small_segment() -> list[_Instruction]:
    return [
        _load(1, upper=True),
        _skip_if(0, 1),
        _fail(errno.ENOMEM),
        _load(1),
        (_IF_MORE, 0, 1, _SMALL_SEGMENT),
        _fail(errno.ENOMEM),
        _RETURN_ALLOW,
    ]


def _own_limits() -> list[_Instruction]:
    """Whoever asks about others may be told; nothing of theirs is set."""
    return [_load(0), *_pass((0,)), *_only_null(2)]


def _own_priority(kinds: tuple[int, ...]) -> list[_Instruction]:
    """That of a process or its group; not of all processes of a user."""
    own = _only_zero(1)
    return [_load(0), *(one for kind in kinds for one in _when(kind, own)), _fail(errno.EPERM)]


def _only_zero(argument: int) -> list[_Instruction]:
    return [_load(argument), *_pass((0,)), _fail(errno.EPERM)]


def _only_null(argument: int) -> list[_Instruction]:
    """Allow the call if that argument, a pointer, points nowhere."""
    return [_load(argument, upper=True), _skip_if(0, 1), _fail(errno.EPERM), *_only_zero(argument)]


def _when(number: int, block: list[_Instruction]) -> list[_Instruction]:
    """The block, which returns, if that is what was loaded."""
    return [(_IF_EQUAL, 0, len(block), number), *block]


def _pass(values: tuple[int, ...]) -> list[_Instruction]:
    """Allow the call if what was loaded is one of these."""
    return [one for value in values for one in _when(value, [_RETURN_ALLOW])]


def _refuse(values: tuple[int, ...], number: int) -> list[_Instruction]:
    """Refuse the call if what was loaded is one of these."""
    return [one for value in values for one in _when(value, [_fail(number)])]


def _skip_if(value: int, ahead: int) -> _Instruction:
    return (_IF_EQUAL, ahead, 0, value)


def _load(argument: int, *, upper: bool = False) -> _Instruction:
    """Half of an argument; of flags and numbers of processes the kernel reads the lower."""
    is_second = upper == (sys.byteorder == "little")
    return (_LOAD, 0, 0, _ARGUMENTS + 8 * argument + (4 if is_second else 0))


def _fail(number: int) -> _Instruction:
    return (_RETURN, 0, 0, _ERRNO | number)


def _number(numbers: _Numbers, machine: str) -> int | None:
    return numbers.x86_64 if machine == "x86_64" else numbers.aarch64
