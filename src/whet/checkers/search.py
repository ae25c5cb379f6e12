"""Looking for terms or a regular expression in files, within bounds."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from pydantic import JsonValue

from whet.checkers import bounded
from whet.checkers.matching import Find, Hit, first_hit, lines_with, regex_finder, term_finder
from whet.checkers.verdict import shown
from whet.core.untrusted_regex import compile_untrusted
from whet.shell.interpreter import PYTHON

MOST_BYTES = 16 * 1024 * 1024
"""Of one file; what is beyond is not searched."""

_SCRIPT = (*PYTHON, str(Path(__file__).with_name("matching.py")))
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_MAY_TAKE_LONG = re.compile(r"[*+?{(]")


@dataclass(frozen=True, slots=True)
class Needle:
    """What is looked for: any of some terms, or a regular expression."""

    terms: tuple[str, ...] = ()
    regex: str | None = None

    @property
    def may_take_long(self) -> bool:
        """Whether some text could make the search slow: whatever repeats or groups may."""
        return bool(self.regex and _MAY_TAKE_LONG.search(_ESCAPED.sub("", self.regex)))

    @property
    def find(self) -> Find:
        """What looks for it in a text."""
        if self.regex is None:
            return term_finder(self.terms)
        return regex_finder(compile_untrusted(self.regex))


@dataclass(slots=True)
class Haystack:
    """Files that are read one by one as they are searched; it notes those that it cut."""

    files: Mapping[str, bytes]
    paths: Sequence[str]
    cut: list[str] = field(default_factory=list[str])

    def texts(self) -> Iterator[str]:
        """The files as text, in order."""
        for path in self.paths:
            data = self.files[path]
            if len(data) > MOST_BYTES:
                self.cut.append(path)
            yield as_text(data[:MOST_BYTES])

    def quoted(self, hit: Hit) -> str:
        """A hit as evidence."""
        number, line, text = hit
        return f"{shown(self.paths[number], 200)}:{line}: {shown(text.strip())}"

    @property
    def remark(self) -> str:
        """What to add to the evidence, if not everything was searched."""
        if not self.cut:
            return ""
        mebibytes = MOST_BYTES // 1024**2
        return f" (only the first {mebibytes} MiB of {shown(self.cut[0])} were searched)"


def first(needle: Needle, haystack: Haystack, seconds: float) -> str | None:
    """The first place that has it, as evidence; raises ``bounded.TookTooLong``."""
    if needle.may_take_long:
        hits = _asked(needle, haystack, seconds, by_line=False)
    else:
        hits = first_hit(needle.find, haystack.texts())
    return haystack.quoted(hits[0]) if hits else None


def lines(
    needle: Needle, haystack: Haystack, exempt: Sequence[str], most: int, seconds: float
) -> list[str]:
    """The first lines that have it, as evidence; raises ``bounded.TookTooLong``."""
    if needle.may_take_long:
        hits = _asked(needle, haystack, seconds, by_line=True, exempt=exempt, most=most)
    elif needle.regex is not None:
        hits = lines_with(needle.find, haystack.texts(), exempt, most)
    else:
        # A text without the term has no line with it, and is quicker to look at as a whole.
        texts = (text if needle.find(text) is not None else "" for text in haystack.texts())
        hits = lines_with(needle.find, texts, exempt, most)
    return [haystack.quoted(hit) for hit in hits]


def as_text(data: bytes) -> str:
    """What a text file says. Bytes that are not UTF-8 are replaced; lines end with a newline."""
    return unix(data.decode("utf-8", "replace"))


def unix(text: str) -> str:
    """*text* with newlines only."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _asked(
    needle: Needle,
    haystack: Haystack,
    seconds: float,
    *,
    by_line: bool,
    exempt: Sequence[str] = (),
    most: int = 1,
) -> list[Hit]:
    question: dict[str, JsonValue] = {
        "regex": needle.regex,
        "texts": list(haystack.texts()),
        "by_line": by_line,
        "exempt": list(exempt),
        "most": most,
    }
    return cast("list[Hit]", bounded.answer(_SCRIPT, question, seconds))
