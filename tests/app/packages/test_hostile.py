"""Zips of strangers: nothing of them is taken unless all of it is fine."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.app.packages.hostile import FILES, HOSTILE
from tests.app.packages.making import assets, packed, unfolded
from whet.app.packages.packages import Packages
from whet.core.errors import InvalidImport, WhetError


@pytest.mark.parametrize(("made", "says"), HOSTILE, ids=range(len(HOSTILE)))
def test_is_refused(shelf: Packages, tmp_path: Path, made: Callable[[], bytes], says: str) -> None:
    data = made()
    with pytest.raises(InvalidImport, match=says):
        shelf.install_bytes(data, "x.zip")
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(InvalidImport, match=says):
        shelf.install(tmp_path / "x.zip")
    assert assets(shelf.library.workspace) == {}
    assert {path.name for path in tmp_path.iterdir()} == {"workspace", "x.zip"}


def test_a_zip_in_a_zip_is_a_file(shelf: Packages) -> None:
    shelf.install_bytes(packed({**FILES, "more.zip": packed(FILES)}), "x.zip")
    [found] = shelf.items()
    assert found.problems == ()


@pytest.mark.parametrize("name", ["", "\0", "../../x.zip", "x" * 5000, "a\nb.zip", "\u202ex.zip"])
def test_the_name_of_the_file_is_only_a_word(shelf: Packages, name: str) -> None:
    assert shelf.install_bytes(packed(FILES), name).action == "install"
    with pytest.raises(WhetError) as caught:
        shelf.install_bytes(b"", name)
    assert len(str(caught.value)) < 500


def test_links_in_a_folder_are_not_followed(shelf: Packages, tmp_path: Path) -> None:
    folder = unfolded(FILES, tmp_path / "text-report")
    (tmp_path / "secret").write_text("secret")
    (folder / "stolen").symlink_to(tmp_path / "secret")
    done = shelf.install(folder)
    assert done.notes == ("links are not followed: 'stolen'",)
    assert b"secret" not in shelf.resolve("text-report").content.values()


def test_what_is_no_zip_but_ends_like_one(shelf: Packages, tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("text-report/SKILL.md", "x" * 1000)
    with pytest.raises(InvalidImport, match="compressed in a way that is not supported"):
        shelf.install(path)
