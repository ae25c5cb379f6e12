"""Edits made outside: what the index remembers, and what it asks the history for."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.stores.index.libraries import (
    MOMENT,
    add,
    counts,
    previews,
    settled,
    write,
    write_cases,
    write_tags,
)
from whet.core.address import digest_bytes
from whet.stores.index import FileIndex


def is_edited(index: FileIndex) -> bool:
    return index.get("skill", "Writer").edited_outside


def test_only_the_content_counts_as_edited_outside(tmp_path: Path, index: FileIndex) -> None:
    folder = add(tmp_path, content="one")
    assert not is_edited(index)
    meta = json.loads((folder / "meta.json").read_text())
    write(folder / "meta.json", meta | {"status": "archived"})
    write_tags(folder, "new")
    index.refresh()
    assert not is_edited(index)
    (folder / "content.txt").write_text("two")
    index.refresh()
    assert is_edited(index)
    assert index.rebuild().changed == 1
    assert is_edited(index)
    add(tmp_path, version=2, content="two")
    index.refresh()
    entry = index.get("skill", "Writer")
    assert [v.edited_outside for v in entry.versions] == [True, False]
    assert not entry.edited_outside
    (folder / "content.txt").write_text("one")
    index.refresh()
    assert not index.get("skill", "Writer").versions[0].edited_outside


def test_a_moved_folder_brings_its_past_along(tmp_path: Path, index: FileIndex) -> None:
    folder = add(tmp_path, content="one")
    index.refresh()
    (folder / "content.txt").write_text("two")
    folder.parents[1].rename(tmp_path / "skills/other")
    assert counts(index.refresh()) == (1, 0, 1, 0)
    assert is_edited(index)


def test_a_document_that_was_broken_for_a_moment_changes_nothing(
    tmp_path: Path, index: FileIndex
) -> None:
    folder = add(tmp_path, content="one")
    index.refresh()
    meta = (folder / "meta.json").read_text()
    (folder / "meta.json").write_text("")
    (folder / "content.txt").write_text("two")
    index.refresh()
    (folder / "meta.json").write_text(meta)
    index.refresh()
    assert is_edited(index)


def test_cases_written_otherwise_are_the_same_cases(tmp_path: Path, index: FileIndex) -> None:
    folder = add(tmp_path, "b", content=["x"])
    index.refresh()
    cases = json.loads((folder / "cases.json").read_text())
    (folder / "cases.json").write_text(json.dumps(cases, indent=4))
    index.refresh()
    assert not index.get("baseline", "b").edited_outside
    write_cases(folder, ["y"])
    index.refresh()
    assert index.get("baseline", "b").edited_outside


def packaged(workspace: Path) -> Path:
    folder = add(workspace, content="one")
    for name in ("SKILL.md", "scripts/run.py", "evals/evals.json"):
        (folder / "package" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "package" / name).write_text("one")
    return folder


def rewrite(package: Path) -> None:
    (package / "scripts/run.py").write_text("two")


def remove(package: Path) -> None:
    (package / "evals/evals.json").unlink()


def create(package: Path) -> None:
    (package / "scripts/new.py").write_text("")


def move(package: Path) -> None:
    (package / "scripts").rename(package / "tools")


@pytest.mark.parametrize("edit", [rewrite, remove, create, move])
def test_an_edit_anywhere_in_a_package_is_seen(
    tmp_path: Path, index: FileIndex, edit: Callable[[Path], object]
) -> None:
    package = packaged(tmp_path) / "package"
    index.refresh()
    assert index.get("skill", "Writer").is_package
    (package / "__pycache__").mkdir()
    (package / "__pycache__/run.pyc").write_bytes(b"")
    (package / "link").symlink_to(tmp_path)
    index.refresh()
    assert not is_edited(index)
    edit(package)
    assert counts(index.refresh()) == (0, 1, 0, 0)
    assert is_edited(index)


@pytest.mark.slow
def test_a_package_that_lost_its_entry_is_named_until_it_is_back(
    tmp_path: Path, index: FileIndex
) -> None:
    entry = packaged(tmp_path) / "package/SKILL.md"
    entry.rename(entry.with_name("SKILL"))
    index.refresh()
    assert [found.reason for found in index.broken()] == ["package: no SKILL.md"]
    settled(entry.parents[1])
    index.refresh()
    entry.with_name("SKILL").rename(entry)
    index.refresh()
    assert index.broken() == []


def recorded(folder: Path, diff: dict[str, JsonValue]) -> None:
    write(
        folder / "history/v1_to_v2_20240101120000.json",
        {
            "from_version": "v1",
            "to_version": "v2",
            "timestamp": MOMENT,
            "changed_fields": [*diff],
            "diff": diff,
        },
    )


def change(after: JsonValue) -> JsonValue:
    return {"before": None, "after": after}


@pytest.mark.parametrize(
    ("diff", "expected"),
    [
        ({"content": change("one")}, False),
        ({"content": change("other")}, True),
        ({"meta": {"name": change("x")}}, False),
        ({"package/scripts/run.py": change(digest_bytes(b"one"))}, False),
        ({"package/scripts/run.py": change(digest_bytes(b"two"))}, True),
        ({"package/gone.py": change(None)}, False),
        ({"package/gone.py": change("some")}, True),
        ({"content": change(7), "rubric": change(None), "executables": change([])}, False),
    ],
)
def test_a_new_index_asks_the_history(
    tmp_path: Path, index: FileIndex, diff: dict[str, JsonValue], expected: object
) -> None:
    folder = packaged(tmp_path)
    meta = json.loads((folder / "meta.json").read_text())
    write(folder / "meta.json", meta | {"version": "v2"})
    recorded(folder, diff)
    assert is_edited(index) is expected
    index.refresh()
    assert is_edited(index) is expected


def test_the_history_of_cases_is_asked_too(tmp_path: Path, index: FileIndex) -> None:
    folder = add(tmp_path, "b", 2, content=["x"])
    (case,) = json.loads((folder / "cases.json").read_text())["cases"]
    recorded(folder, {"cases": {"case_001": change(case), "case_002": change(None)}})
    assert not index.get("baseline", "b").edited_outside
    other = add(tmp_path, "c", 2, content=["x"])
    recorded(other, {"cases": {"case_001": change(case | {"input": "was"})}})
    index.refresh()
    assert index.get("baseline", "c").edited_outside


def test_a_content_that_differs_from_its_package_was_edited(
    tmp_path: Path, index: FileIndex
) -> None:
    folder = packaged(tmp_path)
    (folder / "package/SKILL.md").write_text("two")
    assert is_edited(index)
    assert previews(index) == {"Writer": "two"}
    (folder / "package/SKILL.md").write_text("one")
    index.refresh()
    assert not is_edited(index)
