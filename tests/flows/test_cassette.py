"""``whet cassette`` from the outside."""

import json
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.flows.command import demo, executions, whet
from tests.flows.serving import BASELINES, SKILLS, Serving
from tests.repo.tree import ROOT

EXAMPLE = ROOT / "examples/careful-python"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    demo(folder)
    return folder


@pytest.fixture(scope="module")
def cassette(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cassette") / "demo.zip"
    done = whet("cassette", "export", path, "--all", "--workspace", workspace)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"90 trials in {path}, ")
    return path


def assert_refused(done: subprocess.CompletedProcess[str], code: int, says: str) -> None:
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith("whet: ")
    assert done.stderr.count("\n") == 1
    assert says in done.stderr


def test_what_one_exports_another_imports(workspace: Path, cassette: Path, tmp_path: Path) -> None:
    first = whet("cassette", "import", cassette, "--workspace", tmp_path)
    assert first.returncode == 0, first.stderr
    assert first.stdout == f"90 trials imported into {tmp_path}\n"
    again = whet("cassette", "import", cassette, "--workspace", tmp_path, "--json")
    assert json.loads(again.stdout) == {
        "file": str(cassette),
        "trials": 90,
        "imported": 0,
        "present": 90,
    }
    assert executions(tmp_path) == []
    # What was imported does not count as done here.
    assert demo(tmp_path)["trials"]["executed"] == 90
    assert demo(workspace)["trials"]["executed"] == 0


def _moved(workspace: Path, other: Path, path: Path) -> None:
    """All trials of a workspace, in a cassette, into another one."""
    assert whet("cassette", "export", path, "--all", "--workspace", workspace).returncode == 0
    assert whet("cassette", "import", path, "--workspace", other).returncode == 0
    assert executions(other) == []


@pytest.fixture
def unrun(workspace: Path, tmp_path: Path) -> tuple[Path, str]:
    """A workspace with the library of the demo and a project nobody has run."""
    place = tmp_path / "unrun"
    for folder in ("skills", "baselines"):
        shutil.copytree(workspace / folder, place / folder)
    done = whet(
        *("project", "create", "Again", "--skill", SKILLS[0], "--skill", SKILLS[1]),
        *("--baseline", BASELINES[0], "--engine", "simulated", "--json", "--workspace", place),
    )
    assert done.returncode == 0, done.stderr
    return place, json.loads(done.stdout)["id"]


def test_imported_answers_of_a_project_are_graded(unrun: tuple[Path, str], tmp_path: Path) -> None:
    other, project = unrun
    first = tmp_path / "first"
    shutil.copytree(other, first)
    whet("project", "run", project, "--workspace", first)
    count = len(executions(first))
    assert count
    _moved(first, other, tmp_path / "one.zip")
    done = whet("project", "run", project, "--imported", "--json", "--workspace", other)
    assert done.returncode == 0, done.stderr
    again = json.loads(done.stdout)
    assert (again["trials"]["executed"], again["trials"]["total"]) == (0, count)
    assert executions(other) == []
    totals = {
        json.loads(path.read_text())["scores"]["total"]
        for path in other.glob("projects/*/results/*/case_*.json")
    }
    assert len(totals) > 1, "they are graded here"
    # Without the option they do not count, and the agent is asked.
    plain = whet("project", "run", project, "--json", "--workspace", other)
    assert json.loads(plain.stdout)["trials"]["executed"] == count


