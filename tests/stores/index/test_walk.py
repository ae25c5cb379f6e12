"""Random libraries and random edits: the index is what a plain walk finds."""

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.stores.index.libraries import ALL, add, identity, write_tags
from whet.curate import library
from whet.stores.index import FileIndex

NAMES = st.sampled_from(["a", "b", "c"])
STEPS = st.one_of(
    st.tuples(st.just("add"), NAMES, st.integers(1, 3), st.text(max_size=5)),
    st.tuples(st.just("edit"), NAMES, st.integers(1, 3), st.text(max_size=5)),
    st.tuples(st.just("tag"), NAMES, st.integers(1, 3), st.sampled_from(["x", "y"])),
    st.tuples(st.just("break"), NAMES, st.integers(1, 3), st.just("")),
    st.tuples(st.just("drop"), NAMES, st.integers(1, 3), st.just("")),
    st.tuples(st.just("look"), NAMES, st.just(1), st.just("")),
)


def step(workspace: Path, kind: str, name: str, version: int, text: str) -> None:
    folder = workspace / f"skills/code/me/skill_{identity(name)[:8]}_v{version}"
    if kind == "add":
        add(workspace, name, version, "", description=text)
        (folder / "content.txt").write_bytes(text.encode())
    elif not folder.exists():
        return
    elif kind == "edit":
        (folder / "content.txt").write_bytes(text.encode())
    elif kind == "tag":
        write_tags(folder, text)
    elif kind == "break":
        (folder / "meta.json").write_text("{")
    elif kind == "drop":
        shutil.rmtree(folder)


class Memory:
    """What the contents were when they were first looked at."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._first: dict[Path, bytes] = {}

    def look(self) -> None:
        """As the index does; a folder that is gone is forgotten, a broken one is not."""
        present = set(self._workspace.glob("skills/*/*/*"))
        kept = {folder: text for folder, text in self._first.items() if folder in present}
        readable = {asset.folder for asset in library.skills(self._workspace).assets}
        new = {folder: content(folder) for folder in readable}
        self._first = new | kept

    def is_edited(self, folder: Path) -> bool:
        return self._first[folder] != content(folder)


def content(folder: Path) -> bytes:
    return (folder / "content.txt").read_bytes()


def check(workspace: Path, index: FileIndex, memory: Memory) -> None:
    shelf = library.skills(workspace)
    assert len(index.broken()) == len(shelf.problems)
    entries = {entry.meta.id: entry for entry in index.skills(ALL).items}
    assert entries.keys() == {asset.meta.id for asset in shelf.assets}
    for found in entries.values():
        newest = shelf.find(found.meta.id)
        assert (found.meta, workspace / found.folder) == (newest.meta, newest.folder)
        text = content(newest.folder).decode().removeprefix("\ufeff")
        assert found.content_preview == text
        tags = json.loads((newest.folder / "tags.json").read_text())["manual"]
        assert found.tags == tuple(tag["value"] for tag in tags)
        assert found.edited_outside == memory.is_edited(newest.folder)
        assert {workspace / one.folder: one.edited_outside for one in found.versions} == {
            asset.folder: memory.is_edited(asset.folder)
            for asset in shelf.assets
            if asset.meta.id == found.meta.id
        }


@pytest.mark.slow
@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(STEPS, max_size=15))
def test_the_index_is_what_a_walk_finds(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, int, str]]
) -> None:
    workspace = tmp_path_factory.mktemp("library")
    index, memory = FileIndex(workspace), Memory(workspace)
    try:
        for one in (*steps, ("look", "", 0, "")):
            step(workspace, *one)
            if one[0] == "look":
                index.refresh()
                memory.look()
                check(workspace, index, memory)
    finally:
        index.close()
