"""Looking for many things in a text at once, quickly."""

import sys
from collections.abc import Sequence


class Sieve:
    """Says quickly that none of some byte strings is in a text.

    Each of them is so long that it covers a whole word of those that the text falls into, so it
    is enough to look at every word, or only at every second or third one.
    """

    def __init__(self, needles: Sequence[bytes]) -> None:
        shortest = min(map(len, needles), default=0)
        self._size = 8 if shortest >= 15 else 4
        self._step = max(1, (shortest + 1 - self._size) // self._size)
        self._words = {
            int.from_bytes(needle[start : start + self._size], sys.byteorder)
            for needle in needles
            for start in range(len(needle) - self._size + 1)
        }

    def catches(self, data: bytes) -> bool:
        whole = memoryview(data)[: len(data) - len(data) % self._size]
        words = whole.cast("Q") if self._size == 8 else whole.cast("I")
        return not self._words.isdisjoint(words[:: self._step])
