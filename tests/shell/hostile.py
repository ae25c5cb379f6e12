"""An agent that tries what it must not. Run as a script: it gets its aims as JSON in its first
argument, and prints as JSON what came of each attempt: a result, or null where it was stopped.

Standard library only, as it runs inside the sandbox.
"""

import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path


def read(path: str) -> str:
    return Path(path).read_bytes()[:4096].decode("utf-8", "replace")


def listing(path: str) -> list[str]:
    return [one.name for one in Path(path).iterdir()]


def write(path: str) -> bool:
    Path(path).write_text("was here")
    return True


def write_through_link(folder: str) -> bool:
    Path("way-out").symlink_to(folder)
    return write("way-out/linked")


def hard_link(path: str) -> str:
    Path("copy").hardlink_to(path)
    return read("copy")


def change_mode(path: str) -> bool:
    Path(path).chmod(0o777)
    return True


def connect(port: str) -> bool:
    with socket.create_connection(("127.0.0.1", int(port)), 10) as connection:
        return bool(connection.recv(2))


def connect_multipath(port: str) -> bool:
    """Another protocol, which falls back to TCP."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262) as connection:
        connection.settimeout(10)
        connection.connect(("127.0.0.1", int(port)))
        return bool(connection.recv(2))


def connect_fast(port: str) -> bool:
    """Connecting by sending."""
    with socket.socket() as connection:
        connection.settimeout(10)
        connection.sendto(b"x", 0x20000000, ("127.0.0.1", int(port)))
        return bool(connection.recv(2))


def connect_unix(address: str) -> bool:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address.replace("@", "\0"))
        return True


def listen(_: str) -> bool:
    with socket.create_server(("127.0.0.1", 0)):
        return True


def signal(pid: str) -> bool:
    os.kill(int(pid), 0)
    return True


ATTEMPTS: dict[str, Callable[[str], object]] = {
    "read another trial": read,
    "read a key": read,
    "read the workspace": read,
    "read the environment": read,
    "list the home": listing,
    "link another trial": hard_link,
    "write outside": write,
    "write to the host's tmp": write,
    "write to shared memory": write,
    "write through a link": write_through_link,
    "change a mode": change_mode,
    "connect to the model": connect,
    "connect elsewhere": connect,
    "connect elsewhere by multipath": connect_multipath,
    "connect elsewhere by sending": connect_fast,
    "connect to a socket file": connect_unix,
    "connect to an abstract socket": connect_unix,
    "listen": listen,
    "signal": signal,
    "see": read,
}


def main() -> None:
    outcome: dict[str, object] = {}
    for name, aim in json.loads(sys.argv[1]).items():
        try:
            outcome[name] = ATTEMPTS[name](aim)
        except OSError:
            outcome[name] = None
    sys.stdout.write(json.dumps(outcome) + "\n")


if __name__ == "__main__":
    main()
