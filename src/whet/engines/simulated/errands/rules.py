"""How a rule of wording becomes an errand."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from whet.engines.simulated.errands.errand import Count, Errand
from whet.engines.simulated.errands.wording import Worded, pattern


class Found(NamedTuple):
    """What a rule found: the groups of its pattern, by name."""

    match: re.Match[str]
    worded: Worded

    def __call__(self, group: str) -> str:
        """What stands in a group; empty if it took no part."""
        return self.worded.value(self.match.groupdict().get(group) or "")

    def rest(self, group: str = "rest") -> str:
        """Text that stands in a group as it was written."""
        return self.worded.unmarked(self.match.groupdict().get(group) or "").strip()


class Rule(NamedTuple):
    """A pattern, and what it means; None means nothing after all."""

    shape: re.Pattern[str]
    means: Callable[[Found], Errand | None]


class Language(NamedTuple):
    """The rules of a language."""

    lines: tuple[Rule, ...]
    """Tried on whole lines: what is to be written may be more than one sentence."""

    sentences: tuple[Rule, ...]
    counted: Callable[[str], Count | None]
    """What is to be counted of the file that a sentence reads."""

    follows: re.Pattern[str]
    """Where something else begins behind a text that is to be written."""


def rule(text: str, means: Callable[[Found], Errand | None]) -> Rule:
    """A rule over marks."""
    return Rule(pattern(text), means)


def first_errand(
    sentence: str, worded: Worded, rules: Sequence[Rule], place: int = 0
) -> tuple[re.Match[str], Errand] | None:
    """The errand that begins first; where two rules begin at one place the earlier one holds."""
    matches = [
        (match.start(), order, match)
        for order, each in enumerate(rules)
        if (match := each.shape.search(sentence, place))
    ]
    for _, order, match in sorted(matches, key=lambda one: one[:2]):
        errand = rules[order].means(Found(match, worded))
        if errand is not None:
            return match, errand
    return None


def errands_in(sentence: str, worded: Worded, rules: Sequence[Rule]) -> list[Errand]:
    """All errands of a sentence, from left to right."""
    found: list[Errand] = []
    place = 0
    while one := first_errand(sentence, worded, rules, place):
        match, errand = one
        found.append(errand)
        place = max(match.end(), place + 1)
    return found
