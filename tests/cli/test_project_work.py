"""Projects are run by command; the ranking, the counters and the exit codes are right."""

import json
from pathlib import Path

import pytest

from tests.cli.calls import done, read, refused, run
from tests.cli.projects import SKILLS, TESTS, filled, made, worked

CRASHING = ("--retries", "0", "--option", 'simulate={"crash": 1}')
FAILING = ("--option", 'simulate={"fail": 1}')


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return filled(tmp_path)


def test_a_run_ends_with_the_ranking(workspace: Path) -> None:
    read("project", "create", "Small", *SKILLS, *TESTS, "--repeats", "2", "--workspace", workspace)
    told = run("project", "run", "Small", "--workspace", workspace)
    assert told.exit_code == 0, told.output
    assert "Writer v1" in told.stdout
    assert "8 trials: 8 run now, 0 only graded anew, 0 reused" in told.stdout
    assert "simulated agent" in told.stdout
    assert "whet project results " in told.stdout
    again = worked(workspace, "run", "Small")
    assert again["trials"] == {"total": 8, "executed": 0, "regraded": 0, "reused": 8}
    assert (again["unanswered"], again["spent"]["cost_usd"]) == (0, None)
    (summary,) = workspace.glob("projects/*/results/summary.json")
    assert json.loads(summary.read_text())["ranking"] == again["ranking"]


@pytest.mark.slow
def test_trials_without_an_answer_are_told_and_tried_again(workspace: Path) -> None:
    read("project", "create", "Bad", *SKILLS, *TESTS, *CRASHING, "--workspace", workspace)
    for _ in range(2):
        told = run("project", "run", "Bad", "--json", "--workspace", workspace)
        assert told.exit_code == 1
        assert json.loads(told.stdout)["trials"]["executed"] == 4
        assert "trials without an answer: 4; go on with: whet project run" in told.stderr
    status = read("project", "status", "Bad", "--workspace", workspace)
    assert status["trials"] == {
        "completed": 0,
        "failed": 4,
        "skipped": 0,
        "unscored": 0,
        "unanswered": 4,
    }


def test_failed_answers_are_a_result(workspace: Path) -> None:
    report = made(workspace, "Failing", *FAILING)
    assert (report["unanswered"], report["winner"]) == (0, None)
    shown = done("project", "show", "Failing", "--workspace", workspace)
    assert "No ranking: not one trial has a score" in shown
    assert "2 cases failed" in shown


def test_the_status_of_one_that_was_never_run(workspace: Path) -> None:
    read("project", "create", "New", *SKILLS, *TESTS, "--workspace", workspace)
    status = read("project", "status", "New", "--workspace", workspace)
    assert (status["status"], status["run"], status["cost_usd"]) == ("pending", None, None)
    told = done("project", "status", "New", "--workspace", workspace)
    assert "not run yet" in told
    assert "0 of 4" in told
    assert "run it: whet project resume" in told


def test_the_status_of_a_completed_one(workspace: Path) -> None:
    made(workspace, "Small", "--repeats", "2")
    status = read("project", "status", "Small", "--workspace", workspace)
    assert (status["status"], status["error"], status["control"]) == ("completed", None, None)
    assert (status["total_trials"], status["trials"]["completed"]) == (8, 8)
    run_ = status["run"]
    assert (run_["total"], run_["reused"], run_["settled"]) == (8, 0, 8)
    assert (run_["seconds"] > 0, run_["seconds_left"]) == (True, None)
    assert status["cost_usd"] == 0
    assert "8 of 8: 8 completed" in done("project", "status", "Small", "--workspace", workspace)


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["pause", "stop"])
def test_nobody_can_halt_what_does_not_run(workspace: Path, verb: str) -> None:
    read("project", "create", "New", *SKILLS, *TESTS, "--workspace", workspace)
    assert "New" in refused("project", verb, "New", "--workspace", workspace)
    made(workspace)
    told = refused("project", verb, "Small", "--workspace", workspace)
    assert "is not running; it is completed" in told


def test_watching_one_that_has_ended_tells_how(workspace: Path) -> None:
    made(workspace)
    told = run("project", "watch", "Small", "--workspace", workspace)
    assert told.exit_code == 0
    assert "95 % interval" in told.stdout
    assert "completed" in told.stdout
    read("project", "create", "New", *SKILLS, *TESTS, "--workspace", workspace)
    assert run("project", "watch", "New", "--workspace", workspace).exit_code == 1


@pytest.mark.slow
def test_one_result_is_tried_again(workspace: Path) -> None:
    made(workspace)
    wish = ("retry", "Small", "--skill", "Writer", "--case", "case_001", "--workspace", workspace)
    told = read("project", *wish)
    assert (told["results"], told["wanted"], told["project"]["status"]) == (1, 1, "completed")
    assert worked(workspace, "run", "Small")["trials"]["executed"] == 1
    report = worked(workspace, *wish[:-2], "--run")
    assert report["trials"] == {"total": 4, "executed": 1, "regraded": 0, "reused": 3}
    found = read("project", "results", "Small", "--workspace", workspace)["items"]
    assert sorted(one["generation"] for one in found) == [1, 1, 1, 3]


def test_failed_ones_are_tried_again(workspace: Path) -> None:
    made(workspace, "Failing", *FAILING)
    told = done("project", "retry", "Failing", "--failed", "--workspace", workspace)
    assert told.startswith("trials to be tried again: 4\n")
    assert worked(workspace, "run", "Failing")["trials"]["executed"] == 4


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ((), "say what to try again"),
        (("--case", "nope"), "nothing to try again"),
        (("--skill", "nope"), "'nope'; it has Writer@v1, Author@v1"),
        (("--baseline", "nope"), "'nope'; it has Tests@v1"),
        (("--failed",), "nothing to try again"),
        (("--unscored", "--skill", "Writer"), "nothing to try again"),
    ],
)
def test_a_wish_that_means_nothing_is_refused(
    workspace: Path, wish: tuple[str, ...], says: str
) -> None:
    made(workspace)
    assert says in refused("project", "retry", "Small", *wish, "--workspace", workspace)


@pytest.mark.slow
def test_the_machine_s_trouble_stops_it_with_another_code(workspace: Path) -> None:
    read("project", "create", "Small", *SKILLS, *TESTS, "--workspace", workspace)
    (path,) = workspace.glob("projects/*/config.json")
    config = json.loads(path.read_text())
    config["cli_config"]["engine_version"] = "other"
    path.write_text(json.dumps(config))
    told = run("project", "run", "Small", "--workspace", workspace)
    assert told.exit_code == 3
    assert "simulated" in told.stderr
    status = read("project", "status", "Small", "--workspace", workspace)
    assert (status["status"], "other" in status["error"]) == ("interrupted", True)
