"""What comes with an import: what its person says, what was read, and what is to be told."""

from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Literal, TypeVar

from whet.core.errors import EnvironmentProblem, InvalidImport, NotFound
from whet.curate.archive import MOST_IN_ONE
from whet.curate.draft import About, BaselineDraft, SkillDraft
from whet.curate.segments import LONGEST_NAME

PURPOSE = "general"
PROVIDER = "local"
"""Where neither the person nor the file says any."""

Draft = TypeVar("Draft", SkillDraft, BaselineDraft)

_BOMS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


@dataclass(frozen=True)
class Given:
    """What the person says; what is None is taken from the file, else it is left at a default.

    An empty name, purpose or provider cannot be meant, and says nothing: a variable of a script
    that is not set, a field of a form that was left blank.
    """

    name: str | None = None
    purpose: str | None = None
    provider: str | None = None
    description: str | None = None
    author: str | None = None
    source: str | None = None
    type: Literal["skill", "agent"] | None = None

    def __post_init__(self) -> None:
        for field in ("name", "purpose", "provider"):
            object.__setattr__(self, field, getattr(self, field) or None)


@dataclass(frozen=True)
class Imported(Generic[Draft]):
    """A draft, and what was not taken into it or taken otherwise."""

    draft: Draft
    notes: tuple[str, ...] = ()


def about(given: Given, own: Given, fallback: str, source: str) -> About:
    """The metadata: first what the person says, then what the file says of itself, then the
    *fallback*, which is the name of the file or folder."""
    name = given.name or named(own.name or "") or named(fallback)
    if not name:
        raise InvalidImport(source or "the text", ["says no name, so one has to be given"])
    return About(
        name=name,
        purpose=given.purpose or own.purpose or PURPOSE,
        provider=given.provider or own.provider or PROVIDER,
        description=_first(given.description, own.description, ""),
        author=_first(given.author, own.author, ""),
        source=_first(given.source, own.source, named(source)),
    )


def named(text: str) -> str:
    """*text* as the name of an asset: one printable line that is not too long."""
    line = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(line.split())[:LONGEST_NAME].rstrip()


def read_bytes(path: Path, most: int = MOST_IN_ONE) -> bytes:
    """The content of a file; raises ``NotFound``, or ``InvalidImport`` where it is too large."""
    try:
        if not path.is_file():
            raise NotFound(f"no file {path}")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {error.strerror}") from error
    if len(data) > most:
        raise InvalidImport(path, [f"is larger than {most // 1024 // 1024} MB"])
    return data


def decoded(data: bytes, source: str) -> str:
    """The text in a file; of other encodings than UTF-8 only those that say which they are."""
    encoding = next((name for mark, name in _BOMS.items() if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise InvalidImport(source, ["is no UTF-8 text; save it as UTF-8 first"]) from None


def _first(*candidates: str | None) -> str:
    return next((each for each in candidates if each is not None), "")
