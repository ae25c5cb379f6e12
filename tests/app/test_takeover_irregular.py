"""A project of the original program with every irregular shape that it is known for, at once."""

import shutil
from pathlib import Path

import pytest

from tests.app.opening import app_on
from tests.app.originals import Original
from tests.app.test_takeover import executed, ranked, run, summary
from tests.curate.original.desktop import Fields, identity, image, read, scores, write
from tests.curate.original.taking import NOW
from whet.app.app import App
from whet.app.experiments import Experiments
from whet.app.leaderboard import Slice, Wanted, records
from whet.app.library.library import index_of
from whet.app.projects import results
from whet.app.projects.requests import ProjectListing
from whet.app.projects.shelf import ProjectShelf
from whet.core.result import Counts
from whet.curate.original.workspace import import_workspace
from whet.evaluate.project import Project

CANDIDATE = "迭代Skill-v2-c2"
ITERATED = "skill_iter_v2"
"""The folder that all candidates of a round share, with the results of the first of them."""

NULLS: Fields = dict.fromkeys(scores())


@pytest.fixture
def original(tmp_path: Path) -> Original:
    made = Original(tmp_path)
    add_candidate(made)
    bare_cases(made)
    made.say(status="paused", progress={**made.config["progress"], "completed_tasks": 9})
    made.add(0, 0, 20)
    made.add(0, 1, 10, case_id="undefined", file="undefined.json")
    made.add(0, 2, scores=None)
    made.add(1, 0, scores=NULLS)
    made.add(1, 1, status="failed", scores=None, error="CLI_TIMEOUT", actual_output="")
    made.add(1, 2, scores=scores(500))
    made.add(2, 0, 30)
    made.add(2, 1, 30, skill_id=identity("迭代Skill-v2-c1"))
    made.desktop.add_summary(made.source, completed_cases=3, avg_score=999)
    ranking = read(made.source / "results/summary.json")
    third: Fields = {"skill_id": identity(CANDIDATE), "skill_name": CANDIDATE, "avg_score": 90}
    third |= {"rank": 2, "skill_version": "v1", "completed_cases": 2}
    ranking["ranking"].append({**ranking["ranking"][0], **third})
    write(made.source / "results/summary.json", ranking)
    return made


def add_candidate(made: Original) -> None:
    """As an iteration leaves it: among the skills, in a folder that tells nothing of its id."""
    asset = made.desktop.add_skill(CANDIDATE, "Be brief, and good.", purpose="general")
    shutil.copytree(asset, made.source / "skills" / ITERATED)
    config = made.config
    reference: Fields = {"ref_id": identity(CANDIDATE), "name": CANDIDATE, "purpose": "general"}
    reference |= {"provider": "me", "version": "v1", "local_path": f"skills/{ITERATED}"}
    originals = [skill["ref_id"] for skill in config["skills"]]
    made.say(skills=[*config["skills"], reference], original_skill_ids=originals)
    report: Fields = {"project_id": config["id"], "generated_at": "x", "total_rounds": 0}
    report |= {"stop_reason": "paused", "stop_threshold": None, "best_round": 0, "rounds": []}
    report |= {"best_skill_id": "s", "best_skill_name": "s", "best_avg_score": 1}
    write(made.source / "iterations/iteration_report.json", report)


def bare_cases(made: Original) -> None:
    """A list, and ``case_id`` for ``id``."""
    (path,) = made.source.glob("baselines/*/cases.json")
    cases: list[Fields] = read(path)["cases"]
    write(path, [{"case_id": case.pop("id"), **case} for case in cases])


def arrived(original: Original, how: str) -> Path:
    if how == "copied":
        return original.copied().folder
    import_workspace(original.desktop.root, original.workspace, NOW)
    return original.folder


def board(app: App) -> list[tuple[object, object]]:
    with index_of(app.settings.workspace) as index:
        index.refresh()
        found = records(index, Wanted(), Slice()).records
    return [(one["skill_name"], one["avg_score"]) for one in found]


def listed(app: App) -> Project:
    (project,) = ProjectShelf(app).page(ProjectListing()).items
    return project


@pytest.mark.parametrize("how", ["copied", "imported"])
def test_it_opens_lists_ranks_and_goes_on(original: Original, how: str) -> None:
    folder = arrived(original, how)
    with app_on(original.workspace) as app:
        before = image(folder)
        project = listed(app)
        assert (project.config.status, project.config.control) == ("interrupted", "paused")
        assert results.counts(app, project) == Counts(completed=6, failed=1, unscored=3)
        # 60 points and 30; 60 and 20 or 10; nothing.
        rows = [(CANDIDATE, 90, 1, 0), ("Writer", 75, 3, 0), ("Author", None, 2, 1)]
        assert ranked(summary(app, project)) == rows
        assert image(folder) == before, "to look changes nothing"

        said = read(folder / "config.json")
        said["cli_config"]["engine"] = "simulated"
        write(folder / "config.json", said)
        report = run(app, listed(app))
        assert (report.extent.total, report.extent.missing, executed(app)) == (9, 2, 2)
        assert results.counts(app, project) == Counts(completed=8, failed=1, unscored=3)
        assert report.project.config.status == "completed"
        assert Experiments(app).get(project.config.id).status == "completed"
        assert [entry.completed_cases for entry in report.summary.ranking] == [3, 3, 2]
        assert len(board(app)) == 3


def test_a_candidate_does_not_get_the_score_of_another(original: Original) -> None:
    """Both lie in one folder; the file says whose it is, and stays there."""
    report = import_workspace(original.desktop.root, original.workspace, NOW)
    (name,) = [one.path for one in report.entries if one.what == "is a result of another skill"]
    assert name.endswith(f"results/{ITERATED}/case_002.json")
    assert read(original.workspace / name)["skill_id"] == identity("迭代Skill-v2-c1")
    ranking = read(original.folder / "results/summary.json")["ranking"]
    completed = {entry["skill_name"]: entry["completed_cases"] for entry in ranking}
    assert completed == {"Writer": 3, CANDIDATE: 1}
