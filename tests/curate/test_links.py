"""Links that somebody put into the workspace: nothing behind them is read, written or deleted."""

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.curate.assets import LATER, NOW, baseline, package_skill, text_skill, tree
from tests.curate.shelves import write
from tests.curate.test_tags import NAME, log, proposal
from whet.core.errors import EnvironmentProblem, NotFound, UsageError, WhetError
from whet.curate import library, outgo, tags
from whet.curate.change import BaselineChange, SkillChange
from whet.curate.places import PARTS
from whet.curate.snapshot import AnyAsset, read
from whet.curate.versions import adopt, archive, edit, history, restore, rollback, versions
from whet.documents.assets import BaselineMeta

SECRET = b"what nobody is to see"


def edited(workspace: Path, asset: AnyAsset) -> object:
    if isinstance(asset.meta, BaselineMeta):
        return edit(workspace, asset.meta.id, "v1", BaselineChange(name="x"), LATER)
    return edit(workspace, asset.meta.id, "v1", SkillChange(name="x"), LATER)


def content(asset: AnyAsset) -> object:
    if isinstance(asset.meta, BaselineMeta):
        return library.cases(asset.folder)
    return library.package(asset.folder, "x")


def writes(workspace: Path, asset: AnyAsset) -> list[Callable[[], object]]:
    """Everything that changes an asset."""
    identity = asset.meta.id
    return [
        lambda: edited(workspace, asset),
        lambda: rollback(workspace, identity, "v1", "v1", LATER),
        lambda: adopt(workspace, identity, "v1", LATER),
        lambda: archive(workspace, identity),
        lambda: restore(workspace, identity),
        lambda: tags.add(workspace, identity, "x", NOW),
        lambda: tags.propose(workspace, identity, NAME, log(), [proposal("p", "p")]),
    ]


def reads(workspace: Path, asset: AnyAsset) -> list[Callable[[], object]]:
    """Everything that tells what an asset says."""
    return [
        lambda: library.skills(workspace).assets,
        lambda: versions(workspace, asset.meta.id).versions,
        lambda: history(workspace, asset.meta.id).records,
        lambda: read(asset),
        lambda: tags.load(asset.folder),
        lambda: tags.tags_of(workspace, asset.meta.id),
        lambda: content(asset),
    ]


def put_outside(part: Path, outside: Path) -> None:
    """*part* is a link now, to what could well be one, and says something secret."""
    outside.mkdir()
    target = outside / part.name
    if part.is_dir():
        shutil.rmtree(part)
    elif part.is_file():
        old = part.read_bytes()
        part.unlink()
        target.write_bytes(re.sub(b"Writer|Tests|Sort a list", SECRET, old))
    match part.name:
        case "package":
            write(target / "SKILL.md", SECRET.decode())
        case "history":
            write(target / "v0_to_v1_1.json", RECORD)
        case "auto_tag_log":
            write(target / "session_1.json", SECRET.decode())
        case "content.txt":
            target.write_bytes(SECRET)
        case "tags.json":
            write(target, TAGS)
        case _:
            if not target.exists():
                write(target, {"secret": SECRET.decode()})
    part.symlink_to(target)


RECORD: dict[str, JsonValue] = {
    "from_version": "v0",
    "to_version": "v1",
    "timestamp": "",
    "changed_fields": ["content"],
    "diff": {"content": {"before": SECRET.decode(), "after": ""}},
}
TAGS: dict[str, JsonValue] = {
    "manual": [{"id": "1", "value": SECRET.decode(), "created_at": ""}],
    "auto": [],
}


def outcome(attempt: Callable[[], object]) -> str:
    """What came of it, in words."""
    try:
        return repr(attempt())
    except WhetError as error:
        return str(error)


@pytest.mark.parametrize("make", [text_skill, package_skill, baseline])
@pytest.mark.parametrize("name", PARTS)
def test_a_part_that_is_a_link_is_not_followed(
    tmp_path: Path, name: str, make: Callable[[Path], AnyAsset]
) -> None:
    workspace, outside = tmp_path / "workspace", tmp_path / "outside"
    asset = make(workspace)
    put_outside(asset.folder / name, outside)
    before, beyond = tree(workspace), tree(outside)
    for attempt in writes(workspace, asset):
        with pytest.raises(UsageError, match="is a link, which is not followed"):
            attempt()
    for attempt in reads(workspace, asset):
        said = outcome(attempt)
        assert SECRET.decode() not in said
        assert "\n" not in said
    assert tree(workspace) == before
    assert tree(outside) == beyond
    assert not list(workspace.rglob(".new-*"))


@pytest.mark.parametrize("above", ["skills/code", "skills/code/me", "version"])
def test_a_folder_above_that_is_a_link_is_not_looked_behind(tmp_path: Path, above: str) -> None:
    workspace, outside = tmp_path / "workspace", tmp_path / "outside"
    asset = text_skill(workspace)
    place = asset.folder if above == "version" else workspace / above
    place.rename(outside)
    place.symlink_to(outside)
    other = package_skill(workspace / "elsewhere")
    beyond = tree(outside)
    shelf = library.skills(workspace)
    assert shelf.assets == ()
    assert shelf.problems == (f"{place} is a link, which is not followed",)
    for attempt in [*writes(workspace, asset), lambda: history(workspace, asset.meta.id)]:
        with pytest.raises(NotFound, match="is a link, which is not followed"):
            attempt()
    if above != "version":
        with pytest.raises(UsageError, match="leads elsewhere; nothing is written through links"):
            text_skill(workspace)
    assert tree(outside) == beyond
    assert library.skills(workspace / "elsewhere").assets == (other,)


