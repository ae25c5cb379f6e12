"""Skills and baselines of the original program, with all their versions and faults."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.curate.original.desktop import Desktop, Fields, identity, image, read, write
from tests.curate.original.taking import NOW, of_kind, taken
from whet.curate.change import SkillChange
from whet.curate.versions import edit, history, versions


@pytest.fixture
def desktop(tmp_path: Path) -> Desktop:
    return Desktop(tmp_path / "original")


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    return tmp_path / "ours"


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


def test_of_two_records_the_one_that_fits_is_believed(desktop: Desktop, ours: Path) -> None:
    folder = desktop.add_skill("Writer", "one")
    desktop.edit_skill(folder, "two")
    record = read(next(folder.glob("history/*.json")))
    record["diff"]["content"] = {"before": "never", "after": "lost"}
    write(folder / "history/v1_to_v2_20990101000000.json", record | {"timestamp": "2099-01-01"})
    taken(desktop, ours)
    check_version(ours, "Writer", "v1", desktop.truth[identity("Writer"), "v1"])
    assert len(history(ours, identity("Writer")).records) == 2


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


def test_what_is_no_asset_is_named(desktop: Desktop, ours: Path, tmp_path: Path) -> None:
    folder = desktop.add_skill("Writer", "one")
    purpose = folder.parent.parent
    (purpose / "notes.txt").write_text("Look at this.")
    (folder.parent / "old").mkdir()
    (folder.parent / "old/content.txt").write_text("An older one.")
    (desktop.root / "skills/.DS_Store").write_text("")
    (desktop.root / "skills/linked").symlink_to(purpose)
    (desktop.root / "skills/away").symlink_to(tmp_path)
    (desktop.root / "projects").mkdir(exist_ok=True)
    (desktop.root / "projects/readme.md").write_text("Projects.")
    report = taken(desktop, ours)
    shelf = purpose.relative_to(desktop.root).as_posix()
    linked = folder.relative_to(purpose).as_posix()
    assert sorted(entry.path for entry in of_kind(report, "left_out")) == sorted(
        [
            "projects/readme.md",
            "skills/.DS_Store",
            "skills/away",
            f"skills/linked/{linked}",
            f"{shelf}/notes.txt",
            (folder.parent / "old").relative_to(desktop.root).as_posix(),
        ]
    )
    assert report.skills == 1
