"""Landlock: a process forbids itself, and all it will start, what it was not given.

The kernel's interface is three system calls without a C library around them. Their numbers
are the same on every architecture.
"""

import ctypes
import os
import stat
import sys
from functools import cache

_CREATE_RULESET = 444
_ADD_RULE = 445
_RESTRICT_SELF = 446
_VERSION = 1
_PATH_BENEATH = 1
_NET_PORT = 2

_EXECUTE = 1 << 0
_WRITE_FILE = 1 << 1
_READ_FILE = 1 << 2
_READ_DIR = 1 << 3
_MAKE_CHAR = 1 << 6
_MAKE_BLOCK = 1 << 11
_TRUNCATE = 1 << 14
_IOCTL_DEVICE = 1 << 15
_CONNECT_TCP = 1 << 1
_SCOPES = 0b11
"""Abstract unix sockets, and signals."""

_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many rights on files each version knows; from version 5 on there are 16."""

_MOST_FILE_RIGHTS = 16
_BOTH_NETWORK_RIGHTS = 0b11
TRUNCATION_SINCE = 3
NETWORK_SINCE = 4
SIGNALS_SINCE = 6

_READ = _EXECUTE | _READ_FILE | _READ_DIR
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEVICE
_NEVER = _MAKE_CHAR | _MAKE_BLOCK | _IOCTL_DEVICE

_LIBC = ctypes.CDLL(None, use_errno=True)


@cache
def version() -> int:
    """Which version of Landlock the kernel offers; 0 if none."""
    if sys.platform != "linux":
        return 0
    return max(0, _call(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION)))


class Ruleset:
    """What is given to a process, put together path by path and port by port."""

    def __init__(self, *, network: bool) -> None:
        """With *network*, all of it stays open; so it does where the kernel is too old."""
        number = version()
        self._files = (1 << _FILE_RIGHTS.get(number, _MOST_FILE_RIGHTS)) - 1
        limited = number >= NETWORK_SINCE and not network
        self._ports = _BOTH_NETWORK_RIGHTS if limited else 0
        words = [self._files]
        if number >= NETWORK_SINCE:
            words.append(self._ports)
        if number >= SIGNALS_SINCE:
            words.append(_SCOPES)
        attributes = b"".join(word.to_bytes(8, sys.byteorder) for word in words)
        size = ctypes.c_size_t(len(attributes))
        self._descriptor = _checked(
            _call(_CREATE_RULESET, attributes, size, ctypes.c_uint32(0)), "a Landlock ruleset"
        )

    def read(self, path: str) -> None:
        """Let it read and run what is at *path* and below."""
        self._allow(path, _READ)

    def write(self, path: str) -> None:
        """Let it read, run and change what is at *path* and below."""
        self._allow(path, ~_NEVER)

    def connect(self, port: int) -> None:
        """Let it connect to *port*, of any host."""
        if self._ports:
            rule = _CONNECT_TCP.to_bytes(8, sys.byteorder) + port.to_bytes(8, sys.byteorder)
            self._add(_NET_PORT, rule, f"port {port}")

    def enforce(self) -> None:
        """From now on nothing else is allowed. Needs the promise of no new privileges."""
        descriptor = ctypes.c_int(self._descriptor)
        _checked(_call(_RESTRICT_SELF, descriptor, ctypes.c_uint32(0)), "Landlock")
        os.close(self._descriptor)

    def _allow(self, path: str, rights: int) -> None:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
                rights &= _OF_A_FILE
            granted = (rights & self._files).to_bytes(8, sys.byteorder)
            rule = granted + descriptor.to_bytes(4, sys.byteorder)
            self._add(_PATH_BENEATH, rule, path)
        finally:
            os.close(descriptor)

    def _add(self, kind: int, rule: bytes, what: str) -> None:
        ruleset = ctypes.c_int(self._descriptor)
        _checked(_call(_ADD_RULE, ruleset, ctypes.c_int(kind), rule, ctypes.c_uint32(0)), what)


def _call(number: int, *arguments: object) -> int:
    return int(_LIBC.syscall(ctypes.c_long(number), *arguments))


def _checked(result: int, tried: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), tried)
    return result
