"""Names that become folders and files: what could lead outside, or cannot be a name on some
common system, is refused before anything is written."""

import re
import unicodedata

from whet.core.errors import UsageError
from whet.core.files import inside
from whet.core.text import plain_name, shortened_path

LONGEST_SEGMENT = 100
"""Bytes of a purpose, a provider or a case id."""

LONGEST_NAME = 200
"""Characters of the name of an asset."""

LONGEST_FILE = 255
LONGEST_PATH = 1000
"""Bytes of a file's name and of its path in a package."""

_DEVICE = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9]|lpt[0-9])", re.IGNORECASE)
_SEPARATORS = frozenset("/\\\u2044\u2215\u2216\u27cb\u27cd\u29f5\u29f8\u29f9")
"""Also those characters that look like a slash and that no normal form turns into one."""

_NOWHERE_ON_WINDOWS = frozenset('<>:"|?*')
_JOINERS = frozenset("\u200c\u200d")
"""Invisible, but letters of some scripts and emoji are written with them."""

_SELECTORS = frozenset("\ufe0e\ufe0f")
"""Invisible; they say how an emoji is drawn."""

_BLANKS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0d\uffa0"
    "\U000e0100-\U000e01ef]"
)
"""What else leaves no trace on the screen."""


def segment(text: str, what: str) -> str:
    """*text* as the name of a folder; *what* it is, a purpose say, is named in the refusal."""
    _writable(text, what)
    name = unicodedata.normalize("NFC", text)
    if len(name.encode()) > LONGEST_SEGMENT:
        raise UsageError(f"{what} {shown(text)} is longer than {LONGEST_SEGMENT} bytes")
    for form in (name, unicodedata.normalize("NFKC", name)):
        if form[0] in ". " or form[-1] in ". ":
            raise UsageError(f"{what} {shown(text)} begins or ends with a dot or a space")
        if _SEPARATORS.intersection(form):
            raise UsageError(f"{what} {shown(text)} has a path separator in it")
        if _is_device(form):
            raise UsageError(f"{what} {shown(text)} is the name of a device on some systems")
    if _hides(name):
        raise UsageError(f"{what} {name[:60]!a} has a character that nobody sees")
    _common(name, what)
    return name


def asset_name(text: str, what: str = "name", most: int = LONGEST_NAME) -> str:
    """*text* as a name, or a tag, that people read: one that looks like another is the same."""
    name = plain_name(text)
    _writable(name, what)
    if len(name) > most:
        raise UsageError(f"{what} {shown(text)} is longer than {most} characters")
    return name


def package_path(path: str) -> str:
    """*path* as the place of a file in a package."""
    _writable(path, "path")
    try:
        inside(path)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if len(path.encode()) > LONGEST_PATH:
        raise UsageError(f"path {shown(path)} is longer than {LONGEST_PATH} bytes")
    for part in path.split("/"):
        _common(part, "path")
        if part[-1] in ". " or _is_device(part) or len(part.encode()) > LONGEST_FILE:
            raise UsageError(f"path {shown(path)}: {shown(part)} is no file name on some systems")
    return path


def storable(text: str, what: str, most: int) -> str:
    """*text* if a document can hold it: whole characters, no NUL, no more than *most* of them."""
    if len(text) > most:
        raise UsageError(f"{what} is longer than {most} characters")
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise UsageError(f"{what} has a NUL or half a character in it")
    return text


def alike(name: str) -> str:
    """What two names have in common that some file system takes for one."""
    return unicodedata.normalize("NFC", name).casefold()


def shown(text: str) -> str:
    """*text* for a message, on one line and short; of a path the name of the file is whole."""
    short = shortened_path(text, 60)
    return ascii(short) if _unprintable(short) else repr(short)


def _writable(text: str, what: str) -> None:
    if not text.strip():
        raise UsageError(f"{what} is empty")
    if _unprintable(text):
        raise UsageError(f"{what} {text[:60]!a} has a character that cannot be printed")


def _unprintable(text: str) -> bool:
    return any(
        unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        for character in text
        if character not in _JOINERS
    )


def _hides(name: str) -> bool:
    """Whether two names that look the same could differ in it."""
    if _BLANKS.search(name):
        return True
    for before, one, after in zip(f" {name}", name, f"{name[1:]} ", strict=False):
        is_picture = unicodedata.category(before) in ("So", "Sk") or before in _SELECTORS
        if one in _SELECTORS and (before.isascii() or before.isalnum()):
            return True
        if one in _JOINERS and not (is_picture or _is_joint(before, after)):
            return True
    return False


def _is_joint(before: str, after: str) -> bool:
    """Whether letters are joined, or kept apart, at such a place: Indic and Arabic ones are."""
    virama = 9
    return virama in (unicodedata.combining(before), unicodedata.combining(after)) or (
        unicodedata.bidirectional(before) == "AL"
    )


def _common(name: str, what: str) -> None:
    if found := _NOWHERE_ON_WINDOWS.intersection(name):
        raise UsageError(f"{what} {shown(name)} has {min(found)} in it, which some systems refuse")


def _is_device(name: str) -> bool:
    return _DEVICE.fullmatch(name.partition(".")[0].rstrip()) is not None
