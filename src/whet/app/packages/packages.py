"""Installed job packages: skills of the library that keep a contract.

A package has one asset, whoever installs it: its name is locked while its versions are compared
and the next one is written. Each version lies in a folder of its own that appears as a whole, so
whoever is killed leaves the old one or the new one.
"""

from collections.abc import Collection, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from packaging.version import Version

from whet.app.library.library import Library, Shelved, library
from whet.app.packages import told
from whet.app.packages.arrival import Arrival, arrived, arrived_bytes
from whet.app.packages.cache import PackageCache
from whet.app.packages.lookup import Lookup, Resolved, wanted_version
from whet.app.packages.told import (
    Action,
    FileItem,
    Installed,
    PackageDetail,
    PackageItem,
    PackageVersion,
)
from whet.core.address import digest
from whet.core.asset_query import PackageQuery
from whet.core.errors import InvalidSkill, NotHigher, UsageError, WhetError
from whet.curate import snapshot
from whet.curate.change import SkillChange
from whet.curate.library import Asset
from whet.curate.locks import locked
from whet.curate.manifest import JobPackage, is_from_digest, is_version
from whet.curate.snapshot import AnyAsset, SkillSnapshot
from whet.curate.versions import history_of
from whet.documents.assets import SkillMeta
from whet.ports.entry import SkillEntry
from whet.ports.listing import Status


@dataclass(frozen=True)
class Packages:
    """The packages of a library of skills; *engines* are those that there are.

    A *reference* is what a package calls itself, its name or an id, or the beginning of one.
    """

    library: Library
    engines: Collection[str]
    cache: PackageCache = field(default_factory=PackageCache)

    def install(self, path: Path, filename: str | None = None) -> Installed:
        """Take in a zip or a folder, whole or not at all. What is there already is not changed;
        another content must have a higher version than one that the package gave itself, else
        ``NotHigher`` is raised."""
        return self._taken_in(arrived(path, self.engines, filename))

    def install_bytes(self, data: bytes, filename: str) -> Installed:
        """The same of a zip that somebody sends."""
        return self._taken_in(arrived_bytes(data, filename, self.engines))

    def items(self, status: Status | None = "active") -> tuple[PackageItem, ...]:
        """Every package by name; those that were removed are archived, and None means all."""
        query = PackageQuery(status=status or "all", sort="name", order="asc")
        return tuple(self._shown(entry)[0] for entry in self._lookup.packages(query))

    def detail(self, reference: str) -> PackageDetail:
        """A package with its contract."""
        listed, job, files = self._shown(self._lookup.installed(reference))
        return told.detail(listed, job, files)

    def history(self, reference: str) -> tuple[PackageVersion, ...]:
        """Its versions, the newest first."""
        held = self.library.holding(self._lookup.installed(reference).meta.id)
        changed = {one.to_version: one.changed_fields for one in history_of(held).records}
        return tuple(
            PackageVersion(
                version=getattr(asset.meta, "package_version", None),
                library_version=asset.meta.version,
                updated_at=asset.meta.updated_at,
                changed_fields=changed.get(asset.meta.version, ()),
            )
            for asset in reversed(held.versions)
        )

    def rollback(self, reference: str, version: str) -> Installed:
        """What an older version said as the next one, be its number lower; *version* is one of the
        library, ``v2``, or one that the package gave itself."""
        meta = self._lookup.installed(reference).meta
        if meta.status == "archived":
            raise UsageError(f"{meta.name!r} was removed; install it again first")
        with locked(self.library.workspace, _lock(_package_id(meta))):
            held = self.library.holding(meta.id)
            every = (_skill(asset) for asset in reversed(held.versions))
            target = wanted_version(version, every, meta.name)
            if target.meta.package_version is None:
                raise UsageError(f"{target.meta.version} of {meta.name!r} was no package yet")
            newest = held.newest.meta.version
            done = self.library.rollback(meta.id, target.meta.version, newest)
            return _changed(done, target.meta, "rollback")

    def uninstall(self, reference: str) -> Installed:
        """Put a package out of the way; nothing is deleted."""
        meta = self._lookup.installed(reference).meta
        with locked(self.library.workspace, _lock(_package_id(meta))):
            newest = _skill(self.library.version(meta.id))
            done = self.library.set_status(meta.id, "archived")
            return _changed(done, newest.meta, "uninstall")

    def resolve(self, reference: str, version: str | None = None) -> Resolved:
        """Any skill of the library as a job gets it; see ``Lookup.resolve``."""
        return self._lookup.resolve(reference, version)

    def contract(self, found: Resolved) -> JobPackage:
        """What that skill asks for and promises; raises ``InvalidSkill``."""
        return self.cache.contract(found.package, found.content, self.engines)

    @property
    def _lookup(self) -> Lookup:
        return Lookup(self.library, self.cache)

    def _taken_in(self, arrival: Arrival) -> Installed:
        with locked(self.library.workspace, _lock(arrival.job.id)):
            self.library.index.refresh()  # whoever was killed did not come to tell it
            held = self._lookup.package(arrival.job.id, status=None)
            if held is not None:
                return self._updated(_skill(self.library.version(held.meta.id)), arrival)
            done = self.library.create(arrival.draft)
            return _installed(done, arrival.job, "install", arrival.notes)

    def _updated(self, newest: Asset[SkillMeta], arrival: Arrival) -> Installed:
        """The next version of a package that is there, or was there once."""
        meta = newest.meta
        action: Action = "unchanged"
        done = self.library.shelved(newest, changed=False)
        if not _is_same(arrival, newest):
            _require_higher(arrival.job, meta.package_version or "")
            done = self.library.change(meta.id, _change(arrival), meta.version)
            action = "update"
        notes = arrival.notes
        if meta.status == "archived":
            self.library.set_status(meta.id, "active")
            notes = (*notes, "it had been removed, and is back")
        return _installed(done, arrival.job, action, notes)

    def _shown(
        self, entry: SkillEntry
    ) -> tuple[PackageItem, JobPackage | None, tuple[FileItem, ...]]:
        """A package as it is told; a broken one hides no other."""
        files: tuple[FileItem, ...] = ()
        try:
            found, content = self.cache.read(self.library.workspace / entry.folder, entry.meta.name)
            files = tuple(FileItem(path=one.path, size=one.size) for one in found.files)
            job = self.cache.contract(found, content, self.engines)
        except InvalidSkill as error:
            return told.item(entry, None, error.problems), None, files
        except WhetError as error:
            return told.item(entry, None, (str(error),)), None, files
        return told.item(entry, job), job, files


