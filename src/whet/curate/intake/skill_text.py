"""Skills that are one text: given as it is, or in a ``.txt``, ``.md`` or ``.json`` file."""

from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from whet.core.errors import InvalidImport
from whet.core.front_matter import description_of, entries
from whet.curate.draft import SkillDraft
from whet.curate.intake.given import Given, Imported, about, decoded, read_bytes
from whet.documents.base import Document
from whet.documents.text import parse_json

SUFFIXES = (".txt", ".md", ".markdown", ".json")


class SkillFile(Document):
    """A skill in one JSON file; what it does not say about itself is to be given."""

    name: str | None = None
    description: str | None = None
    author: str | None = None
    source: str | None = None
    purpose: str | None = None
    provider: str | None = None
    type: Literal["skill", "agent"] | None = None
    content: str


def skill_from_text(
    text: str, given: Given, *, fallback: str = "", source: str = ""
) -> Imported[SkillDraft]:
    """A text; its name and description are those of its front matter."""
    return Imported(_draft(text, given, of_itself(text), fallback, source))


def skill_from_text_file(path: Path, given: Given) -> Imported[SkillDraft]:
    """A ``.txt`` or ``.md`` file with the text, or a ``.json`` file with text and metadata."""
    data = read_bytes(path)
    if path.suffix.lower() == ".json":
        return skill_from_json(parse_json(data, str(path)), given, path.stem, path.name)
    found = skill_from_text(decoded(data, str(path)), given, fallback=path.stem, source=path.name)
    if path.name != "SKILL.md":
        return found
    alone = "only SKILL.md was taken; to take the files beside it, import the folder"
    return Imported(found.draft, (alone,))


def skill_from_json(
    data: JsonValue, given: Given, fallback: str = "", source: str = ""
) -> Imported[SkillDraft]:
    """A JSON object with ``content`` and, if it likes, ``name``, ``description`` and so on."""
    if problems := SkillFile.mistakes(data):
        raise InvalidImport(source or "the skill", problems)
    file = SkillFile.parse(data, source)
    front = of_itself(file.content)
    own = Given(
        name=file.name or front.name,
        description=front.description if file.description is None else file.description,
        author=file.author,
        source=file.source,
        purpose=file.purpose,
        provider=file.provider,
        type=file.type,
    )
    unknown = sorted(file.model_extra or ())
    notes = (f"not taken: {', '.join(map(repr, unknown))}",) if unknown else ()
    return Imported(_draft(file.content, given, own, fallback, source), notes)


def of_itself(text: str) -> Given:
    """What the front matter of a skill says."""
    front = entries(text) or {}
    name = front.get("name")
    return Given(name=name.value if name else None, description=description_of(text) or None)


def _draft(text: str, given: Given, own: Given, fallback: str, source: str) -> SkillDraft:
    content = text.lstrip("\ufeff")
    if not content.strip():
        raise InvalidImport(source or "the text", ["is empty"])
    if "\0" in content or not _is_whole(content):
        raise InvalidImport(source or "the text", ["has a NUL or half a character in it"])
    return SkillDraft(
        about=about(given, own, fallback, source),
        type=given.type or own.type or "skill",
        content=content,
    )


def _is_whole(text: str) -> bool:
    """Whether there is no half of an emoji in it, cut off by some program."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
