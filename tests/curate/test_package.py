"""A skill as the agent gets it: which files, under which digest."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.curate.shelves import add_skill
from whet.core.errors import EnvironmentProblem, NotFound, UsageError
from whet.curate import library
from whet.curate.library import HIDDEN, folder_package, package

NOBODY = 65534


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A skill with a package of two files."""
    made = add_skill(tmp_path)
    (made / "package/scripts").mkdir(parents=True)
    (made / "package/SKILL.md").write_text("# Writer")
    (made / "package/scripts/run.py").write_text("print()")
    return made


def test_a_text_is_one_file(tmp_path: Path) -> None:
    skill, content = package(add_skill(tmp_path, text="小心。\r\n"), "Writer")
    assert skill.kind == "text"
    assert content == {"content.txt": "小心。\r\n".encode()}
    assert [(file.path, file.size) for file in skill.files] == [("content.txt", 11)]
    assert skill.entry == skill.files[0]


def test_a_package_is_its_folder_and_not_the_text_beside_it(folder: Path) -> None:
    skill, content = package(folder, "Writer")
    assert skill.kind == "package"
    assert list(content) == ["SKILL.md", "scripts/run.py"]
    assert skill.entry.path == "SKILL.md"
    (folder / "content.txt").write_text("other")
    (folder / "tags.json").write_text("{}")
    assert package(folder, "Writer")[0].digest == skill.digest


def test_the_digest_follows_content_and_paths_only(folder: Path) -> None:
    before = package(folder, "Writer")[0].digest
    assert package(folder, "Another name")[0].digest == before
    assert package(folder.rename(folder.with_name("elsewhere")), "Writer")[0].digest == before


@pytest.mark.parametrize("change", ["content", "name", "more"])
def test_any_change_is_another_digest(folder: Path, change: str) -> None:
    before = package(folder, "Writer")[0].digest
    script = folder / "package/scripts/run.py"
    match change:
        case "content":
            script.write_text("print( )")
        case "name":
            script.rename(script.with_name("walk.py"))
        case _:
            script.with_name("empty").touch()
    assert package(folder, "Writer")[0].digest != before


@pytest.mark.parametrize("hidden", [*sorted(HIDDEN), "Evals", "EVALS", ".Git"])
@pytest.mark.parametrize("above", [".", "scripts", "scripts/deep/er"])
def test_tests_histories_and_workspaces_are_left_out(folder: Path, hidden: str, above: str) -> None:
    """The agent never sees its own test, wherever in the package it lies."""
    before = package(folder, "Writer")
    secret = folder / "package" / above / hidden / "below"
    secret.mkdir(parents=True)
    (secret / "evals.json").write_text("the expected answer")
    assert package(folder, "Writer") == before


def test_names_that_only_look_like_it_are_kept(folder: Path) -> None:
    for name in ("evals.md", "my-evals", ".gitignore", "workspace.py"):
        (folder / "package" / name).write_text("kept")
    assert {"evals.md", "my-evals", ".gitignore", "workspace.py"} <= package(folder, "W")[1].keys()


def test_what_is_no_skill_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody names a home folder by mistake, or through the API on purpose."""
    (tmp_path / "private").write_bytes(b"x" * 1000)
    monkeypatch.setattr(library, "MOST_BYTES", 100)
    with pytest.raises(NotFound, match=r"no SKILL\.md"):
        folder_package(tmp_path)
    (tmp_path / "SKILL.md").symlink_to(tmp_path / "private")
    with pytest.raises(NotFound, match=r"no SKILL\.md"):
        folder_package(tmp_path)


@pytest.mark.parametrize("limit", ["MOST_BYTES", "MOST_FILES"])
def test_a_skill_as_large_as_a_disk_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    whole = len(package(folder, "Writer")[1]) if limit == "MOST_FILES" else 15
    monkeypatch.setattr(library, limit, whole)
    assert len(package(folder, "Writer")[1]) == 2
    monkeypatch.setattr(library, limit, whole - 1)
    with pytest.raises(UsageError, match="is no skill: it has more than"):
        package(folder, "Writer")


def test_folders_without_end_are_refused(folder: Path) -> None:
    deepest = folder / "package" / ("d/" * 900)
    deepest.mkdir(parents=True)
    with pytest.raises(UsageError, match="folders inside one another"):
        package(folder, "Writer")


def test_links_are_not_followed(folder: Path, tmp_path: Path) -> None:
    before = package(folder, "Writer")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("secret")
    whole = folder / "package"
    (whole / "file").symlink_to(outside / "secret.txt")
    (whole / "folder").symlink_to(outside)
    (whole / "circle").symlink_to(whole)
    (whole / "nowhere").symlink_to("gone")
    (whole / "scripts/inside").symlink_to(whole / "SKILL.md")
    assert package(folder, "Writer") == before


def test_a_linked_entry_is_no_entry(folder: Path) -> None:
    entry = folder / "package/SKILL.md"
    entry.rename(entry.with_name("real.md"))
    entry.symlink_to("real.md")
    with pytest.raises(NotFound, match=r"no SKILL\.md"):
        package(folder, "Writer")


def test_a_pipe_is_not_read(folder: Path) -> None:
    before = package(folder, "Writer")
    os.mkfifo(folder / "package/pipe")
    assert package(folder, "Writer") == before


def test_without_an_entry_there_is_no_skill(folder: Path, tmp_path: Path) -> None:
    (folder / "package/SKILL.md").unlink()
    with pytest.raises(NotFound, match=r"package: no SKILL\.md"):
        package(folder, "Writer")
    with pytest.raises(NotFound, match=r"no content\.txt"):
        package(tmp_path, "Writer")


@pytest.mark.parametrize("name", [b"back\\slash", b"\xff\xfe"])
def test_a_name_that_not_every_machine_can_have_is_refused(folder: Path, name: bytes) -> None:
    with open(os.path.join(os.fsencode(folder), b"package", name), "wb"):  # noqa: PTH118, PTH123
        pass
    with pytest.raises(UsageError, match="cannot be the name of a file") as caught:
        package(folder, "Writer")
    str(caught.value).encode()


def test_names_of_any_script_are_kept(folder: Path) -> None:
    (folder / "package/指南 (1).md").write_text("x")
    assert "指南 (1).md" in package(folder, "Writer")[1]


def test_what_may_not_be_read_is_named(folder: Path) -> None:
    path = folder / "package/SKILL.md"
    path.chmod(0)
    with unprivileged(), pytest.raises(EnvironmentProblem, match=r"cannot read .*Permission"):
        package(folder, "Writer")


@contextmanager
def unprivileged() -> Generator[None]:
    """Nobody's rights instead of root's, whom no permission stops."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)
