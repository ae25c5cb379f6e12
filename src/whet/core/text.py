"""Text from outside."""

import hashlib
import unicodedata

_MOST_TILDES = 16
_PRINTED = {"\n", "\t", "\u200c", "\u200d"}
"""Line ends, tabs, and the joiners that some scripts and signs are made with."""


def storable(text: str) -> str:
    """*text* as UTF-8 has it: half an emoji, cut off somewhere, becomes a question mark."""
    return text.encode(errors="replace").decode()


def folded(text: str) -> str:
    """*text* without differences of case, width and composition."""
    if text.isascii():
        return text.lower()
    form = unicodedata.normalize("NFKC", text).casefold()
    return form if form.isascii() else unicodedata.normalize("NFKC", form)


def plain_name(text: str) -> str:
    """A name without blanks around it, and with each character composed in the one usual way."""
    return unicodedata.normalize("NFC", text.strip())


def fence(text: str) -> str:
    """A line to put before and after *text* that nothing in it can close.

    Tildes; where the text is full of them, tildes and a digest of it, which stays short.
    """
    found = "~~~"
    while found in text and len(found) < _MOST_TILDES:
        found += "~"
    while found in text:
        found = "~~~" + hashlib.sha256((text + found).encode(errors="replace")).hexdigest()[:32]
    return found


LONGEST_FILE_NAME = 255
"""Characters; no file system takes more."""


def shortened(text: str, most: int) -> str:
    """*text* with its middle left out where it has more than *most* characters."""
    if len(text) <= most:
        return text
    half = most // 2
    left_out = len(text) - 2 * half
    return f"{text[:half]}\n[… {left_out} characters left out …]\n{text[-half:]}"


def shortened_path(text: str, most: int) -> str:
    """*text* for a message, cut where it has more than *most* characters: a path in its middle, so
    that the name of the file is always whole, and any other text at its end."""
    if len(text) <= most:
        return text
    cut = max(text.rfind("/", 0, -1), text.rfind("\\", 0, -1))
    name = text[cut:]
    if cut < 0 or len(name) > LONGEST_FILE_NAME + 1:
        return f"{text[: most - 1]}…"
    return f"{text[: max(0, most - 1 - len(name))]}…{name}"


def printable(text: str) -> str:
    """*text* without anything that a terminal would obey, or that turns its order round."""
    return "".join(
        mark if mark in _PRINTED or not _is_command(mark) else _escaped(mark) for mark in text
    )


def _is_command(mark: str) -> bool:
    return unicodedata.category(mark) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")


def _escaped(mark: str) -> str:
    return mark.encode("unicode_escape", errors="surrogatepass").decode("ascii")
