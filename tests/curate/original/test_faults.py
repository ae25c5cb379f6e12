"""Assets of the original program that are broken in one way or another."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.curate.original.desktop import Desktop, Fields, identity, image, read, write
from tests.curate.original.taking import NOW, of_kind, taken
from whet.core.errors import NotFound, UsageError
from whet.curate import library
from whet.curate.original.workspace import import_workspace
from whet.curate.versions import versions
from whet.documents.assets import Tags


@pytest.fixture
def desktop(tmp_path: Path) -> Desktop:
    return Desktop(tmp_path / "original")


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    return tmp_path / "ours"


def break_json(folder: Path) -> None:
    (folder / "meta.json").write_text('{"id": "half')


def remove(folder: Path) -> None:
    (folder / "meta.json").unlink()


def make_list(folder: Path) -> None:
    write(folder / "meta.json", [1])


@pytest.mark.parametrize("fault", [break_json, remove, make_list])
def test_metadata_that_are_gone_are_made_anew(
    desktop: Desktop, ours: Path, fault: Callable[[Path], None]
) -> None:
    folder = desktop.add_skill("Writer", "one")
    desktop.edit_skill(folder, "two")
    desktop.add_project("p", [folder], [desktop.add_baseline("Tests", "a")])
    fault(folder)
    report = taken(desktop, ours)
    newest = versions(ours, identity("Writer")).newest
    assert (newest.meta.name, newest.meta.version) == ("Writer", "v2")
    assert (newest.meta.purpose, newest.meta.provider) == ("code", "me")
    assert (newest.folder / "content.txt").read_text() == "two"
    assert of_kind(taken(desktop, ours), "changed") == [], "a second time changes nothing"
    said = {entry.what: entry.after for entry in of_kind(report, "changed")}
    assert said["id"] == identity("Writer")
    assert said["version"] == "v2"


def test_without_any_trace_of_its_id_it_gets_the_same_one_every_time(
    desktop: Desktop, ours: Path
) -> None:
    break_json(desktop.add_skill("Writer", "one"))
    taken(desktop, ours)
    (asset,) = library.skills(ours).assets
    assert asset.meta.name.startswith("skill_")
    taken(desktop, ours)
    assert len(library.skills(ours).assets) == 1


def test_every_changed_field_is_told(desktop: Desktop, ours: Path) -> None:
    folder = desktop.add_skill("Writer", "one")
    meta = read(folder / "meta.json")
    meta |= {"status": "deleted", "type": "tool", "description": 3, "version_count": 7}
    meta |= {"purpose": "../../out", "provider": "con", "extra": {"kept": True}}
    del meta["content_file"]
    write(folder / "meta.json", meta)
    report = taken(desktop, ours)
    newest = versions(ours, identity("Writer")).newest
    assert newest.folder.parent == ours / "skills/out/me"
    assert newest.meta.model_extra == {"extra": {"kept": True}}
    changes = {e.what: (e.before, e.after) for e in report.entries if e.kind == "changed"}
    assert changes == {
        "status": ("deleted", "active"),
        "type": ("tool", "skill"),
        "description": (3, ""),
        "version_count": (7, 1),
        "purpose": ("../../out", "out"),
        "provider": ("con", "me"),
        "content_file": (None, "content.txt"),
    }


def test_what_is_right_is_not_in_the_report(desktop: Desktop, ours: Path) -> None:
    desktop.add_skill("Writer", "one")
    desktop.add_baseline("Tests", "a")
    assert taken(desktop, ours).entries == ()
    for name in ("skills/code/me", "baselines/tests/me"):
        for folder in (desktop.root / name).iterdir():
            for path in folder.glob("*.json"):
                assert read(ours / name / folder.name / path.name) == read(path)


def test_cases_with_faults(desktop: Desktop, ours: Path) -> None:
    folder = desktop.add_baseline("Tests")
    rows = [
        {"case_id": "a", "name": "A", "category": "standard", "input": "i", "expected_output": "e"},
        {"id": "a", "input": 5, "category": "odd"},
        {"id": "../x", "input": "i", "checks": "none"},
        "no case",
    ]
    write(folder / "cases.json", rows)
    report = taken(desktop, ours)
    newest = versions(ours, identity("Tests")).newest
    cases = library.cases(newest.folder).cases
    assert [(c.id, c.input, c.category) for c in cases] == [
        ("a", "i", "standard"),
        ("a_2", "5", "standard"),
        ("x", "i", "standard"),
    ]
    assert read(newest.folder / "meta.json")["case_count"] == 3
    said = {(e.what, json.dumps(e.before), json.dumps(e.after)) for e in report.entries}
    assert ("case a: case_id is called id now", '"a"', '"a"') in said
    assert ("case a_2: category", '"odd"', '"standard"') in said
    assert ("case a_2: id", '"a"', '"a_2"') in said
    assert ("case x: checks is left out", '"none"', "null") in said
    assert ("cases[3] is no object", '"no case"', "null") in said
    assert ("case_count", "0", "3") in said


def test_content_that_is_gone_comes_from_the_history(desktop: Desktop, ours: Path) -> None:
    folder = desktop.add_skill("Writer", "one")
    desktop.edit_skill(folder, "two")
    (folder / "content.txt").unlink()
    report = taken(desktop, ours)
    newest = versions(ours, identity("Writer")).newest
    assert (newest.folder / "content.txt").read_text() == "two"
    assert any(entry.path.endswith("content.txt") for entry in report.entries)


def test_a_text_changed_behind_the_history_is_believed_and_said(
    desktop: Desktop, ours: Path
) -> None:
    folder = desktop.add_skill("Writer", "one")
    desktop.edit_skill(folder, "two")
    (folder / "content.txt").write_bytes(b"by hand \xff")
    report = taken(desktop, ours)
    held = versions(ours, identity("Writer"))
    assert (held.newest.folder / "content.txt").read_bytes() == b"by hand \xff"
    assert (held.version("v1").folder / "content.txt").read_text() == "one"
    assert any("the file is believed" in entry.what for entry in report.entries)


def test_broken_tags_hide_no_others(desktop: Desktop, ours: Path) -> None:
    folder = desktop.add_skill("Writer")
    good = {"id": "t", "value": "Python", "created_at": "x"}
    write(folder / "tags.json", {"manual": [good, {"value": 3}], "auto": None})
    report = taken(desktop, ours)
    tags = Tags.load(versions(ours, identity("Writer")).newest.folder / "tags.json")
    assert [tag.value for tag in tags.manual] == ["Python"]
    assert [entry.before for entry in of_kind(report, "not_repaired")] == [{"value": 3}]


def test_links_are_not_followed(desktop: Desktop, ours: Path, tmp_path: Path) -> None:
    folder = desktop.add_skill("Writer")
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key.txt").write_text("s3cret")
    (folder / "key.txt").symlink_to(secret / "key.txt")
    (desktop.root / "skills/code/me/skill_linked_v1").symlink_to(folder)
    (desktop.root / "skills/elsewhere").symlink_to(secret)
    (desktop.root / "logs").symlink_to(secret)
    report = taken(desktop, ours)
    assert not any(b"s3cret" in data for data in image(ours).values())
    left = [entry.path for entry in of_kind(report, "left_out")]
    assert len(left) == 4
    assert "skills/elsewhere" in left


@pytest.mark.parametrize("name", ["history", "auto_tag_log", "package"])
def test_an_asset_with_a_linked_part_is_not_taken(
    desktop: Desktop, ours: Path, tmp_path: Path, name: str
) -> None:
    folder = desktop.add_skill("Writer")
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "SKILL.md").write_text("s3cret")
    write(secret / "a.json", {"key": "s3cret"})
    if (folder / name).exists():
        (folder / name).rmdir()
    (folder / name).symlink_to(secret)
    report = taken(desktop, ours)
    assert [entry.what for entry in of_kind(report, "left_out")] == [f"its {name} is a link"]
    assert not any(b"s3cret" in data for data in image(ours).values())


def test_hostile_versions_cost_nothing(desktop: Desktop, ours: Path) -> None:
    folder = desktop.add_skill("Writer")
    write(folder / "meta.json", read(folder / "meta.json") | {"version": "v999999999"})
    record: Fields = {
        "from_version": "../../../x",
        "to_version": "v999999999",
        "timestamp": "1" * 9999,
        "changed_fields": [],
        "diff": {},
    }
    write(folder / "history/a.json", record)
    report = taken(desktop, ours)
    assert report.versions == 1
    assert "v1 to v999999998 cannot be rebuilt" in [entry.what for entry in report.entries]


def test_what_is_no_workspace_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        import_workspace(tmp_path, tmp_path / "ours", NOW)
    (tmp_path / "a/skills").mkdir(parents=True)
    for ours in (tmp_path / "a", tmp_path / "a/b", tmp_path):
        with pytest.raises(UsageError, match="inside"):
            import_workspace(tmp_path / "a", ours, NOW)
