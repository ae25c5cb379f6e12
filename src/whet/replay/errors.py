"""What went wrong, in groups: messages that differ in names and numbers only are one."""

import re
from collections import defaultdict
from dataclasses import dataclass

from whet.documents.session import ToolCall
from whet.replay.acts import Act, Acts
from whet.replay.subjects import one_line

LONGEST = 300
_HEAD, _TAIL = 4_000, 2_000
_SIGN = re.compile(
    r"(?i)\b(?:\w*error|\w*exception|\w*warning|fatal|failed|failure|denied|refused|panic(?:ked)?|"
    r"not found|no such|cannot|can't|unable|invalid|timed? ?out|did not|does not|doesn't|rejected)"
    r"\b"
)
_TAG = re.compile(r"</?[\w-]{1,40}>")
_TRACE = "Traceback (most recent call last)"
_VARIES = re.compile(
    r"(?P<text>\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'|`[^`\n]{1,200}`|“[^”\n]{1,200}”|「[^」\n]{1,200}」)"
    r"|(?P<url>https?://\S+)"
    r"|(?P<path>(?<![\w/])(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.@+-]+(?:[/\\][\w.@+-]*)*"
    r"|(?<![\w/.])[\w.@+-]+(?:/[\w.@+-]+)+|\b[\w-]+\.(?:py|tsx?|jsx?|md|json|ya?ml|txt|go|rs|c|h|java|toml|sh)\b)"
    r"|(?P<id>\b(?=\w*\d)[0-9a-fA-F]{7,}\b|\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4,12}){4}\b)"
    r"|(?P<number>\d+(?:\.\d+)*)"
)
_MARKS = {"text": "‹text›", "url": "‹url›", "path": "‹path›", "id": "‹id›", "number": "‹n›"}


@dataclass(frozen=True, slots=True)
class Cluster:
    """Failures that say the same."""

    pattern: str
    """The message with what varies put in ‹…›."""

    places: tuple[int, ...]
    tools: tuple[str, ...]
    example: str


def clusters(acts: Acts) -> list[Cluster]:
    """All failed calls, each in exactly one group; the largest group first."""
    found: defaultdict[str, list[Act]] = defaultdict(list)
    for act in acts:
        if act.failed:
            found[pattern_of(told(act.call))].append(act)
    groups = [
        Cluster(
            pattern,
            tuple(act.index for act in group),
            tuple(sorted({act.tool for act in group})),
            told(group[0].call),
        )
        for pattern, group in found.items()
    ]
    return sorted(groups, key=lambda one: (-len(one.places), one.places))


def told(call: ToolCall, most: int = LONGEST) -> str:
    """The line of an error that says what is wrong: of a Python traceback the last one, else the
    first that has a word for trouble, else the first."""
    whole = call.output.error or (call.output.result and call.output.result.display) or ""
    text = whole if len(whole) <= _HEAD + _TAIL else f"{whole[:_HEAD]}\n{whole[-_TAIL:]}"
    plain = _TAG.sub("", text)
    lines = [line for line in plain.splitlines() if any(map(str.isalnum, line))]
    signs = [line for line in lines if _SIGN.search(line) and _TRACE not in line]
    if signs:
        return one_line(signs[-1] if _TRACE in text else signs[0], most)
    return one_line(lines[0] if lines else "no message", most)


def pattern_of(message: str) -> str:
    """The message without what differs from case to case."""
    return _VARIES.sub(lambda found: _MARKS[found.lastgroup or "text"], message)
