"""A workspace that somebody made to get out of ours, and links of ours that lead out of it."""

from pathlib import Path

import pytest

from tests.curate.original.desktop import Desktop, Fields, identity, image, read, write
from tests.curate.original.taking import NOW, of_kind, taken
from whet.curate import library
from whet.curate.original.workspace import import_workspace


@pytest.fixture
def desktop(tmp_path: Path) -> Desktop:
    return Desktop(tmp_path / "deep/er/original")


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    return tmp_path / "deep/er/ours"


def everything(root: Path) -> set[Path]:
    return set(root.rglob("*"))


def assert_inside(before: set[Path], root: Path, ours: Path) -> None:
    """Whatever is new is ours."""
    assert {path for path in everything(root) - before if not path.is_relative_to(ours)} == set()


def project_with_a_result(desktop: Desktop) -> Path:
    skill, baseline = desktop.add_skill("Writer"), desktop.add_baseline("Tests", "a")
    project = desktop.add_project("p", [skill], [baseline])
    desktop.add_result(project, read(baseline / "cases.json")["cases"][0], "case_001.json")
    return project


@pytest.mark.parametrize("kind", ["skills", "baselines"])
@pytest.mark.parametrize(
    "change",
    [
        {"version": "/../../../../../../evil"},
        {"version": "v1/../../../../../evil"},
        {"version": "\0"},
        {"version": "v" * 10_000},
        {"ref_id": "../../../../x"},
        {"ref_id": "../.."},
        {"ref_id": "/tmp"},
    ],
)
def test_no_result_is_put_outside(
    desktop: Desktop, ours: Path, tmp_path: Path, kind: str, change: Fields
) -> None:
    project = project_with_a_result(desktop)
    config = read(project / "config.json")
    config[kind][0] |= change
    write(project / "config.json", config)
    before, files = everything(tmp_path), image(project)
    report = taken(desktop, ours)
    assert_inside(before, tmp_path, ours)
    assert image(ours / "projects" / project.name) == files
    said = [entry.what for entry in of_kind(report, "not_repaired")]
    assert said == ["names a version that is none", "is copied as it is"]


@pytest.mark.parametrize("field", ["id", "purpose", "provider", "version", "content_file"])
@pytest.mark.parametrize(
    "value",
    ["../../../../evil", "/evil", "..", "CON\0", "a:b", "x\u202ey", "．．／x", "e" * 9999, 7],
)
def test_metadata_lead_nowhere(
    desktop: Desktop, ours: Path, tmp_path: Path, field: str, value: object
) -> None:
    folder = desktop.add_skill("Writer", "one")
    write(folder / "meta.json", read(folder / "meta.json") | {field: value})
    before = everything(tmp_path)
    report = taken(desktop, ours)
    assert_inside(before, tmp_path, ours)
    assert [entry.what for entry in of_kind(report, "changed")] == [field]
    (asset,) = library.skills(ours).assets
    assert (asset.folder / "content.txt").read_text() == "one"
    assert asset.folder.name == f"skill_{asset.meta.id[:8]}_v1"


@pytest.mark.parametrize("name", ["history", "auto_tag_log", "extra", "tags.json"])
def test_nothing_is_completed_through_a_link(
    desktop: Desktop, ours: Path, tmp_path: Path, name: str
) -> None:
    """Of an asset that is here already only what is missing is written."""
    folder = desktop.add_skill("Writer", "one")
    taken(desktop, ours)
    (here,) = library.skills(ours).assets
    write(folder / "history/more.json", RECORD)
    write(folder / "extra/file.json", {})
    write(folder / "auto_tag_log/in/more.json", {})
    write(folder / "tags.json", {"manual": [3], "auto": []})
    outside = tmp_path / "outside"
    outside.mkdir()
    target = here.folder / name
    if target.is_dir():
        target.rmdir()
    target.unlink(missing_ok=True)
    target.symlink_to(outside / "tags.json" if name == "tags.json" else outside)
    report = import_workspace(desktop.root, ours, NOW)
    assert list(outside.iterdir()) == []
    if name != "tags.json":
        assert "nothing is written there" in of_kind(report, "not_repaired")[-1].what


RECORD: Fields = {
    "from_version": "v4",
    "to_version": "v5",
    "timestamp": "2024",
    "changed_fields": [],
    "diff": {},
}


def test_nothing_of_the_rest_is_written_through_a_link(
    desktop: Desktop, ours: Path, tmp_path: Path
) -> None:
    project = project_with_a_result(desktop)
    write(desktop.root / "logs/a.json", {})
    write(desktop.root / "leaderboard_export_1.json", [])
    outside = tmp_path / "outside"
    outside.mkdir()
    (ours / "projects").mkdir(parents=True)
    (ours / "logs").symlink_to(outside)
    (ours / "leaderboard_export_1.json").symlink_to(outside / "board.json")
    (ours / "projects" / project.name).symlink_to(outside / "project")
    report = taken(desktop, ours)
    assert list(outside.iterdir()) == []
    assert {entry.path for entry in of_kind(report, "skipped")} == {
        "logs/a.json",
        "leaderboard_export_1.json",
        f"projects/{project.name}",
    }
    assert [asset.meta.id for asset in library.skills(ours).assets] == [identity("Writer")]
