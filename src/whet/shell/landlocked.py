"""The parent of an agent that is confined by Landlock.

It has no namespace that would end with the agent, so somebody has to stay: whatever the agent
starts and abandons becomes our child, whether it left its group or not, and is ended when the
agent ends. We ourselves are outside of its rules, where its signals do not reach.

Orders and answers are those of ``inside``; in place of addresses to listen on there are paths
(``read``, ``write``) and ports (``connect``), and ``network open`` or ``network ports``.
"""

import _socket
import ctypes
import os
import signal
import sys
import time
from contextlib import suppress

from whet.shell import family, inside
from whet.shell.landlock import Ruleset

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PAUSE = 0.002
_PATIENCE = 5.0
_STAY = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def main() -> None:
    """Start the agent, wait for its end, end what is left, and end as it did."""
    descriptor, orders, program = inside.parsed(sys.argv[1:])
    os.set_inheritable(descriptor, False)  # noqa: FBT003
    channel = _socket.socket(fileno=descriptor)
    if inside.LIBC.prctl(_PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1), 0, 0, 0) < 0:
        channel.send(b"E%d adopt processes" % ctypes.get_errno())
        sys.exit(1)
    for number in _STAY:  # they are for the agent, which gets them too; we see it end
        signal.signal(number, signal.SIG_IGN)
    agent = os.fork()
    if agent == 0:
        _become(channel, orders, program)
    channel.close()
    _let_go_of_streams()
    signal.signal(signal.SIGUSR1, _orphaned)
    inside.LIBC.prctl(_PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGUSR1), 0, 0, 0)
    status = _waited(agent)
    _end_all()
    _end_like(status)


def _orphaned(*_: object) -> None:
    """Those who started us have died; nobody needs the agent any more."""
    _end_all()
    os._exit(1)


def _become(channel: _socket.socket, orders: inside.Orders, program: list[str]) -> None:
    """In the child: confine ourselves, then be the agent."""
    try:
        for number in _STAY:
            signal.signal(number, signal.SIG_DFL)
        # Its groups can be ended without us, and from another session nobody joins ours.
        os.setsid()
        inside.LIBC.prctl(_PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL), 0, 0, 0)
        ruleset = _ruleset(orders)
        inside.give_up_capabilities()
        ruleset.enforce()
        channel.send(b"L")
        inside.become(orders, program)
    except inside.Refused as refused:
        channel.send(refused.message)
    except OSError as error:
        channel.send(inside.Refused(error.errno or 0, f"use {error.filename}").message)
    os._exit(1)


def _ruleset(orders: inside.Orders) -> Ruleset:
    ruleset = Ruleset(network=("network", "open") in orders)
    for order, value in orders:
        if order == "read":
            ruleset.read(value)
        elif order == "write":
            ruleset.write(value)
        elif order == "connect":
            ruleset.connect(int(value))
    return ruleset


def _let_go_of_streams() -> None:
    """Its output ends when the agent closes it, not when we do."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)


def _waited(agent: int) -> int:
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == agent:
            return status


def _end_all() -> None:
    """End and reap all that is left; what is orphaned meanwhile comes to us, too.

    Who does not go is stuck inside the kernel, and never runs another instruction of its own.
    """
    ourselves = os.getpid()
    left: set[int] = set()
    deadline = 0.0
    with suppress(ChildProcessError):
        while True:
            table = family.Table()
            now = {entry.pid for entry in table.family(ourselves)}
            if now != left:
                left, deadline = now, time.monotonic() + _PATIENCE
            elif time.monotonic() > deadline:
                return
            family.send(signal.SIGKILL, family.groups(ourselves, table) - {ourselves})
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            time.sleep(_PAUSE)


def _end_like(status: int) -> None:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        with suppress(OSError):  # nobody may change what SIGKILL does, nor need they
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status))
