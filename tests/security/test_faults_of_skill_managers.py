"""Faults of skill_manager, which compares skills on baselines: wrong numbers and lost work.

It ran one case of each skill and counted all, believed any total of its judge, mixed baselines,
left failures out of the mean, ran cases twice after a pause, and forgot its work at a restart.
"""

import asyncio
import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.app.opening import app_on
from tests.app.originals import Original
from tests.cli.calls import done, read, run
from tests.cli.projects import SKILLS, worked
from tests.curate.original.desktop import read as document
from tests.curate.original.desktop import scores, write
from tests.curate.shelves import add_baseline, add_skill, identity
from tests.flows.command import assert_every_trial_answered_once
from tests.flows.command import started as begun
from tests.server.calling import calling
from tests.server.projects import ended
from tests.server.projects import made as made_over_http
from whet.app.projects.report import project_report

TWO = ("--skill", "Writer", "--skill", "Author")


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two skills, and baselines *Tests* and *More*, whose cases have the same ids."""
    monkeypatch.setenv("WHET_SCRATCH", str(tmp_path / "scratch"))
    made = tmp_path / "workspace"
    add_skill(made, "Writer", text="Write a docstring. Refuse bad input with ValueError.")
    add_skill(made, "Author", text="Be brief.")
    add_baseline(made, "Tests", count=3)
    add_baseline(made, "More", count=2)
    return made


def results(workspace: Path, project: str) -> list[dict[str, Any]]:
    return read("project", "results", project, "--workspace", workspace)["items"]


def scripted(folder: Path, body: str) -> list[str]:
    """Options of a project whose agent is a program that runs *body*."""
    script = folder / "agent.py"
    script.write_text("import os, pathlib, sys\nprompt = sys.stdin.read()\n" + body)
    argv = json.dumps([sys.executable, "-I", str(script)])
    return ["--engine", "command", "--option", f"argv={argv}", "--judge", "simulated", "--yes"]


def test_cases_named_by_case_id_in_a_bare_list_are_all_run(workspace: Path) -> None:
    """There two skills on three cases were two runs, and six were claimed."""
    cases = [
        {
            "case_id": f"case_{n:03}",
            "input": f"Write a Python function f{n}.",
            "expected_output": "f",
        }
        for n in range(10)
    ]
    path = workspace.with_name("ten.json")
    path.write_text(json.dumps(cases))
    assert read("baseline", "import", path, "--workspace", workspace)["outcome"] == "created"
    found = worked(workspace, "create", "P", *TWO, "--baseline", "ten", "--run")
    assert found["trials"]["executed"] == 20
    assert [entry["completed_cases"] for entry in found["ranking"]] == [10, 10]
    places = Counter((row["arm"], row["case"]) for row in results(workspace, "P"))
    assert len(places) == 20
    assert {case for _, case in places} == {case["case_id"] for case in cases}


def test_cases_of_two_baselines_with_the_same_ids_do_not_take_each_others_place(
    workspace: Path,
) -> None:
    """There 8 tasks left 4 files, and all of them counted for the first baseline."""
    both = ("--baseline", "Tests", "--baseline", "More")
    found = worked(workspace, "create", "P", *TWO, *both, "--run")
    assert found["trials"]["executed"] == 10
    rows = results(workspace, "P")
    assert Counter(row["baseline_name"] for row in rows) == {"Tests": 6, "More": 4}
    files = [*Path(found["folder"]).glob("results/**/case_*.json")]
    assert len(files) == 10
    board = read("leaderboard", "show", "--workspace", workspace)
    assert sorted(group["baseline_name"] for group in board["groups"]) == ["More", "Tests"]


def test_a_total_of_999_is_not_believed(workspace: Path) -> None:
    original = Original(workspace.parent)
    for case in range(3):
        original.add(0, case, scores=scores(28, total=999))
        original.add(1, case, points=20)
    original.copied()
    rows = results(workspace, "old")
    assert Counter(row["grade_status"] for row in rows) == {"unscored": 3, "scored": 3}
    assert {row["score"] for row in rows} == {None, 80}
    with app_on(workspace) as app:
        summary = project_report(app, original.config["id"]).summary
    assert summary is not None
    means = {entry.skill_name: entry.avg_score for entry in summary.ranking}
    assert means == {"Writer": None, "Author": 80}


@pytest.mark.parametrize("points", [-5, 1e400, 31, "28", True, 10**400])
def test_points_that_no_judge_can_give_are_no_score(workspace: Path, points: object) -> None:
    original = Original(workspace.parent)
    path = original.add(0, 0)
    result = document(path)
    result["scores"]["functional_correctness"] = points
    path.write_text(json.dumps(result))
    original.add(0, 1, points=10)
    original.copied()
    found = {row["case"]: row["score"] for row in results(workspace, "old")}
    assert found.pop("case_001", None) is None
    assert found == {"case_002": 70}


def test_failed_cases_are_not_left_out_of_the_comparison(workspace: Path, tmp_path: Path) -> None:
    """There the mean was over what had come to an end: who failed most could win."""
    body = """
