"""Results of functions, remembered within so many bytes.

``lru_cache`` counts entries. Where a stranger chooses what is remembered, each entry may be as
large as a request. Here every entry has a size, and the oldest go when all together are too large.
"""

import threading
from collections.abc import Callable, Hashable
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, cast

ENTRY_BYTES = 400
"""What an entry costs besides its text: the objects around it."""

_OTHER_BYTES = 64
"""What an argument costs that is no text."""

P = ParamSpec("P")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SizedStore(Generic[K, V]):
    """Values by key, at most *most* bytes of them; the oldest is dropped first. Thread-safe."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = 0
        self._values: dict[K, tuple[V, int]] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: K) -> tuple[V, int] | None:
        """The value with its size; None where there is none."""
        return self._values.get(key)

    def put(self, key: K, value: V, size: int) -> None:
        """Keep a value of *size* bytes; one that would take a fourth of all room is not kept."""
        if size > self.most // 4:
            return
        with self._lock:
            if (known := self._values.pop(key, None)) is not None:
                self.size -= known[1]
            self._values[key] = (value, size)
            self.size += size
            while self.size > self.most:
                _, dropped = self._values.pop(next(iter(self._values)))
                self.size -= dropped

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._values.clear()
            self.size = 0


class _Decorator(Protocol):
    """What ``sized_cache`` returns: it keeps the function's types."""

    def __call__(self, function: Callable[P, V], /) -> Callable[P, V]: ...


def sized_cache(
    most: int, per_character: int = 4, size: Callable[[Any], int] | None = None
) -> _Decorator:
    """Remember results within *most* bytes. An entry costs *per_character* bytes for each character
    of the arguments, since results grow with them, or what *size* says of the result in bytes.
    A call that raises is not remembered."""

    def decorate(function: Callable[P, V]) -> Callable[P, V]:
        store = SizedStore[Hashable, V](most)

        def remembered(*args: P.args, **kwargs: P.kwargs) -> V:
            key = (args, tuple(sorted(kwargs.items()))) if kwargs else args
            if (known := store.get(key)) is not None:
                return known[0]
            value = function(*args, **kwargs)
            length = _length(key)
            grown = length * per_character if size is None else 4 * length + size(value)
            store.put(key, value, ENTRY_BYTES + grown)
            return value

        update_wrapper(remembered, function)
        remembered.store = store  # pyright: ignore[reportFunctionMemberAccess]
        return remembered

    return decorate


def _length(key: object) -> int:
    """The characters in a key; what is no text counts as a few."""
    match key:
        case str() | bytes():
            return len(key)
        case tuple():
            return sum(map(_length, cast("tuple[object, ...]", key)))
        case _:
            return _OTHER_BYTES
