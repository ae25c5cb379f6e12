"""Which skill somebody means: by what a package calls itself, by a name or by an id."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, cast

from packaging.version import Version

from whet.app.library.library import Library
from whet.app.packages.cache import PackageCache
from whet.core.arm import SkillPackage
from whet.core.asset_query import LARGEST_PAGE, PackageQuery
from whet.core.errors import NotFound, UsageError
from whet.curate.library import Asset
from whet.curate.manifest import is_version
from whet.curate.places import no_link
from whet.curate.segments import shown
from whet.documents.assets import SkillMeta
from whet.ports.entry import SkillEntry
from whet.ports.listing import Status


class Resolved(NamedTuple):
    """A version of a skill, as a job gets it."""

    asset: Asset[SkillMeta]
    package: SkillPackage
    content: Mapping[str, bytes]


@dataclass(frozen=True)
class Lookup:
    """Finds skills and packages in *library*, by its index."""

    library: Library
    cache: PackageCache

    def resolve(self, reference: str, version: str | None = None) -> Resolved:
        """The skill that a job is to use: of two that fit, an installed package goes before a
        mere name. The newest version, unless *version* or ``name@v2`` says which; a package's own
        version will do too.

        Raises ``NotFound``, also for a package that was removed, and ``UsageError`` where several
        fit.
        """
        entry, version = self._meant(reference, version)
        asset = self._version(entry, version)
        try:
            return Resolved(asset, *self.cache.read(asset.folder, asset.meta.name))
        except NotFound:  # it may have moved since the index looked
            self.library.index.refresh()
            entry, version = self._meant(entry.meta.id, version)
            asset = self._version(entry, version)
            return Resolved(asset, *self.cache.read(asset.folder, asset.meta.name))

    def installed(self, reference: str) -> SkillEntry:
        """A package, by what it calls itself, its name or its id; one that was removed by its id
        only. Raises ``NotFound``."""
        if (found := self.package(reference, "active")) is not None:
            return found
        try:
            found = self._entry(reference)
        except NotFound:
            raise NotFound(f"no package {shown(reference)} is installed") from None
        meta = found.meta
        if meta.package_version is None:
            raise NotFound(f"{shown(reference)} is a skill of the library, and no package")
        if meta.status == "archived" and not meta.id.startswith(reference):
            raise NotFound(f"no package {shown(reference)} is installed any more")
        return found

    def package(self, package_id: str, status: Status | None) -> SkillEntry | None:
        """The package that calls itself so, an active one if there is any."""
        found = [*self.packages(PackageQuery(package=package_id, status=status or "all"))]
        active = [entry for entry in found if entry.meta.status == "active"]
        if len(active) > 1:
            ids = ", ".join(sorted(entry.meta.id for entry in active))
            raise UsageError(f"{shown(package_id)} is several packages; archive all but one: {ids}")
        return next(iter(active or found), None)

    def packages(self, query: PackageQuery) -> Iterator[SkillEntry]:
        """All that fit, on whatever page."""
        query = query.model_copy(update={"page_size": LARGEST_PAGE})
        while True:
            page = self.library.index.skills(query)
            yield from page.items
            if query.page * LARGEST_PAGE >= page.total:
                return
            query = query.model_copy(update={"page": query.page + 1})

    def _meant(self, reference: str, version: str | None) -> tuple[SkillEntry, str | None]:
        try:
            return self._known(reference), version
        except NotFound:
            name, _, suffix = reference.rpartition("@")
            if not name or version is not None:
                raise
            return self._known(name), suffix

    def _known(self, reference: str) -> SkillEntry:
        entry = self.package(reference, "active") or self._entry(reference)
        if entry.meta.package_version is not None and entry.meta.status == "archived":
            raise NotFound(f"the package {shown(reference)} was removed; install it again")
        return entry

    def _entry(self, reference: str) -> SkillEntry:
        return cast(SkillEntry, self.library.entry(reference))

    def _version(self, entry: SkillEntry, wanted: str | None) -> Asset[SkillMeta]:
        newest = Asset(self.library.workspace / entry.folder, entry.meta)
        if wanted is None or wanted == entry.meta.version:
            return newest
        others = [self.library.workspace / one.folder for one in reversed(entry.versions)]
        return wanted_version(wanted, (_read(folder) for folder in others), entry.meta.name)


def wanted_version(
    wanted: str, newest_first: Iterator[Asset[SkillMeta]], name: str
) -> Asset[SkillMeta]:
    """The version ``v2`` of a skill, else the newest one in which a package gave itself *wanted*;
    raises ``NotFound``."""
    every = list(newest_first)
    for asset in every:
        if asset.meta.version == wanted:
            return asset
    for asset in every:
        if asset.meta.package_version is not None and _is_same(asset.meta.package_version, wanted):
            return asset
    known = ", ".join(_called(asset.meta) for asset in every)
    raise NotFound(f"{shown(name)} has no version {shown(wanted)}; it has {known}")


def _read(folder: Path) -> Asset[SkillMeta]:
    return Asset(folder, SkillMeta.load(no_link(folder / "meta.json")))


def _called(meta: SkillMeta) -> str:
    return f"{meta.version} ({meta.package_version})" if meta.package_version else meta.version


def _is_same(one: str, other: str) -> bool:
    if is_version(one) and is_version(other):
        return Version(one) == Version(other)
    return one == other
