"""Skills and baselines of the original program, taken over version by version."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from whet.core.errors import NotFound, WhetError
from whet.curate.library import Asset
from whet.curate.original import rebuilding
from whet.curate.original.arriving import take_over
from whet.curate.original.case_files import mended_cases
from whet.curate.original.found import Found, Source
from whet.curate.original.metadata import AssetKind, Place, mended, number_of
from whet.curate.original.reading import as_document, folders, read_fields, read_value
from whet.curate.original.report import Notebook
from whet.curate.snapshot import BaselineSnapshot, SkillSnapshot, Snapshot, read
from whet.documents.assets import BaselineMeta, HistoryRecord, SkillMeta

_INNER = ("history", "auto_tag_log", "package")
_LONGEST_TIME = 40


def import_assets(kind: AssetKind, source: Source, workspace: Path) -> tuple[int, int]:
    """Take over every asset of a kind; how many there were, and in how many versions."""
    gathered: dict[str, Found] = {}
    for folder in folders(source.root, f"{kind}s/*/*/{kind}_*", source.notebook):
        _gather(kind, folder, source, gathered)
    written = [
        take_over(identity, _rebuilt(found, source), source, workspace)
        for identity, found in gathered.items()
    ]
    return sum(map(bool, written)), sum(written)


def _gather(kind: AssetKind, folder: Path, source: Source, gathered: dict[str, Found]) -> None:
    for name in _INNER:
        if (folder / name).is_symlink():
            source.notebook.left_out(folder, f"its {name} is a link")
            return
    records = tuple(_records(folder, source.notebook))
    snapshot = _snapshot(kind, folder, records, source)
    if snapshot is None:
        return
    found = gathered.setdefault(snapshot.meta.id, Found())
    place = number_of(snapshot.meta.version)
    if place in found.folders:
        also = found.folders[place].relative_to(source.root)
        source.notebook.not_repaired(folder, f"is {snapshot.meta.version} of {also}, once more")
        return
    found.folders[place], found.snapshots[place] = folder, snapshot
    found.records += [record for record in records if record not in found.records]


def _records(folder: Path, notebook: Notebook) -> Iterator[HistoryRecord]:
    for path in sorted(folder.glob("history/*.json")):
        raw = read_value(path, notebook)
        if raw is None:
            continue
        fixed = rebuilding.mended_record(raw)
        notebook.compared(path, raw, fixed)
        record = as_document(HistoryRecord, fixed, path, notebook)
        if record is None:
            continue
        if not (number_of(record.from_version) and number_of(record.to_version)):
            notebook.not_repaired(path, "does not say from which version to which")
        elif len(record.timestamp) > _LONGEST_TIME:
            notebook.not_repaired(path, "timestamp is none", record.timestamp)
        else:
            yield record


def _snapshot(
    kind: AssetKind, folder: Path, records: tuple[HistoryRecord, ...], source: Source
) -> Snapshot | None:
    """The version that lies in a folder, with its metadata made whole."""
    notebook = source.notebook
    raw = read_fields(folder / "meta.json", notebook)
    if not raw:
        notebook.changed(folder / "meta.json", "made anew from what else is known")
    if kind == "skill":
        fields = mended(raw, Place(kind, folder, source.now, records, source.known), notebook)
        meta = as_document(SkillMeta, fields, folder / "meta.json", notebook)
        return None if meta is None else _skill(folder, meta, records, notebook)
    place = folder / "cases.json"
    written = read_value(place, notebook)
    if written is None:
        notebook.changed(place, "is not there or not readable; the baseline has no cases")
    draft = Place(kind, folder, source.now, records, source.known)
    quiet = Notebook(source.root)
    owner = mended(raw, draft, quiet)
    named = (str(owner["id"]), str(owner["version"]))
    document = mended_cases(written, named, source.now, place, notebook)
    whole = Place(kind, folder, source.now, records, source.known, len(document.cases))
    meta = as_document(BaselineMeta, mended(raw, whole, notebook), folder / "meta.json", notebook)
    return None if meta is None else BaselineSnapshot(meta, document)


def _skill(
    folder: Path, meta: SkillMeta, records: tuple[HistoryRecord, ...], notebook: Notebook
) -> SkillSnapshot | None:
    place = folder / "content.txt"
    if place.is_symlink():
        notebook.left_out(place, "is a link")
    else:
        try:
            return read(Asset(folder, meta))
        except NotFound:
            pass
        except WhetError as error:
            notebook.not_repaired(folder, str(error))
            return None
    last = rebuilding.step_to(number_of(meta.version), records, None)
    told = last.diff.content.after if last and last.diff.content else None
    text = told if isinstance(told, str) else ""
    notebook.changed(place, "is not there; what the history says came last", None, text)
    return SkillSnapshot(meta, text.encode(errors="surrogateescape"))


def _rebuilt(found: Found, source: Source) -> Found:
    """*found* with every earlier version that can be known."""
    place = found.folders[found.newest]
    identity = found.snapshots[found.newest].meta.id
    present: Snapshot | None = None
    for each in _told(found, identity, source):
        present = found.snapshots.get(each) or present
        if present is None or number_of(present.meta.version) != each:
            present = _copied(found, each, source)
        if present is None:
            continue
        found.snapshots[each] = present
        step = found.step(each)
        if step and isinstance(present, SkillSnapshot):
            _compare(present, step, place, source.notebook)
        earlier = rebuilding.step_to(each - 1, found.records, None)
        moment = earlier.timestamp if earlier else present.meta.created_at
        present = rebuilding.before(present, step, moment) if step else None
    for gap in _gaps(sorted(found.snapshots)):
        source.notebook.not_repaired(place, f"{gap} cannot be rebuilt")
    if made := sorted(set(found.snapshots) - set(found.folders)):
        versions = ", ".join(f"v{each}" for each in made)
        source.notebook.changed(place, "has folders of their own now", None, versions)
    return found


def _told(found: Found, identity: str, source: Source) -> list[int]:
    """The versions that something is known of, newest first."""
    numbers = {number_of(version) for name, version in source.copies if name == identity}
    for record in found.records:
        numbers |= {number_of(record.to_version), number_of(record.from_version)}
    newest = found.newest
    return sorted({n for n in numbers if 0 < n < newest} | set(found.snapshots), reverse=True)


def _compare(snapshot: SkillSnapshot, step: HistoryRecord, place: Path, notebook: Notebook) -> None:
    if step.diff.content and not rebuilding.fits(step, snapshot.content):
        what = f"{snapshot.meta.version} is not what the history says; the file is believed"
        text = snapshot.content.decode(errors="replace")
        notebook.changed(place, what, step.diff.content.after, text)


def _gaps(numbers: Sequence[int]) -> Iterator[str]:
    """The versions between and before these, in words."""
    for below, each in zip((0, *numbers), numbers, strict=False):
        if each - below > 1:
            last = f" to v{each - 1}" if each - below > 2 else ""
            yield f"v{below + 1}{last}"


def _copied(found: Found, place: int, source: Source) -> Snapshot | None:
    """The version as a project keeps it."""
    newest = found.snapshots[found.newest]
    folder = source.copies.get((newest.meta.id, f"v{place}"))
    if folder is None or any((folder / name).is_symlink() for name in _INNER):
        return None
    kind: AssetKind = "skill" if isinstance(newest, SkillSnapshot) else "baseline"
    quiet = Notebook(source.root)
    snapshot = _snapshot(kind, folder, (), Source(source.root, source.now, quiet, source.known))
    if snapshot is None or (snapshot.meta.id, snapshot.meta.version) != (
        newest.meta.id,
        f"v{place}",
    ):
        return None
    copied = folder.relative_to(source.root).as_posix()
    source.notebook.changed(found.folders[found.newest], f"v{place} is taken from {copied}")
    return snapshot
