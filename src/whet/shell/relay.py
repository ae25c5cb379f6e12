"""Carries connections from inside a sandbox to the one endpoint they are for.

Bytes are passed on as they come and never kept: whoever writes faster than the other side
reads has to wait. When one side says that it has no more to say, the other is told, and may
still answer.
"""

import asyncio
import socket
import struct
from contextlib import suppress

from whet.shell.policy import Endpoint
from whet.shell.readiness import readable

_CONNECTIONS = 128
"""At once, for one endpoint of one sandbox. Others wait until one of them ends."""

_CHUNK = 64 * 1024
_PATIENCE = 30.0
_ADDRESS_PATIENCE = 10.0
_PAUSE = 0.1
_RESET = struct.pack("ii", 1, 0)


async def relay(listener: socket.socket, endpoint: Endpoint) -> None:
    """Accept at *listener* and carry to *endpoint*, until cancelled."""
    listener.settimeout(0)
    room = asyncio.Semaphore(_CONNECTIONS)
    async with asyncio.TaskGroup() as group:
        while True:
            await room.acquire()
            connection = await _accepted(listener)
            task = group.create_task(_carry(connection, endpoint))
            task.add_done_callback(lambda _, ended=connection: (ended.close(), room.release()))


async def _accepted(listener: socket.socket) -> socket.socket:
    while True:
        try:
            connection, _ = listener.accept()
        except BlockingIOError:
            await readable(listener.fileno())
        except OSError:  # it hung up again, or we have no descriptor left just now
            await asyncio.sleep(_PAUSE)
        else:
            connection.settimeout(0)
            return connection


async def _carry(connection: socket.socket, endpoint: Endpoint) -> None:
    try:
        async with asyncio.timeout(_PATIENCE):
            remote = await _connected(endpoint)
    except OSError:  # a timeout is one, too
        # Nobody is there. A reset is the next best thing to a refusal.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        return
    with remote:
        for side in (connection, remote):
            side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(_pump(connection, remote))
                both.create_task(_pump(remote, connection))
        except* OSError:  # one of them is gone; the other is told so
            for side in (connection, remote):
                side.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)


async def _pump(source: socket.socket, target: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    while chunk := await loop.sock_recv(source, _CHUNK):
        await loop.sock_sendall(target, chunk)
    with suppress(OSError):  # it has gone meanwhile
        target.shutdown(socket.SHUT_WR)


async def _connected(endpoint: Endpoint) -> socket.socket:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(endpoint.host, endpoint.port, type=socket.SOCK_STREAM)
    problem = OSError(f"{endpoint.host} has no address")
    for kind, type_, protocol, _, address in found:
        remote = socket.socket(kind, type_, protocol)
        remote.settimeout(0)
        try:
            async with asyncio.timeout(_ADDRESS_PATIENCE):
                await loop.sock_connect(remote, address)
        except OSError as error:
            remote.close()
            problem = error
        except BaseException:
            remote.close()
            raise
        else:
            return remote
    raise problem
