"""Job packages as they come in: a zip or a folder, read as a whole and held to their contract."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from whet.core.arm import SkillPackage
from whet.core.errors import EnvironmentProblem
from whet.curate.archive import MOST_PACKED
from whet.curate.draft import SkillDraft
from whet.curate.intake.given import Given, Imported, read_bytes
from whet.curate.intake.skill_folder import skill_from_folder
from whet.curate.intake.skill_zip import package_from_zip
from whet.curate.library import for_agents, packaged
from whet.curate.manifest import JobPackage, job_package, version_from_digest
from whet.documents.files import reason

PURPOSE, PROVIDER = "packages", "local"
"""Where installed packages lie in the library."""

MOST_READ = MOST_PACKED + 1024 * 1024
"""Bytes of a file that are read to say, by the name it was sent with, that it is too large."""


@dataclass(frozen=True)
class Arrival:
    """A package that is fine, and not yet anywhere."""

    draft: SkillDraft
    job: JobPackage
    package: SkillPackage
    content: Mapping[str, bytes]
    """As agents get it."""

    notes: tuple[str, ...]


def arrived(
    path: Path, engines: Collection[str], filename: str | None = None, *, to_install: bool = True
) -> Arrival:
    """The package in a zip or a folder; raises ``InvalidImport`` or ``InvalidSkill`` with all that
    is wrong. What is *to_install* needs a ``runner.json``, and without a version of its own gets
    one from its digest."""
    try:
        is_folder = path.is_dir()
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {reason(error)}") from error
    if not is_folder:
        data = read_bytes(path, MOST_READ)
        return arrived_bytes(data, filename or path.name, engines, to_install=to_install)
    folder = path.resolve().name
    found = skill_from_folder(path, Given(purpose=PURPOSE, provider=PROVIDER))
    return _checked(found, engines, folder, folder, to_install=to_install)


def arrived_bytes(
    data: bytes, filename: str, engines: Collection[str], *, to_install: bool = True
) -> Arrival:
    """The same of a zip that somebody sends."""
    found, top = package_from_zip(data, filename, Given(purpose=PURPOSE, provider=PROVIDER))
    return _checked(found, engines, found.draft.about.source, top or None, to_install=to_install)


def _checked(
    found: Imported[SkillDraft],
    engines: Collection[str],
    source: str,
    folder: str | None,
    *,
    to_install: bool,
) -> Arrival:
    draft = found.draft
    content = for_agents(draft.package or {})
    name = source if to_install else draft.about.name
    job = job_package(content, name, engines, folder, to_install=to_install)
    package = packaged("package", content, job.id)
    notes = (*found.notes, *(f"not used: {each}" for each in job.unused))
    if to_install and job.version is None:
        job = replace(job, version=version_from_digest(package.digest))
        notes = (*notes, f"runner.json says no version; it is {job.version}, from its digest")
    about = replace(draft.about, name=job.id, description=job.description or "")
    draft = replace(draft, about=about, package_id=job.id, package_version=job.version)
    return Arrival(draft, job, package, content, notes)
