"""Texts that the contract says more of than their type.

The framework checks none of it: those who read such a text do, and refuse it in words of their own.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

_CONTROL = r"\x00-\x1f\x7f-\x9f"
_NO_FOLDER = _CONTROL + r'/\\<>:"|?*'

LINE = f"^[^{_CONTROL}]*[^\\s{_CONTROL}][^{_CONTROL}]*$"
"""One line that can be read."""

FOLDER = f"^[^\\s.{_NO_FOLDER}]([^{_NO_FOLDER}]*[^\\s.{_NO_FOLDER}])?$"
"""What can be a folder's name on every system."""


def fits(pattern: str) -> Any:
    """A text in which the pattern is found."""
    return Field(json_schema_extra={"pattern": pattern})


def ends_with(suffixes: Sequence[str]) -> Any:
    """The name of a file with one of these endings."""
    return fits(f"^.+\\.({'|'.join(each.removeprefix('.') for each in suffixes)})$")


_EMPTY = "^$|"


def or_empty(pattern: str) -> str:
    """The same, where an empty text says nothing."""
    return _EMPTY + pattern


def says_something(schema: dict[str, Any]) -> None:
    """Describe a change: what is in it is not null, and no empty text that says nothing."""
    for each in schema["properties"].values():
        kinds = [kind for kind in each.get("anyOf", ()) if kind != {"type": "null"}]
        if len(kinds) == 1:
            del each["anyOf"]
            each.update(kinds[0])
        if "pattern" in each:
            each["pattern"] = each["pattern"].removeprefix(_EMPTY)


VERSION = "^v[0-9]{1,9}$"
VersionName = Annotated[str, fits(VERSION)]
"""A version of an asset: v1, v2 and so on."""