@contextmanager
def packages(workspace: Path, engines: Collection[str]) -> Generator[Packages]:
    """The packages of a workspace, as its files are now."""
    with library(workspace, "skill") as shelf:
        yield Packages(shelf, engines)


def _lock(package_id: str) -> str:
    """What is locked while a package changes; no asset has such an id."""
    return f"package.{digest(package_id)}"


def _package_id(meta: SkillMeta) -> str:
    return meta.package_id or meta.name


def _skill(asset: AnyAsset) -> Asset[SkillMeta]:
    if not isinstance(asset.meta, SkillMeta):
        raise UsageError(f"{asset.meta.id} is no skill")
    return Asset(asset.folder, asset.meta)


def _is_same(arrival: Arrival, asset: Asset[SkillMeta]) -> bool:
    held: SkillSnapshot = snapshot.read(asset)
    draft = arrival.draft
    mine = (None if held.package is None else dict(held.package), held.executables)
    return mine == (dict(draft.package or {}), draft.executables)


def _require_higher(job: JobPackage, installed: str) -> None:
    """Raise ``NotHigher`` for a version that does not follow the *installed* one. Any follows one
    from a digest, which has no order, and what is no version: a hand wrote that."""
    uploaded = job.version or ""
    if not is_version(installed) or is_from_digest(installed):
        return
    if is_from_digest(uploaded) or Version(uploaded) <= Version(installed):
        raise NotHigher(job.id, installed, uploaded)


def _change(arrival: Arrival) -> SkillChange:
    draft = arrival.draft
    return SkillChange(
        package=draft.package,
        executables=draft.executables,
        description=draft.about.description,
        source=draft.about.source,
        package_id=draft.package_id,
        package_version=draft.package_version,
    )


def _installed(done: Shelved, job: JobPackage, action: Action, notes: tuple[str, ...]) -> Installed:
    return Installed(
        skill_id=job.id,
        id=done.id,
        version=job.version or "",
        library_version=done.version,
        action=action,
        notes=(*done.notes, *notes),
    )


def _changed(done: Shelved, meta: SkillMeta, action: Action) -> Installed:
    return Installed(
        skill_id=_package_id(meta),
        id=done.id,
        version=meta.package_version or "",
        library_version=done.version,
        action=action if done.changed else "unchanged",
        notes=done.notes,
    )
