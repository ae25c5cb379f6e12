"""Version folders among others: foreign, broken, unfinished and hostile ones."""

import os
import resource
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.curate.assets import ABOUT, LATER, NOW, baseline, package_skill, text_skill, tree
from tests.curate.shelves import add_skill, identity
from whet.core.errors import Conflict, EnvironmentProblem, NotFound, UsageError
from whet.curate import library, tags
from whet.curate.change import BaselineChange, SkillChange
from whet.curate.draft import BaselineDraft, SkillDraft
from whet.curate.library import cases
from whet.curate.snapshot import read
from whet.curate.versions import archive, create, edit, history, rollback, versions


def test_a_skill_is_no_baseline(tmp_path: Path) -> None:
    skill, tests = text_skill(tmp_path), baseline(tmp_path)
    with pytest.raises(UsageError, match="is no baseline"):
        edit(tmp_path, skill.meta.id, "v1", BaselineChange(name="x"), LATER)
    with pytest.raises(UsageError, match="is no skill"):
        edit(tmp_path, tests.meta.id, "v1", SkillChange(name="x"), LATER)


@pytest.mark.parametrize("wanted", ["nobody", "", "..", "../../etc/passwd", "*", "[a-z]", "\0"])
def test_an_unknown_id_leaves_no_trace(tmp_path: Path, wanted: str) -> None:
    first = text_skill(tmp_path)
    before = tree(tmp_path)
    attempts: list[Callable[[], object]] = [
        lambda: edit(tmp_path, wanted, "v1", SkillChange(name="x"), LATER),
        lambda: rollback(tmp_path, wanted, "v1", "v1", LATER),
        lambda: archive(tmp_path, wanted),
        lambda: history(tmp_path, wanted),
        lambda: versions(tmp_path, wanted),
        lambda: edit(tmp_path, first.meta.id[:8], "v1", SkillChange(name="x"), LATER),
    ]
    for attempt in attempts:
        with pytest.raises(NotFound):
            attempt()
    assert tree(tmp_path) == before


def test_links_lead_nowhere(tmp_path: Path) -> None:
    first = text_skill(tmp_path / "workspace")
    outside = tmp_path / "outside"
    (outside / "me").mkdir(parents=True)
    (tmp_path / "workspace/skills/docs").symlink_to(outside)
    for change in (SkillChange(purpose="docs"), SkillChange(purpose="docs", provider="new")):
        with pytest.raises(UsageError, match="leads elsewhere"):
            edit(tmp_path / "workspace", first.meta.id, "v1", change, LATER)
    assert list(tree(outside)) == []
    assert [path.name for path in outside.iterdir()] == ["me"]


def test_a_version_that_is_a_link_is_neither_read_nor_written(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    first = text_skill(workspace)
    first.folder.rename(tmp_path / "elsewhere")
    first.folder.symlink_to(tmp_path / "elsewhere")
    before = tree(tmp_path / "elsewhere")
    for attempt in (
        lambda: archive(workspace, first.meta.id),
        lambda: tags.add(workspace, first.meta.id, "x", NOW),
        lambda: edit(workspace, first.meta.id, "v1", SkillChange(name="x"), LATER),
    ):
        with pytest.raises(NotFound, match="is a link, which is not followed"):
            attempt()
    assert tree(tmp_path / "elsewhere") == before


def test_content_behind_a_link_is_no_content(tmp_path: Path) -> None:
    text, package = text_skill(tmp_path), package_skill(tmp_path)
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "SKILL.md").write_text("secret")
    (text.folder / "content.txt").unlink()
    (text.folder / "content.txt").symlink_to(secret / "SKILL.md")
    (package.folder / "package").rename(tmp_path / "moved")
    (package.folder / "package").symlink_to(secret)
    for asset in (text, package):
        with pytest.raises(UsageError):
            edit(tmp_path, asset.meta.id, "v1", SkillChange(name="x"), LATER)
        assert len(versions(tmp_path, asset.meta.id).versions) == 1


def test_a_workspace_may_be_reached_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    first = text_skill(tmp_path / "link")
    assert edit(tmp_path / "link", first.meta.id, "v1", SkillChange(name="x"), LATER)
    assert len(versions(tmp_path / "real", first.meta.id).versions) == 2


