"""Blocks in what a model says: thoughts, and tool calls written as text.

All of it takes time in proportion to the text, whatever the text is.
"""

import re
from collections.abc import Iterator

THOUGHT = frozenset({"think", "thinking", "thought"})
TOOL_CALL = frozenset({"tool_call", "tool"})

_TAG = re.compile(
    r"<(/?)(think|thinking|thought|tool_call|tool)(?:\s[^<>]{0,200})?>", re.IGNORECASE
)


def blocks(text: str, names: frozenset[str]) -> Iterator[tuple[int, int, str]]:
    """Where each block begins and ends, and what is in it; an open one goes to the end.

    A block ends with the first tag that closes one of its name: blocks are not nested.
    """
    opened: re.Match[str] | None = None
    for tag in _TAG.finditer(text):
        closes, name = tag[1] == "/", tag[2].lower()
        if opened is None:
            opened = tag if name in names and not closes else None
        elif closes and name == opened[2].lower():
            yield opened.start(), tag.end(), text[opened.end() : tag.start()]
            opened = None
    if opened is not None:
        yield opened.start(), len(text), text[opened.end() :]


def said(text: str) -> str:
    """The answer alone: without thoughts and tool calls, and stripped."""
    return _without(thoughtless(text), TOOL_CALL).strip()


def thoughtless(text: str) -> str:
    """*text* without thoughts: a call that is only thought of is none.

    Some models are put into a thought before they say anything, so that the tag which opens it
    is not theirs. What stands before the one that closes it is a thought too, unless nothing
    would be left.
    """
    closed = None
    for tag in _TAG.finditer(text):
        if tag[2].lower() in THOUGHT:
            if not tag[1]:
                break
            closed = tag
    if closed is not None and text[closed.end() :].strip():
        text = text[closed.end() :]
    return _without(text, THOUGHT)


def _without(text: str, names: frozenset[str]) -> str:
    kept: list[str] = []
    at = 0
    for start, end, _ in blocks(text, names):
        kept.append(text[at:start])
        at = end
    kept.append(text[at:])
    rest = "\n".join(kept)
    return _TAG.sub(lambda tag: "\n" if tag[2].lower() in names else tag[0], rest)
