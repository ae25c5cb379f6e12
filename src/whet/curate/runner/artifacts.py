"""The files that a job yields: as its package declares them, else as its output names them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from whet.core.files import inside
from whet.curate.runner.schemas import Source, properties, required
from whet.curate.segments import shown

ROLE = "output"
"""Of a file that says none."""

_WORD = r"[A-Za-z0-9!#$&^_.+-]{1,100}"
_MEDIA_TYPE = re.compile(rf"{_WORD}/{_WORD}(?: ?; ?{_WORD}={_WORD}){{0,4}}")


@dataclass(frozen=True)
class ArtifactRule:
    """A file, or a pattern for several, below ``artifacts/``."""

    pattern: str
    role: str
    required: bool
    mime: str | None = None
    field: str | None = None
    """The property of the output that it was inferred from."""


def is_media_type(text: str) -> bool:
    """Whether a file can be sent as of that kind: it becomes a header."""
    return _MEDIA_TYPE.fullmatch(text) is not None


def declared_rules(
    manifest: Mapping[str, JsonValue], problems: list[str]
) -> tuple[ArtifactRule, ...]:
    """What ``runner.json`` declares; what is wrong with it is added to *problems*."""
    declared = manifest.get("artifacts")
    return tuple(_declared(declared, problems)) if isinstance(declared, list) else ()


def inferred_rules(output: Source | None, problems: list[str]) -> tuple[ArtifactRule, ...]:
    """What the schema of the output says; what is wrong with it is added to *problems*."""
    return tuple(_inferred(output, problems))


def _declared(items: list[JsonValue], problems: list[str]) -> Iterator[ArtifactRule]:
    for number, item in enumerate(items):
        match item:
            case {"role": str(role), "pattern": str(pattern), "required": bool(is_required)}:
                mime = item.get("mime")
                if isinstance(mime, str) and not is_media_type(mime):
                    problems.append(
                        f"artifacts[{number}].mime: {shown(mime)} is no kind of file; "
                        "write one such as text/plain, or leave it out"
                    )
                _check(pattern, f"artifacts[{number}].pattern", problems)
                yield ArtifactRule(
                    pattern, role, is_required, mime if isinstance(mime, str) else None
                )
            case _:
                pass  # the document itself tells what is missing


def _inferred(output: Source | None, problems: list[str]) -> Iterator[ArtifactRule]:
    needed = required(output)
    for name, source in properties(output).items():
        if source.get("x-type") is None:
            continue
        named, role = source.get("x-filename"), source.get("x-role")
        if isinstance(named, str):
            _check(named, f"properties.{name}.x-filename", problems)
        else:
            _check(name, f"properties.{name}", problems)
        yield ArtifactRule(
            pattern=named if isinstance(named, str) else name,
            role=role if isinstance(role, str) else ROLE,
            required=name in needed,
            field=name,
        )


def _check(pattern: str, where: str, problems: list[str]) -> None:
    try:
        inside(pattern)
    except ValueError:
        if pattern:  # of an empty one the document itself tells
            problems.append(
                f"{where}: {shown(pattern)} is no clean path below artifacts/; "
                "give one without .., / at its beginning, or \\"
            )
