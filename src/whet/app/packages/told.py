"""Packages as every door shows them."""

from typing import Literal

from pydantic import JsonValue

from whet.core.value import Value
from whet.curate.manifest import JobPackage
from whet.documents.job import ExecutionMode
from whet.ports.entry import SkillEntry

Action = Literal["install", "update", "unchanged", "rollback", "uninstall"]


class Installed(Value):
    """What became of a package."""

    skill_id: str
    """What the package calls itself."""

    id: str
    """Of the skill in the library."""

    version: str
    """The one that the package gives itself."""

    library_version: str
    action: Action
    notes: tuple[str, ...] = ()


class PackageItem(Value):
    """A package in a list."""

    skill_id: str
    id: str
    name: str
    """For people: that of the library, or the package's own where nobody gave it another."""

    description: str
    version: str
    library_version: str
    status: Literal["active", "archived"]
    updated_at: str
    execution_modes: tuple[ExecutionMode, ...]
    engines: tuple[str, ...]
    """Those that may run it."""

    problems: tuple[str, ...] = ()
    """What keeps it from being run here."""


class ArtifactItem(Value):
    """A file that a job yields."""

    pattern: str
    role: str
    required: bool
    mime: str | None
    field: str | None
    """The property of the output that names it."""


class FileItem(Value):
    """A file of a package, as agents get it."""

    path: str
    size: int


class PackageDetail(PackageItem):
    """A package with its contract."""

    input: dict[str, JsonValue] | None
    parameter: dict[str, JsonValue] | None
    output: dict[str, JsonValue] | None
    """The schemas; null where there is none."""

    schema_paths: dict[str, str]
    """Where they lie in the package."""

    artifacts: tuple[ArtifactItem, ...]
    prompts: dict[str, str]
    default_options: dict[str, JsonValue]
    unused: tuple[str, ...]
    """What its ``runner.json`` says in vain, field by field."""

    files: tuple[FileItem, ...]


class PackageVersion(Value):
    """One version of a package."""

    version: str | None
    """The one that the package gave itself; null where it was no package yet."""

    library_version: str
    updated_at: str
    changed_fields: tuple[str, ...]
    """Since the version before; empty for the first."""


def item(entry: SkillEntry, job: JobPackage | None, problems: tuple[str, ...] = ()) -> PackageItem:
    """A package in a list; without a contract where that is broken."""
    meta = entry.meta
    return PackageItem(
        skill_id=meta.package_id or meta.name,
        id=meta.id,
        name=(job and meta.name == job.id and job.name) or meta.name,
        description=meta.description,
        version=meta.package_version or "",
        library_version=meta.version,
        status=meta.status,
        updated_at=meta.updated_at,
        execution_modes=job.modes if job else (),
        engines=job.engines if job else (),
        problems=problems,
    )


def detail(
    listed: PackageItem, job: JobPackage | None, files: tuple[FileItem, ...]
) -> PackageDetail:
    """A package with its contract, as far as that is not broken."""
    artifacts = job.artifacts if job else ()
    return PackageDetail(
        **listed.model_dump(),
        input=_data(job, "input"),
        parameter=_data(job, "parameter"),
        output=_data(job, "output"),
        schema_paths=dict(job.schema_paths) if job else {},
        artifacts=tuple(ArtifactItem.model_validate(vars(rule)) for rule in artifacts),
        prompts=dict(job.prompts) if job else {},
        default_options=dict(job.default_options) if job else {},
        unused=job.unused if job else (),
        files=files,
    )


def _data(
    job: JobPackage | None, key: Literal["input", "parameter", "output"]
) -> dict[str, JsonValue] | None:
    found = getattr(job, key, None)
    return dict(found) if found is not None else None


class PackageList(Value):
    """Packages by name."""

    packages: tuple[PackageItem, ...]


class PackageHistory(Value):
    """Every version of a package, the newest first."""

    versions: tuple[PackageVersion, ...]
