"""Cassettes: what one workspace recorded, another one has without running anything."""

import asyncio
import shutil
from pathlib import Path

import pytest

from tests.app.opening import COMPARISON, app_on, fill
from tests.app.recording import app_with, hand, recorded
from tests.run.agents import answers, ends, now, spec, yields
from whet.app.app import App
from whet.app.cassettes import (
    every_trial,
    export_cassette,
    import_cassette,
    trials_named,
    trials_of_project,
)
from whet.app.experiments import Experiments, Report
from whet.app.projects.create import create_project
from whet.core.errors import NotFound, UnknownPart, UsageError
from whet.core.failure import Failure
from whet.core.step import Ended
from whet.documents.cassette import Cassette
from whet.documents.project import ProjectConfig
from whet.documents.result import CaseResult
from whet.evaluate.project import Project

BY_HAND = COMPARISON.model_copy(update={"engine": "hand", "judges": ("simulated",)})


@pytest.fixture
def cassette(tmp_path: Path) -> Path:
    """Two trials of an agent that is installed nowhere."""
    path = tmp_path / "two.zip"
    with app_with(tmp_path / "there", hand(answers, ends(Failure.MAX_TURNS))) as app:
        recorded(app, spec("one"))
        recorded(app, spec("two"))
        assert export_cassette(app, path, every_trial(app)).trials == 2
    return path


def test_imported_records_are_whole_and_count_only_if_asked_for(
    tmp_path: Path, cassette: Path
) -> None:
    with app_on(tmp_path / "there") as app:
        [theirs] = app.store.ledger.records([spec("one").address]).values()
        output = app.store.blobs.get(theirs.outputs[0].digest)
    with app_on(tmp_path / "here") as app:
        done = import_cassette(app, cassette)
        assert (done.trials, done.new) == (2, 2)
        ledger, address = app.store.ledger, spec("one").address
        assert ledger.record(address) is None
        record = ledger.record(address, imported=True)
        assert record is not None
        assert record == theirs.model_copy(update={"generation": 0})
        assert app.store.blobs.get(record.outputs[0].digest) == output == b"About one"
        assert app.store.blobs.has(record.session)
        assert record.tape is not None
        assert app.store.blobs.has(record.tape)
        assert ledger.executions(address) == []


def test_importing_twice_adds_nothing(tmp_path: Path, cassette: Path) -> None:
    with app_on(tmp_path / "here") as app:
        import_cassette(app, cassette)
        before = app.store.ledger.records(every_trial(app), imported=True)
        again = import_cassette(app, cassette)
        assert (again.trials, again.new) == (2, 0)
        assert app.store.ledger.records(every_trial(app), imported=True) == before


def test_a_record_of_our_own_goes_before_an_imported_one(tmp_path: Path, cassette: Path) -> None:
    with app_with(tmp_path / "here", hand(yields(Ended(now(), "ours")))) as app:
        mine = recorded(app, spec("one"))
        import_cassette(app, cassette)
        for imported in (False, True):
            assert app.store.ledger.record(mine.address, imported=imported) == mine


def test_an_imported_record_does_not_keep_a_trial_from_running(
    tmp_path: Path, cassette: Path
) -> None:
    agent = hand(yields(Ended(now(), "ours")))
    with app_with(tmp_path / "here", agent) as app:
        import_cassette(app, cassette)
        assert recorded(app, spec("one")).answer == "ours"
        assert len(agent.starts) == 1


def test_the_same_trials_give_the_same_file(tmp_path: Path, cassette: Path) -> None:
    with app_on(tmp_path / "there") as app:
        again = tmp_path / "again.zip"
        export_cassette(app, again, reversed(every_trial(app)))
    assert again.read_bytes() == cassette.read_bytes()


def test_the_list_tells_what_is_on_it(cassette: Path) -> None:
    with Cassette(cassette) as opened:
        trials = {trial.prompt: trial for trial in opened.contents.trials}
    assert trials.keys() == {"one", "two"}
    one = trials["one"]
    assert (one.address, one.engine, one.model) == (spec("one").address, "hand", "m")
    assert (one.attempt, one.skill, one.simulated) == (1, None, False)


def test_trials_are_found_by_how_their_address_begins(tmp_path: Path, cassette: Path) -> None:
    address = spec("one").address
    with app_on(tmp_path / "here") as app:
        import_cassette(app, cassette)
        assert trials_named(app, [address, address[:8]]) == [address, address]
        with pytest.raises(NotFound, match="no record of a trial 'ffffffffff'"):
            trials_named(app, ["f" * 10])
        with pytest.raises(UsageError, match="too short"):
            trials_named(app, [address[:7]])
        one = tmp_path / "one.zip"
        assert export_cassette(app, one, [address, "0" * 64]).trials == 1


def test_nothing_to_export_is_said(tmp_path: Path) -> None:
    with app_on(tmp_path / "here") as app:
        with pytest.raises(UsageError, match="no record to export"):
            export_cassette(app, tmp_path / "none.zip", every_trial(app))
        with pytest.raises(NotFound, match="no project 'nope'"):
            trials_of_project(app, "nope")
    assert not list(tmp_path.glob("*.zip"))


