"""A name for a file that a pattern stands for."""

import re
import string
from collections.abc import Collection, Iterator
from pathlib import PurePosixPath

from whet.core.naming import slug
from whet.core.untrusted_regex import matches_file

_GLOB = re.compile(r"\*\*/|\*+|\?|\[!?\]?[^\]]*\]")
_LETTERS = string.ascii_letters + string.digits + "_-.,+=@#%&()!$^;:'{}<>|\" []*?"
_MOST_WORDS = 300


def concrete(pattern: str, field: str | None, role: str, taken: Collection[str]) -> str:
    """A path that fits a glob, and that is none of *taken*; *pattern* itself if it is none."""
    if not any(mark in pattern for mark in "*?["):
        return pattern
    made = (_named(pattern, word) for word in _words(field, role))
    return next((path for path in made if path not in taken), _named(pattern, "report"))


def _named(pattern: str, word: str) -> str:
    return _GLOB.sub(lambda mark: _instead(mark, word), pattern)


def suffix_of(path: str) -> str:
    """The last part of a file's name, without its dot and in lower case."""
    return PurePosixPath(path).suffix.lower().removeprefix(".")


def _words(field: str | None, role: str) -> Iterator[str]:
    yield from (slug(word, "report") for word in (field, role, "report") if word)
    yield from (f"report_{number}" for number in range(2, _MOST_WORDS))


def _instead(mark: re.Match[str], word: str) -> str:
    if mark[0].startswith("["):
        return next((one for one in _LETTERS if matches_file(one, mark[0])), mark[0])
    return {"?": "a", "**/": f"{word}/"}.get(mark[0], word)
