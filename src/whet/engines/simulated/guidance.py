"""Reading a skill: what it asks for, what it forbids, and how much attention it leaves.

The reading is deliberately simple: sentence by sentence, cue by cue, with a count of the
negations before each cue. It is the same for every trial with that text, so it is kept.
"""

import re
from dataclasses import dataclass

from whet.core.sized_cache import sized_cache
from whet.core.tokens import estimate
from whet.engines.simulated.traits import HABITS, Trait

READ_LIMIT = 200_000
"""Characters of a skill the agent takes in; the rest is beyond its context."""

_SENTENCE_LIMIT = 600
"""Longer runs of text are not read to their end; this bounds the work on a hostile skill."""

_FRONT_MATTER = re.compile(r"\A---\s*\n.*?\n---\s*(?:\n|\Z)", re.DOTALL)
_SENTENCE_END = re.compile(r"[\n。！？；!?;]+|\.(?=\s|$)")
_HEADING = re.compile(r"\s*#")
_LIST_MARK = re.compile(r"^\s*(?:[-*+•]|\d+[.、)])\s*")
_NEGATION = re.compile(
    r"\b(?:do not|don't|does not|never|avoid\w*|without|skip\w*|omit\w*|forget\w*|refrain\w*"
    r"|not|no|nor|rather than|instead of)\b"
    r"|不(?!仅|但|超过|论|管|同|少|断|足|只|必要)|避免|禁止|切勿|无需|无须|没有|省略|忘记|遗漏|跳过|别",
    re.IGNORECASE,
)
_NOT_A_NEGATION = re.compile(
    r"\bno (?:more|longer|matter|later) (?:than)?|\bnot (?:only|just)\b", re.IGNORECASE
)
_SCOPE_END = re.compile(
    r"\b(?:but|until|unless|before|instead(?! of)|however)\b|[:：，—]|但|而是|而要|而应|之前",
    re.IGNORECASE,
)
_LIST_GOES_ON = re.compile(r"\b(?:or|nor)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Guidance:
    """What a skill text does to the agent. A trait both asked for and forbidden is in both."""

    asked: frozenset[Trait]
    forbidden: frozenset[Trait]
    attention: float
    """How much of every single instruction gets through, 0..1: less in a longer text."""


NO_SKILL = Guidance(frozenset(), frozenset(), 1.0)


@sized_cache(8 * 1024 * 1024)
def read_guidance(text: str) -> Guidance:
    """Read a skill text."""
    body = _FRONT_MATTER.sub("", text[:READ_LIMIT], count=1)
    sentences = [part for part in map(_clean, _SENTENCE_END.split(body)) if part]
    asked: set[Trait] = set()
    forbidden: set[Trait] = set()
    for sentence in sentences:
        for trait, wanted in _stances(sentence):
            (asked if wanted else forbidden).add(trait)
    load = len(sentences) / 72
    size = estimate(body) / 2400
    clashes = len(asked & forbidden)
    attention = 0.94**clashes / (1 + load**2 + size**2)
    return Guidance(frozenset(asked), frozenset(forbidden), max(attention, 0.3))


def _clean(part: str) -> str:
    if _HEADING.match(part):
        return ""
    stripped = _LIST_MARK.sub("", part).strip()
    return stripped[:_SENTENCE_LIMIT] if len(stripped) > 2 else ""


def _stances(sentence: str) -> list[tuple[Trait, bool]]:
    found: list[tuple[Trait, bool]] = []
    for trait, habit in HABITS.items():
        found += [(trait, not _negated(sentence, cue)) for cue in habit.wants.finditer(sentence)]
        if habit.shuns is not None:
            found += [(trait, _negated(sentence, cue)) for cue in habit.shuns.finditer(sentence)]
    return found


def _negated(sentence: str, cue: re.Match[str]) -> bool:
    before = _NOT_A_NEGATION.sub(" ", sentence[: cue.start()])
    scope = _SCOPE_END.split(before)[-1]
    if "," in scope and not _LIST_GOES_ON.search(sentence, cue.start() - len(scope)):
        scope = scope.rpartition(",")[2]
    return len(_NEGATION.findall(scope)) % 2 == 1
