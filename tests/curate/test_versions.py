"""Versions: what an edit makes, what it leaves alone, and what it refuses."""

import json
import os
import uuid
from pathlib import Path

import pytest

from tests.curate.assets import LATER, baseline, case, package_skill, text_skill, tree
from whet.core.errors import Conflict, NotFound, UsageError
from whet.curate import revise
from whet.curate.change import BaselineChange, SkillChange
from whet.curate.snapshot import read
from whet.curate.versions import archive, edit, history, restore, rollback, versions

FIRST = "2024-01-01T12:00:00Z"
SECOND = "2024-01-01T13:00:00Z"


def test_a_new_skill_is_as_the_format_says(tmp_path: Path) -> None:
    made = text_skill(tmp_path)
    assert uuid.UUID(made.meta.id).version == 4
    assert made.folder == tmp_path / f"skills/code/me/skill_{made.meta.id[:8]}_v1"
    assert json.loads((made.folder / "meta.json").read_text()) == {
        "id": made.meta.id,
        "name": "Writer",
        "description": "Writes.",
        "author": "Zhang",
        "source": "here",
        "purpose": "code",
        "provider": "me",
        "type": "skill",
        "version": "v1",
        "version_count": 1,
        "content_file": "content.txt",
        "status": "active",
        "created_at": FIRST,
        "updated_at": FIRST,
    }
    assert json.loads((made.folder / "tags.json").read_text()) == {"manual": [], "auto": []}
    assert sorted(path.name for path in made.folder.iterdir()) == [
        "auto_tag_log",
        "content.txt",
        "history",
        "meta.json",
        "tags.json",
    ]
    assert (made.folder / "content.txt").read_bytes() == b"Be careful.\n"


def test_a_package_is_written_whole_with_its_entry_as_content(tmp_path: Path) -> None:
    made = package_skill(tmp_path)
    files = tree(made.folder / "package")
    assert list(files) == ["SKILL.md", "data.bin", "evals/evals.json", "scripts/run.sh"]
    assert (made.folder / "content.txt").read_bytes() == files["SKILL.md"]
    executable = [p.name for p in made.folder.rglob("*") if p.is_file() and os.access(p, os.X_OK)]
    assert executable == ["run.sh"]
    read_back = read(made)
    assert read_back.package == files
    assert read_back.executables == {"scripts/run.sh"}