skill = pathlib.Path(os.environ['WHET_SKILL'])
text = prompt + ''.join(path.read_text() for path in skill.rglob('*.*') if path.is_file())
sys.exit(3) if 'Be brief' in text and 'case_002' not in prompt else print('def solve(): pass')
"""
    wishes = ("--baseline", "Tests", "--retries", "0", *scripted(tmp_path, body), "--run")
    place = ("--workspace", workspace, "--json")
    result = run("project", "create", "P", *TWO, *wishes, *place)
    assert result.exit_code == 1, "and it is said by the exit code"
    found = json.loads(result.stdout)
    by_name = {entry["skill_name"]: entry for entry in found["ranking"]}
    assert (by_name["Author"]["completed_cases"], by_name["Author"]["failed_cases"]) == (1, 2)
    as_zero = by_name["Author"]["avg_score"] / 3
    assert by_name["Author"]["avg_score_failed_as_zero"] == pytest.approx(as_zero, abs=0.05)
    assert by_name["Writer"]["failed_cases"] == 0


def test_pause_and_resume_at_once_runs_nothing_twice(workspace: Path) -> None:
    """There two loops went through the same list, and each case was paid for twice."""

    async def story() -> None:
        async with calling(workspace) as (client, _):
            wishes = {"repeats": 2, "options": {"simulate": {"latency_ms": 60}}}
            project = await made_over_http(client, **wishes)
            await client.post(f"{project}/run")
            for _ in range(3):
                await asyncio.sleep(0.05)
                await client.post(f"{project}/pause")
                await client.post(f"{project}/resume")
            assert (await ended(client, project))["status"] in ("completed", "paused")
            await client.post(f"{project}/run")
            assert (await ended(client, project))["status"] == "completed"

    asyncio.run(story())
    assert_every_trial_answered_once(workspace, 12)


def test_a_project_that_says_it_is_running_and_nobody_runs_goes_on(workspace: Path) -> None:
    """There `running` stayed for ever, and another start set the counters to 0."""
    made = worked(workspace, "create", "P", *TWO, "--baseline", "Tests")
    [config] = workspace.glob("projects/*/config.json")
    write(config, {**document(config), "status": "running"})
    assert read("project", "status", made["id"], "--workspace", workspace)["status"] != "running"
    found = worked(workspace, "resume", "P")
    assert found["trials"]["executed"] == 6
    again = worked(workspace, "run", "P")
    assert (again["trials"]["executed"], again["trials"]["reused"]) == (0, 6)
    assert document(config)["progress"]["completed_tasks"] == 6
    assert document(config)["status"] == "completed"


def test_failed_results_are_tried_again_when_that_is_wanted(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There a failure counted as done for ever."""
    monkeypatch.setenv("WHET_SANDBOX", "off")
    mark = tmp_path / "mended"
    agent = scripted(tmp_path, f"sys.exit(3) if not os.path.exists({str(mark)!r}) else print('x')")
    wishes = ("--baseline", "More", "--retries", "0", *agent)
    place = ("--workspace", workspace)
    assert run("project", "create", "P", "--skill", "Writer", *wishes, "--run", *place).exit_code
    assert {row["status"] for row in results(workspace, "P")} == {"failed"}
    mark.touch()
    found = worked(workspace, "retry", "P", "--failed", "--run", "--yes")
    assert found["trials"]["executed"] == 2
    assert {row["status"] for row in results(workspace, "P")} == {"completed"}


