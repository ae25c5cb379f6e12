"""A case as somebody wrote it, before it has a number and a place."""

import unicodedata
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from whet.core.text import storable

Category = Literal["standard", "boundary", "exception"]
MOST_NAME = 200
MOST_TEXT = 20_000
CATEGORIES: tuple[Category, ...] = ("standard", "boundary", "exception")


@dataclass(frozen=True, slots=True)
class Written:
    """What the agent is asked, and what a good answer has."""

    name: str
    category: Category
    input: str
    expected_output: str
    description: str = ""


def written(raw: JsonValue) -> Written | None:
    """A case of the model's, if it can be one."""
    match raw:
        case {
            "name": str(name),
            "category": "standard" | "boundary" | "exception" as category,
            "input": str(given),
            "expected_output": str(expected),
            **rest,
        }:
            about = rest.get("description")
        case _:
            return None
    case = Written(
        name=" ".join(_plain(name).split())[:MOST_NAME],
        category=category,
        input=_plain(given).strip(),
        expected_output=_plain(expected).strip(),
        description=_plain(about).strip() if isinstance(about, str) else "",
    )
    texts = (case.input, case.expected_output, case.description)
    fits = case.name and case.input and case.expected_output
    return case if fits and max(map(len, texts)) <= MOST_TEXT else None


def same(text: str) -> str:
    """Equal for texts that differ only in spaces, capitals and the like."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _plain(text: str) -> str:
    """Without control characters, but with lines and tabs."""
    kept = (one for one in text.replace("\r\n", "\n") if one in "\n\t" or _is_text(one))
    return storable("".join(kept))


def _is_text(character: str) -> bool:
    return unicodedata.category(character) != "Cc"
