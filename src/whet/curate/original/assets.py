"""Skills and baselines of the original program, taken over version by version."""

import glob
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from whet.core.errors import NotFound, WhetError
from whet.core.naming import short
from whet.curate import library
from whet.curate.library import Asset
from whet.curate.locks import locked
from whet.curate.original import rebuilding
from whet.curate.original.case_files import mended_cases
from whet.curate.original.metadata import AssetKind, Place, mended, number_of
from whet.curate.original.reading import as_document, files_below, folders, read_fields, read_value
from whet.curate.original.report import Notebook
from whet.curate.shelving import shelve
from whet.curate.snapshot import BaselineSnapshot, SkillSnapshot, Snapshot, read
from whet.documents.assets import BaselineMeta, HistoryRecord, SkillMeta, Tags
from whet.documents.files import write_atomic

_OURS = ("meta.json", "content.txt", "cases.json", "tags.json", "provenance.json")
_INNER = ("history", "auto_tag_log", "package")
_LONGEST_TIME = 40


@dataclass(frozen=True)
class Source:
    """The original, and what its projects tell about its assets."""

    root: Path
    now: str
    notebook: Notebook
    known: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Full id and name by short id."""

    copies: Mapping[tuple[str, str], Path] = field(default_factory=dict[tuple[str, str], Path])
    """Where a project keeps a copy of an asset, by its id and version."""


@dataclass
class Found:
    """All that the original has of one asset: what lies in its folders, by version."""

    folders: dict[int, Path] = field(default_factory=dict[int, Path])
    snapshots: dict[int, Snapshot] = field(default_factory=dict[int, Snapshot])
    records: list[HistoryRecord] = field(default_factory=list[HistoryRecord])


def import_assets(kind: AssetKind, source: Source, workspace: Path) -> tuple[int, int]:
    """Take over every asset of a kind; how many there were, and in how many versions."""
    gathered: dict[str, Found] = {}
    for folder in folders(source.root, f"{kind}s/*/*/{kind}_*", source.notebook):
        _gather(kind, folder, source, gathered)
    written = [
        _take_over(identity, _rebuilt(found, source), source, workspace)
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
    place = found.folders[max(found.folders)]
    identity = found.snapshots[max(found.snapshots)].meta.id
    present: Snapshot | None = None
    for each in _told(found, identity, source):
        present = found.snapshots.get(each) or present
        if present is None or number_of(present.meta.version) != each:
            present = _copied(found, each, source)
        if present is None:
            continue
        found.snapshots[each] = present
        step = _step(found, each)
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
    newest = max(found.snapshots)
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
    newest = found.snapshots[max(found.snapshots)]
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
    source.notebook.changed(found.folders[max(found.folders)], f"v{place} is taken from {copied}")
    return snapshot


def _take_over(identity: str, found: Found, source: Source, workspace: Path) -> int:
    """Write those versions that are not here yet; how many."""
    newest = max(found.snapshots)
    place = found.folders[newest]
    try:
        with locked(workspace, identity):
            here = _here(workspace, found.snapshots[newest])
            missing = sorted(set(found.snapshots) - set(here))
            if here and (reason := _why_not(here, found)):
                source.notebook.skipped(place, reason)
                missing = []
            for each in missing:
                before = found.folders.get(each)
                snapshot = found.snapshots[each]
                here[each] = shelve(workspace, snapshot, _step(found, each), before)
            if newest in here and _same(here[newest], found.snapshots[newest]):
                _complete(here[newest], found, source)
            return len(missing)
    except WhetError as error:
        source.notebook.not_repaired(place, str(error))
        return 0


def _step(found: Found, place: int) -> HistoryRecord | None:
    snapshot = found.snapshots[place]
    content = snapshot.content if isinstance(snapshot, SkillSnapshot) else None
    return rebuilding.step_to(place, found.records, content)


def _here(workspace: Path, snapshot: Snapshot) -> dict[int, Path]:
    """Where the versions of an asset lie in our workspace."""
    start = glob.escape(short(snapshot.meta.id))
    if isinstance(snapshot, SkillSnapshot):
        assets = library.skills(workspace, f"skill_{start}_v*").assets
    else:
        assets = library.baselines(workspace, f"baseline_{start}_v*").assets
    own = [asset for asset in assets if asset.meta.id == snapshot.meta.id]
    return {number_of(asset.meta.version): asset.folder for asset in own}


def _why_not(here: Mapping[int, Path], found: Found) -> str | None:
    """Why nothing is to be added to the versions that are here."""
    if max(here) >= max(found.snapshots):
        return "is here already"
    if all(_same(folder, found.snapshots.get(each)) for each, folder in here.items()):
        return None
    return "is here already, with another content"


def _same(folder: Path, snapshot: Snapshot | None) -> bool:
    if isinstance(snapshot, SkillSnapshot):
        path = folder / "content.txt"
        return path.is_file() and path.read_bytes() == snapshot.content
    path = folder / "cases.json"
    return (
        snapshot is not None
        and path.is_file()
        and path.read_bytes() == snapshot.document.to_json().encode()
    )


def _complete(folder: Path, found: Found, source: Source) -> None:
    """What belongs to the newest version besides, where it is not there yet."""
    newest = max(found.snapshots)
    place = found.folders[newest]
    chosen = [_step(found, each) for each in found.snapshots]
    for record in found.records:
        if record not in chosen:
            digits = "".join(filter(str.isdecimal, record.timestamp))
            name = f"{record.from_version}_to_{record.to_version}_{digits}.json"
            _put(folder / "history" / name, record.to_json().encode())
    for path, name in files_below(place, source.notebook, place):
        top, _, rest = name.partition("/")
        if (
            name not in _OURS
            and top not in ("history", "package")
            and not (top == "auto_tag_log" and "/" not in rest and rest.endswith(".json"))
        ):
            _put(folder / name, path.read_bytes())
    _mend_tags(folder / "tags.json", place / "tags.json", source.notebook)


def _put(path: Path, data: bytes) -> None:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, data, durable=True)


def _mend_tags(path: Path, place: Path, notebook: Notebook) -> None:
    """Tags that are none would hide the others."""
    quiet = Notebook(notebook.root)
    raw = read_value(path, quiet, place)
    if not quiet.entries and not Tags.mistakes(raw):
        return
    fields = raw if isinstance(raw, dict) else {}
    fixed: dict[str, JsonValue] = {**fields, "manual": [], "auto": []}
    for name in ("manual", "auto"):
        tags = fields.get(name)
        for tag in tags if isinstance(tags, list) else []:
            one: JsonValue = {"manual": [], "auto": [], name: [tag]}
            kept = fixed[name]
            if Tags.mistakes(one) or not isinstance(kept, list):
                notebook.not_repaired(place, f"a tag under {name} is left out", tag)
            else:
                fixed[name] = [*kept, tag]
    notebook.entries += quiet.entries
    notebook.changed(place, "made whole", raw, fixed)
    write_atomic(path, Tags.parse(fixed, str(path)).to_json(), durable=True)
