"""The open connections of a server, so that it can end them."""

import socket
import threading


class Connections:
    """Thread-safe; once ended, nothing can be added."""

    def __init__(self) -> None:
        self.closing = threading.Event()
        """Set when the server stops; nobody waits longer than that."""
        self._open: set[socket.socket] = set()
        self._changed = threading.Condition()

    def add(self, connection: socket.socket) -> None:
        """Take a connection; raises ``ConnectionAbortedError`` if it comes too late."""
        with self._changed:
            if self.closing.is_set():
                raise ConnectionAbortedError
            self._open.add(connection)

    def remove(self, connection: socket.socket) -> None:
        """Forget a connection that is about to be closed."""
        with self._changed:
            self._open.discard(connection)
            self._changed.notify_all()

    def end(self, timeout: float) -> None:
        """Wake whoever waits for a client, and wait until all are gone."""
        with self._changed:
            self.closing.set()
            for connection in self._open:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue  # gone already
            self._changed.wait_for(lambda: not self._open, timeout)
