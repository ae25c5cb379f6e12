"""What a project is carried out with, and what differs between two."""

from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.curate.shelves import add_baseline, add_skill, identity, write
from tests.evaluate.workspaces import NOON, REQUEST
from whet.app.clock import SystemClock
from whet.core.rubric import SIX_DIMENSIONS
from whet.curate.library import baselines, skills
from whet.documents.environment import ProjectEnvironment
from whet.documents.project import GradingConfig
from whet.evaluate.project import Project, ProjectRequest, create, design
from whet.rank.environment import difference, environment
from whet.stores.memory import MemoryStore

BLOBS = MemoryStore(lambda _owner: True, SystemClock()).blobs


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    add_skill(tmp_path, "Writer")
    add_skill(tmp_path, "Author", text="Be brief.")
    add_baseline(tmp_path, "Tests")
    return tmp_path


def made(
    workspace: Path,
    request: ProjectRequest = REQUEST,
    names: tuple[str, ...] = ("Writer", "Author"),
) -> Project:
    chosen = [skills(workspace).find(name) for name in names]
    return create(workspace, request, chosen, [baselines(workspace).find("Tests")], NOON)


def of(project: Project) -> ProjectEnvironment:
    return environment(project.config, design(project, BLOBS, {}))


def changed(**change: object) -> ProjectRequest:
    return REQUEST.model_copy(update=change)


def test_everything_that_decides_is_in_it(workspace: Path) -> None:
    found = of(made(workspace))
    assert (found.engine, found.engine_version, found.model) == ("hand", "1", "m")
    assert (found.options, found.sandbox, found.repeats) == ({"x": 1}, "none", 2)
    assert (found.timeout_seconds, found.retry_count) == (30, 2)
    assert (found.judges, found.readings) == (("simulated",), 1)
    assert [(one.name, one.digest) for one in found.rubrics] == [
        ("six_dimensions", SIX_DIMENSIONS.digest)
    ]
    assert [(one.id, one.name, one.version) for one in found.skills] == [
        (identity("Writer"), "Writer", "v1"),
        (identity("Author"), "Author", "v1"),
    ]
    [tests] = found.baselines
    assert (tests.id, tests.version, tests.case_count) == (identity("Tests"), "v1", 2)
    assert len({one.digest for one in (*found.skills, tests)}) == 3
    assert "whet_version" not in found.to_json()


def test_a_version_that_is_recorded_is_told(workspace: Path) -> None:
    project = made(workspace)
    config = project.config.model_validate({**dict(project.config), "whet_version": "9.9"})
    plan = design(project, BLOBS, {})
    assert environment(config, plan).whet_version == "9.9"


def test_two_projects_of_one_design_are_identical(workspace: Path) -> None:
    found = difference(of(made(workspace)), of(made(workspace)))
    assert found.identical
    assert found.differences == ()
    assert found.left.project_id != found.right.project_id


PIN = REQUEST.pin
CHANGES: dict[str, tuple[ProjectRequest, JsonValue, JsonValue]] = {
    "engine": (changed(pin=PIN.model_copy(update={"engine": "e"})), "hand", "e"),
    "engine_version": (changed(pin=PIN.model_copy(update={"engine_version": "2"})), "1", "2"),
    "model": (changed(pin=PIN.model_copy(update={"model": "n"})), "m", "n"),
    "options.x": (changed(pin=PIN.model_copy(update={"options": {"x": True}})), 1, True),
    "sandbox": (
        changed(pin=PIN.model_copy(update={"sandbox": "bubblewrap"})),
        "none",
        "bubblewrap",
    ),
    "timeout_seconds": (changed(timeout_seconds=31), 30, 31),
    "retry_count": (changed(retry_count=0), 2, 0),
    "repeats": (changed(repeats=3), 2, 3),
    "extra_flags": (changed(extra_flags=("-x",)), [], ["-x"]),
    "judges": (changed(grading=GradingConfig(judges=("a:b",))), ["simulated"], ["a:b"]),
    "readings": (changed(grading=GradingConfig(judges=("simulated",), readings=2)), 1, 2),
}


@pytest.mark.parametrize("field", CHANGES)
def test_each_difference_is_named_alone(workspace: Path, field: str) -> None:
    other, left, right = CHANGES[field]
    found = difference(of(made(workspace)), of(made(workspace, other)))
    assert not found.identical
    assert [one.to_data() for one in found.differences] == [
        {"field": field, "left": left, "right": right}
    ]


def test_other_skills_are_told_by_id(workspace: Path) -> None:
    first = made(workspace)
    add_skill(workspace, "Writer", "v2", text="Be more careful.")
    second = made(workspace, names=("Writer",))
    found = difference(of(first), of(second))
    assert [one.field for one in found.differences] == [
        f"skills.{identity('Writer')}",
        f"skills.{identity('Author')}",
    ]
    changed_, gone = found.differences
    assert isinstance(changed_.left, list)
    assert isinstance(changed_.right, list)
    assert [one["version"] for one in changed_.left if isinstance(one, dict)] == ["v1"]
    assert [one["version"] for one in changed_.right if isinstance(one, dict)] == ["v2"]
    assert gone.right is None


def test_a_copy_that_was_edited_is_another_one(workspace: Path) -> None:
    first, second = made(workspace), made(workspace)
    copy = second.folder / second.config.skills[0].local_path / "content.txt"
    copy.write_text("Something else.")
    [only] = difference(of(first), of(second)).differences
    assert only.field == f"skills.{identity('Writer')}"


def test_a_rename_is_no_difference(workspace: Path) -> None:
    first = made(workspace)
    meta = skills(workspace).find("Writer").folder / "meta.json"
    meta.write_text(meta.read_text().replace('"Writer"', '"Somebody"'))
    second = made(workspace, names=("Somebody", "Author"))
    assert second.config.skills[0].name == "Somebody"
    assert difference(of(first), of(second)).identical


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"input": "Else."}, ["baselines"]),
        ({"expected_output": "Else."}, ["baselines"]),
        ({"weight": 2}, ["baselines"]),
        ({"timeout_seconds": 7}, ["baselines"]),
        ({"timeout_seconds": 30}, []),
        ({"rubric": "universal"}, ["rubrics", "baselines"]),
        ({"description": "Else."}, []),
    ],
)
def test_cases_count_by_what_they_ask_and_how_they_are_graded(
    workspace: Path, change: dict[str, JsonValue], fields: list[str]
) -> None:
    def with_case(more: dict[str, JsonValue]) -> ProjectEnvironment:
        folder = baselines(workspace).find("Tests").folder
        case: dict[str, JsonValue] = {
            "id": "case_001",
            "name": "One",
            "category": "standard",
            "input": "Do it.",
            "expected_output": "Done.",
            "created_at": "",
            "updated_at": "",
            **more,
        }
        write(folder / "cases.json", {"baseline_id": "b", "version": "v1", "cases": [case]})
        return of(made(workspace))

    found = difference(with_case({}), with_case(change))
    assert [one.field.partition(".")[0] for one in found.differences] == fields
