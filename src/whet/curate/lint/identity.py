"""Rules for the name and the description: all that an agent knows before it takes a skill up."""

import re
from collections.abc import Iterator
from dataclasses import replace

from whet.curate.lint.finding import Finding, Rule, quoted
from whet.curate.lint.flow import Text
from whet.curate.lint.folder import ENTRY, Skill
from whet.curate.lint.front import Front

MOST_NAME = 64
MOST_DESCRIPTION = 1024

NO_NAME = Rule(
    "SK101",
    "no-name",
    "error",
    "The front matter has no name, or an empty one.",
    "The specification requires it, and agents know a skill by it.",
    "Write name: and the name of the folder.",
    is_mechanical=True,
)
NAME_FORM = Rule(
    "SK102",
    "name-form",
    "error",
    f"The name is not 1 to {MOST_NAME} of a-z, 0-9 and single hyphens between them.",
    "It becomes the name of a folder and of a command; other characters are refused.",
    "Use lower case, digits and hyphens.",
    is_mechanical=True,
)
NAME_FOLDER = Rule(
    "SK103",
    "name-is-not-folder",
    "error",
    "The name differs from that of the folder.",
    "The specification wants them equal; agents that go by one do not find the other.",
    "Rename one of them.",
    is_mechanical=True,
)
NO_DESCRIPTION = Rule(
    "SK111",
    "no-description",
    "error",
    "The front matter has no description, or an empty one.",
    "Agents decide by it alone whether to take the skill up.",
    "Say what the skill does and when to use it.",
)
LONG_DESCRIPTION = Rule(
    "SK112",
    "description-too-long",
    "error",
    f"The description has more than {MOST_DESCRIPTION} characters.",
    "It is in every conversation, needed or not; agents cut it off or refuse it.",
    "Shorten it; details belong into the body.",
)
BRACKETS = Rule(
    "SK113",
    "description-brackets",
    "error",
    "The description has < or > in it.",
    "Agents put it between tags of their own; some refuse such a description.",
    "Write it without angle brackets.",
)
NO_WHEN = Rule(
    "SK114",
    "description-without-when",
    "info",
    "The description does not seem to say when to use the skill.",
    "Agents that only read what it does take it up too seldom.",
    'Add a sentence such as "Use when …".',
)
CUT = Rule(
    "SK115",
    "description-cut-off",
    "warning",
    "A blank and # end the description: what follows is a comment.",
    "No agent sees the rest of the sentence.",
    "Put the description in double quotes.",
)
RULES = (
    NO_NAME,
    NAME_FORM,
    NAME_FOLDER,
    NO_DESCRIPTION,
    LONG_DESCRIPTION,
    BRACKETS,
    NO_WHEN,
    CUT,
)

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_WHEN = re.compile(
    r"\b(?:when|whenever|if|before|after|while|during|asks?|asked|trigger\w*|needs?|wants?)\b"
    r"|\b(?:use|used|useful|invoke|apply|activate)\s+(?:\w+\s+)?(?:for|to|in|with|on|by)\b"
    r"|[当若时]|用于|适用|场景|需要|触发",
    re.IGNORECASE,
)


def is_name(text: str) -> bool:
    """Whether a skill may have that name."""
    return len(text) <= MOST_NAME and _NAME.fullmatch(text) is not None


def can_be_named(front: Front, folder: str) -> bool:
    """Whether the name of the folder can be put into the front matter without asking anybody."""
    return is_name(folder) and not (front.missing or front.broken or front.duplicates)


def check(skill: Skill) -> Iterator[Finding]:
    """What is wrong with name and description."""
    if skill.entry is None or skill.front.missing:
        return
    names_itself = can_be_named(skill.front, skill.name) and not skill.is_version
    yield from (replace(finding, needs_person=not names_itself) for finding in _name(skill))
    yield from _description(skill)


def _name(skill: Skill) -> Iterator[Finding]:
    if "name" in skill.front.unread:
        return
    name, line = skill.front.text("name"), skill.front.line("name")
    if not name:
        if name is not None or "name" not in skill.front.fields:
            yield NO_NAME.at(ENTRY, "the skill has no name", line)
        return
    if not is_name(name):
        yield NAME_FORM.at(ENTRY, f"{quoted(name)} {_unfit(name)}", line)
    if name != skill.name and not skill.is_version:
        message = f"the name is {quoted(name)}, the folder {quoted(skill.name)}"
        yield NAME_FOLDER.at(ENTRY, message, line)


def _unfit(name: str) -> str:
    if len(name) > MOST_NAME:
        return f"has {len(name)} characters; {MOST_NAME} are the most"
    if re.search(r"[^a-z0-9-]", name):
        return "has other characters than a-z, 0-9 and hyphens"
    return "begins or ends with a hyphen, or has two in a row"


def _description(skill: Skill) -> Iterator[Finding]:
    front = skill.front
    if "description" in front.unread:
        return
    text, line = front.text("description"), front.line("description")
    if not text:
        if text is not None or "description" not in front.fields:
            yield NO_DESCRIPTION.at(ENTRY, "the skill has no description", line)
        return
    if len(text) > MOST_DESCRIPTION:
        message = f"the description has {len(text)} characters; {MOST_DESCRIPTION} are the most"
        yield LONG_DESCRIPTION.at(ENTRY, message, line)
    if "<" in text or ">" in text:
        yield BRACKETS.at(ENTRY, "the description has < or > in it", line)
    if not _WHEN.search(text):
        yield NO_WHEN.at(ENTRY, "the description does not say when to use the skill", line)
    value = front.fields["description"].value
    if isinstance(value, Text) and value.is_cut:
        yield CUT.at(ENTRY, "the description ends where a blank and # begin a comment", line)