def test_an_edit_is_the_next_version_and_leaves_the_old_one_alone(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    before = tree(first.folder)
    second = edit(tmp_path, first.meta.id, "v1", SkillChange(content="Be bold.\n"), LATER)
    assert tree(first.folder) == before
    assert second.folder == first.folder.with_name(f"skill_{first.meta.id[:8]}_v2")
    assert (second.folder / "content.txt").read_text() == "Be bold.\n"
    assert second.meta == first.meta.model_copy(
        update={"version": "v2", "version_count": 2, "updated_at": SECOND}
    )
    assert [asset.folder for asset in versions(tmp_path, first.meta.id).versions] == [
        first.folder,
        second.folder,
    ]
    path = second.folder / "history/v1_to_v2_20240101130000.json"
    assert json.loads(path.read_text()) == {
        "from_version": "v1",
        "to_version": "v2",
        "timestamp": SECOND,
        "changed_fields": ["content"],
        "diff": {"content": {"before": "Be careful.\n", "after": "Be bold.\n"}},
    }


def test_a_new_text_of_a_package_keeps_the_other_files(tmp_path: Path) -> None:
    first = package_skill(tmp_path)
    second = edit(tmp_path, first.meta.id, "v1", SkillChange(content="New.\n"), LATER)
    package = {**tree(first.folder / "package"), "SKILL.md": b"New.\n"}
    assert tree(second.folder / "package") == package
    assert (second.folder / "content.txt").read_bytes() == b"New.\n"
    assert read(second).executables == {"scripts/run.sh"}
    assert history(tmp_path, first.meta.id).records[0].changed_fields == ("content",)


def test_a_package_may_be_replaced_and_a_text_become_one(tmp_path: Path) -> None:
    text = text_skill(tmp_path)
    change = SkillChange(package={"SKILL.md": b"Be careful.\n", "a.sh": b"a", "b.sh": b"b"})
    second = edit(tmp_path, text.meta.id, "v1", change, LATER)
    change = SkillChange(executables=frozenset({"a.sh", "b.sh"}))
    edit(tmp_path, text.meta.id, second.meta.version, change, LATER)
    change = SkillChange(package={"SKILL.md": b"Be careful.\n", "b.sh": b"c"})
    fourth = edit(tmp_path, text.meta.id, "v3", change, LATER)
    assert read(fourth).executables == {"b.sh"}
    assert [record.changed_fields for record in history(tmp_path, text.meta.id).records] == [
        ("package/SKILL.md", "package/a.sh", "package/b.sh"),
        ("executables",),
        ("package/a.sh", "package/b.sh", "executables"),
    ]


def test_a_change_of_purpose_is_the_next_version_under_the_new_path(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    change = SkillChange(purpose="docs", provider="you")
    second = edit(tmp_path, first.meta.id, "v1", change, LATER)
    assert second.folder == tmp_path / f"skills/docs/you/skill_{first.meta.id[:8]}_v2"
    third = edit(tmp_path, first.meta.id, "v2", SkillChange(name="Author"), LATER)
    assert third.folder.parent == second.folder.parent
    assert [a.meta.version for a in versions(tmp_path, first.meta.id).versions] == [
        "v1",
        "v2",
        "v3",
    ]
    assert [r.changed_fields for r in history(tmp_path, first.meta.id).records] == [
        ("meta.purpose", "meta.provider"),
        ("meta.name",),
    ]


@pytest.mark.parametrize(
    "change",
    [
        SkillChange(),
        SkillChange(name="Writer", purpose="code", provider="me", description="Writes."),
        SkillChange(type="skill"),
        SkillChange(content="Be careful.\n"),
    ],
)
def test_an_edit_that_changes_nothing_makes_nothing(tmp_path: Path, change: SkillChange) -> None:
    first = text_skill(tmp_path)
    before = tree(tmp_path)
    assert edit(tmp_path, first.meta.id, "v1", change, LATER) == first
    assert tree(tmp_path) == before
    with pytest.raises(Conflict):
        edit(tmp_path, first.meta.id, "v2", change, LATER)


def test_the_same_package_or_cases_change_nothing(tmp_path: Path) -> None:
    skill, tests = package_skill(tmp_path), baseline(tmp_path)
    files = tree(skill.folder / "package")
    assert edit(tmp_path, skill.meta.id, "v1", SkillChange(package=files), LATER) == skill
    again = tuple(case(one, moment="tomorrow") for one in ("case_001", "case_002"))
    change = BaselineChange(cases=again, rubric=None)
    assert edit(tmp_path, tests.meta.id, "v1", change, LATER) == tests


def test_whoever_comes_second_gets_the_conflict(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    edit(tmp_path, first.meta.id, "v1", SkillChange(purpose="docs"), LATER)
    before = tree(tmp_path)
    for attempt in (
        lambda: edit(tmp_path, first.meta.id, "v1", SkillChange(content="x"), LATER),
        lambda: rollback(tmp_path, first.meta.id, "v1", "v1", LATER),
    ):
        with pytest.raises(Conflict, match="expected v1, found v2") as caught:
            attempt()
        assert (caught.value.expected, caught.value.actual) == ("v1", "v2")
    assert tree(tmp_path) == before


def test_tags_logs_and_provenance_are_carried_over_byte_for_byte(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    kept = {
        "tags.json": b'{"manual": [], "auto": [], "ours": 1}',
        "provenance.json": b"{}",
        "auto_tag_log/session_20240101121000.json": b"not even JSON",
    }
    for name, data in kept.items():
        (first.folder / name).write_bytes(data)
    second = edit(tmp_path, first.meta.id, "v1", SkillChange(content="x"), LATER)
    assert {name: (second.folder / name).read_bytes() for name in kept} == kept
    third = edit(tmp_path, first.meta.id, "v2", SkillChange(content="y"), LATER)
    assert sorted(path.name for path in third.folder.glob("history/*")) == [
        "v2_to_v3_20240101130000.json"
    ]


def test_what_the_library_does_not_know_survives(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    path = first.folder / "meta.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "x-rank": [1], "odd": None}))
    edit(tmp_path, first.meta.id, "v1", SkillChange(content="x"), LATER)
    second = versions(tmp_path, first.meta.id).newest
    written = json.loads((second.folder / "meta.json").read_text())
    assert (written["x-rank"], written["odd"]) == ([1], None)
    assert list(written) == list(json.loads(path.read_text()))


def test_a_rollback_restores_everything_as_a_new_version(tmp_path: Path) -> None:
    first = package_skill(tmp_path)
    change = SkillChange(
        name="Author",
        purpose="docs",
        type="agent",
        package={"SKILL.md": b"other\n", "more.txt": b"more"},
    )
    edit(tmp_path, first.meta.id, "v1", change, LATER)
    third = rollback(tmp_path, first.meta.id, "v1", "v2", LATER)
    assert third.meta == first.meta.model_copy(
        update={"version": "v3", "version_count": 3, "updated_at": SECOND}
    )
    assert third.folder.parent == first.folder.parent
    assert read(third).facts() == read(first).facts()
    assert tree(third.folder / "package") == tree(first.folder / "package")
    assert rollback(tmp_path, first.meta.id, "v1", "v3", LATER) == third
    with pytest.raises(NotFound, match=r"no version 'v9'; it has v1, v2, v3"):
        rollback(tmp_path, first.meta.id, "v9", "v3", LATER)


def test_only_the_status_of_the_newest_version_changes(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    second = edit(tmp_path, first.meta.id, "v1", SkillChange(content="x"), LATER)
    before = tree(tmp_path)
    archived = archive(tmp_path, first.meta.id)
    assert archived.meta == second.meta.model_copy(update={"status": "archived"})
    assert archive(tmp_path, first.meta.id) == archived
    name = str(second.folder.relative_to(tmp_path) / "meta.json")
    changed = {path for path, data in tree(tmp_path).items() if before[path] != data}
    assert changed == {name}
    assert restore(tmp_path, first.meta.id) == second
    assert tree(tmp_path) == before


def test_an_archived_asset_stays_so_when_it_is_edited_or_rolled_back(tmp_path: Path) -> None:
    first = baseline(tmp_path)
    archive(tmp_path, first.meta.id)
    second = edit(tmp_path, first.meta.id, "v1", BaselineChange(name="New"), LATER)
    assert second.meta.status == "archived"
    restore(tmp_path, first.meta.id)
    third = rollback(tmp_path, first.meta.id, "v1", "v2", LATER)
    assert (third.meta.status, third.meta.name) == ("active", "Tests")


@pytest.mark.parametrize(
    "change",
    [
        SkillChange(purpose="../up"),
        SkillChange(provider="a/b"),
        SkillChange(name=""),
        SkillChange(description="\ud800"),
        SkillChange(author="\0"),
        SkillChange(content="half \ud800"),
        SkillChange(content="x", package={"SKILL.md": b"y"}),
        SkillChange(package={"README.md": b"y"}),
        SkillChange(package={"SKILL.md": b"\xff"}),
        SkillChange(package={"SKILL.md": b"", "a": b"", "a/b": b""}),
        SkillChange(package={"SKILL.md": b""}, executables=frozenset({"gone"})),
        SkillChange(executables=frozenset({"content.txt"})),
        SkillChange(content="x" * (revise.MOST_TEXT + 1)),
        SkillChange(source="x" * (revise.LONGEST_REMARK + 1)),
    ],
    ids=range(14),
)
def test_what_cannot_be_is_refused_and_nothing_written(tmp_path: Path, change: SkillChange) -> None:
    first = text_skill(tmp_path)
    before = tree(tmp_path)
    with pytest.raises(UsageError):
        edit(tmp_path, first.meta.id, "v1", change, LATER)
    assert tree(tmp_path) == before
    assert sorted(path.name for path in (tmp_path / "skills").iterdir()) == ["code"]


def test_a_folder_that_is_called_as_another_asset_is_found_by_its_metadata(tmp_path: Path) -> None:
    made = text_skill(tmp_path)
    made.folder.rename(made.folder.with_name("skill_0badcafe_v1"))
    found = versions(tmp_path, made.meta.id)
    assert found.newest.folder.name == "skill_0badcafe_v1"
    after = edit(tmp_path, made.meta.id, "v1", SkillChange(content="Be quick.\n"), LATER)
    assert after.meta.version == "v2"
    with pytest.raises(NotFound):
        versions(tmp_path, "0badcafe")
