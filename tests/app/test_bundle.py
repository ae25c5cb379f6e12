"""A project as one file, and back: nothing is lost, nothing starts, nothing is believed."""

import asyncio
import json
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from tests.app.bundling import bundle, packed, run, unpacked, with_config
from tests.app.opening import COMPARISON, app_on, fill
from tests.curate.shelves import add_baseline
from whet.app.app import App
from whet.app.cassettes import every_trial
from whet.app.experiments import Experiments
from whet.app.projects import bundle as bundling
from whet.app.projects.bundle import TakenProject, export_bundle, import_bundle
from whet.app.projects.create import create_project
from whet.app.projects.told import summary
from whet.core.errors import EnvironmentProblem, Halted, NotFound, UsageError
from whet.core.redaction import MARK
from whet.documents.project import ProjectConfig
from whet.evaluate.project import Project

KEY = "sk-ant-" + "a1b2c3d4e5f6g7h8i9j0k1l2"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return bundle(tmp_path_factory.mktemp("good"))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace")
    return tmp_path / "workspace"


def taken(app: App, data: bytes, *, renamed: bool = False) -> TakenProject:
    path = app.settings.workspace.with_name("sent.zip")
    path.write_bytes(data)
    return import_bundle(app, path, renamed=renamed)


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


@pytest.mark.parametrize("trials", [True, False])
def test_a_project_elsewhere_is_the_same_and_nothing_runs_again(
    workspace: Path, tmp_path: Path, *, trials: bool
) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        original = run(app, project)
        done = export_bundle(app, project, tmp_path / "project.zip", trials=trials)
        assert (done.files, done.trials, done.notes) == (16, 8 if trials else 0, ())
        before = files(project.folder)
    with app_on(tmp_path / "elsewhere") as app:
        found = import_bundle(app, tmp_path / "project.zip")
        assert (found.trials, found.notes) == (8 if trials else 0, ())
        after = files(found.project.folder)
        assert after.pop("config.json") != before.pop("config.json")
        assert after == before
        theirs, ours = original.project.config, found.project.config
        assert ours.imported
        assert (ours.id, ours.status, ours.control) == (theirs.id, "completed", None)
        assert ours.progress == theirs.progress
        report = run(app, found.project)
        assert report.extent.reused == report.extent.total == 8
        assert report.summary.ranking == original.summary.ranking
        addresses = every_trial(app)
        assert len(addresses) == 8
        assert not [one for address in addresses for one in app.store.ledger.executions(address)]
        records = app.store.ledger.records(addresses, imported=True).values()
        assert {record.generation for record in records} == {0}
        assert all((record.tape is not None) == trials for record in records)


