"""A prompt with its quotations and paths taken out, so that what remains is plain wording.

Each of them leaves a mark: ``⟦P0⟧`` for a path, ``⟦Q1⟧`` for any other quotation. Patterns are
written over marks: ``<Pfile>`` is a path, ``<Qtext>`` a quotation, ``<Ltext>`` either of them and
``<Ffolder>`` a folder, which may stand there without any sign.
"""

import json
import re
from dataclasses import dataclass

_LONGEST = 400
_QUOTED = re.compile(
    r"```(?:\w{0,12}\n)?(?P<fence>[^`]{1,2000})```"
    r"|`(?P<code>[^`\n]{1,400})`"
    r'|"(?P<double>[^"\n]{0,400})"'
    r"|“(?P<curly>[^”\n]{0,400})”"
    r"|「(?P<corner>[^」\n]{0,400})」"
    r"|‘(?P<single>[^’\n]{1,400})’"
    r"|(?<!\w)'(?P<plain>[^'\n]{1,400})'(?!\w)"
    r"|(?P<json>[{\[](?=\s*[\"{\[\d\]}tfn-]))"
    r"|(?<![\w./@~\\-])(?P<path>[\w./~-]*[A-Za-z0-9_]\.[A-Za-z][A-Za-z0-9]{0,7})(?![\w@/])",
    re.ASCII,
)
_PATH = re.compile(r"[^\s\"'`<>|*?:;,，。；：]{1,200}")
_NAME = re.compile(r"[\w./~\\-]*\w\.[A-Za-z]\w{0,7}|[\w./~\\-]+/[\w./~\\-]*")
_NO_PATHS = frozenset({"e.g", "i.e", "a.m", "p.m"})
_PATH_MARK = re.compile(r"⟦P(\d+)⟧")
_MARK = re.compile(r"⟦[PQ](\d+)⟧")
_BELOW = re.compile(r"[:：]\s{1,3}(?=⟦Q\d+⟧)")
_SLOT = re.compile(r"<([PQLF])(\w+)>")
_KINDS = {
    "P": r"⟦P\d+⟧",
    "Q": r"⟦Q\d+⟧",
    "L": r"⟦[PQ]\d+⟧",
    "F": r"(?:⟦[PQ]\d+⟧|[A-Za-z0-9_.~/-]*[A-Za-z0-9_/])",
}


def pattern(text: str) -> re.Pattern[str]:
    """A pattern over marks."""
    slots = _SLOT.sub(lambda slot: f"(?P<{slot[2]}>{_KINDS[slot[1]]})", text)
    return re.compile(slots, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Worded:
    """The wording, and what its marks stand for."""

    text: str
    raw: tuple[str, ...]
    inner: tuple[str, ...]

    @property
    def paths(self) -> list[str]:
        """All paths in the text, as they are written."""
        return [self.inner[int(mark)] for mark in _PATH_MARK.findall(self.text)]

    def value(self, group: str) -> str:
        """What a mark stands for, without its quotation marks; other words as they are."""
        mark = _MARK.fullmatch(group)
        return self.inner[int(mark[1])] if mark else group

    def unmarked(self, text: str) -> str:
        """A part of the text as it was written."""
        return _MARK.sub(lambda mark: self.raw[int(mark[1])], text)


def worded(prompt: str) -> Worded:
    """Take a prompt apart."""
    text = prompt.replace("⟦", "[").replace("⟧", "]")
    parts: list[str] = []
    raw: list[str] = []
    inner: list[str] = []
    place = 0
    while found := _QUOTED.search(text, place):
        taken = _taken(text, found)
        parts.append(text[place : found.start()])
        place = found.end() if taken is None else taken[1]
        if taken is None:
            parts.append(found[0])
            continue
        kind = "P" if is_path(taken[0]) else "Q"
        parts.append(f"⟦{kind}{len(raw)}⟧")
        raw.append(text[found.start() : place])
        inner.append(taken[0])
    parts.append(text[place:])
    # What is to be written may stand below the line that says so.
    whole = _BELOW.sub(": ", "".join(parts))
    return Worded(whole, tuple(raw), tuple(inner))


def _taken(text: str, found: re.Match[str]) -> tuple[str, int] | None:
    """The quotation, and where it ends; None for what only looks like one."""
    if found.lastgroup == "json":
        try:
            _, length = json.JSONDecoder().raw_decode(text[found.start() :][:_LONGEST])
        except (ValueError, RecursionError):
            return None
        end = found.start() + length
        return (text[found.start() : end], end) if length > len("{}") else None
    value = found[found.lastgroup or 0]
    if found.lastgroup == "path" and value.lower() in _NO_PATHS:
        return None
    return value, found.end()


def is_path(text: str) -> bool:
    """Whether a text looks like the name of a file."""
    return bool(_PATH.fullmatch(text) and _NAME.fullmatch(text)) and not text.endswith("//")
