"""The project door: a folder with copies of its own, made once and whole."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from tests.curate.shelves import add_baseline, add_skill, identity, write_cases
from tests.evaluate.workspaces import NOON, REQUEST, made
from whet.app.clock import SystemClock
from whet.core.errors import EnvironmentProblem, InvalidSuite, UsageError
from whet.core.rubric import SIX_DIMENSIONS
from whet.curate.library import Asset, baselines, skills
from whet.documents.assets import BaselineMeta, SkillMeta
from whet.documents.project import ProjectConfig
from whet.evaluate.plan import cells
from whet.evaluate.project import Project, create, design, opened, projects
from whet.evaluate.rubrics import UNIVERSAL
from whet.stores.memory import MemoryStore


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    add_skill(tmp_path, "Writer", text="Be careful.")
    add_skill(tmp_path, "Author", text="Be brief.")
    add_baseline(tmp_path, "Tests", count=3)
    return tmp_path


def test_a_project_is_a_folder_with_copies_of_its_own(workspace: Path) -> None:
    project = made(workspace)
    assert project.folder == workspace / "projects" / "project_knives_磨刀_20240101120000"
    skill = project.folder / f"skills/skill_{identity('Writer')[:8]}_v1"
    assert (skill / "content.txt").read_text() == "Be careful."
    assert (project.folder / f"baselines/baseline_{identity('Tests')[:8]}_v1/cases.json").is_file()
    assert (project.folder / "results").is_dir()
    on_disk = ProjectConfig.load(project.folder / "config.json")
    assert on_disk == project.config
    assert [path.name for path in (workspace / "projects").iterdir()] == [project.folder.name]


def test_a_link_in_an_asset_stays_a_link(workspace: Path) -> None:
    secret = workspace / "secret.txt"
    secret.write_text("not part of any skill")
    skill = skills(workspace).find("Writer").folder
    (skill / "package").mkdir()
    (skill / "package" / "SKILL.md").write_text("Be careful.")
    (skill / "package" / "notes.txt").symlink_to(secret)
    (skill / "package" / "gone.txt").symlink_to(workspace / "nowhere")
    plan = design(made(workspace), MemoryStore(lambda _owner: True, SystemClock()).blobs, {})
    files = [file.path for one in plan.arms if one.skill for file in one.skill.files]
    assert files == ["SKILL.md", "content.txt"]


def test_its_configuration_says_what_and_how_much(workspace: Path) -> None:
    config = made(workspace).config
    assert (config.status, config.created_at) == ("pending", "2024-01-01T12:00:00Z")
    assert config.original_skill_ids == (identity("Writer"), identity("Author"))
    assert (config.progress.total_tasks, config.progress.total_trials) == (6, 12)
    assert (config.cli_config.engine, config.cli_config.engine_version) == ("hand", "1")
    assert config.repeats == 2
    # The leaderboard is narrowed by it, also when the baseline is gone.
    assert {(one.purpose, one.provider) for one in config.baselines} == {("code_test", "me")}


def test_what_happens_to_the_library_later_does_not_reach_it(
    workspace: Path, store: MemoryStore
) -> None:
    project = made(workspace)
    before = design(project, store.blobs, {})
    shutil.rmtree(workspace / "skills")
    shutil.rmtree(workspace / "baselines")
    assert design(project, store.blobs, {}) == before


def test_two_in_the_same_second_stand_beside_each_other(workspace: Path) -> None:
    names = [made(workspace).folder.name for _ in range(3)]
    stem = "project_knives_磨刀_20240101120000"
    assert names == [stem, f"{stem}_2", f"{stem}_3"]
    assert len({project.config.id for project in projects(workspace).found}) == 3


def test_one_that_cannot_be_made_leaves_nothing(workspace: Path) -> None:
    broken: Asset[SkillMeta] = skills(workspace).find("Writer")
    shutil.rmtree(broken.folder)
    tests: Asset[BaselineMeta] = baselines(workspace).find("Tests")
    with pytest.raises(EnvironmentProblem, match="cannot create a project"):
        create(workspace, REQUEST, [broken], [tests], NOON)
    assert list((workspace / "projects").iterdir()) == []


def test_an_asset_named_twice_is_refused(workspace: Path) -> None:
    with pytest.raises(UsageError, match="Writer v1 is named twice"):
        made(workspace, "Writer", "Writer")
    with pytest.raises(UsageError, match="Tests v1 is named twice"):
        made(workspace, tests=("Tests", "Tests"))
    with pytest.raises(UsageError, match="at least one skill"):
        create(workspace, REQUEST, [], [baselines(workspace).find("Tests")], NOON)


def test_skills_whose_short_ids_clash_are_refused_by_name(workspace: Path) -> None:
    """Folders are named by the first eight characters; two skills must not share one."""
    for name in ("one", "two"):
        folder = add_skill(workspace, name, id=f"skill-00-{name}")
        folder.rename(folder.with_name(f"skill_{name}"))
    with pytest.raises(UsageError, match="two v1 has the same short id as one v1: skill-00"):
        made(workspace, "one", "two")


def test_a_design_has_every_arm_case_and_limit(workspace: Path, store: MemoryStore) -> None:
    plan = design(made(workspace), store.blobs, {})
    assert [arm.label for arm in plan.arms] == ["Writer", "Author"]
    assert [arm.id for arm in plan.arms] == [
        f"{identity(name)[:8]}_v1" for name in ("Writer", "Author")
    ]
    assert [case.id for case in plan.cases] == ["case_001", "case_002", "case_003"]
    assert plan.pin == REQUEST.pin
    assert plan.size == len(list(cells(plan))) == 12
    first = plan.cases[0]
    assert first.stimulus.prompt == "Write a Python function for case_001."
    assert first.stimulus.limits.timeout_seconds == 30
    assert first.standard.expected == "A function with a docstring."
    assert plan.arms[0].skill is not None
    assert store.blobs.get(plan.arms[0].skill.entry.digest) == b"Be careful."


def test_extra_flags_are_an_option(workspace: Path, store: MemoryStore) -> None:
    project = made(workspace)
    before = design(project, store.blobs, {}).pin.options
    cli = project.config.cli_config.model_copy(update={"extra_flags": ("--verbose",)})
    after = design(project.saved(cli_config=cli), store.blobs, {}).pin.options
    assert after == {**before, "extra_flags": ["--verbose"]}


def test_a_case_may_have_a_limit_and_a_weight_of_its_own(
    workspace: Path, store: MemoryStore
) -> None:
    project = made(workspace)
    change(project, '"id": "case_001"', '"timeout_seconds": 5, "weight": 0, "id": "case_001"')
    first, second, _ = design(project, store.blobs, {}).cases
    assert (first.stimulus.limits.timeout_seconds, first.standard.weight) == (5, 0)
    assert (second.stimulus.limits.timeout_seconds, second.standard.weight) == (30, 1)


def test_a_baseline_and_a_case_may_have_a_rubric_of_their_own(
    workspace: Path, store: MemoryStore
) -> None:
    """The six dimensions are about code, and for those that name nothing else."""
    project = made(workspace)
    rubrics = [case.standard.rubric for case in design(project, store.blobs, {}).cases]
    assert rubrics == [SIX_DIMENSIONS] * 3
    change(project, '"baseline_id"', f'"rubric": "{UNIVERSAL.name}", "baseline_id"')
    change(project, '"id": "case_002"', '"rubric": "six_dimensions", "id": "case_002"')
    rubrics = [case.standard.rubric for case in design(project, store.blobs, {}).cases]
    assert rubrics == [UNIVERSAL, SIX_DIMENSIONS, UNIVERSAL]


@pytest.mark.parametrize("nonsense", ['"timeout_seconds": -1', '"weight": -1'])
def test_a_case_that_cannot_be_is_refused_by_name(
    workspace: Path, store: MemoryStore, nonsense: str
) -> None:
    project = made(workspace)
    change(project, '"id": "case_002"', f'{nonsense}, "id": "case_002"')
    with pytest.raises(InvalidSuite, match="case_002") as error:
        design(project, store.blobs, {})
    assert len(str(error.value).splitlines()) == 1


def change(project: Project, old: str, new: str) -> None:
    """Edit the cases by hand, as people do."""
    path = project.folder / project.config.baselines[0].local_path / "cases.json"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def test_two_versions_of_one_baseline_are_two_sets_of_cases(
    workspace: Path, store: MemoryStore
) -> None:
    first = workspace / f"baselines/code_test/me/baseline_{identity('Tests')[:8]}_v1"
    second = shutil.copytree(first, first.with_name(first.name.replace("_v1", "_v2")))
    meta = second / "meta.json"
    meta.write_text(meta.read_text().replace('"v1"', '"v2"'))
    write_cases(second, "case_001")
    plan = design(made(workspace, tests=("Tests@v1", "Tests@v2")), store.blobs, {})
    keys = [(case.set, case.id) for case in plan.cases]
    assert len(keys) == len(set(keys)) == 4


def test_the_newest_project_of_a_name_is_found(workspace: Path) -> None:
    """Also among those that share a second, and also years later."""
    made(workspace)
    second = made(workspace)
    assert projects(workspace).find(REQUEST.name) == second
    eleventh = [made(workspace) for _ in range(9)][-1]
    assert projects(workspace).find(REQUEST.name) == eleventh
    later = made(workspace, now=NOON + timedelta(days=700))
    assert projects(workspace).find(REQUEST.name) == later
    assert projects(workspace).find(second.config.id) == second
    assert projects(workspace).find("nobody") is None


def test_a_broken_project_is_reported_and_hides_no_other(workspace: Path) -> None:
    good = made(workspace)
    for name in ("project_empty_1", "project_broken_2", "project_odd_3"):
        (workspace / "projects" / name).mkdir()
    (workspace / "projects/project_broken_2/config.json").write_text("{")
    (workspace / "projects/project_odd_3/config.json").mkdir()
    listing = projects(workspace)
    assert [project.config.id for project in listing.found] == [good.config.id]
    assert len(listing.problems) == 3
    for name, problem in zip(("broken_2", "empty_1", "odd_3"), listing.problems, strict=True):
        assert name in problem


def test_a_saved_change_is_on_disk(workspace: Path) -> None:
    project = made(workspace).saved(status="running")
    assert projects(workspace).found[0].config == project.config
    assert project.config.status == "running"


def test_what_others_changed_meanwhile_stays(workspace: Path) -> None:
    """As when somebody renames a project that is running."""
    running = made(workspace)
    opened(running.folder).saved(name="Renamed", archived=True)
    saved = running.saved(status="completed")
    assert (saved.config.name, saved.config.archived) == ("Renamed", True)
    assert opened(running.folder).config == saved.config