def test_a_stop_ends_the_agent_that_is_at_work(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There it was looked at between cases only, and the agent went on."""
    monkeypatch.setenv("WHET_SANDBOX", "off")
    mark = tmp_path / "agents"
    mark.mkdir()
    body = f"import time; pathlib.Path({str(mark)!r}, str(os.getpid())).touch(); time.sleep(600)"
    agent = scripted(tmp_path, body)
    done("project", "create", "P", *TWO, "--baseline", "More", *agent, "--workspace", workspace)
    place = ("--workspace", workspace)
    more = {"WHET_SANDBOX": "off", "WHET_SCRATCH": str(tmp_path / "scratch")}
    working = begun("project", "run", "P", "--yes", *place, **more)
    end = time.monotonic() + 20
    while not [*mark.iterdir()] and working.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    agents = [int(path.name) for path in mark.iterdir()]
    assert agents, working.communicate(timeout=5)
    done("project", "stop", "P", *place)
    working.communicate(timeout=20)
    assert not [pid for pid in agents if Path(f"/proc/{pid}").exists()]


def test_an_agent_finds_neither_what_is_expected_nor_what_another_left(
    workspace: Path, tmp_path: Path
) -> None:
    """There it worked below the project, whose baselines and results it could read and change."""
    body = """
seen = [path.name for path in pathlib.Path('.').rglob('*')]
texts = []
for folder in (pathlib.Path.cwd(), *list(pathlib.Path.cwd().parents)[:3]):
    for path in list(folder.rglob('*.json'))[:500]:
        try:
            texts.append(path.read_text())
        except OSError:
            pass
pathlib.Path('left.txt').write_text('left')
print('FOUND' if any('expected' in text for text in texts) else 'nothing', 'left.txt' in seen)
"""
    agent = scripted(tmp_path, body)
    wishes = ("--baseline", "Tests", *agent)
    worked(workspace, "create", "P", "--skill", "Writer", *wishes, "--run")
    rows = results(workspace, "P")
    answers = [
        read(
            "project", "results", "P", "--skill", "Writer", "--case", row["case"],
            "--workspace", workspace,
        )["result"]["actual_output"].strip()
        for row in rows
    ]  # fmt: skip
    assert answers == ["nothing False"] * 3


def test_signs_of_a_pattern_in_an_input_reach_the_agent_as_they_are(
    workspace: Path, tmp_path: Path
) -> None:
    """There `$&` and `$'` were replaced, and placeholders within an input filled."""
    text = "Write f. It costs $& and $' and $1 {{input}} {expected_output} \\1 ${x}"
    add_baseline(workspace, "Signs", count=1)
    done("baseline", "case", "add", "Signs", "--input", text, "--expected", "f",
         "--workspace", workspace)  # fmt: skip
    agent = scripted(tmp_path, "print(prompt)")
    wishes = ("--skill", "Writer", "--baseline", "Signs", *agent)
    worked(workspace, "create", "P", *wishes, "--run")
    last = results(workspace, "P")[-1]
    one = read(
        "project", "results", "P", "--skill", "Writer", "--case", last["case"],
        "--workspace", workspace,
    )  # fmt: skip
    assert text in one["result"]["actual_output"]


def test_two_projects_of_one_name_in_one_second_have_a_folder_each(workspace: Path) -> None:
    wishes = ("create", "Same", *SKILLS, "--baseline", "Tests")
    made = [worked(workspace, *wishes)["id"] for _ in range(3)]
    assert len(set(made)) == 3
    folders = [*(workspace / "projects").iterdir()]
    assert len([path for path in folders if (path / "config.json").exists()]) == 3


def test_a_project_that_cannot_be_made_leaves_no_folder(workspace: Path) -> None:
    result = run(
        "project", "create", "P", "--skill", "Writer", "--baseline", "Nobody",
        "--workspace", workspace,
    )  # fmt: skip
    assert result.exit_code == 2
    assert not [*workspace.glob("projects/*")]


def test_a_candidate_does_not_get_the_score_of_another_in_its_folder(workspace: Path) -> None:
    """There all candidates of a round shared one folder, and the first one's results."""
    original = Original(workspace.parent)
    original.add(0, 0)
    path = original.add(0, 1, points=30)
    write(path, {**document(path), "skill_id": identity("somebody else")})
    original.copied()
    assert [row["case"] for row in results(workspace, "old")] == ["case_001"]


def test_a_skill_that_was_edited_is_stale_and_one_that_was_measured_anew_is_not(
    workspace: Path,
) -> None:
    """There a current result counted as older than any stale one."""
    both = (*TWO, "--baseline", "Tests", "--run")
    worked(workspace, "create", "A", *both)
    place = ("--workspace", workspace)
    done("skill", "edit", "Writer", "--set", "description=Other", "--content", "-", *place,
         given="Write tests.")  # fmt: skip
    worked(workspace, "create", "B", *both)
    board = read("leaderboard", "show", *place)
    [group] = board["groups"]
    rows = Counter(
        (one["skill_name"], one["skill_version_tested"], one["staleness"])
        for one in group["records"]
    )
    assert rows["Writer", "v2", "current"] == 1
    assert rows["Writer", "v1", "skill_updated"] == 1
    assert rows["Author", "v1", "current"] == 2
    by_purpose = read("leaderboard", "show", "--purpose", group["baseline_purpose"], *place)
    assert by_purpose["groups"], "there a filter by purpose never matched"
