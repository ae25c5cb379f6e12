"""Skills and baselines of the original program, with all their versions and faults."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.curate.original.desktop import Desktop, Fields, identity, image, read, write
from whet.core.errors import NotFound, UsageError
from whet.curate import library
from whet.curate.change import SkillChange
from whet.curate.original.report import Repair, RepairReport
from whet.curate.original.workspace import import_workspace
from whet.curate.versions import edit, history, versions
from whet.documents.assets import Tags

NOW = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
def desktop(tmp_path: Path) -> Desktop:
    return Desktop(tmp_path / "original")


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    return tmp_path / "ours"


def taken(desktop: Desktop, ours: Path) -> RepairReport:
    """Take it over; the original is what it was, and nothing here is broken."""
    before = image(desktop.root)
    report = import_workspace(desktop.root, ours, NOW)
    assert image(desktop.root) == before
    assert library.skills(ours).problems == ()
    assert library.baselines(ours).problems == ()
    return report


def of_kind(report: RepairReport, kind: str) -> list[Repair]:
    return [entry for entry in report.entries if entry.kind == kind]


def check_version(ours: Path, name: str, version: str, truth: Fields) -> None:
    asset = versions(ours, identity(name)).version(version)
    assert {key: getattr(asset.meta, key) for key in truth["meta"]} == truth["meta"]
    assert asset.meta.version_count == int(version[1:])
    assert asset.meta.updated_at == truth["updated_at"]
    kind = "skill" if truth["cases"] is None else "baseline"
    place = f"{truth['meta']['purpose']}/{truth['meta']['provider']}"
    assert asset.folder == ours / f"{kind}s/{place}/{kind}_{identity(name)[:8]}_{version}"
    if truth["cases"] is None:
        assert (asset.folder / "content.txt").read_text() == truth["content"]
    else:
        document = read(asset.folder / "cases.json")
        assert document["cases"] == truth["cases"]
        assert (document["baseline_id"], document["version"]) == (identity(name), version)
        assert asset.meta.to_data() == {
            **read(asset.folder / "meta.json"),
            "case_count": len(truth["cases"]),
        }


def test_every_version_of_a_skill_is_rebuilt(desktop: Desktop, ours: Path) -> None:
    folder = desktop.add_skill("Writer", "one")
    desktop.edit_skill(folder, "two", description="better")
    desktop.edit_skill(folder, name="Author")
    desktop.edit_skill(folder, "four", purpose="prose")
    report = taken(desktop, ours)
    assert (report.skills, report.versions) == (1, 4)
    for version in ("v1", "v2", "v3", "v4"):
        check_version(ours, "Writer", version, desktop.truth[identity("Writer"), version])
    assert of_kind(report, "not_repaired") == []
    told = history(ours, identity("Writer"))
    assert [record.to_version for record in told.records] == ["v2", "v3", "v4"]
    assert told.problems == ()
    newest = versions(ours, identity("Writer")).newest
    assert [path.name[:8] for path in newest.folder.glob("history/*")] == ["v3_to_v4"]


def test_it_can_be_edited_afterwards(desktop: Desktop, ours: Path) -> None:
    desktop.edit_skill(desktop.add_skill("Writer", "one"), "two")
    taken(desktop, ours)
    edited = edit(ours, identity("Writer"), "v2", SkillChange(content="three"), NOW)
    assert edited.meta.version == "v3"


def test_tags_logs_and_provenance_come_along(desktop: Desktop, ours: Path) -> None:
    folder = desktop.add_skill("Writer", "one")
    desktop.edit_skill(folder, "two")
    tags = {"manual": [{"id": "t", "value": "Python", "created_at": "x"}], "auto": []}
    write(folder / "tags.json", tags)
    write(folder / "auto_tag_log/session_1.json", {"raw_output": "Python"})
    write(folder / "provenance.json", {"type": "recomposed"})
    (folder / "notes.md").write_text("mine")
    taken(desktop, ours)
    newest = versions(ours, identity("Writer")).newest.folder
    for name in ("tags.json", "auto_tag_log/session_1.json", "provenance.json", "notes.md"):
        assert (newest / name).read_bytes() == (folder / name).read_bytes()


def test_doing_it_twice_makes_nothing_twice(desktop: Desktop, ours: Path) -> None:
    skill = desktop.add_skill("Writer", "one")
    desktop.edit_skill(skill, "two")
    baseline = desktop.add_baseline("Tests", "a")
    desktop.add_project("p", [skill], [baseline])
    taken(desktop, ours)
    before = image(ours)
    again = taken(desktop, ours)
    assert image(ours) == before
    assert (again.skills, again.baselines, again.versions, again.projects) == (0, 0, 0, 0)
    assert [entry.what for entry in of_kind(again, "skipped")] == ["is here already"] * 3


def test_what_was_broken_off_is_finished(desktop: Desktop, ours: Path) -> None:
    folder = desktop.add_skill("Writer", "one")
    taken(desktop, ours)
    desktop.edit_skill(folder, "two")
    (folder / "notes.md").write_text("mine")
    assert taken(desktop, ours).versions == 1
    check_version(ours, "Writer", "v2", desktop.truth[identity("Writer"), "v2"])
    newest = versions(ours, identity("Writer")).newest.folder
    (newest / "notes.md").unlink()
    taken(desktop, ours)
    assert (newest / "notes.md").read_text() == "mine"


def test_what_went_another_way_here_is_left_alone(desktop: Desktop, ours: Path) -> None:
    folder = desktop.add_skill("Writer", "one")
    taken(desktop, ours)
    edit(ours, identity("Writer"), "v1", SkillChange(content="ours"), NOW)
    desktop.edit_skill(folder, "theirs")
    desktop.edit_skill(folder, "theirs again")
    before = image(ours)
    report = taken(desktop, ours)
    assert image(ours) == before
    assert [entry.what for entry in of_kind(report, "skipped")] == [
        "is here already, with another content"
    ]


def test_cases_are_rebuilt_as_far_as_the_history_tells(desktop: Desktop, ours: Path) -> None:
    folder = desktop.add_baseline("Tests", "a", "b")
    desktop.delete_case(folder, "case_001")
    desktop.add_cases(folder, "c", "d")
    desktop.edit_case(folder, "case_002", input="B", difficulty="hard")
    desktop.roll_back(folder, "v1")
    report = taken(desktop, ours)
    truth = desktop.truth
    for version in ("v2", "v3", "v4", "v5"):
        check_version(ours, "Tests", version, truth[identity("Tests"), version])
    assert [entry.what for entry in of_kind(report, "not_repaired")] == ["v1 cannot be rebuilt"]


def test_a_project_knows_versions_that_the_history_forgot(desktop: Desktop, ours: Path) -> None:
    folder = desktop.add_baseline("Tests", "a", "b")
    desktop.add_project("p", [desktop.add_skill("Writer")], [folder])
    desktop.delete_case(folder, "case_001")
    report = taken(desktop, ours)
    check_version(ours, "Tests", "v1", desktop.truth[identity("Tests"), "v1"])
    assert of_kind(report, "not_repaired") == []
    assert any("is taken from projects/" in entry.what for entry in report.entries)


def test_a_history_with_a_gap_is_said(desktop: Desktop, ours: Path) -> None:
    folder = desktop.add_skill("Writer", "1")
    for text in ("2", "3", "4", "5"):
        desktop.edit_skill(folder, text)
    next(folder.glob("history/v3_to_v4*")).write_text("{broken")
    report = taken(desktop, ours)
    here = versions(ours, identity("Writer")).versions
    assert [asset.meta.version for asset in here] == ["v4", "v5"]
    whats = [entry.what for entry in of_kind(report, "not_repaired")]
    assert whats[0].startswith("broken JSON")
    assert whats[1:] == ["v1 to v3 cannot be rebuilt"]
    told = history(ours, identity("Writer")).records
    assert [record.to_version for record in told] == ["v2", "v3", "v5"]


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
    assert len(of_kind(report, "left_out")) == 3


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


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=20)
edits = st.tuples(
    st.none() | texts,
    st.dictionaries(
        st.sampled_from(["description", "author", "purpose", "provider"]),
        st.sampled_from(["alpha", "beta", "gamma"]),
    ),
)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(texts, st.lists(edits, max_size=6))
def test_any_edits_of_a_skill_are_rebuilt(
    first: str, changes: list[tuple[str | None, dict[str, str]]]
) -> None:
    with TemporaryDirectory() as temporary:
        desktop, ours = Desktop(Path(temporary) / "original"), Path(temporary) / "ours"
        folder = desktop.add_skill("Writer", first)
        for content, meta in changes:
            desktop.edit_skill(folder, content, **meta)
        taken(desktop, ours)
        for (_, version), truth in desktop.truth.items():
            check_version(ours, "Writer", version, truth)
        assert len(versions(ours, identity("Writer")).versions) == len(desktop.truth)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(["add", "edit", "rollback", "delete"]), max_size=6), st.data())
def test_any_edits_of_cases_are_rebuilt_back_to_the_last_deletion(
    steps: list[str], data: st.DataObject
) -> None:
    with TemporaryDirectory() as temporary:
        desktop, ours = Desktop(Path(temporary) / "original"), Path(temporary) / "ours"
        folder = desktop.add_baseline("Tests", "a", "b")
        oldest = 1
        for step in steps:
            ids = [case["id"] for case in read(folder / "cases.json")["cases"]]
            chosen = data.draw(st.sampled_from(ids)) if ids else None
            if step == "add" or chosen is None:
                desktop.add_cases(folder, data.draw(texts))
            elif step == "edit":
                desktop.edit_case(folder, chosen, input=data.draw(texts))
            elif step == "rollback":
                desktop.roll_back(folder, "v1")
            else:
                desktop.delete_case(folder, chosen)
                oldest = int(read(folder / "meta.json")["version"][1:])
        taken(desktop, ours)
        here = versions(ours, identity("Tests")).versions
        assert int(here[0].meta.version[1:]) == oldest
        for asset in here:
            truth = desktop.truth[identity("Tests"), asset.meta.version]
            check_version(ours, "Tests", asset.meta.version, truth)
