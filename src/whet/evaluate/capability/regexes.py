"""Regular expressions that may take for ever."""

from collections.abc import Iterator
from dataclasses import dataclass

_LENGTH = 40
"""Enough for two to the power of it."""

_MOST = 12


@dataclass(slots=True)
class _Group:
    """A group that is being read."""

    repeats: bool = False
    chooses: bool = False


def is_suspicious(pattern: str) -> bool:
    """Whether *pattern* repeats something that itself repeats or chooses.

    Not all of those are slow, but all that are slow beyond measure are among them.
    """
    groups = [_Group()]
    tokens = list(_tokens(pattern))
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        match token:
            case "(":
                groups.append(_Group())
            case ")" if len(groups) > 1:
                closed = groups.pop()
                is_repeated = following in ("*", "+", "{")
                if is_repeated and (closed.repeats or closed.chooses):
                    return True
                groups[-1].repeats |= closed.repeats or is_repeated
                groups[-1].chooses |= closed.chooses
            case "*" | "+" | "{":
                groups[-1].repeats = True
            case "|":
                groups[-1].chooses = True
            case _:
                pass
    return False


def probes(pattern: str) -> list[str]:
    """Texts on which a slow pattern is slow: each of its characters many times, then another."""
    plain = [token for token in _tokens(pattern) if len(token) == 1 and token.isprintable()]
    tried = [one for one in dict.fromkeys([*plain, "a", "1", " "]) if one not in "()|*+{}?.^$"]
    return [f"{one * _LENGTH}\x01" for one in tried[:_MOST]]


def _tokens(pattern: str) -> Iterator[str]:
    """Characters of a pattern; what is escaped and what stands in brackets is one token."""
    at = 0
    while at < len(pattern):
        if pattern[at] == "\\":
            yield _escaped(pattern[at : at + 2])
            at += 2
        elif pattern[at] == "[":
            end = _end_of_class(pattern, at)
            yield pattern[at + 1] if end - at == 3 else "x"
            at = end
        elif pattern.startswith("(?", at):
            yield "("
            at = _after_flags(pattern, at + 2)
        else:
            yield pattern[at]
            at += 1


def _escaped(pair: str) -> str:
    return {"\\d": "1", "\\w": "a", "\\s": " ", "\\S": "a", "\\D": "a"}.get(pair, pair)


def _end_of_class(pattern: str, at: int) -> int:
    end = at + 1 + pattern.startswith("^", at + 1)
    end += pattern.startswith("]", end)
    while end < len(pattern) and pattern[end] != "]":
        end += 2 if pattern[end] == "\\" else 1
    return end + 1


def _after_flags(pattern: str, at: int) -> int:
    """Behind what a group says of itself: ``(?:``, ``(?P<name>``, ``(?i:``, ``(?<!``."""
    for mark in ("<!", "<=", "!", "=", ">", ":"):
        if pattern.startswith(mark, at):
            return at + len(mark)
    ends = [end for end in (pattern.find(one, at) for one in (">", ":", ")")) if end >= 0]
    end = min(ends, default=at)
    return end if pattern.startswith(")", end) else end + 1