def test_two_assets_may_have_short_ids_that_are_the_same(tmp_path: Path) -> None:
    add_skill(tmp_path, "One", id="mock-iter-1")
    other = add_skill(tmp_path, "Two", id="mock-iter-2")
    for folder, provider in ((add_skill(tmp_path, "One", id="mock-iter-1"), "me"), (other, "you")):
        target = tmp_path / f"skills/code/{provider}/skill_mock-ite_v1"
        target.parent.mkdir(parents=True, exist_ok=True)
        folder.rename(target)
    made = edit(tmp_path, "mock-iter-2", "v1", SkillChange(provider="you", name="2"), LATER)
    assert made.folder == tmp_path / "skills/code/you/skill_mock-ite_v2"
    assert len(versions(tmp_path, "mock-iter-1").versions) == 1
    with pytest.raises(UsageError, match="in the way"):
        edit(tmp_path, "mock-iter-1", "v1", SkillChange(provider="you"), LATER)
    assert [p.name for p in (tmp_path / "skills/code/you").iterdir() if p.name[0] == "."] == []


def test_a_foreign_folder_is_found_by_the_id_in_it(tmp_path: Path) -> None:
    folder = add_skill(tmp_path, version="v7")
    folder.rename(folder.with_name("skill_whatever_v1"))
    made = edit(tmp_path, identity("Writer"), "v7", SkillChange(content="x"), LATER)
    assert (made.meta.version, made.meta.version_count) == ("v8", 8)
    assert made.folder.name == f"skill_{identity('Writer')[:8]}_v8"


