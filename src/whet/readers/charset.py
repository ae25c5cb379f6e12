"""Texts in which somebody mistook one encoding for another."""

import re

from pydantic import JsonValue

from whet.documents.session_import import Repairs

_HAN = re.compile(r"[\u3400-\u9fff]")
_HAN_WORDS = re.compile(r"[\u3400-\u9fff\u3000-\u303f\uff00-\uffef]{2,}")
_SIGNS = re.compile("[锛鐨銆鏄鍦浠鍜绔]")
"""What the commonest Chinese characters and signs become when UTF-8 is read as GBK."""


def not_utf8(data: bytes) -> tuple[str, str]:
    """What *data* most likely says, and in which encoding."""
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return data.decode("latin-1"), "Latin-1"
    # In other languages, high bytes stand alone and give a Chinese character here and there.
    together = sum(map(len, _HAN_WORDS.findall(text)))
    if together and together >= len(_HAN.findall(text)) / 2:
        return text, "GB 18030"
    return data.decode("latin-1"), "Latin-1"


def unmistaken(value: JsonValue, repairs: Repairs) -> JsonValue:
    """*value* with the texts that were UTF-8, were read as GBK, and were written down so."""
    if isinstance(value, str):
        return value if value.isascii() else _text(value, repairs)
    if isinstance(value, dict):
        return {key: unmistaken(inner, repairs) for key, inner in value.items()}
    if isinstance(value, list):
        return [unmistaken(inner, repairs) for inner in value]
    return value


def _text(text: str, repairs: Repairs) -> str:
    signs = len(_SIGNS.findall(text))
    if not signs:
        return text
    try:
        # Chinese that is meant as it stands gives no UTF-8 here.
        right = text.encode("gb18030").decode()
    except ValueError:
        if signs > 1:
            said = "a text was read in a wrong encoding, and cannot be made good"
            repairs.note("encoding", "mistaken_lost", said)
        return text
    repairs.note("encoding", "mistaken", "a text was read in a wrong encoding, and is made good")
    return right
