"""Projects from references: whole, or not there at all."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from tests.app.opening import COMPARISON, app_on, fill
from tests.curate.shelves import add_baseline, add_skill, identity
from whet.app.projects.create import create_project
from whet.app.projects.requests import Comparison
from whet.core.errors import InvalidDocument, NotFound, UnknownPart, UsageError, WhetError


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    fill(folder)
    return folder


def test_a_project_pins_what_it_compares(workspace: Path) -> None:
    add_skill(workspace, "Writer", version="v2", text="Be more careful.")
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        config = project.config
        assert [(skill.name, skill.version) for skill in config.skills] == [
            ("Writer", "v2"),
            ("Author", "v1"),
        ]
        copy = project.folder / config.skills[0].local_path / "content.txt"
        assert copy.read_text() == "Be more careful."
        assert config.cli_config.engine == config.cli_config.model == "simulated"
        assert config.cli_config.engine_version == app.parts.engine("simulated").version({})
        assert (config.progress.total_tasks, config.progress.total_trials) == (4, 8)


def test_two_versions_of_one_skill_can_be_compared(workspace: Path) -> None:
    add_skill(workspace, "Writer", version="v2")
    skills = ("Writer@v1", f"{identity('Writer')}@v2")
    with app_on(workspace) as app:
        config = create_project(app, COMPARISON.model_copy(update={"skills": skills})).config
    assert [skill.version for skill in config.skills] == ["v1", "v2"]


REFUSALS: dict[str, tuple[dict[str, object], type[WhetError], str]] = {
    "skill": ({"skills": ("Nobody",)}, NotFound, "no asset 'Nobody'"),
    "baseline": ({"baselines": ("None",)}, NotFound, "no asset 'None'"),
    "engine": ({"engine": "nope"}, UnknownPart, "unknown engine 'nope'"),
    "twice": ({"skills": ("Writer", "Writer")}, UsageError, "named twice"),
    "empty": ({"baselines": ("Empty",)}, UsageError, "'Empty' has no cases"),
    "broken": ({"baselines": ("Broken",)}, InvalidDocument, "cases.json"),
    "hollow": ({"skills": ("Hollow",)}, NotFound, "no content.txt"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_cannot_run_is_refused_and_leaves_nothing(workspace: Path, name: str) -> None:
    change, kind, message = REFUSALS[name]
    add_baseline(workspace, "Empty", count=0)
    (add_baseline(workspace, "Broken") / "cases.json").write_text("{")
    (add_skill(workspace, "Hollow") / "content.txt").unlink()
    with app_on(workspace) as app, pytest.raises(kind, match=message):
        create_project(app, COMPARISON.model_copy(update=change))
    assert not list(workspace.glob("projects/*"))


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"skills": ()},
        {"baselines": ()},
        {"repeats": 0},
        {"repeats": 101},
        {"timeout_seconds": 0},
        {"timeout_seconds": float("nan")},
        {"timeout_seconds": float("inf")},
        {"unknown": 1},
    ],
)
def test_a_comparison_that_makes_no_sense_is_none(change: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Comparison.model_validate({**COMPARISON.model_dump(), **change})


def test_a_hostile_name_stays_in_the_projects_folder(workspace: Path) -> None:
    with app_on(workspace) as app:
        for name in ("../../up", "/abs", "..", "a\0b", "x" * 500, "  ", "名字"):
            project = create_project(app, COMPARISON.model_copy(update={"name": name}))
            assert project.folder.parent == workspace / "projects"
            assert project.folder.is_dir()
            assert project.config.name == name
