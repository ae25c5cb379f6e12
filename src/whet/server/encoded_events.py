"""Recent events as they are sent, encoded once for all who follow them."""

from collections.abc import Callable

from whet.core.event import Event

MOST_EVENTS = 1_000

Encode = Callable[[Event], bytes]


class EncodedEvents:
    """Keeps the bytes of the last events by cursor: an event never changes."""

    def __init__(self, most: int = MOST_EVENTS) -> None:
        self._most = most
        self._encoded: dict[tuple[Encode, int], bytes] = {}

    def get(self, encode: Encode, event: Event) -> bytes:
        """The event as *encode* writes it."""
        key = (encode, event.cursor)
        found = self._encoded.get(key)
        if found is None:
            if len(self._encoded) >= self._most:
                del self._encoded[next(iter(self._encoded))]
            found = self._encoded[key] = encode(event)
        return found
