"""``whet demo`` from the outside."""

import json
from pathlib import Path

import pytest

from tests.flows.command import assert_every_trial_answered_once, demo, whet
from whet.documents.cases import BaselineCases
from whet.documents.project import ProjectConfig
from whet.documents.result import CaseResult, Summary
from whet.documents.session import Session

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    demo(folder)
    return folder


def test_the_ranking_has_what_it_must_have(workspace: Path) -> None:
    report = demo(workspace)
    assert [entry["rank"] for entry in report["ranking"]] == [1, 2, 3]
    scores = [entry["avg_score"] for entry in report["ranking"]]
    assert scores == sorted(scores, reverse=True)
    for entry in report["ranking"]:
        assert entry["completed_cases"] == 10
        assert entry["failed_cases"] == 0
        assert entry["interval"]["low"] < entry["avg_score"] < entry["interval"]["high"]
        assert entry["interval"]["level"] == 0.95
        assert sum(entry["score_breakdown"].values()) == pytest.approx(entry["avg_score"], abs=0.04)
        assert {"skill_id", "skill_name", "skill_version"} <= entry.keys()
    assert report["simulated"] is True
    assert report["winner"] == report["ranking"][0]["skill_id"]


def test_again_runs_nothing_and_says_the_same(workspace: Path) -> None:
    first, second = demo(workspace), demo(workspace)
    assert first["trials"] == {"total": 90, "executed": 0, "regraded": 0, "reused": 90}
    assert json.dumps(first["ranking"]) == json.dumps(second["ranking"])
    assert first["folder"] == second["folder"]
    assert_every_trial_answered_once(workspace, 90)


def test_another_workspace_says_the_same(workspace: Path, tmp_path: Path) -> None:
    assert json.dumps(demo(workspace)["ranking"]) == json.dumps(demo(tmp_path)["ranking"])


def test_the_files_are_what_the_format_says(workspace: Path) -> None:
    report = demo(workspace)
    folder = Path(report["folder"])
    config = ProjectConfig.load(folder / "config.json")
    assert config.status == "completed"
    assert config.progress.completed_tasks == config.progress.total_tasks == 30
    assert config.progress.total_trials == 90
    results = sorted((folder / "results").glob("*/*.json"))
    assert len(results) == 90
    for path in results:
        result = CaseResult.load(path)
        assert result.status == "completed"
        assert result.simulated
        assert result.scores.total == sum(result.scores.dimensions.values())  # pyright: ignore[reportArgumentType, reportCallIssue]
    summary = Summary.load(folder / "results" / "summary.json").to_data()
    assert isinstance(summary, dict)
    assert summary["ranking"] == report["ranking"]
    cases = BaselineCases.load(next((folder / "baselines").glob("*")) / "cases.json")
    assert len(cases.cases) == 10


def test_lost_and_spoilt_result_files_come_back(workspace: Path) -> None:
    folder = Path(demo(workspace)["folder"])
    lost, spoilt, *_ = sorted((folder / "results").glob("*/*.json"))
    before = [lost.read_text(), spoilt.read_text()]
    lost.unlink()
    spoilt.write_text("{")
    demo(workspace)
    assert [lost.read_text(), spoilt.read_text()] == before


def test_every_trial_has_a_session_log(workspace: Path) -> None:
    import sqlite3

    database = sqlite3.connect(workspace / "whet.db")
    try:
        records = [json.loads(row[0]) for row in database.execute("SELECT data FROM trials")]
        for record in records:
            row = database.execute("SELECT data FROM blobs WHERE digest = ?", [record["session"]])
            data = json.loads(row.fetchone()[0])
            session = Session.parse(data, record["session"])
            assert session.to_data() == data
            assert session.summary.tool_calls_count == len(session.tool_calls) > 0
            assert session.summary.files_created
    finally:
        database.close()


def test_text_names_the_winner_and_the_files(workspace: Path) -> None:
    done = whet("demo", "--workspace", workspace)
    assert "Winner: Careful Python Writer" in done.stdout
    assert str(workspace) in done.stdout
    assert "whet serve" in done.stdout
    assert "simulated" in done.stdout


def test_it_speaks_chinese(tmp_path: Path) -> None:
    done = whet("demo", "--workspace", tmp_path, "--json", LANG="zh_CN.UTF-8")
    report = json.loads(done.stdout)
    assert report["ranking"][0]["skill_name"] == "严谨的 Python 编写者"
