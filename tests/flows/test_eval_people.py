"""Drafts, reviews, calibration and edits, from the outside."""

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.flows.command import whet
from tests.flows.terminal import Terminal
from whet.documents.skill_creator import Feedback
from whet.evaluate.review import Label, Said, runs_of, save_review
from whet.testing.model_server import Answer, Conversation, ModelServer, Script, Turn

pytestmark = pytest.mark.slow

NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)
RUBRIC: dict[str, Any] = {"dimensions": [{"name": "tone", "weight": 1}]}
SUITE: dict[str, Any] = {
    "skill_name": "haiku",
    "eval_config": {"runs_per_eval": 2},
    "mine": {"kept": True},
    "evals": [
        {
            "id": number,
            "name": f"Function {number}",
            "prompt": f"Write a Python function that adds {number} to a number.",
            "structural_expectations": [
                {"type": "file_exists", "pattern": "*.py"},
                {"type": "file_not_contains", "pattern": "*.md", "match": "TODO"},
            ],
            "quality_rubric": RUBRIC,
        }
        for number in (1, 2)
    ],
}
SKILL = (
    "---\nname: haiku\ndescription: Write careful Python. Use it always.\n---\nWrite docstrings.\n"
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a skill and a workspace with its runs."""
    folder = tmp_path_factory.mktemp("people")
    (folder / "skill/evals").mkdir(parents=True)
    (folder / "skill/SKILL.md").write_text(SKILL)
    (folder / "skill/evals/evals.json").write_text(json.dumps(SUITE, indent=4) + "\n")
    done = whet("eval", folder / "skill", "--workspace", folder / "workspace", "--json")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def folder(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "copy"))


def ask(folder: Path, verb: str, *more: str, code: int = 0) -> Any:
    done = whet(
        "eval", verb, folder / "skill", "--workspace", folder / "workspace", *more, "--json"
    )
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def iteration(folder: Path) -> Path:
    return folder / "workspace/evals/haiku/simulated__simulated/iteration-1"


def reviews(folder: Path) -> Feedback:
    return Feedback.load(iteration(folder) / "feedback.json")


def test_a_draft_can_be_run_at_once(tmp_path: Path) -> None:
    (tmp_path / "skill").mkdir()
    (tmp_path / "skill/SKILL.md").write_text(SKILL)
    made = ask(tmp_path, "init", "--engine", "simulated", "--evals", "2")
    assert (made["author"], made["evals"], made["kept"]) == (None, 2, [])
    done = whet("eval", tmp_path / "skill", "--workspace", tmp_path / "workspace", "--dry-run")
    assert done.returncode == 0, done.stderr
    again = whet("eval", "init", tmp_path / "skill")
    assert again.returncode == 2
    assert "--force" in again.stderr


def test_a_model_drafts(tmp_path: Path) -> None:
    (tmp_path / "skill").mkdir()
    (tmp_path / "skill/SKILL.md").write_text(SKILL)
    check = {"type": "file_exists", "description": "there", "pattern": "a.py", "critical": True}
    drafted = {
        "evals": [
            {
                "name": "\x1b[31mAdd",
                "prompt": "Write add() into a.py.",
                "expected_output": "A function.",
                "expectations": ["It adds."],
                "checks": [check],
            }
        ],
        "triggers": [{"query": "Write add()", "should_trigger": True}],
    }
    answer = Answer(text=json.dumps(drafted))
    talk = Conversation(marker="Write careful Python", turns=(Turn(hits=(answer,)),))
    with ModelServer(Script(conversations=(talk,))) as server:
        access = {"OPENAI_API_KEY": "key-of-openai", "OPENAI_BASE_URL": f"{server.url}/v1"}
        done = whet(
            *("eval", "init", tmp_path / "skill", "--workspace", tmp_path / "workspace"),
            *("--engine", "api", "--model", "openai:gpt-5", "--evals", "1"),
            **access,
        )
    assert done.returncode == 0, done.stderr
    assert "written by api:openai:gpt-5" in done.stdout
    assert "\x1b" not in done.stdout
    written = json.loads((tmp_path / "skill/evals/evals.json").read_text())
    assert [one["prompt"] for one in written["evals"]] == ["Write add() into a.py."]


def test_the_list_hides_what_is_not_reviewed(folder: Path) -> None:
    before = ask(folder, "review", "--list")["runs"]
    assert [one["number"] for one in before] == list(range(1, 9))
    assert {one["configuration"] for one in before} == {None}
    told = ask(folder, "review", "--run", "3", "--label", "fail", "--score", "tone=2")
    assert told["run_id"].startswith("eval-")
    assert told["configuration"] in ("with_skill", "without_skill")
    after = ask(folder, "review", "--list")["runs"]
    assert [one["number"] for one in after if one["reviewed"]] == [3]
    assert after[2]["scores"] == {"tone": 2}
    shown = ask(folder, "review", "--list", "--show")["runs"]
    assert {one["configuration"] for one in shown} == {"with_skill", "without_skill"}


def test_what_cannot_be_said_is_refused(folder: Path) -> None:
    for more, says in {
        ("--run", "99", "--label", "pass"): "no run",
        ("--run", "1"): "--label",
        ("--run", "1", "--score", "tone=9"): "1..5",
        ("--run", "1", "--score", "tone"): "DIMENSION=SCORE",
        ("--run", "1", "--label", "pass", "--iteration", "7"): "iteration 7",
        (): "terminal",
        ("--engine", "claude"): "no such runs",
    }.items():
        done = whet("eval", "review", folder / "skill", "--workspace", folder / "workspace", *more)
        assert done.returncode == 2, (more, done.stdout)
        assert says in done.stderr
        assert done.stderr.count("\n") == 1
    assert not (iteration(folder) / "feedback.json").exists()


def test_a_person_goes_through_the_runs(folder: Path) -> None:
    evil = next(iteration(folder).glob("eval-*/*/run-*/outputs/*.py"))
    for path in iteration(folder).glob("eval-*/*/run-*/outputs/*.py"):
        path.write_text("# \x1b]0;owned\x07\n" + path.read_text())
    assert "\x1b" in evil.read_text()
    where = (folder / "skill", "--workspace", folder / "workspace")
    terminal = Terminal("eval", "review", *where, "--scores")
    first = terminal.until("[q]uit: ")
    assert "Write a Python function" in first
    assert "\x1b]0;" not in first
    assert "\\x1b]0;owned\\x07" in first
    assert "with_skill" not in first
    assert "without_skill" not in first
    assert "overall" not in first
    terminal.type("x")
    terminal.until("[q]uit: ")
    terminal.type("p")
    terminal.until("empty) ")
    terminal.type("Reads well.")
    terminal.until("tone (1 to 5")
    terminal.type("7")
    terminal.until("whole number")
    terminal.type("4")
    revealed = terminal.until("overall")
    assert "_skill-run-" in revealed
    (review,) = reviews(folder).reviews
    assert (review.label, review.feedback, review.scores) == ("pass", "Reads well.", {"tone": 4})
    assert review.trial_address
    terminal.until("[q]uit: ")
    terminal.type("s")
    terminal.until("[q]uit: ")
    terminal.type("q")
    code, last = terminal.ended()
    assert code == 0
    assert "1 of 8 runs reviewed" in last
    again = Terminal("eval", "review", *where, "--show")
    assert "(1 of 7 to review)" in again.until("[q]uit: ")
    again.type("q")
    assert again.ended()[0] == 0


def test_judges_are_held_against_people(folder: Path) -> None:
    nothing = ask(folder, "calibrate")
    assert (nothing["labels"], nothing["together"]["agreement"]) == (0, None)
    runs = runs_of(iteration(folder))
    for run in runs:
        label: Label = "pass" if run.number % 2 else "fail"
        save_review(iteration(folder), runs, run, Said(label, scores={"tone": 3}), NOON)
    assert reviews(folder).status == "complete"
    found = ask(folder, "calibrate", "--iteration", "1")
    assert (found["labels"], found["compared"], found["few"]) == (8, 8, True)
    assert sum(found["together"]["confusion"].values()) == 8
    assert found["together"]["dimensions"]["tone"]["n"] == 8
    assert found["simulated"] is True
    done = whet("eval", "calibrate", folder / "skill", "--workspace", folder / "workspace")
    assert "this means little" in done.stdout
    chinese = whet(
        *("eval", "calibrate", folder / "skill", "--workspace", folder / "workspace"),
        LANG="zh_CN.UTF-8",
    )
    assert "意义不大" in chinese.stdout


def test_an_edit_is_accepted_by_number_and_twice_is_once(folder: Path) -> None:
    found = ask(folder, "feedback")
    assert found["feedback"]["total_runs"] == 8
    guards = [one for one in found["edits"] if one["kind"] == "add_check"]
    assert [one["eval_ids"] for one in guards] == [[1], [2]]
    assert not any(one["done"] for one in found["edits"])
    number = guards[0]["number"]
    before = (folder / "skill/evals/evals.json").read_text()
    changed = ask(folder, "feedback", "--apply", str(number))
    assert changed["changed"]
    lines = [line for line in changed["diff"].splitlines() if line[:1] in "+-"]
    assert not [line for line in lines[2:] if line.startswith("-") and "id" not in line]
    after = json.loads((folder / "skill/evals/evals.json").read_text())
    assert after["mine"] == {"kept": True}
    assert after["evals"][1] == SUITE["evals"][1]
    checks = after["evals"][0]["structural_expectations"]
    assert [one.get("id") for one in checks] == [None, "S3", "S2"]
    assert checks[1]["critical"] is True
    again = ask(folder, "feedback", "--apply", str(number))
    assert again == {"changed": False, "diff": ""}
    listed = ask(folder, "feedback")["edits"]
    assert [one["number"] for one in listed if one["done"]] == [number]
    assert [one["kind"] for one in listed] == [one["kind"] for one in found["edits"]]
    refused = whet(
        *("eval", "feedback", folder / "skill", "--workspace", folder / "workspace"),
        *("--apply", "99"),
    )
    assert refused.returncode == 2
    assert before != (folder / "skill/evals/evals.json").read_text()


def test_a_person_accepts_one_by_one(folder: Path) -> None:
    path = folder / "skill/evals/evals.json"
    before = path.read_text()
    terminal = Terminal("eval", "feedback", folder / "skill", "--workspace", folder / "workspace")
    shown = terminal.until("[y/n/q] ")
    assert "+++ b/evals/evals.json" in shown
    terminal.type("n")
    terminal.until("[y/n/q] ")
    assert path.read_text() == before
    terminal.type("y")
    terminal.until("Written: ")
    assert path.read_text() != before
    terminal.until("[y/n/q] ")
    terminal.type("q")
    assert terminal.ended()[0] == 0


def test_a_model_is_asked_for_edits_once(folder: Path) -> None:
    edits = [
        {"kind": "mark_critical", "eval_id": 2, "target": "S1", "reason": "No file, no work."},
        {
            "kind": "add_check",
            "eval_id": 1,
            "reason": "r",
            "check": {"type": "file_exists", "description": "no pattern"},
        },
    ]
    talk = Conversation(
        marker="You improve the tests",
        turns=(Turn(hits=(Answer(text=json.dumps({"edits": edits})),)),),
    )
    where = ("eval", "feedback", folder / "skill", "--workspace", folder / "workspace")
    with ModelServer(Script(conversations=(talk,))) as server:
        access = {"OPENAI_API_KEY": "key-of-openai", "OPENAI_BASE_URL": f"{server.url}/v1"}
        model = ("--engine", "api", "--model", "openai:gpt-5", "--json")
        done = whet(*where, *model, **access)
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        last = found["edits"][-1]
        assert (last["source"], last["kind"]) == ("model", "mark_critical")
        assert len(found["dropped"]) == 1
        assert "broken" in found["dropped"][0]
        number = str(last["number"])
        assert json.loads(whet(*where, *model, "--apply", number, **access).stdout)["changed"]
        asked = len(server.requests)
        again = json.loads(whet(*where, *model, **access).stdout)
        assert len(server.requests) == asked == 1
    assert again["edits"][-1]["done"] is True
    suite = json.loads((folder / "skill/evals/evals.json").read_text())
    assert suite["evals"][1]["structural_expectations"][0]["critical"] is True
