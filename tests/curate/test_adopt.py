"""Edits made in a version's folder by hand, taken over as the next version."""

from pathlib import Path

import pytest

from tests.curate.assets import LATER, baseline, case, package_skill, text_skill, tree
from whet.core.errors import Conflict
from whet.curate.change import BaselineChange, SkillChange
from whet.curate.library import cases
from whet.curate.snapshot import read
from whet.curate.versions import adopt, edit, history


def test_what_changed_is_told_where_the_history_knows_what_was_there(tmp_path: Path) -> None:
    first = package_skill(tmp_path)
    second = edit(tmp_path, first.meta.id, "v1", SkillChange(content="Two.\n"), LATER)
    assert adopt(tmp_path, first.meta.id, "v2", LATER) == second
    (second.folder / "package/SKILL.md").write_text("By hand.\n")
    (second.folder / "package/data.bin").unlink()
    before = tree(second.folder)
    third = adopt(tmp_path, first.meta.id, "v2", LATER)
    assert (third.meta.version, third.meta.version_count) == ("v3", 3)
    assert (third.folder / "content.txt").read_text() == "By hand.\n"
    assert tree(third.folder / "package") == tree(second.folder / "package")
    assert tree(second.folder) == before
    record = history(tmp_path, first.meta.id).records[-1]
    assert record.changed_fields == ("content", "package/data.bin")
    assert record.diff.content
    assert (record.diff.content.before, record.diff.content.after) == ("Two.\n", "By hand.\n")
    assert adopt(tmp_path, first.meta.id, "v3", LATER) == third


def test_what_a_first_version_was_nobody_knows(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    (first.folder / "content.txt").write_text("By hand.\n")
    second = adopt(tmp_path, first.meta.id, "v1", LATER)
    assert read(second).facts().content == "By hand.\n"
    record = history(tmp_path, first.meta.id).records[0]
    assert record.changed_fields == ("content",)
    assert record.diff.content
    assert record.diff.content.before is None


def test_cases_are_adopted_too(tmp_path: Path) -> None:
    first = baseline(tmp_path)
    own = cases(first.folder).cases
    second = edit(tmp_path, first.meta.id, "v1", BaselineChange(cases=(*own, case())), LATER)
    path = second.folder / "cases.json"
    path.write_text(path.read_text().replace("Sort a list.", "Sort it.", 1))
    third = adopt(tmp_path, first.meta.id, "v2", LATER)
    assert [one.input for one in cases(third.folder).cases] == ["Sort it."] + ["Sort a list."] * 2
    record = history(tmp_path, first.meta.id).records[-1]
    assert record.changed_fields == ("cases.case_001",)


def test_another_version_than_expected_is_not_adopted(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    with pytest.raises(Conflict):
        adopt(tmp_path, first.meta.id, "v2", LATER)