def test_a_newer_version_that_cannot_be_read_is_not_passed_over(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    second = edit(tmp_path, first.meta.id, "v1", SkillChange(purpose="docs"), LATER)
    edit(tmp_path, first.meta.id, "v2", SkillChange(purpose="code"), LATER)
    (second.folder / "meta.json").write_text("{")
    found = versions(tmp_path, first.meta.id)
    assert [asset.meta.version for asset in found.versions] == ["v1", "v3"]
    assert "broken JSON" in found.problems[0]
    edit(tmp_path, first.meta.id, "v3", SkillChange(name="fine"), LATER)
    (tmp_path / f"skills/code/me/skill_{first.meta.id[:8]}_v4/meta.json").unlink()
    before = tree(tmp_path)
    with pytest.raises(UsageError, match=r"_v4 cannot be read; repair it"):
        edit(tmp_path, first.meta.id, "v3", SkillChange(purpose="third"), LATER)
    assert tree(tmp_path) == before


def test_a_broken_asset_hurts_no_other(tmp_path: Path) -> None:
    (text_skill(tmp_path).folder / "meta.json").write_text("{")
    fine = text_skill(tmp_path)
    assert edit(tmp_path, fine.meta.id, "v1", SkillChange(name="x"), LATER).meta.name == "x"


def test_a_broken_record_of_history_is_reported_and_hides_no_other(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    for number in range(1, 12):
        change = SkillChange(content=f"{number}")
        edit(tmp_path, first.meta.id, f"v{number}", change, LATER)
    (next(tmp_path.glob("skills/*/*/*_v3/history/*"))).write_text("{")
    found = history(tmp_path, first.meta.id)
    assert [r.to_version for r in found.records] == ["v2", *(f"v{n}" for n in range(4, 13))]
    assert len(found.problems) == 1
    assert "v2_to_v3" in found.problems[0]


def test_a_stored_text_that_is_no_utf8_is_carried_over_as_it_is(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    (first.folder / "content.txt").write_bytes(b"\xff\xfe odd")
    second = edit(tmp_path, first.meta.id, "v1", SkillChange(name="x"), LATER)
    assert (second.folder / "content.txt").read_bytes() == b"\xff\xfe odd"
    third = edit(tmp_path, first.meta.id, "v2", SkillChange(content="good"), LATER)
    assert third.meta.version == "v3"
    record = history(tmp_path, first.meta.id).records[-1]
    assert record.diff.content
    assert str(record.diff.content.before).encode(errors="surrogateescape") == b"\xff\xfe odd"


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    (first.folder / "tags.json").unlink()
    (first.folder / "tags.json").mkdir()  # no file: carried over as none
    edit(tmp_path, first.meta.id, "v1", SkillChange(content="x"), LATER)
    (tmp_path / "skills/docs").write_text("a file where a folder should be")
    with pytest.raises(EnvironmentProblem, match="cannot write"):
        edit(tmp_path, first.meta.id, "v2", SkillChange(purpose="docs"), LATER)
    assert not list(tmp_path.rglob(".new-*"))


def test_a_disk_that_gets_full_leaves_no_half_version(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    before = tree(tmp_path / "skills")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(EnvironmentProblem, match="File too large"):
            edit(tmp_path, first.meta.id, "v1", SkillChange(content="x" * 9000), LATER)
        with pytest.raises(EnvironmentProblem, match="File too large"):
            create(tmp_path, SkillDraft(ABOUT, content="x" * 9000), NOW)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert tree(tmp_path / "skills") == before
    assert [folder.name for folder in first.folder.parent.iterdir()] == [first.folder.name]


def test_what_killed_writers_left_is_swept_after_an_hour(tmp_path: Path) -> None:
    text_skill(tmp_path)
    above = tmp_path / "skills/code/me"
    names = [".new-0123456789abcdef", ".new-fedcba9876543210", ".git", ".new-mine"]
    for name in names:
        (above / name / "package").mkdir(parents=True)
    old = time.time() - 3700
    for name in (names[0], *names[2:]):
        os.utime(above / name, (old, old))
    create(tmp_path, SkillDraft(ABOUT, content="x"), NOW)
    assert sorted(p.name for p in above.iterdir() if p.name[0] == ".") == sorted(names[1:])


def test_an_empty_draft_is_fine(tmp_path: Path) -> None:
    assert baseline_count(create(tmp_path, BaselineDraft(ABOUT), NOW).folder) == 0
    made = create(tmp_path, SkillDraft(ABOUT), NOW)
    assert (made.folder / "content.txt").read_bytes() == b""


def baseline_count(folder: Path) -> int:
    return len(cases(folder).cases)


def test_versions_in_folders_with_other_names_are_among_the_others(tmp_path: Path) -> None:
    """Whoever calls a folder otherwise loses no version, be it an old one or the newest."""
    first = text_skill(tmp_path)
    identity = first.meta.id
    first.folder.rename(first.folder.with_name("skill_mine"))
    second = edit(tmp_path, identity, "v1", SkillChange(content="Two."), LATER)
    third = edit(tmp_path, identity, "v2", SkillChange(content="Three."), LATER)
    third.folder.rename(third.folder.with_name("skill_the_newest"))
    found = versions(tmp_path, identity)
    assert [asset.folder.name for asset in found.versions] == [
        "skill_mine",
        second.folder.name,
        "skill_the_newest",
    ]
    with pytest.raises(Conflict):
        edit(tmp_path, identity, "v2", SkillChange(content="Lost?"), LATER)
    fourth = rollback(tmp_path, identity, "v1", "v3", LATER)
    assert (fourth.meta.version, read(fourth).facts().content) == ("v4", "Be careful.\n")


def test_a_folder_with_another_name_is_nobody_elses_trouble(tmp_path: Path) -> None:
    first, second = text_skill(tmp_path), text_skill(tmp_path)
    for text in ("{", f'{{"id": "{second.meta.id}"'):
        broken = first.folder.with_name(f"skill_broken_{len(text)}_v9")
        broken.mkdir()
        (broken / "meta.json").write_text(text)
    made = edit(tmp_path, first.meta.id, "v1", SkillChange(name="fine"), LATER)
    assert made.meta.version == "v2"
    with pytest.raises(UsageError, match="cannot be read"):
        edit(tmp_path, second.meta.id, "v1", SkillChange(name="x"), LATER)


def test_of_a_version_in_two_folders_the_first_counts(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    copy = tmp_path / "skills/aaa/me" / first.folder.name
    shutil.copytree(first.folder, copy)
    (copy / "content.txt").write_text("A copy.")
    found = versions(tmp_path, first.meta.id)
    assert [asset.folder for asset in found.versions] == [copy]
    made = edit(tmp_path, first.meta.id, "v1", SkillChange(name="x"), LATER)
    assert read(made).facts().content == "A copy."


@pytest.mark.parametrize("hidden", [".trash/me", "code/.old"])
def test_what_is_put_out_of_sight_is_no_version(tmp_path: Path, hidden: str) -> None:
    first = text_skill(tmp_path)
    place = tmp_path / "skills" / hidden / first.folder.name.replace("_v1", "_v7")
    shutil.copytree(first.folder, place)
    text = (place / "meta.json").read_text()
    (place / "meta.json").write_text(text.replace('"version": "v1"', '"version": "v7"'))
    made = edit(tmp_path, first.meta.id, "v1", SkillChange(name="x"), LATER)
    assert made.meta.version == "v2"
    assert len(library.skills(tmp_path).assets) == 2


def test_half_files_of_killed_writers_go_with_the_next_change(tmp_path: Path) -> None:
    first = text_skill(tmp_path)
    for name in (".0123456789abcdef.tmp", "auto_tag_log/.fedcba9876543210.tmp", ".mine.tmp"):
        (first.folder / name).write_text("half")
    archive(tmp_path, first.meta.id)
    assert [path.name for path in first.folder.glob("**/.*")] == [".mine.tmp"]
