"""A version held against the history record that lies beside it.

It says what an edit made of the content, and so whether the content is still that, also where the
index was deleted and nobody remembers.
"""

import os

from pydantic import JsonValue

from whet.core.address import digest_bytes
from whet.core.errors import WhetError
from whet.documents.assets import Change, Diff, HistoryRecord
from whet.documents.text import parse_json
from whet.stores.index.folder import Found
from whet.stores.index.look import read_file

MOST_RECORD = 64 * 1024 * 1024


def is_as_recorded(folder: str, found: Found) -> bool:
    """Whether the content is what the library wrote, as far as the folder can tell."""
    files = found.files
    if found.is_package and files.get("content.txt", "") not in ("", files["package/SKILL.md"]):
        return False
    record = _record(folder, found)
    return record is None or _fits(record.diff, found)


def _record(folder: str, found: Found) -> HistoryRecord | None:
    """The record of the edit that made the version; the last one, should there be several."""
    if found.meta is None or found.number < 2:
        return None
    try:
        names = os.listdir(f"{folder}/history")  # noqa: PTH208 - names are wanted
    except OSError:
        return None
    part = f"_to_{found.meta.version}_"
    for name in sorted(names, reverse=True):
        if part in name and name.endswith(".json"):
            try:
                data = parse_json(read_file(folder, f"history/{name}", MOST_RECORD), name)
                return HistoryRecord.parse(data, name)
            except WhetError:
                return None
    return None


def _fits(diff: Diff, found: Found) -> bool:
    files = found.files
    if diff.content is not None and isinstance(diff.content.after, str):
        entry = "package/SKILL.md" if found.is_package else "content.txt"
        if files.get(entry) != _digest(diff.content.after):
            return False
    if isinstance(diff.cases, dict) and found.cases is not None:
        cases = {case.id: case.to_data() for case in found.cases}
        if any(cases.get(key) != change.after for key, change in diff.cases.items()):
            return False
    beside = (diff.model_extra or {}).items()
    return all(files.get(key) == _after(change) for key, change in beside if _is_file(key))


def _is_file(key: str) -> bool:
    return key.startswith("package/")


def _after(change: JsonValue) -> JsonValue:
    try:
        return Change.parse(change, "").after
    except WhetError:
        return None


def _digest(text: str) -> str:
    try:
        return digest_bytes(text.encode(errors="surrogateescape"))
    except UnicodeEncodeError:
        return digest_bytes(text.encode(errors="surrogatepass"))