def test_the_same_project_gives_the_same_bytes(workspace: Path, tmp_path: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        run(app, project)
        export_bundle(app, project, tmp_path / "one.zip", trials=True)
        for path in project.folder.rglob("*"):
            os.utime(path, (1, 1))
        export_bundle(app, project, tmp_path / "two.zip", trials=True)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert archive.testzip() is None
        assert {name.partition("/")[0] for name in archive.namelist()} == {project.folder.name}


def test_trials_beyond_one_cassette_go_into_several(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundling, "IN_ONE_CASSETTE", 3)
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        run(app, project)
        assert export_bundle(app, project, tmp_path / "x.zip", trials=True).trials == 8
    assert [name for name in unpacked((tmp_path / "x.zip").read_bytes()) if "trials" in name] == [
        f"trials/000{number}.zip" for number in (1, 2, 3)
    ]
    with app_on(tmp_path / "elsewhere") as app:
        assert import_bundle(app, tmp_path / "x.zip").trials == 8


def test_a_project_that_was_never_run(workspace: Path, tmp_path: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        done = export_bundle(app, project, tmp_path / "x.zip", trials=True)
        assert (done.files, done.trials) == (7, 0)
    with app_on(tmp_path / "elsewhere") as app:
        found = import_bundle(app, tmp_path / "x.zip").project
        assert (found.config.status, found.config.progress.total_trials) == ("pending", 8)
        assert run(app, found).extent.missing == 8


async def paused(app: App, project: Project) -> None:
    begun = asyncio.Event()
    running = asyncio.create_task(Experiments(app, width=1).run(project, begun.set))
    await begun.wait()
    counted = app.store.results.counts
    while not counted(project.config.id).total:  # noqa: ASYNC110 - nothing tells us
        await asyncio.sleep(0.01)
    app.store.runs.wish(project.config.id, "paused")
    with pytest.raises(Halted):
        await running


@pytest.mark.slow
def test_a_paused_project_goes_on_elsewhere(workspace: Path, tmp_path: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON.model_copy(update={"repeats": 100}))
        asyncio.run(paused(app, project))
        done = app.store.results.counts(project.config.id).total
        assert 0 < done < 400
        export_bundle(app, project, tmp_path / "x.zip")
        here = run(app, project).summary
    with app_on(tmp_path / "elsewhere") as app:
        found = import_bundle(app, tmp_path / "x.zip").project
        assert (found.config.status, found.config.control) == ("interrupted", "paused")
        report = run(app, found)
        assert (report.extent.total, report.extent.reused) == (400, done)
        assert report.summary.ranking == here.ranking


@pytest.mark.parametrize("status", ["running", "paused", "completed", "interrupted"])
def test_nobody_is_at_what_came_as_a_file(tmp_path: Path, good: bytes, status: str) -> None:
    members = unpacked(good)
    with_config(status=status)(members)
    for name in [name for name in members if name.startswith("results/")][:4]:
        del members[name]
    with app_on(tmp_path / "elsewhere") as app:
        config = taken(app, packed(members)).project.config
        assert (config.status, config.progress.total_tasks) == ("interrupted", 4)
        assert not [state for state in Experiments(app).list() if state.status == "running"]


def test_one_that_is_here_is_refused_unless_it_gets_another_id(tmp_path: Path, good: bytes) -> None:
    members = unpacked(good)
    identity = json.loads(members["config.json"])["id"]
    members["analysis_report.json"] = json.dumps({"project_id": identity, "ours": 1}).encode()
    members["iterations/iteration_report.json"] = b"{broken"
    with app_on(tmp_path / "elsewhere") as app:
        first = taken(app, packed(members)).project
        with pytest.raises(UsageError, match=f"here already under the id {identity}"):
            taken(app, packed(members))
        assert len([*first.folder.parent.iterdir()]) == 1
        second = taken(app, packed(members), renamed=True).project
        assert second.config.id != identity == second.config.origin_id == first.config.id
        found = summary(second)
        assert found is not None
        assert found.project_id == second.config.id
        told = json.loads((second.folder / "analysis_report.json").read_text())
        assert told == {"project_id": second.config.id, "ours": 1}
        assert (second.folder / "iterations/iteration_report.json").read_text() == "{broken"
        assert run(app, second).extent.reused == 8


def test_answers_of_its_own_stay_its_own_under_another_id(workspace: Path, tmp_path: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON).saved(scope="project")
        run(app, project)
        export_bundle(app, project, tmp_path / "x.zip", trials=True)
    with app_on(tmp_path / "elsewhere") as app:
        for _ in range(2):
            found = import_bundle(app, tmp_path / "x.zip", renamed=True)
            assert found.trials == 8
            assert run(app, found.project).extent.reused == 8


def test_links_and_strange_files_stay_behind(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text("private")
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        run(app, project)
        folder = project.folder
        (folder / "logs").mkdir()
        (folder / "logs/run.log").write_text("all went well")
        (folder / "logs/link.log").symlink_to(tmp_path / "outside.txt")
        (folder / "iterations").symlink_to(tmp_path)
        (folder / "notes.txt").write_text("mine")
        (folder / "other").mkdir()
        (folder / "other/x.json").write_text("{}")
        (folder / "results/.0123456789abcdef.tmp").write_text("half")
        (folder / "results/a\nb.json").write_text("{}")
        os.mkfifo(folder / "results/pipe.json")
        done = export_bundle(app, project, tmp_path / "x.zip")
    names = unpacked((tmp_path / "x.zip").read_bytes())
    assert done.files == len(names) == 17
    assert names["logs/run.log"] == b"all went well"
    assert {note.partition("'")[2].partition("'")[0] for note in done.notes} == {
        "logs/link.log",
        "iterations",
        "notes.txt",
        "other",
        "results/a\\nb.json",
        "results/pipe.json",
    }
    assert b"private" not in b"".join(names.values())


def test_no_secret_goes_out(workspace: Path, tmp_path: Path) -> None:
    with app_on(workspace, SOME_API_KEY="the-value-of-a-key") as app:
        project = create_project(app, COMPARISON)
        run(app, project)
        copy = project.folder / project.config.skills[0].local_path
        (copy / "package").mkdir()
        (copy / "package/SKILL.md").write_text("---\nname: x\ndescription: y\n---\nBe good.\n")
        (copy / "package/.env").write_text("x")
        (copy / "package/help.md").write_text(f"use {KEY}")
        result = next(project.folder.glob("results/*/case_001.json"))
        result.write_text(result.read_text().replace("Write", "the-value-of-a-key"))
        log = project.folder / "logs/x.log"
        log.parent.mkdir()
        log.write_text("I said the-value-of-a-key")
        done = export_bundle(app, project, tmp_path / "x.zip", trials=True)
    names = unpacked((tmp_path / "x.zip").read_bytes())
    assert names["logs/x.log"] == f"I said {MARK}".encode()
    assert not [name for name in names if name.endswith((".env", "help.md"))]
    assert len(done.notes) == 4
    whole = b"".join(names.values())
    assert b"the-value-of-a-key" not in whole
    assert KEY.encode() not in whole


@pytest.mark.parametrize("name", ["content.txt", "config.json"])
def test_what_a_project_needs_is_not_exported_with_a_secret_in_it(
    workspace: Path, tmp_path: Path, name: str
) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        if name == "config.json":
            flags = project.config.cli_config.model_copy(update={"extra_flags": (KEY,)})
            project = project.saved(cli_config=flags)
        else:
            (project.folder / project.config.skills[0].local_path / name).write_text(KEY)
        with pytest.raises(UsageError, match=f"{name}.*never exported"):
            export_bundle(app, project, tmp_path / "x.zip")
    assert not [*tmp_path.glob("*.zip")]


def test_the_file_is_whole_or_not_there(workspace: Path, tmp_path: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        (tmp_path / "x.zip").write_text("precious")
        with pytest.raises(UsageError, match="exists already"):
            export_bundle(app, project, tmp_path / "x.zip")
        with pytest.raises(EnvironmentProblem, match="cannot write"):
            export_bundle(app, project, tmp_path / "none/x.zip")
        with pytest.raises(NotFound, match="no such file"):
            import_bundle(app, tmp_path / "y.zip")
    assert (tmp_path / "x.zip").read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "config",
        "scratch",
        "workspace",
        "x.zip",
    ]


def test_several_baselines_and_a_package_travel(workspace: Path, tmp_path: Path) -> None:
    add_baseline(workspace, "More", count=1)
    folder = next(workspace.glob("skills/*/*/*"))
    (folder / "package/scripts").mkdir(parents=True)
    (folder / "package/SKILL.md").write_text("---\nname: x\ndescription: y\n---\nBe good.\n")
    (folder / "package/scripts/run.sh").write_text("#!/bin/sh\n")
    (folder / "package/scripts/run.sh").chmod(0o755)
    with app_on(workspace) as app:
        several = COMPARISON.model_copy(update={"baselines": ("Tests", "More")})
        project = create_project(app, several)
        original = run(app, project)
        export_bundle(app, project, tmp_path / "x.zip")
    with app_on(tmp_path / "elsewhere") as app:
        found = import_bundle(app, tmp_path / "x.zip").project
        [script] = found.folder.rglob("run.sh")
        assert script.stat().st_mode & 0o777 == 0o755
        report = run(app, found)
        assert report.extent.reused == 12
        assert report.summary.by_baseline == original.summary.by_baseline


def test_a_folder_that_somebody_zipped(workspace: Path, tmp_path: Path) -> None:
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        run(app, project)
    made = shutil.make_archive(str(tmp_path / "x"), "zip", project.folder.parent)
    with app_on(tmp_path / "elsewhere") as app:
        config = import_bundle(app, Path(made)).project.config
        assert config == ProjectConfig.load(project.folder / "config.json").model_copy(
            update={"imported": True, "updated_at": config.updated_at}
        )
