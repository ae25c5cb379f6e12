"""A filter on system calls that closes the ways around Landlock's rules for TCP.

Landlock knows ``connect`` of plain TCP sockets. Others get to the same servers: multipath TCP,
connecting by sending, sockets to the host of a virtual machine. So only sockets for TCP, UDP
and within the machine can be made, and nothing is sent that connects.
"""

import ctypes
import errno
import os
import struct
import sys
from typing import NamedTuple

_PR_SET_SECCOMP = 22
_MODE_FILTER = 2
_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000

_LOAD = 0x20
_AND = 0x54
_RETURN = 0x06
_IF_EQUAL = 0x15
_IF_AT_LEAST = 0x35
_IF_ANY_BIT = 0x45

_NUMBER = 0
_ARCHITECTURE = 4
_ARGUMENTS = 16

_OTHER_ABI = 0x40000000
"""The first number of calls of a second kind, for 32 bit pointers."""

_IO_URING_SETUP = 425
_FAST_OPEN = 0x20000000
_TYPES = (1, 2)
"""Streams and datagrams."""

_TYPE_BITS = 0xF
_LOCAL = (1, 16)
"""Unix sockets, and those for questions to the kernel."""

_INTERNET = (2, 10)
_PROTOCOLS = (0, 6, 17)
"""The usual one of a type, TCP, UDP."""


class _Calls(NamedTuple):
    architecture: int
    socket: int
    sendto: int
    sendmsg: int
    sendmmsg: int


_KNOWN = {
    "x86_64": _Calls(0xC000003E, 41, 44, 46, 307),
    "aarch64": _Calls(0xC00000B7, 198, 206, 211, 269),
}

_Instruction = tuple[int, int, int, int]


def available() -> bool:
    """Whether there is such a filter for this machine."""
    return sys.platform == "linux" and os.uname().machine in _KNOWN


def enforce() -> None:
    """From now on such calls fail. Needs the promise of no new privileges."""
    program = b"".join(struct.pack("HBBI", *one) for one in _program(_KNOWN[os.uname().machine]))
    buffer = ctypes.create_string_buffer(program, len(program))
    filter_ = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_SECCOMP, ctypes.c_ulong(_MODE_FILTER), filter_, 0, 0) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), "a filter on system calls")


def _program(calls: _Calls) -> list[_Instruction]:
    return [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_IF_EQUAL, 1, 0, calls.architecture),
        _fail(errno.ENOSYS),
        (_LOAD, 0, 0, _NUMBER),
        (_IF_AT_LEAST, 0, 1, _OTHER_ABI),
        _fail(errno.ENOSYS),
        *_when(_IO_URING_SETUP, [_fail(errno.ENOSYS)]),
        *_when(calls.socket, _socket()),
        *_when(calls.sendto, _sending(3)),
        *_when(calls.sendmsg, _sending(2)),
        *_when(calls.sendmmsg, _sending(3)),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _socket() -> list[_Instruction]:
    return [
        _load(0),
        *_pass(_LOCAL),
        *(_skip_if(number, ahead) for number, ahead in zip(_INTERNET, (2, 1), strict=True)),
        _fail(errno.EAFNOSUPPORT),
        _load(1),
        (_AND, 0, 0, _TYPE_BITS),
        *(_skip_if(number, ahead) for number, ahead in zip(_TYPES, (2, 1), strict=True)),
        _fail(errno.EPROTONOSUPPORT),
        _load(2),
        *_pass(_PROTOCOLS),
        _fail(errno.EPROTONOSUPPORT),
    ]


def _sending(flags: int) -> list[_Instruction]:
    return [
        _load(flags),
        (_IF_ANY_BIT, 0, 1, _FAST_OPEN),
        _fail(errno.EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _when(number: int, block: list[_Instruction]) -> list[_Instruction]:
    """The block, which returns, if that is the call."""
    return [(_IF_EQUAL, 0, len(block), number), *block]


def _pass(values: tuple[int, ...]) -> list[_Instruction]:
    """Allow the call if what was loaded is one of these."""
    return [one for value in values for one in _when(value, [(_RETURN, 0, 0, _ALLOW)])]


def _skip_if(value: int, ahead: int) -> _Instruction:
    return (_IF_EQUAL, ahead, 0, value)


def _load(argument: int) -> _Instruction:
    """The lower half of an argument; the kernel looks at no more of these."""
    upper_first = 4 if sys.byteorder == "big" else 0
    return (_LOAD, 0, 0, _ARGUMENTS + 8 * argument + upper_first)


def _fail(number: int) -> _Instruction:
    return (_RETURN, 0, 0, _ERRNO | number)
