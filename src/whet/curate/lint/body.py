"""Rules for the instructions: that there are some, and that they leave room for the work."""

import math
import re
from collections.abc import Iterator

from whet.curate.lint.finding import Finding, Rule
from whet.curate.lint.folder import ENTRY, File, Skill

LINES = 500
TOKENS = 5_000
REFERENCE_LINES = 300

EMPTY = Rule(
    "SK201",
    "empty-body",
    "error",
    "Nothing follows the front matter.",
    "An agent that takes the skill up learns nothing.",
    "Write the instructions.",
)
LONG = Rule(
    "SK202",
    "body-lines",
    "warning",
    f"The body has {LINES} lines or more.",
    "All of it is read at once, and takes room from the work.",
    "Move details into files below references/ and say when to read them.",
)
HEAVY = Rule(
    "SK203",
    "body-tokens",
    "warning",
    f"The body has more than {TOKENS:,} tokens, by an estimate.",
    "The specification recommends less; all of it is read at once.",
    "Move details into files below references/ and say when to read them.",
)
NO_CONTENTS = Rule(
    "SK204",
    "reference-without-contents",
    "info",
    f"A Markdown file of more than {REFERENCE_LINES} lines has no table of contents.",
    "Agents often read only how a long file begins, and do not know what else is there.",
    "Put a list of its sections at the top.",
)
RULES = (EMPTY, LONG, HEAVY, NO_CONTENTS)

_HEADING = re.compile(
    r"^(?:#{1,6}\s*|\*\*)(?:(?:table of )?contents|toc|in this (?:file|document)|目\s*录|内容)\b",
    re.IGNORECASE | re.MULTILINE,
)
_TOP = 60
_LINKS = 3


def check(skill: Skill) -> Iterator[Finding]:
    """What is wrong with the body, and with long files beside it."""
    if skill.entry is not None:
        yield from _body(skill)
    for file in skill.own:
        if file.path != ENTRY and file.suffix == ".md" and _is_maze(file):
            message = f"{_lines(file.text or '')} lines and no table of contents"
            yield NO_CONTENTS.at(file.path, message)


def tokens(text: str) -> int:
    """About how many tokens a text has: four letters make one, Chinese nearly one each."""
    wide = sum(letter > "\u2e7f" for letter in text)
    return math.ceil(wide / 1.5 + (len(text) - wide) / 4)


def _body(skill: Skill) -> Iterator[Finding]:
    front = skill.front
    text = front.body.strip()
    if not text:
        if not front.missing:
            yield EMPTY.at(ENTRY, "there are no instructions", max(1, front.body_line - 1))
        return
    if (count := _lines(front.body)) >= LINES:
        yield LONG.at(ENTRY, f"the body has {count} lines; keep it under {LINES}", front.body_line)
    if (about := tokens(text)) > TOKENS:
        message = f"the body has about {about:,} tokens; keep it under {TOKENS:,}"
        yield HEAVY.at(ENTRY, message, front.body_line)


def _is_maze(file: File) -> bool:
    if file.text is None or _lines(file.text) <= REFERENCE_LINES:
        return False
    top = "\n".join(file.text.split("\n", _TOP)[:_TOP])
    return not _HEADING.search(top) and top.count("](#") < _LINKS


def _lines(text: str) -> int:
    return text.strip("\n").count("\n") + 1
