"""The blob port."""

from typing import Protocol


class Blobs(Protocol):
    """Content kept under its digest. Thread-safe; putting the same content twice is one blob."""

    def put(self, data: bytes) -> str:
        """Keep *data* and return its digest."""
        ...

    def get(self, digest: str) -> bytes:
        """Return the content; raises ``NotFound``."""
        ...

    def has(self, digest: str) -> bool:
        """Whether the content is here."""
        ...
