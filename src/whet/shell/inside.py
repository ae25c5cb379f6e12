"""The last step before the agent, inside the sandbox; a script of its own.

It listens where the agent will look for its model and hands the listening sockets out to us.
A socket belongs to the network it was made in, so whoever connects inside is accepted outside,
and nothing of ours has to stay in the sandbox. Then it sets limits, gives up what it could do
and becomes the agent.

Its first argument is the descriptor of a socket pair to us. Orders follow, as pairs of words,
and after ``--`` the program with its arguments. What it says on the socket:

- ``L`` with the listening sockets, once;
- ``E`` with an error number and what was tried, instead of becoming the agent;
- the end, when it has become the agent.

It imports little, and nothing that is slow to import: every start of an agent waits for it.
"""

import _socket
import ctypes
import os
import resource
import sys

_SCM_RIGHTS = 1
_BACKLOG = 128
_CAPABILITIES_VERSION = 0x20080522
_CLONE_NEWUSER = 0x10000000
_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_FILTER_MODE = 2
_JOIN_SESSION_KEYRING = 1
_SIGPIPE = 13
_SIGXFSZ = 25
_SIOCSIFADDR = 0x8916

_LIMITS = {
    "file": resource.RLIMIT_FSIZE,
    "core": resource.RLIMIT_CORE,
    "processes": getattr(resource, "RLIMIT_NPROC", -1),
}

Orders = list[tuple[str, str]]

LIBC = ctypes.CDLL(None, use_errno=True)


class Refused(Exception):
    """It cannot become the agent."""

    def __init__(self, number: int, tried: str) -> None:
        super().__init__(number, tried)
        self.message = f"E{number} {tried}".encode("utf-8", "surrogateescape")


def parsed(argv: list[str]) -> tuple[int, Orders, list[str]]:
    """The descriptor, the orders and the program."""
    end = argv.index("--")
    words = argv[1:end]
    return int(argv[0]), list(zip(words[::2], words[1::2], strict=True)), argv[end + 1 :]


def become(orders: Orders, program: list[str]) -> None:
    """Set limits, leave our keys behind, and become the program."""
    for order, value in orders:
        if order == "limit":
            _limit(value)
        elif order == "unset":
            os.environ.pop(value, None)
        elif order == "keyring":
            # A kernel without keys has none to take. Where there is no room for one more
            # keyring, the filter keeps the agent from the keys.
            LIBC.syscall(ctypes.c_long(int(value)), ctypes.c_long(_JOIN_SESSION_KEYRING), None)
    # The interpreter ignores these, and what is ignored stays so in the program.
    LIBC.signal(_SIGPIPE, None)
    LIBC.signal(_SIGXFSZ, None)
    for order, value in orders:
        if order == "filter":
            _filter_calls(bytes.fromhex(value))
    try:
        os.execvp(program[0], program)
    except OSError as error:
        raise Refused(error.errno or 0, "exec") from error


def _take_identity(user: str, group: str) -> None:
    """Be that user again, in one more namespace.

    Only as the root of the namespace that owns the network could we set the network up.
    """
    checked(LIBC.unshare(_CLONE_NEWUSER), "make a namespace")
    maps = {"setgroups": "deny", "gid_map": f"{group} 0 1", "uid_map": f"{user} 0 1"}
    for name, text in maps.items():
        try:
            descriptor = os.open(f"/proc/self/{name}", os.O_WRONLY)
            os.write(descriptor, text.encode())
            os.close(descriptor)
        except OSError as error:
            raise Refused(error.errno or 0, f"write {name}") from error


def give_up_capabilities() -> None:
    """Not even root may do more than others from here on, nor may what it runs."""
    checked(LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    header = _CAPABILITIES_VERSION.to_bytes(4, sys.byteorder) + bytes(4)
    checked(LIBC.capset(header, bytes(24)), "capset")


def checked(result: int, tried: str) -> int:
    """The result of a call of the C library, if that went well."""
    if result < 0:
        raise Refused(ctypes.get_errno(), tried)
    return result


def _filter_calls(program: bytes) -> None:
    """From now on the kernel refuses what *program* refuses. Needs no new privileges."""
    buffer = ctypes.create_string_buffer(program, len(program))
    address = ctypes.addressof(buffer).to_bytes(8, sys.byteorder)
    filter_ = (len(program) // 8).to_bytes(2, sys.byteorder) + bytes(6) + address
    mode = ctypes.c_ulong(_FILTER_MODE)
    checked(LIBC.prctl(_PR_SET_SECCOMP, mode, filter_, 0, 0), "filter system calls")


def _limit(value: str) -> None:
    name, _, wish = value.partition(":")
    _, hard = resource.getrlimit(_LIMITS[name])
    number = int(wish) if hard == resource.RLIM_INFINITY else min(int(wish), hard)
    resource.setrlimit(_LIMITS[name], (number, number))


def _listening(place: str) -> _socket.socket:
    address, _, port = place.rpartition(":")
    kind = _socket.AF_INET6 if ":" in address else _socket.AF_INET
    try:
        listener = _socket.socket(kind, _socket.SOCK_STREAM)
        listener.bind((address, int(port)))
        listener.listen(_BACKLOG)
    except OSError as error:
        raise Refused(error.errno or 0, f"listen on {place}") from error
    return listener


def _add_address(address: str, number: int) -> None:
    """Give the loopback interface one more address."""
    import fcntl  # seldom needed

    name = f"lo:{number}".encode().ljust(16, b"\0")
    family = _socket.AF_INET.to_bytes(2, sys.byteorder) + bytes(2)
    request = name + family + _socket.inet_aton(address) + bytes(16)
    probe = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
    try:
        fcntl.ioctl(probe.fileno(), _SIOCSIFADDR, request)
    except OSError as error:
        raise Refused(error.errno or 0, f"take the address {address}") from error
    finally:
        probe.close()


def _main() -> None:
    descriptor, orders, program = parsed(sys.argv[1:])
    os.set_inheritable(descriptor, False)  # noqa: FBT003
    channel = _socket.socket(fileno=descriptor)
    try:
        for number, (order, value) in enumerate(orders):
            if order == "address":
                _add_address(value, number)
        listeners = [_listening(value) for order, value in orders if order == "listen"]
        numbers = [one.fileno().to_bytes(4, sys.byteorder) for one in listeners]
        rights = [(_socket.SOL_SOCKET, _SCM_RIGHTS, b"".join(numbers))] if numbers else []
        channel.sendmsg([b"L"], rights)
        for order, value in orders:
            if order == "identity":
                _take_identity(*value.split(":"))
        if ("capabilities", "drop") in orders:
            give_up_capabilities()
        become(orders, program)
    except Refused as refused:
        channel.send(refused.message)
        sys.exit(1)


if __name__ == "__main__":
    _main()
