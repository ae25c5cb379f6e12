"""Put versions of assets on disk for the index, and look at what it makes of them."""

import json
import time
import uuid
from pathlib import Path

from pydantic import JsonValue

from whet.core.asset_query import AssetQuery
from whet.ports.index import Refreshed
from whet.ports.listing import Kind
from whet.stores.index import FileIndex
from whet.stores.index.look import YOUNG_NS

MOMENT = "2024-01-01T12:00:00Z"
ALL = AssetQuery(status="all", sort="name", order="asc", page_size=200)


def identity(name: str) -> str:
    """The same id for the same name, every time."""
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, name))


def add(
    workspace: Path,
    name: str = "Writer",
    version: int = 1,
    content: str | list[str] = "Be careful.",
    tags: tuple[str, ...] = (),
    **meta: JsonValue,
) -> Path:
    """A version of a skill with a text, or of a baseline with one case for each text."""
    kind: Kind = "skill" if isinstance(content, str) else "baseline"
    fields: dict[str, JsonValue] = {
        "id": identity(name),
        "name": name,
        "description": "",
        "purpose": "code",
        "provider": "me",
        "version": f"v{version}",
        "version_count": version,
        "status": "active",
        "created_at": MOMENT,
        "updated_at": MOMENT,
    }
    if kind == "skill":
        fields |= {"type": "skill", "content_file": "content.txt"}
    else:
        fields["case_count"] = len(content)
    fields |= meta
    where = f"{kind}s/{fields['purpose']}/{fields['provider']}"
    folder = workspace / where / f"{kind}_{identity(name)[:8]}_v{version}"
    write(folder / "meta.json", fields)
    write_tags(folder, *tags)
    if isinstance(content, str):
        (folder / "content.txt").write_text(content)
    else:
        write_cases(folder, content)
    return folder


def write_cases(folder: Path, inputs: list[str]) -> None:
    """One case for each input."""
    cases: list[JsonValue] = [
        {
            "id": f"case_{number:03}",
            "name": f"Number {number}",
            "category": "standard",
            "input": text,
            "expected_output": "",
            "created_at": MOMENT,
            "updated_at": MOMENT,
        }
        for number, text in enumerate(inputs, 1)
    ]
    write(folder / "cases.json", {"baseline_id": "b", "version": "v1", "cases": cases})


def write_tags(folder: Path, *values: str, pending: tuple[str, ...] = ()) -> None:
    """Tags of a person, and proposals that wait for one."""
    given: list[JsonValue] = [
        {"id": str(number), "value": value, "created_at": MOMENT}
        for number, value in enumerate(values)
    ]
    proposed: list[JsonValue] = [
        {
            "id": f"auto{number}",
            "value": value,
            "status": "pending",
            "generated_at": MOMENT,
            "log_ref": "",
        }
        for number, value in enumerate(pending)
    ]
    write(folder / "tags.json", {"manual": given, "auto": proposed})


def write(path: Path, value: JsonValue) -> None:
    """One JSON file, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def counts(found: Refreshed) -> tuple[int, int, int, int]:
    """What a refresh found, without its seconds."""
    return found.added, found.changed, found.removed, found.broken


def previews(index: FileIndex) -> dict[str, str]:
    """How every skill begins."""
    return {entry.meta.name: entry.content_preview for entry in index.skills(ALL).items}


def settled(folder: Path) -> None:
    """Wait until nothing in the folder is young any more."""
    newest = max(path.lstat().st_ctime_ns for path in (folder, *folder.rglob("*")))
    while time.time_ns() < newest + YOUNG_NS:
        time.sleep(0.05)
