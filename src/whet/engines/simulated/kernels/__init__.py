"""The tasks the simulated agent knows."""

from whet.core.sized_cache import sized_cache
from whet.engines.simulated.kernels.containers import FLATTEN, LRU_CACHE
from whet.engines.simulated.kernels.files import ANYTHING, CSV_SUMMARY, READ_JSON
from whet.engines.simulated.kernels.kernel import Kernel
from whet.engines.simulated.kernels.numbers import (
    BINARY_SEARCH,
    FIBONACCI,
    MERGE_INTERVALS,
    PRIMES,
    SORT,
)
from whet.engines.simulated.kernels.texts import EMAIL, PALINDROME, PARSE_DATE, WORD_COUNT

KERNELS = (
    FIBONACCI,
    BINARY_SEARCH,
    LRU_CACHE,
    MERGE_INTERVALS,
    PALINDROME,
    FLATTEN,
    PRIMES,
    EMAIL,
    CSV_SUMMARY,
    READ_JSON,
    WORD_COUNT,
    PARSE_DATE,
    SORT,
)
"""Most particular first: a binary search mentions sorting, a palindrome may mention words."""

_HEAD = 4_000
"""A prompt says what it wants early; the rest is not searched."""


def recognise(prompt: str) -> Kernel:
    """Find the task that *prompt* describes, ``ANYTHING`` if it is none of the known ones."""
    return _recognise(prompt[:_HEAD])


@sized_cache(4 * 1024 * 1024)
def _recognise(head: str) -> Kernel:
    return next((kernel for kernel in KERNELS if kernel.cues.search(head)), ANYTHING)


__all__ = ["ANYTHING", "KERNELS", "Kernel", "recognise"]
