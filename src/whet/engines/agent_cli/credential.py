"""The one credential that an agent gets."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from pydantic import JsonValue

from whet.ports.machine import Machine

_LARGEST = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Credential:
    """Where it comes from, and how it is handed over: by variables or by files in the home."""

    source: str
    """The name of a variable or file; may be shown."""

    environment: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    files: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Texts by path below the agent's home; written for its owner's eyes only."""

    secrets: tuple[str, ...] = field(default=(), repr=False)


def from_environment(machine: Machine, *names: str) -> Credential | None:
    """The first of these variables that is set."""
    for name in names:
        if value := machine.environment.get(name):
            return Credential(name, environment={name: value}, secrets=(value,))
    return None


def login(path: Path) -> JsonValue:
    """What a program keeps of the user's login; None if there is no such file or no sense in it.

    The file is read and never written: an agent gets a text of its own.
    """
    try:
        if path.stat().st_size > _LARGEST:
            return None
        return cast("JsonValue", json.loads(path.read_text()))
    except (OSError, ValueError):
        return None


def strings(value: JsonValue, shortest: int = 16) -> Iterator[str]:
    """All texts inside a login that are long enough to be secrets."""
    match value:
        case str() if len(value) >= shortest:
            yield value
        case list():
            for item in value:
                yield from strings(item, shortest)
        case dict():
            for item in value.values():
                yield from strings(item, shortest)
        case _:
            return
