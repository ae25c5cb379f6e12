"""Blobs: small ones in the database, large ones in files, the last ones in memory."""

import threading
from collections.abc import Generator
from pathlib import Path

import pytest

from whet.app.clock import SystemClock
from whet.core.errors import EnvironmentProblem, NotFound
from whet.stores.blobs import RECENT_BYTES, ROW_BYTES
from whet.stores.sql import SqlStore


def opened(folder: Path) -> SqlStore:
    return SqlStore(folder, lambda _owner: True, SystemClock())


@pytest.fixture
def store(tmp_path: Path) -> Generator[SqlStore]:
    store = opened(tmp_path)
    yield store
    store.close()


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "blobs").rglob("*") if path.is_file())


def test_only_large_blobs_are_files(store: SqlStore, tmp_path: Path) -> None:
    store.blobs.put(b"x" * ROW_BYTES)
    assert files(tmp_path) == []
    large = store.blobs.put(b"x" * (ROW_BYTES + 1))
    assert files(tmp_path) == [large[2:]]


@pytest.mark.parametrize("size", [0, ROW_BYTES, ROW_BYTES + 1, 3 * ROW_BYTES])
def test_a_blob_survives_its_process(store: SqlStore, tmp_path: Path, size: int) -> None:
    content = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    digest = store.blobs.put(content)
    store.close()
    later = opened(tmp_path)
    assert later.blobs.has(digest)
    assert later.blobs.get(digest) == content
    later.close()


def test_what_has_left_the_memory_comes_from_the_disk(store: SqlStore) -> None:
    """More than is kept in memory, of both kinds, and each comes back as it was."""
    piece = RECENT_BYTES // 20
    contents = [bytes([number]) * (piece if number % 2 else 1000) for number in range(60)]
    digests = [store.blobs.put(content) for content in contents]
    assert [store.blobs.get(digest) for digest in digests] == contents


def test_a_blob_larger_than_the_memory_is_kept(store: SqlStore) -> None:
    huge = b"h" * (RECENT_BYTES + 1)
    digest = store.blobs.put(huge)
    assert store.blobs.get(digest) == huge


def test_a_lost_file_is_not_found_by_its_name(store: SqlStore, tmp_path: Path) -> None:
    digest = store.blobs.put(b"x" * 500_000)
    store.close()
    (tmp_path / "blobs" / digest[:2] / digest[2:]).unlink()
    later = opened(tmp_path)
    assert not later.blobs.has(digest)
    with pytest.raises(NotFound, match=digest):
        later.blobs.get(digest)
    later.close()


def test_threads_that_put_the_same_content_make_one_file(store: SqlStore, tmp_path: Path) -> None:
    contents = [bytes([number]) * 200_000 for number in range(3)]
    threads = [
        threading.Thread(target=store.blobs.put, args=(content,)) for content in contents * 4
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(files(tmp_path)) == len(contents)


def test_a_folder_that_cannot_be_written_is_one_clear_line(store: SqlStore, tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("in the way")
    with pytest.raises(EnvironmentProblem, match="blobs") as problem:
        store.blobs.put(b"x" * 500_000)
    assert len(str(problem.value).splitlines()) == 1