def test_imported_answers_are_graded_over_http(unrun: tuple[Path, str], tmp_path: Path) -> None:
    other, project = unrun
    first = tmp_path / "first"
    shutil.copytree(other, first)
    whet("project", "run", project, "--workspace", first)
    whet("eval", "run", EXAMPLE, "--engine", "simulated", "--yes", "--workspace", first)
    _moved(first, other, tmp_path / "one.zip")
    with Serving.on(other) as server:
        answer = server.client.post(f"/v1/projects/{project}/run", json={"imported": True})
        assert answer.status_code == 202, answer.text
        eval_body = {"skill": str(EXAMPLE), "engines": ["simulated"], "imported": True}
        plan = server.client.post("/v1/evals/plan", json=eval_body).json()
        assert plan["legs"][0]["run"] == 0, plan
        started = server.client.post("/v1/evals", json=eval_body)
        assert started.status_code == 202, started.text
        for path in (f"/v1/projects/{project}/status", f"/v1/evals/{started.json()['id']}"):
            end = time.monotonic() + 60
            while (found := server.client.get(path).json()).get("eval", found)["status"] in (
                "pending",
                "running",
            ):
                assert time.monotonic() < end
                time.sleep(0.05)
            assert found.get("eval", found)["status"] == "completed", found
    assert executions(other) == []


def test_imported_answers_of_an_eval_are_graded(tmp_path: Path) -> None:
    first, other = tmp_path / "first", tmp_path / "other"
    common = ("eval", "run", EXAMPLE, "--engine", "simulated", "--json")
    done = whet(*common, "--workspace", first)
    count = len(executions(first))
    assert count, done.stderr
    _moved(first, other, tmp_path / "one.zip")
    again = whet(*common, "--imported", "--workspace", other)
    assert again.returncode == done.returncode, again.stderr
    assert executions(other) == []
    mine, theirs = (json.loads(each.stdout) for each in (again, done))
    for one, two in zip(mine["legs"], theirs["legs"], strict=True):
        for side in ("with_skill", "without_skill"):
            here, there = (each["benchmark"]["run_summary"][side] for each in (one, two))
            # The same answers, judged anew: what is measured by rules and clocks is the same.
            same = ("pass_rate", "time_seconds", "tokens")
            assert {name: here[name] for name in same} == {name: there[name] for name in same}
            assert here["rubric_normalized"]["mean"] > 0
    whet(*common, "--workspace", other)
    assert len(executions(other)) == count


def test_a_project_and_a_trial_can_be_exported(workspace: Path, tmp_path: Path) -> None:
    report = demo(workspace)
    whole = tmp_path / "whole.zip"
    done = whet(
        *("cassette", "export", whole, "--json", "--workspace", workspace),
        *("--project", report["project_name"]),
    )
    facts = json.loads(done.stdout)
    assert facts == {
        "file": str(whole),
        "bytes": whole.stat().st_size,
        "trials": 90,
        "without_tape": 0,
    }
    one, other = (executions(workspace)[number][0] for number in (0, 1))
    done = whet(
        *("cassette", "export", tmp_path / "two.zip", "--json", "--workspace", workspace),
        *("--trial", one, "--trial", other[:16]),
    )
    assert json.loads(done.stdout)["trials"] == 2


def test_wrong_use_is_one_line(workspace: Path, cassette: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.zip"
    export = ("cassette", "export", out, "--workspace", workspace)
    assert_refused(whet(*export), 2, "one of --project, --trial and --all")
    assert_refused(whet(*export, "--all", "--project", "x"), 2, "one of --project, --trial")
    assert_refused(whet(*export, "--project", "nope"), 2, "no project 'nope'")
    assert_refused(whet(*export, "--trial", "0" * 64), 2, "no record of a trial")
    taken = ("cassette", "export", cassette, "--all", "--workspace", workspace)
    assert_refused(whet(*taken), 2, "exists already")
    nowhere = ("cassette", "export", tmp_path / "no/out.zip", "--all", "--workspace", workspace)
    assert_refused(whet(*nowhere), 3, "cannot write")
    assert not list(tmp_path.iterdir())
    bad = tmp_path / "bad.zip"
    bad.write_bytes(cassette.read_bytes()[:-100])
    assert_refused(
        whet("cassette", "import", bad, "--workspace", tmp_path / "w"), 2, "no usable cassette"
    )
    missing = whet("cassette", "import", tmp_path / "none.zip", "--workspace", tmp_path / "w")
    assert_refused(missing, 2, "none.zip: no such file")
