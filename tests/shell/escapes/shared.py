"""Attempts to get at what the kernel shares out by names: memory, queues, keys, sockets."""

import ctypes
import errno
import os
import socket
from pathlib import Path

from tests.shell.escapes.attempts import LIBC, SECONDS, Aims, attempt, syscall, talk

IPC = "use shared memory, queues and semaphores of others"
KEYS = "read, add or ask for keys in the kernel"
PATHS = "connect to unix sockets with a path"
ABSTRACT = "connect to abstract unix sockets"
TCP = "connect by TCP to ports that were not given"
SAME_PORT = "connect to the model's port of other hosts"
UDP = "send and receive by UDP, and so reach name servers"
FAMILIES = "open other kinds of sockets"
GIVEN = "reach the model"
"""No escape: it has to work everywhere."""


@attempt(IPC)
def read_system_v_memory(aims: Aims) -> object:
    number = syscall("shmget", int(aims["ipc"]), 0, 0)
    LIBC.shmat.restype = ctypes.c_void_p
    place = LIBC.shmat(number, None, 0o10000)
    return place not in (None, ctypes.c_void_p(-1).value) and ctypes.string_at(place, 3) == b"the"


@attempt(IPC)
def receive_a_system_v_message(aims: Aims) -> object:
    number = syscall("msgget", int(aims["ipc"]), 0)
    return syscall("msgrcv", number, ctypes.create_string_buffer(64), 32, 0, 0o4000) > 0


@attempt(IPC)
def change_a_system_v_semaphore(aims: Aims) -> object:
    number = syscall("semget", int(aims["ipc"]), 0, 0)
    syscall("semctl", number, 0, 16, 1)
    return True


@attempt(IPC)
def open_a_message_queue(aims: Aims) -> object:
    return syscall("mq_open", aims["queue"].encode(), os.O_RDWR, 0, 0) >= 0


@attempt(IPC)
def delete_a_message_queue(aims: Aims) -> object:
    syscall("mq_unlink", aims["queue to delete"].encode())
    return True


@attempt(IPC)
def read_shared_memory(aims: Aims) -> object:
    return Path(aims["shared"]).read_bytes()


@attempt(IPC)
def write_shared_memory(aims: Aims) -> object:
    return Path(f"{aims['shared']}-written").write_text("was here")


def _keyctl(*arguments: object) -> int:
    return syscall("keyctl", *arguments)


def _value(serial: int) -> bool:
    buffer = ctypes.create_string_buffer(64)
    return _keyctl(11, serial, buffer, 64) > 0 and b"the expected" in buffer.value


@attempt(KEYS)
def read_a_key_of_the_session(aims: Aims) -> object:
    name = aims["key name"].encode()
    return _value(_keyctl(10, -3, b"user", name, 0))


@attempt(KEYS)
def read_a_key_by_its_number(aims: Aims) -> object:
    return _value(int(aims["key number"]))


@attempt(KEYS)
def ask_for_a_key(aims: Aims) -> object:
    return _value(syscall("request_key", b"user", aims["key name"].encode(), None, 0))


@attempt(KEYS)
def leave_a_key_with_the_user(aims: Aims) -> object:
    return syscall("add_key", b"user", f"{aims['key name']}-left".encode(), b"x", 1, -4)


@attempt(KEYS)
def revoke_a_key(aims: Aims) -> object:
    _keyctl(3, int(aims["key to revoke"]))
    return True


def _unix(address: str, kind: socket.SocketKind = socket.SOCK_STREAM) -> bool:
    connection = socket.socket(socket.AF_UNIX, kind)
    connection.settimeout(SECONDS / 2)
    connection.connect(address)
    return talk(connection)


@attempt(PATHS)
def connect_to_the_message_bus(aims: Aims) -> object:
    return _unix(aims["bus"])


@attempt(PATHS)
def connect_to_the_key_agent(aims: Aims) -> object:
    return _unix(aims["agent"])


@attempt(PATHS)
def connect_to_the_container_service(aims: Aims) -> object:
    return _unix(aims["docker"])


@attempt(PATHS)
def connect_through_the_folder_of_another(aims: Aims) -> object:
    return _unix(f"/proc/{aims['victim']}/cwd/agent")


@attempt(PATHS)
def send_a_datagram_to_a_path(aims: Aims) -> object:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as made:
        return made.sendto(b"path", aims["log"])


@attempt(PATHS)
def send_from_a_raw_pair_to_a_path(aims: Aims) -> object:
    """The kernel makes a pair for datagrams of it."""
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW)
    with one, other:
        return one.sendto(b"pair", aims["log"])


@attempt(PATHS, "may work")
def connect_with_what_is_left_of_a_pair(aims: Aims) -> object:
    one, other = socket.socketpair()
    other.close()
    one.connect(aims["agent"])
    return talk(one)


@attempt(PATHS)
def send_from_a_pair_to_a_path(aims: Aims) -> object:
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with one, other:
        return one.sendto(b"pair", aims["log"])


@attempt(ABSTRACT)
def connect_to_an_abstract_socket(aims: Aims) -> object:
    return _unix(aims["abstract"].replace("@", "\0"))


@attempt(ABSTRACT)
def send_from_a_raw_pair_to_an_abstract_socket(aims: Aims) -> object:
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW)
    with one, other:
        return one.sendto(b"pair", aims["abstract"].replace("@", "\0") + "-log")


@attempt(ABSTRACT)
def send_a_datagram_to_an_abstract_socket(aims: Aims) -> object:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as made:
        return made.sendto(b"abstract", f"{aims['abstract']}-log".replace("@", "\0"))


