"""An asset of the original on its way into our library: only what is not there yet is written."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import JsonValue

from whet.core.errors import UsageError, WhetError
from whet.core.naming import short
from whet.curate import library
from whet.curate.locks import locked
from whet.curate.original.found import Found, Source
from whet.curate.original.metadata import number_of
from whet.curate.original.reading import files_below, read_value
from whet.curate.original.report import Notebook
from whet.curate.places import is_behind_link, named
from whet.curate.shelving import shelve
from whet.curate.snapshot import SkillSnapshot, Snapshot
from whet.documents.assets import Tags
from whet.documents.files import write_atomic

_OURS = ("meta.json", "content.txt", "cases.json", "tags.json", "provenance.json")


def take_over(identity: str, found: Found, source: Source, workspace: Path) -> int:
    """Write those versions that are not here yet; how many."""
    newest = found.newest
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
                here[each] = shelve(workspace, snapshot, found.step(each), before)
            if newest in here and _same(here[newest], found.snapshots[newest]):
                _complete(here[newest], found, source)
            return len(missing)
    except WhetError as error:
        source.notebook.not_repaired(place, str(error))
        return 0


def _here(workspace: Path, snapshot: Snapshot) -> dict[int, Path]:
    """Where the versions of an asset lie in our workspace."""
    start = short(snapshot.meta.id)
    if isinstance(snapshot, SkillSnapshot):
        assets = library.skills(workspace, named(f"skill_{start}_v")).assets
    else:
        assets = library.baselines(workspace, named(f"baseline_{start}_v")).assets
    own = [asset for asset in assets if asset.meta.id == snapshot.meta.id]
    return {number_of(asset.meta.version): asset.folder for asset in own}


def _why_not(here: Mapping[int, Path], found: Found) -> str | None:
    """Why nothing is to be added to the versions that are here."""
    if max(here) >= found.newest:
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
    newest = found.newest
    place = found.folders[newest]
    chosen = [found.step(each) for each in found.snapshots]
    for record in found.records:
        if record not in chosen:
            digits = "".join(filter(str.isdecimal, record.timestamp))
            name = f"{record.from_version}_to_{record.to_version}_{digits}.json"
            _put(folder, f"history/{name}", record.to_json().encode())
    for path, name in files_below(place, source.notebook, place):
        top, _, rest = name.partition("/")
        if (
            name not in _OURS
            and top not in ("history", "package")
            and not (top == "auto_tag_log" and "/" not in rest and rest.endswith(".json"))
        ):
            _put(folder, name, path.read_bytes())
    _mend_tags(folder / "tags.json", place / "tags.json", source.notebook)


def _put(folder: Path, name: str, data: bytes) -> None:
    path = folder / name
    if is_behind_link(path, folder):
        raise UsageError(f"{path} is a link, or behind one; nothing is written there")
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
