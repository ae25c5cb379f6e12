"""What kind of thing a file is to an agent that reads it, by where it lies."""

import re
from typing import Literal

from whet.core.sized_cache import sized_cache

SourceType = Literal["claude_md", "rule", "standard", "skill", "spec", "file", "capability"]

_TYPES: tuple[tuple[SourceType, re.Pattern[str]], ...] = (
    ("skill", re.compile(r"(?:^|/)SKILL\.md$|(?:^|/)\.?skills?/(?:[^/]+/|content\.txt$)", re.I)),
    (
        "claude_md",
        re.compile(
            r"(?:^|/)(?:claude(?:\.local)?|agents?|gemini|codex|opencode|copilot-instructions)\.md$",
            re.IGNORECASE,
        ),
    ),
    (
        "rule",
        re.compile(r"(?:^|/)\.?rules?/|\.mdc$|(?:^|/)\.(?:cursor|windsurf|cline)rules$", re.I),
    ),
    ("standard", re.compile(r"(?:^|/)standards?/|(?:^|/)STD-\d", re.IGNORECASE)),
    (
        "capability",
        re.compile(r"(?:^|/)capabilit(?:y|ies)[\w-]*/|capability-(?:snap|change)", re.I),
    ),
    ("spec", re.compile(r"(?:^|/)specs?/.*\.\w+$|(?:^|/)SPEC-\d", re.IGNORECASE)),
)
_PROSE = re.compile(r"\.(?:mdc?|markdown|txt|rst|adoc|ya?ml|json|toml|html?)$|rules$", re.I)
_SHORTEST_NAME = 4
_README = re.compile(r"(?:^|/)(?:readme|contributing|architecture|design)\b[^/]*$", re.IGNORECASE)
_SKILL = re.compile(
    r"(?:^|/)\.?skills?/(?:\.\w+/)?([^/]+)/|(?:^|/)([^/]+)/SKILL\.md$", re.IGNORECASE
)


@sized_cache(4 * 1024 * 1024)
def source_type(path: str) -> SourceType:
    """The type of the context format: by name and folder, ``file`` where nothing tells.

    Below ``rules/``, ``specs/`` and the like only texts are more than files.
    """
    for found, pattern in _TYPES:
        if pattern.search(path):
            return found if found == "skill" or _PROSE.search(path) else "file"
    return "file"


def is_named(path: str, text: str) -> bool:
    """Whether *text* has the name of a file in it."""
    name = path.rpartition("/")[2]
    return len(name) >= _SHORTEST_NAME and name in text


def instructs(path: str) -> bool:
    """Whether a file says what is wanted or how to work, rather than being worked on."""
    return source_type(path) != "file" or _README.search(path) is not None


def skill_named(path: str) -> str | None:
    """The skill that a file belongs to, by its folder."""
    found = _SKILL.search(path)
    return (found[1] or found[2]) if found else None
