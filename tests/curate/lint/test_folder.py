"""A folder is read as it is: nothing is followed, nothing waited for, nothing too large."""

from pathlib import Path

import pytest

from tests.curate.lint.samples import GOOD, found, make, write
from whet.core.errors import NotFound
from whet.curate.lint import folder
from whet.curate.lint.folder import skill_folders, skill_in


def test_what_a_link_leads_to_is_not_read(tmp_path: Path) -> None:
    write(tmp_path / "other", {"private.md": "private"})
    skill = make(tmp_path)
    (skill / "link.md").symlink_to(tmp_path / "other/private.md")
    (skill / "folder").symlink_to(tmp_path / "other")
    read = skill_in(skill)
    assert [file.path for file in read.files] == ["SKILL.md"]
    assert [tuple(odd) for odd in read.odd] == [("folder", "link_out"), ("link.md", "link_out")]


def test_a_link_is_no_skill_md(tmp_path: Path) -> None:
    write(tmp_path / "other", {"SKILL.md": GOOD})
    skill = write(tmp_path / "greet", {})
    (skill / "SKILL.md").symlink_to(tmp_path / "other/SKILL.md")
    assert ("SK001", "SKILL.md", 1) in found(skill)


@pytest.mark.parametrize(("limit", "most"), [("MOST_FILES", 2), ("MOST_BYTES", len(GOOD) + 17)])
def test_too_much_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    skill = make(tmp_path, a_md="x" * 9, b_md="x" * 9)
    assert not skill_in(skill).is_too_large
    monkeypatch.setattr(folder, limit, most)
    read = skill_in(skill)
    assert read.is_too_large
    assert ("SK503", "SKILL.md", 1) in found(skill)
    (skill / "b.md").unlink()
    assert not skill_in(skill).is_too_large


def test_own_tests_are_read_but_only_for_secrets(tmp_path: Path) -> None:
    skill = make(tmp_path, evals__a_md="[gone](gone.md)\r\n", evals__files__b_bin=b"\xff")
    assert found(skill) == {("SK509", "evals", 1)}
    write(skill, {"evals/.env": "A=1"})
    assert ("SK602", "evals/.env", 1) in found(skill)


def test_a_name_that_is_no_utf_8_is_shown(tmp_path: Path) -> None:
    skill = make(tmp_path)
    Path(str(skill) + "/a\udcff.md").touch()
    assert found(skill) == {("SK507", "a\\xff.md", 1)}


def test_a_folder_of_skills_is_looked_through(tmp_path: Path) -> None:
    for name in ("b", "a", ".agents/skills/c", "deep/er/d", "node_modules/e", "evals/f"):
        write(tmp_path / name, {"SKILL.md": GOOD, "inner/SKILL.md": GOOD})
    (tmp_path / "link").symlink_to(tmp_path / "a")
    names = [str(path.relative_to(tmp_path)) for path in skill_folders(tmp_path)]
    assert names == [".agents/skills/c", "a", "b", "deep/er/d"]


def test_a_skill_is_itself(tmp_path: Path) -> None:
    skill = make(tmp_path)
    assert skill_folders(skill) == [skill]
    assert skill_folders(skill / "SKILL.md") == [skill]


@pytest.mark.parametrize("name", ["gone", "empty", "file"])
def test_where_there_is_no_skill_that_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(NotFound, match=name):
        skill_folders(tmp_path / name)
