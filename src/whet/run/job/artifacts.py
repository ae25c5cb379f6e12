"""The files that a job delivers: found by rule, whatever its output says about paths.

Only what the agent left in its working folder can be delivered, and that was read when it ended.
A path in the output is a hint to those files; it never leads to any other.
"""

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count

from pydantic import JsonValue

from whet.core.files import FileRef
from whet.core.job import Artifact, Notice
from whet.core.untrusted_regex import matches_file
from whet.curate.manifest import ArtifactRule
from whet.run.job.contract import FOLDER

_PREFIX = f"{FOLDER}/"
_GLOB = frozenset("*?[")


@dataclass(frozen=True)
class Delivered:
    """What is there, and what is not."""

    data: dict[str, JsonValue]
    """The output, with the paths of its files as they are delivered."""

    artifacts: tuple[Artifact, ...]
    notices: tuple[Notice, ...]
    missing: tuple[str, ...]


def delivered(
    rules: Sequence[ArtifactRule],
    data: Mapping[str, JsonValue],
    outputs: Sequence[FileRef],
    work: str,
) -> Delivered:
    """All files below ``artifacts/``, and those elsewhere in *work* that the output names."""
    there = {file.path: file for file in outputs}
    files = {path: file for path, file in there.items() if path.startswith(_PREFIX)}
    told, notices = dict(data), list[Notice]()
    for rule in rules:
        said = told.get(rule.field) if rule.field else None
        if rule.field is None or not isinstance(said, str):
            continue
        path = _inside(said, work)
        if (found := _found(path, files)) is not None:
            told[rule.field] = found
        elif path in there:
            told[rule.field] = new = _named(rule, path, files)
            files[new] = there[path]
            message = f"{rule.field}: {path} was not in {FOLDER}/; it is delivered as {new}"
            notices.append(Notice(code="artifact_moved", message=message))
        else:
            message = f"{rule.field}: no file of this run is called {said[:200]!r}"
            notices.append(Notice(code="artifact_path_unknown", message=message))
    missing = tuple(
        f"the file {_PREFIX}{rule.pattern} is missing"
        for rule in rules
        if rule.required and not any(_fits(rule, path) for path in files)
    )
    return Delivered(told, _listed(rules, files), tuple(notices), missing)


def _inside(said: str, work: str) -> str:
    """A path as it is relative to the working folder; one that leads elsewhere stays as it is."""
    path = said.removeprefix(f"{work}/")
    return posixpath.normpath(path) if path else path


def _found(path: str, files: Mapping[str, FileRef]) -> str | None:
    return next((each for each in (path, _PREFIX + path) if each in files), None)


def _named(rule: ArtifactRule, path: str, files: Mapping[str, FileRef]) -> str:
    """The place of a file that lies elsewhere: the one that was declared, if that is one and
    nothing is there."""
    name = posixpath.basename(path)
    declared = name if _GLOB & set(rule.pattern) else rule.pattern
    others = (f"{number}-{name}" for number in count(2))
    places = (_PREFIX + each for each in chain((declared, path), others))
    return next(place for place in places if _is_free(place, files))


def _is_free(place: str, files: Mapping[str, FileRef]) -> bool:
    """Whether a file can lie there beside the others: none is a folder of another."""
    return not any(
        f"{path}/".startswith(f"{place}/") or place.startswith(f"{path}/") for path in files
    )


def _fits(rule: ArtifactRule, path: str) -> bool:
    name = path.removeprefix(_PREFIX)
    return name == rule.pattern or matches_file(name, rule.pattern)


def _listed(rules: Sequence[ArtifactRule], files: Mapping[str, FileRef]) -> tuple[Artifact, ...]:
    listed: list[Artifact] = []
    for path, file in sorted(files.items()):
        rule = _rule_of(rules, path)
        listed.append(
            Artifact(
                path=path,
                digest=file.digest,
                size=file.size,
                role=rule.role if rule else None,
                mime=rule.mime if rule else None,
            )
        )
    return tuple(listed)


def _rule_of(rules: Sequence[ArtifactRule], path: str) -> ArtifactRule | None:
    """A rule that names the file itself goes before one that means several."""
    name = path.removeprefix(_PREFIX)
    literal = (rule for rule in rules if rule.pattern == name)
    meant = (rule for rule in rules if _fits(rule, path))
    return next(literal, None) or next(meant, None)
