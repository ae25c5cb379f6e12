"""Regular expressions and file patterns that a stranger wrote: short, and kept within few bytes.

``re`` keeps the last 512 expressions that it compiled however large they are, and ``fnmatch`` still
more patterns.
"""

import re
import sys
import warnings
from fnmatch import translate
from typing import Literal

from whet.core.sized_cache import sized_cache

MOST_PATTERN = 2_000
"""Characters of one expression: a longer one may take seconds to compile."""

_LITTLE = 4_096
"""Bytes of a compiled expression that the library may keep."""


def compile_untrusted(
    source: str, doubtful: Literal["ignore", "error"] = "ignore"
) -> re.Pattern[str]:
    """Compile an expression; raises ``re.error`` where it is none, or too long. One that may mean
    something else one day is taken, or with *doubtful* ``error`` none either."""
    if len(source) > MOST_PATTERN:
        raise re.error(f"it is longer than {MOST_PATTERN:,} characters")
    try:
        return _compiled(source, doubtful)
    except (FutureWarning, DeprecationWarning, OverflowError, RecursionError) as error:
        raise re.error(str(error) or type(error).__name__) from None


@sized_cache(2 * 1024 * 1024, size=sys.getsizeof)
def file_pattern(source: str) -> re.Pattern[str]:
    """What ``fnmatch`` makes of a file pattern; one that is too long matches nothing."""
    return _compiled(translate(source) if len(source) <= MOST_PATTERN else r"(?!)")


def matches_file(name: str, source: str) -> bool:
    """Whether a file pattern matches a name, or a path: ``*`` stands for ``/`` too. Case counts."""
    return file_pattern(source).match(name) is not None


def _compiled(source: str, doubtful: Literal["ignore", "error"] = "ignore") -> re.Pattern[str]:
    with warnings.catch_warnings():
        warnings.simplefilter(doubtful)
        compiled = re.compile(source)
    if sys.getsizeof(compiled) + len(source) > _LITTLE:
        re.purge()
    return compiled