def test_a_later_version_that_is_a_link_is_not_passed_over(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    first = text_skill(workspace)
    link = workspace / "skills/docs/me" / first.folder.name.replace("_v1", "_v2")
    link.parent.mkdir(parents=True)
    link.symlink_to(shutil.copytree(first.folder, tmp_path / "outside"))
    with pytest.raises(UsageError, match="_v2 cannot be read; repair it"):
        edit(workspace, first.meta.id, "v1", SkillChange(name="x"), LATER)
    assert [asset.meta.version for asset in versions(workspace, first.meta.id).versions] == ["v1"]


def test_a_record_that_is_a_link_is_reported_and_not_read(tmp_path: Path) -> None:
    first = text_skill(tmp_path / "workspace")
    second = edit(tmp_path / "workspace", first.meta.id, "v1", SkillChange(name="x"), LATER)
    (record,) = (second.folder / "history").iterdir()
    record.rename(tmp_path / "record.json")
    record.symlink_to(tmp_path / "record.json")
    found = history(tmp_path / "workspace", first.meta.id)
    assert found.records == ()
    assert [problem.partition(" is a link")[0] for problem in found.problems] == [str(record)]


def test_logs_that_are_links_are_not_carried_over(tmp_path: Path) -> None:
    first = text_skill(tmp_path / "workspace")
    (tmp_path / "secret.json").write_bytes(SECRET)
    (first.folder / "auto_tag_log/secret.json").symlink_to(tmp_path / "secret.json")
    (first.folder / "auto_tag_log/mine.json").write_text("{}")
    second = edit(tmp_path / "workspace", first.meta.id, "v1", SkillChange(name="x"), LATER)
    assert [path.name for path in (second.folder / "auto_tag_log").iterdir()] == ["mine.json"]


def test_files_of_a_package_that_are_links_are_not_of_it(tmp_path: Path) -> None:
    first = package_skill(tmp_path / "workspace")
    (tmp_path / "secret").write_bytes(SECRET)
    (first.folder / "package/secret").symlink_to(tmp_path / "secret")
    (first.folder / "package/all").symlink_to(tmp_path)
    second = edit(tmp_path / "workspace", first.meta.id, "v1", SkillChange(name="x"), LATER)
    assert tree(second.folder / "package").keys() == read(first).facts().package.keys()
    assert SECRET not in outgo.skill_zip(outgo.skill_draft(first)).data


def test_nothing_behind_a_link_is_swept_away(tmp_path: Path) -> None:
    """What killed writers left is removed after an hour, but not in somebody else's folders."""
    workspace, outside = tmp_path / "workspace", tmp_path / "outside"
    text_skill(workspace)
    theirs = outside / "me/.new-0123456789abcdef"
    theirs.mkdir(parents=True)
    (theirs / "precious").touch()
    os.utime(theirs, (1, 1))
    (workspace / "skills/docs").symlink_to(outside)
    (workspace / "skills/code/you").symlink_to(outside / "me")
    (workspace / "skills/code/me/.new-0123456789abcdef").symlink_to(theirs)
    text_skill(workspace)
    assert (theirs / "precious").exists()


def test_locks_are_not_put_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "workspace/.locks").symlink_to(tmp_path / "outside")
    with pytest.raises(EnvironmentProblem, match="cannot lock"):
        text_skill(tmp_path / "workspace")
    assert list((tmp_path / "outside").iterdir()) == []
    assert not (tmp_path / "workspace/skills").exists()


def test_a_shelf_may_lie_elsewhere_as_a_whole(tmp_path: Path) -> None:
    """Whoever links it says where the library is."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace/skills").symlink_to(tmp_path / "disk")
    first = text_skill(tmp_path / "workspace")
    second = edit(tmp_path / "workspace", first.meta.id, "v1", SkillChange(purpose="docs"), LATER)
    assert library.skills(tmp_path / "workspace").assets == (first, second)


@pytest.mark.parametrize("name", ["meta.json", "tags.json", "content.txt", "cases.json"])
def test_a_pipe_in_place_of_a_file_keeps_nobody_waiting(tmp_path: Path, name: str) -> None:
    made = baseline(tmp_path) if name == "cases.json" else text_skill(tmp_path)
    (made.folder / name).unlink()
    os.mkfifo(made.folder / name)

    def look() -> object:
        found = versions(tmp_path, made.meta.id).newest
        return tags.load(found.folder), content(found), read(found)

    with pytest.raises(WhetError, match="neither a file nor a folder"):
        look()
    with pytest.raises(WhetError, match="neither a file nor a folder"):
        tags.add(tmp_path, made.meta.id, "x", NOW)


def test_a_file_in_place_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "skills/code").mkdir(parents=True)
    (tmp_path / "skills/code/me").write_text("")
    with pytest.raises(UsageError, match=r"skills/code/me is in the way"):
        text_skill(tmp_path)
