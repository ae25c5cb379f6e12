"""Rules for the front matter as a whole: that it is there, can be read, and has known keys."""

from collections.abc import Iterator
from difflib import get_close_matches

from whet.curate.lint.finding import Finding, Rule, quoted
from whet.curate.lint.flow import Fields, Items, Text, Value
from whet.curate.lint.folder import ENTRY, Skill

KEYS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
MOST_COMPATIBILITY = 500

NO_ENTRY = Rule(
    "SK001",
    "no-skill-md",
    "error",
    "There is no regular file with the exact name SKILL.md.",
    "Agents look for that name. Links and other spellings are found on some machines only.",
    "Put the instructions into SKILL.md.",
)
NO_FRONT = Rule(
    "SK002",
    "no-front-matter",
    "error",
    "SKILL.md does not begin with a front matter between two lines ---.",
    "Name and description stand there; without them no agent takes the skill up.",
    "Begin the file with ---, name, description and another ---.",
)
SYNTAX = Rule(
    "SK003",
    "front-matter-syntax",
    "error",
    "A line of the front matter is no YAML, or not YAML that every agent reads.",
    "One such line makes agents skip the whole skill.",
    "Put the value in double quotes, or correct the indentation.",
)
DUPLICATE = Rule(
    "SK004",
    "duplicate-key",
    "error",
    "A key is there twice.",
    "Some readers take the first, some the last, some refuse.",
    "Keep one of them.",
)
UNKNOWN = Rule(
    "SK005",
    "unknown-key",
    "error",
    "A key that the specification does not know.",
    "Validators of the specification refuse it, and agents ignore it.",
    "Correct the spelling, or move it below metadata.",
)
TYPE = Rule(
    "SK006",
    "wrong-type",
    "error",
    "A value is not of the kind that its key takes.",
    "Without quotes, YAML reads 1.0, 2024-01-01, yes and null as something else than text.",
    "Put the value in quotes; metadata is a map, allowed-tools a text or a list of texts.",
)
METADATA = Rule(
    "SK007",
    "metadata-not-text",
    "warning",
    "A value of metadata is no text.",
    "The specification has texts there: 1.10 without quotes becomes the number 1.1.",
    "Put the value in quotes.",
)
WHITESPACE = Rule(
    "SK008",
    "trailing-whitespace",
    "info",
    "A line of the front matter ends with blanks.",
    "They cannot be seen, and a tab among them breaks YAML.",
    "Remove them.",
    is_mechanical=True,
)
COMPATIBILITY = Rule(
    "SK009",
    "compatibility-length",
    "error",
    f"compatibility has to have 1 to {MOST_COMPATIBILITY} characters.",
    "It is the limit of the specification.",
    "Shorten it, or leave the key out.",
)
RULES = (
    NO_ENTRY,
    NO_FRONT,
    SYNTAX,
    DUPLICATE,
    UNKNOWN,
    TYPE,
    METADATA,
    WHITESPACE,
    COMPATIBILITY,
)


def check(skill: Skill) -> Iterator[Finding]:
    """What is wrong with the front matter as a whole."""
    if skill.entry is None:
        yield NO_ENTRY.at(ENTRY, "there is no file SKILL.md")
        return
    front = skill.front
    if front.missing:
        yield NO_FRONT.at(ENTRY, f"no front matter: {front.missing}")
        return
    for line, column, reason, _ in front.broken:
        yield SYNTAX.at(ENTRY, reason, line, column + 1)
    for one in front.duplicates:
        yield DUPLICATE.at(ENTRY, f"the key {quoted(one.key)} is there twice", one.line)
    for key, one in front.fields.items():
        if key not in KEYS:
            yield UNKNOWN.at(ENTRY, _unknown(key), one.line)
        elif wrong := _wrong_type(key, one.value):
            yield TYPE.at(ENTRY, f"{key} {wrong}", one.line)
    yield from _metadata(skill)
    yield from _compatibility(skill)
    for number, line in enumerate(front.lines, 2):
        if line != (bare := line.rstrip(" \t")):
            yield WHITESPACE.at(ENTRY, "blanks at the end of the line", number, len(bare) + 1)


def _unknown(key: str) -> str:
    near = get_close_matches(key.lower().replace("_", "-")[:64], KEYS, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"the specification has no key {quoted(key)}{hint}"


def _wrong_type(key: str, value: Value) -> str:
    """What is wrong with the kind of a value; nothing if it is right."""
    match key, value:
        case "metadata", Fields():
            return ""
        case "metadata", _:
            return "must be a map of keys and values"
        case "allowed-tools", Items(items):
            texts = all(isinstance(item, Text) and item.is_text for item in items)
            return "" if texts else "must be a list of texts"
        case "name" | "description", Text("", is_quoted=False):
            return ""  # said by the rule that wants it
        case _, Text() if value.is_text:
            return ""
        case _, Text(said):
            return f"is {quoted(said)} without quotes, which YAML does not read as text"
        case _:
            return "must be a text"


def _metadata(skill: Skill) -> Iterator[Finding]:
    found = skill.front.fields.get("metadata")
    if found is None or not isinstance(found.value, Fields):
        return
    for one in found.value.fields:
        if not (isinstance(one.value, Text) and one.value.is_text):
            line = one.line + 2 if one.end else found.line
            yield METADATA.at(ENTRY, f"metadata.{one.key[:60]} is no text", line)


def _compatibility(skill: Skill) -> Iterator[Finding]:
    text = skill.front.text("compatibility")
    if text is not None and not 1 <= len(text) <= MOST_COMPATIBILITY:
        message = f"compatibility has {len(text)} characters, not 1 to {MOST_COMPATIBILITY}"
        yield COMPATIBILITY.at(ENTRY, message, skill.front.line("compatibility"))
