"""A skill as one ``.skill`` file: a zip that is the same, byte for byte, whoever makes it.

Sorted names, one date, two modes, one level of compression. What is no part of a skill, or must
not be given away, is left out and named.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from whet.core.address import digest_bytes
from whet.core.errors import NotFound, UsageError
from whet.core.naming import slug
from whet.curate.archive import Tree, zipped
from whet.curate.lint.finding import Finding
from whet.curate.lint.folder import ENTRY, File, Oddity, Skill, skill_in
from whet.curate.lint.identity import is_name
from whet.curate.lint.registry import looked_at
from whet.curate.lint.secrets import why_secret
from whet.documents.files import write_atomic

Reason = Literal["evals", "leftover", "link", "name", "secret", "secret_file", "special"]

_WHY: dict[Oddity, Reason] = {
    "link": "link",
    "link_out": "link",
    "special": "special",
    "name": "name",
    "leftover": "leftover",
}


class LeftOut(NamedTuple):
    """A file or folder that is not packed, and why."""

    path: str
    reason: Reason


@dataclass(frozen=True)
class Parcel:
    """What goes into the file, and what does not."""

    name: str
    """Of the skill; the folder in the zip is called so."""

    files: tuple[File, ...]
    left_out: tuple[LeftOut, ...]
    errors: tuple[Finding, ...]
    """What lint finds wrong with that which goes in."""


@dataclass(frozen=True)
class Packed:
    """A file that was written."""

    path: Path
    digest: str
    parcel: Parcel


def pack(
    folder: Path, output: Path | None = None, *, keep_evals: bool = False, force: bool = False
) -> Packed:
    """Write the skill in *folder* to *output*, a file or a folder; default the working folder.

    With errors it is refused unless *force* is given, and with a secret in SKILL.md always.
    """
    wrapped = parcel(folder, keep_evals=keep_evals)
    if wrapped.errors and not force:
        first, *more = wrapped.errors
        raise UsageError(
            f"{folder} has errors: {first.path}:{first.line} {first.rule.id} {first.message}"
            f"{f', and {len(more)} more' if more else ''}; see whet skill lint, or use --force"
        )
    path = output or Path()
    if path.is_dir():
        path /= f"{wrapped.name}.skill"
    if path.resolve().is_relative_to(folder.resolve()):
        raise UsageError(f"{path} lies in the skill itself; choose another place by --output")
    data = archive(wrapped)
    write_atomic(path, data, durable=True)
    return Packed(path, digest_bytes(data), wrapped)


def parcel(folder: Path, *, keep_evals: bool = False) -> Parcel:
    """What of the skill in *folder* is packed."""
    if not folder.is_dir():
        raise NotFound(f"no folder {folder}")
    skill = skill_in(folder)
    if skill.entry is None:
        raise NotFound(f"{folder} is no skill: it has no SKILL.md")
    if skill.is_too_large:
        raise UsageError(f"{folder} is too large for a skill; see whet skill lint")
    files: list[File] = []
    left_out = [LeftOut(path, _WHY[kind]) for path, kind in skill.odd]
    for file in skill.files:
        if reason := _unwanted(file, keep_evals=keep_evals):
            left_out.append(LeftOut(file.path, reason))
        else:
            files.append(file)
    left = {one.path for one in left_out if one.reason != "secret"}
    errors = [error for error in looked_at(skill).errors if error.path not in left]
    return Parcel(_name(skill), tuple(files), tuple(sorted(left_out)), tuple(errors))


def archive(wrapped: Parcel) -> bytes:
    """The zip; the same files under the same name give the same bytes."""
    executables = frozenset(file.path for file in wrapped.files if file.is_executable)
    return zipped(Tree({file.path: file.data for file in wrapped.files}, executables), wrapped.name)


def _unwanted(file: File, *, keep_evals: bool) -> Reason | None:
    why = why_secret(file.path, file.data)
    if why != "secret_file" and file.is_eval and not keep_evals:
        return "evals"
    if why == "secret" and file.path == ENTRY:
        raise UsageError("SKILL.md has a secret in it (see whet skill lint); it is never packed")
    return why


def _name(skill: Skill) -> str:
    own = skill.front.text("name") or ""
    return own if is_name(own) else slug(skill.name, "skill", "-")
