"""Blocks in what a model says: thoughts, and tool calls written as text.

All of it takes time in proportion to the text, whatever the text is.
"""

from collections.abc import Iterator

THOUGHT = ("<think>", "</think>")
TOOL_CALL = ("<tool_call>", "</tool_call>")


def blocks(text: str, tags: tuple[str, str]) -> Iterator[tuple[int, int, str]]:
    """Where each block begins and ends, and what is in it; an open one goes to the end."""
    opening, closing = tags
    start = text.find(opening)
    while start >= 0:
        inner = start + len(opening)
        end = text.find(closing, inner)
        if end < 0:
            yield start, len(text), text[inner:]
            return
        yield start, end + len(closing), text[inner:end]
        start = text.find(opening, end)


def said(text: str) -> str:
    """The answer alone: without thoughts and tool calls, and stripped."""
    for tags in (THOUGHT, TOOL_CALL):
        text = _without(text, tags)
    return text.strip()


def thoughtless(text: str) -> str:
    """*text* without thoughts: a call that is only thought of is none."""
    return _without(text, THOUGHT)


def _without(text: str, tags: tuple[str, str]) -> str:
    kept: list[str] = []
    at = 0
    for start, end, _ in blocks(text, tags):
        kept.append(text[at:start])
        at = end
    kept.append(text[at:])
    return "\n".join(kept).replace(tags[1], "\n")