@attempt(GIVEN)
def connect_to_the_model(aims: Aims) -> object:
    return talk(socket.create_connection(("127.0.0.1", int(aims["model"])), SECONDS / 2))


@attempt(TCP)
def connect_elsewhere(aims: Aims) -> object:
    return talk(socket.create_connection(("127.0.0.1", int(aims["elsewhere"])), SECONDS / 2))


@attempt(TCP, "may work")
def connect_elsewhere_by_ipv6(aims: Aims) -> object:
    return talk(socket.create_connection(("::1", int(aims["elsewhere"])), SECONDS / 2))


@attempt(TCP)
def connect_elsewhere_by_ipv6_as_ipv4(aims: Aims) -> object:
    connection = socket.socket(socket.AF_INET6)
    connection.connect(("::ffff:127.0.0.1", int(aims["elsewhere"])))
    return talk(connection)


@attempt(TCP, "may work")
def connect_elsewhere_by_multipath(aims: Aims) -> object:
    connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)
    connection.connect(("127.0.0.1", int(aims["elsewhere"])))
    return talk(connection)


@attempt(TCP, "may work")
def connect_elsewhere_by_sending(aims: Aims) -> object:
    connection = socket.socket()
    connection.sendto(b"x", 0x20000000, ("127.0.0.1", int(aims["elsewhere"])))
    return talk(connection)


@attempt(TCP)
def listen_for_others(aims: Aims) -> object:
    """Where others can connect to; elsewhere it listens to itself alone."""
    with socket.create_server(("127.0.0.1", int(aims["free"]))):
        return aims["sandbox"] != "bubblewrap"


@attempt(SAME_PORT)
def connect_to_the_same_port_elsewhere(aims: Aims) -> object:
    return talk(socket.create_connection(("127.0.0.9", int(aims["model"])), SECONDS / 2))


def _datagram(family: socket.AddressFamily, address: str, port: str) -> bool:
    with socket.socket(family, socket.SOCK_DGRAM) as made:
        made.settimeout(SECONDS / 4)
        made.connect((address, int(port)))  # so that a refusal is heard
        made.send(b"hello")
        return bool(made.recv(8))


@attempt(UDP)
def ask_by_udp(aims: Aims) -> object:
    return _datagram(socket.AF_INET, "127.0.0.1", aims["udp"])


@attempt(UDP, "may work")
def ask_by_udp_and_ipv6(aims: Aims) -> object:
    return _datagram(socket.AF_INET6, "::1", aims["udp6"])


def _opened(family: int, kind: int, protocol: int = 0) -> bool:
    with socket.socket(family, kind, protocol):
        return True


@attempt(FAMILIES, "may work")
def reach_the_host_of_a_virtual_machine(_aims: Aims) -> object:
    return _opened(40, socket.SOCK_STREAM)


@attempt(FAMILIES, "may work")
def open_a_raw_socket(_aims: Aims) -> object:
    return _opened(socket.AF_INET, socket.SOCK_RAW, 1)


@attempt(FAMILIES, "may work")
def open_a_packet_socket(_aims: Aims) -> object:
    return _opened(17, socket.SOCK_RAW)


@attempt(FAMILIES, "may work")
def use_the_ciphers_of_the_kernel(_aims: Aims) -> object:
    return _opened(38, socket.SOCK_SEQPACKET)


@attempt(FAMILIES, "may work")
def open_bluetooth(_aims: Aims) -> object:
    return _opened(31, socket.SOCK_RAW, 1)


@attempt(FAMILIES, "may work")
def open_a_cluster_socket(_aims: Aims) -> object:
    return _opened(30, socket.SOCK_SEQPACKET)


@attempt(FAMILIES, "may work")
def open_an_express_socket(_aims: Aims) -> object:
    return _opened(44, socket.SOCK_RAW)


@attempt(FAMILIES, "may work")
def ping(_aims: Aims) -> object:
    return _opened(socket.AF_INET, socket.SOCK_DGRAM, 1)


@attempt(FAMILIES)
def ask_for_the_sockets_of_all(_aims: Aims) -> object:
    return _opened(16, socket.SOCK_RAW, 4)


@attempt(FAMILIES)
def open_generic_netlink(_aims: Aims) -> object:
    return _opened(16, socket.SOCK_RAW, 16)


@attempt(FAMILIES)
def hear_of_new_devices(_aims: Aims) -> object:
    return _opened(16, socket.SOCK_DGRAM, 15)


@attempt(FAMILIES, "may work")
def change_the_network(_aims: Aims) -> object:
    """Take the loopback interface down, by a question that is an order."""
    with socket.socket(16, socket.SOCK_RAW, 0) as made:
        made.settimeout(SECONDS / 4)
        # A link without a name cannot be made: permission is asked for before that is seen.
        made.send((32).to_bytes(4, "little") + b"\x11\0\5\0" + bytes(8) + bytes(16))
        said = made.recv(64)
        number = -int.from_bytes(said[16:20], "little", signed=True)
        return number != errno.EPERM


@attempt(FAMILIES, "may work")
def open_a_socket_for_streams_of_messages(_aims: Aims) -> object:
    return _opened(socket.AF_INET, socket.SOCK_STREAM, 132)


@attempt(FAMILIES, "may work")
def open_a_socket_for_lighter_datagrams(_aims: Aims) -> object:
    return _opened(socket.AF_INET, socket.SOCK_DGRAM, 136)


@attempt(FAMILIES, "may work")
def open_a_socket_that_connects_by_itself(_aims: Aims) -> object:
    """SMC: the kernel makes a TCP connection for it that no rule of Landlock sees."""
    return _opened(43, socket.SOCK_STREAM)
