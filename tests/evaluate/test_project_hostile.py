"""A project's folder may come from anywhere: nothing in it leads a run out of it."""

from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.curate.original.desktop import image, read, write
from tests.curate.shelves import add_baseline, add_skill
from tests.evaluate.rows import grade
from tests.evaluate.workspaces import NOON, made
from whet.core.errors import InvalidDocument, UsageError, WhetError
from whet.evaluate.experiment import Row
from whet.evaluate.plan import cells
from whet.evaluate.project import Project, design, opened, projects
from whet.evaluate.project_results import ProjectResults
from whet.stores.memory import MemoryStore


@pytest.fixture
def project(tmp_path: Path) -> Project:
    workspace = tmp_path / "workspace"
    add_skill(workspace, "Writer")
    add_skill(workspace, "Author")
    add_baseline(workspace, "Tests", count=2)
    return made(workspace)


def changed(project: Project, kind: str, **change: JsonValue) -> Project:
    """With another reference to its first skill or baseline."""
    config = read(project.folder / "config.json")
    config[kind][0] |= change
    write(project.folder / "config.json", config)
    return opened(project.folder)


LEADS_OUT: list[JsonValue] = [
    "../../../secret",
    "/etc",
    "skills/../../../secret",
    "skills/./x",
    "",
    ".",
    "a\\b",
    "a\0b",
    "skills/\ud800",
    "x" * 300,
    "/".join(["x"] * 700),
]


def refused(project: Project, store: MemoryStore, match: str) -> None:
    """Both by who reads it and by who writes it, in one line."""
    for use in (lambda: design(project, store.blobs, {}), lambda: ProjectResults(project)):
        with pytest.raises(InvalidDocument, match=match) as error:
            use()
        assert len(str(error.value).splitlines()) == 1
        assert "config.json" in str(error.value)


@pytest.mark.parametrize("kind", ["skills", "baselines"])
@pytest.mark.parametrize("path", LEADS_OUT)
def test_a_copy_lies_inside(
    project: Project, store: MemoryStore, kind: str, path: JsonValue
) -> None:
    if "\ud800" in str(path):
        config = project.config.model_dump()
        config[kind][0]["local_path"] = path
        odd = Project(project.folder, type(project.config).parse(config, "config.json"))
        refused(odd, store, rf"{kind}\[0\].local_path")
    else:
        refused(changed(project, kind, local_path=path), store, rf"{kind}\[0\].local_path")


@pytest.mark.parametrize("kind", ["skills", "baselines"])
def test_a_copy_is_behind_no_link(
    project: Project, store: MemoryStore, tmp_path: Path, kind: str
) -> None:
    place = project.folder / kind
    elsewhere = place.rename(tmp_path / "elsewhere")
    place.symlink_to(elsewhere)
    refused(project, store, "is a link, or behind one")


NO_NAMES: list[tuple[dict[str, JsonValue], str]] = [
    ({"version": "../../../up"}, "version: must be v1, v2"),
    ({"version": "v1/../../up"}, "version"),
    ({"version": "v"}, "version"),
    ({"version": "v1\n"}, "version"),
    ({"version": "v" + "1" * 50}, "version"),
    ({"version": ""}, "version"),
    ({"ref_id": "../../../"}, "ref_id"),
    ({"ref_id": "a/b"}, "ref_id"),
    ({"ref_id": ""}, "ref_id"),
    ({"ref_id": "a\\b"}, "ref_id"),
]


@pytest.mark.parametrize("kind", ["skills", "baselines"])
@pytest.mark.parametrize(("change", "match"), NO_NAMES)
def test_what_becomes_a_folder_is_fit_for_it(
    project: Project, store: MemoryStore, kind: str, change: dict[str, JsonValue], match: str
) -> None:
    refused(changed(project, kind, **change), store, match)


def test_no_two_skills_share_a_place(project: Project, store: MemoryStore) -> None:
    other = project.config.skills[1]
    twin = changed(project, "skills", ref_id=other.ref_id[:8] + "-other", version=other.version)
    refused(twin, store, "has the same short id and version as another one")


@pytest.mark.parametrize("repeats", [-1, 10**9])
def test_a_plan_has_an_end(project: Project, store: MemoryStore, repeats: int) -> None:
    refused(project.saved(repeats=repeats), store, "repeats: must be 1 to")


def test_judges_do_not_read_for_ever(project: Project, store: MemoryStore) -> None:
    config = read(project.folder / "config.json")
    config["grading_config"]["readings"] = 10**9
    write(project.folder / "config.json", config)
    refused(opened(project.folder), store, "readings: must be 1 to")


def test_a_configuration_is_no_link(project: Project, tmp_path: Path) -> None:
    path = project.folder / "config.json"
    elsewhere = path.rename(tmp_path / "config.json")
    path.symlink_to(elsewhere)
    found = projects(project.folder.parent.parent)
    assert found.found == ()
    assert "is a link, which is not followed" in found.problems[0]
    with pytest.raises(WhetError, match="is a link"):
        opened(project.folder)


def some_row(project: Project, store: MemoryStore) -> Row:
    cell = next(cells(design(project, store.blobs, {})))
    return Row(cell, "trial", None, grade(80, {}), "no record")


@pytest.mark.parametrize("place", ["results", "arm"])
def test_nothing_is_written_through_a_link(
    project: Project, store: MemoryStore, tmp_path: Path, place: str
) -> None:
    row = some_row(project, store)
    outside = tmp_path / "outside"
    outside.mkdir()
    inner = project.folder / "results"
    if place == "arm":
        inner /= row.cell.arm.id
    else:
        inner.rmdir()
    inner.symlink_to(outside)
    with pytest.raises(UsageError, match="nothing is written there"):
        ProjectResults(project).add(row)
    assert image(outside) == {}


def test_what_others_wrote_is_moved_and_what_we_wrote_is_not(
    project: Project, store: MemoryStore
) -> None:
    row = some_row(project, store)
    folder = project.folder / "results"
    name = f"{row.cell.arm.id}/{row.cell.case.id}.json"
    write(folder / name, {"case_id": "theirs"})
    write(folder / "summary.json", {"ranking": "theirs"})
    results = ProjectResults(project)
    results.add(row)
    results.summarise(NOON)
    assert read(folder / "original" / name) == {"case_id": "theirs"}
    assert read(folder / "original/summary.json") == {"ranking": "theirs"}
    ours = image(folder)
    ProjectResults(project).add(Row(row.cell, "another", None, None, "no record"))
    assert {key for key, value in image(folder).items() if ours[key] != value} == {name}


def test_the_first_is_the_original(project: Project, store: MemoryStore) -> None:
    row = some_row(project, store)
    path = project.folder / f"results/{row.cell.arm.id}/{row.cell.case.id}.json"
    for number in (1, 2):
        write(path, {"number": number})
        ProjectResults(project).add(row)
        assert read(path)["case_id"] == row.cell.case.id
    assert read(project.folder / "results/original" / path.parent.name / path.name) == {"number": 1}
