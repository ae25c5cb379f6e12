"""Rules, and what they find."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from whet.core.text import shortened_path

Level = Literal["error", "warning", "info"]

_SHOWN = 60


class Rule(NamedTuple):
    """A rule that never changes its meaning under its id."""

    id: str
    name: str
    level: Level
    what: str
    """What it finds."""

    why: str
    fix: str
    """What to do about it."""

    is_mechanical: bool = False
    """Whether it can be put right without a person."""

    def at(self, path: str, message: str, line: int = 1, column: int = 1) -> "Finding":
        """A finding of this rule."""
        return Finding(self, path, line, column, message)


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, and where; lines and columns count from 1."""

    rule: Rule
    path: str
    line: int
    column: int
    message: str
    needs_person: bool = False
    """Whether nothing but a person can put it right here, whatever the rule."""

    @property
    def is_fixable(self) -> bool:
        """Whether ``--fix`` puts it right."""
        return self.rule.is_mechanical and not self.needs_person


def quoted(text: str) -> str:
    """*text* in quotes as a message may show it: short, and on one line."""
    return repr(shortened_path(text, _SHOWN))