def test_a_file_that_is_there_is_not_overwritten(tmp_path: Path, cassette: Path) -> None:
    taken = tmp_path / "taken.zip"
    taken.write_text("precious")
    with app_on(tmp_path / "there") as app, pytest.raises(UsageError, match="exists already"):
        export_cassette(app, taken, every_trial(app))
    assert taken.read_text() == "precious"
    assert sorted(path.name for path in tmp_path.glob("*.zip")) == ["taken.zip", cassette.name]


def test_an_output_that_shrinks_too_well_can_be_imported(tmp_path: Path) -> None:
    """A member that swells like a bomb is refused, so an honest one is stored as it is."""
    path = tmp_path / "zeros.zip"
    zeros = "0" * 3_000_000
    with app_with(tmp_path / "there", hand(yields(Ended(now(), zeros)))) as app:
        recorded(app, spec("zeros"))
        export_cassette(app, path, every_trial(app))
    with app_on(tmp_path / "here") as app:
        assert import_cassette(app, path).new == 1


def results(project: Project) -> list[CaseResult]:
    paths = sorted((project.folder / "results").glob("*/*.json"))
    return [CaseResult.load(path) for path in paths]


def run(app: App, project: Project, *, imported: bool = False) -> Report:
    return asyncio.run(Experiments(app, imported=imported).run(project))


def test_imported_answers_are_graded_again_without_their_engine(tmp_path: Path) -> None:
    """The project and a cassette are all that is needed: no engine, no model."""
    there, here, path = tmp_path / "there", tmp_path / "here", tmp_path / "all.zip"
    fill(there)
    with app_with(there, hand(answers)) as app:
        project = create_project(app, BY_HAND)
        original = run(app, project)
        export_cassette(app, path, trials_of_project(app, project.config.id))
    assert (original.extent.missing, original.summary.simulated) == (8, True)  # the judge is
    folder = here / "projects" / project.folder.name
    shutil.copytree(project.folder, folder, ignore=shutil.ignore_patterns("results"))
    moved = Project(folder, ProjectConfig.load(folder / "config.json"))
    with app_on(here) as app:
        with pytest.raises(UnknownPart, match="unknown engine 'hand'"):
            run(app, moved, imported=True)
        import_cassette(app, path)
        with pytest.raises(UnknownPart, match="unknown engine 'hand'"):
            run(app, moved)
        report = run(app, moved, imported=True)
        assert (report.extent.missing, report.extent.ungraded) == (0, 8)
        assert run(app, moved, imported=True).extent.reused == 8
        for address in every_trial(app):
            assert app.store.ledger.executions(address) == []
    assert [result.actual_output for result in results(moved)] == ["42"] * 8
    assert {result.generation for result in results(moved)} == {0}
    assert {result.grade_status for result in results(moved)} == {"scored"}


def test_a_changed_expectation_grades_imported_answers_anew(tmp_path: Path) -> None:
    there, here, path = tmp_path / "there", tmp_path / "here", tmp_path / "all.zip"
    fill(there)
    with app_with(there, hand(answers)) as app:
        project = create_project(app, BY_HAND)
        run(app, project)
        export_cassette(app, path, every_trial(app))
    folder = here / "projects" / project.folder.name
    shutil.copytree(project.folder, folder, ignore=shutil.ignore_patterns("results"))
    [cases] = folder.glob("baselines/*/cases.json")
    moved = Project(folder, ProjectConfig.load(folder / "config.json"))
    with app_on(here) as app:
        import_cassette(app, path)
        assert run(app, moved, imported=True).extent.ungraded == 8
        assert run(app, moved, imported=True).extent.ungraded == 0
        text = cases.read_text()
        cases.write_text(text.replace('"expected_output": "', '"expected_output": "returns zero; '))
        assert cases.read_text() != text
        assert run(app, moved, imported=True).extent.ungraded == 8


def test_an_experiment_is_replayed(tmp_path: Path) -> None:
    """The replay engine gives the same answers and scores, and says that they are simulated."""
    workspace, path = tmp_path / "workspace", tmp_path / "all.zip"
    fill(workspace)
    with app_on(workspace) as app:
        project = create_project(app, COMPARISON)
        original = run(app, project)
        export_cassette(app, path, trials_of_project(app, "Small"))
        change = {"engine": "replay", "model": "simulated", "options": {"cassette": str(path)}}
        again = create_project(app, COMPARISON.model_copy(update=change))
        report = run(app, again)
        assert report.extent.missing == 8
    assert [result.actual_output for result in results(again)] == [
        result.actual_output for result in results(project)
    ]
    assert {(result.engine, result.simulated) for result in results(again)} == {("replay", True)}
    assert {result.cost_usd for result in results(again)} == {0}
    assert [entry.completed_cases for entry in report.summary.ranking] == [
        entry.completed_cases for entry in original.summary.ranking
    ]
