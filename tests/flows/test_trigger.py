"""``whet trigger`` from the outside."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.engines.installed import installed
from tests.evaluate.triggering import shuns, wants, write_queries, write_skill
from tests.flows.command import assert_every_trial_answered_once, executions, whet
from whet.core.front_matter import description_of
from whet.documents.skill_creator import DescriptionLoop, TriggerResult
from whet.testing.model_server import Conversation, ModelServer, Script, ToolCall, Turn

pytestmark = pytest.mark.slow

WANTED = [
    f"{verb} the table export of {month}"
    for verb in ("Repair", "Normalise", "Deduplicate")
    for month in ("January", "February", "March", "April")
]
SHUNNED = ["Cook a meal", "Sing a song", "Plan my holiday", "Book a flight", "Paint the wall"]
QUERIES = [*wants(*WANTED), *shuns(*SHUNNED)]


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    """A skill whose description misses most of what it is for."""
    folder = write_skill(tmp_path / "shelf" / "own", "tidy-up", "Cleans spreadsheets.")
    write_queries(folder, QUERIES)
    return folder


def told(*arguments: str | Path, **more: str) -> Any:
    done = whet("trigger", *arguments, "--json", **more)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_run_says_what_triggered_and_is_not_run_again(skill: Path, tmp_path: Path) -> None:
    write_skill(tmp_path / "shelf" / "other", "cook-book", "Cooks a meal and sings.")
    workspace = tmp_path / "workspace"
    command = ("run", skill, "--with", tmp_path / "shelf", "--workspace", workspace)
    first = told(*command)
    [leg] = first["results"]
    assert leg["trials"] == {"total": 51, "executed": 51, "reused": 0}
    file = Path(leg["file"])
    assert file == workspace / "triggers/tidy-up/simulated__simulated/result.json"
    found = TriggerResult.load(file)
    assert found.to_data() == leg["result"]
    assert found.neighbours == ("cook-book",)
    assert found.simulated is True
    assert (found.summary.total, found.summary.passed) == (17, 5)
    assert (found.recall, found.precision) == (0.0, None)
    assert found.alarm == "harness_alarm"
    assert_every_trial_answered_once(workspace, 51)
    [again] = told(*command)["results"]
    assert again["trials"] == {"total": 51, "executed": 0, "reused": 51}
    assert again["result"]["results"] == leg["result"]["results"]


def test_the_text_names_everything_and_the_gate_is_closed(skill: Path, tmp_path: Path) -> None:
    write_queries(skill, [*wants("Clean [b]spreadsheets[/] \x1b[31m"), *shuns("Cook")])
    command = ("trigger", "run", skill, "--workspace", tmp_path / "workspace", "--runs", "2")
    fine = whet(*command, "--fail-under", "1")
    assert fine.returncode == 0, fine.stderr
    assert "Clean [b]spreadsheets[/]" in fine.stdout
    assert "\x1b" not in fine.stdout
    assert "accuracy  100" in fine.stdout
    assert "simulated" in fine.stdout
    chinese = whet(*command, WHET_LANGUAGE="zh")
    assert "准确率  100" in chinese.stdout
    write_queries(skill, [*wants("Clean spreadsheets"), *shuns("Clean my spreadsheets up")])
    closed = whet(*command, "--fail-under", "0.6")
    assert closed.returncode == 1
    assert "accuracy 0.50 is below 0.6" in closed.stderr
    assert whet(*command).returncode == 0


def test_a_harness_alarm_closes_the_gate(skill: Path, tmp_path: Path) -> None:
    command = ("trigger", "run", skill, "--workspace", tmp_path / "workspace")
    done = whet(*command, "--fail-under", "0")
    assert done.returncode == 1
    assert "too little was measured" in done.stderr
    assert "Not one query that should trigger the skill did" in done.stdout


def test_a_limit_of_time_ends_it(skill: Path, tmp_path: Path) -> None:
    command = ("trigger", "run", skill, "--workspace", tmp_path / "workspace")
    done = whet(*command, "--max-minutes", "0")
    assert done.returncode == 1
    assert "the time of 0 s is up" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--engine", "api"), "engine api does not tell which skills"),
        (("--engine", "command"), "engine command does not tell which skills"),
        (("--engine", "nobody"), "unknown engine 'nobody'"),
        (("--with", "nowhere"), "no folder nowhere"),
        (("--queries", "nowhere.json"), "no file nowhere.json"),
        (("--runs", "0"), "--runs"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_runs(
    skill: Path, tmp_path: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    done = whet("trigger", "run", skill, "--workspace", tmp_path / "workspace", *arguments)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "workspace/triggers").exists()


def test_a_clash_of_names_is_refused(skill: Path, tmp_path: Path) -> None:
    twin = write_skill(tmp_path / "twin", "tidy-up")
    done = whet("trigger", "run", skill, "--with", twin, "--workspace", tmp_path / "workspace")
    assert done.returncode == 2
    assert "two of the skills are called 'tidy-up'" in done.stderr


def test_a_better_description_is_found_and_written_only_when_asked(
    skill: Path, tmp_path: Path
) -> None:
    entry = skill / "SKILL.md"
    raw = entry.read_bytes() + b"\xff\r\n\r\n"
    entry.write_bytes(raw)
    entry.chmod(0o640)
    command = ("optimize", skill, "--workspace", tmp_path / "workspace")
    first = told(*command)
    assert entry.read_bytes() == raw
    loop = DescriptionLoop.load(Path(first["file"]))
    assert loop.to_data() == first["loop"]
    assert loop.simulated is True
    assert loop.original_description == "Cleans spreadsheets."
    assert "export" in loop.final_description
    assert (loop.train_size, loop.test_size) == (10, 7)
    history = loop.history
    assert history[0].train_passed < history[-1].train_passed == 10
    assert loop.verdict is not None
    assert loop.verdict.delta is not None
    assert loop.verdict.delta > 0.5
    assert [one.test_total for one in history].count(7) == 2
    before = len(executions(tmp_path / "workspace"))
    second = told(*command, "--apply")
    assert second["applied"] is True
    assert second["loop"]["history"] == first["loop"]["history"]
    assert len(executions(tmp_path / "workspace")) == before
    written = json.dumps(loop.final_description).encode()
    assert entry.read_bytes() == raw.replace(b"Cleans spreadsheets.", written)
    assert entry.stat().st_mode & 0o777 == 0o640
    assert description_of(entry.read_text(errors="replace")) == loop.final_description
    text = whet("trigger", *command)
    assert text.returncode == 0, text.stderr
    assert "old description" in text.stdout


def test_too_few_queries_and_several_engines_cannot_be_optimised(
    skill: Path, tmp_path: Path
) -> None:
    write_queries(skill, [*wants("one"), *shuns("a", "b")])
    done = whet("trigger", "optimize", skill, "--workspace", tmp_path / "workspace")
    assert done.returncode == 2
    assert "a split needs at least two" in done.stderr
    write_queries(skill, QUERIES)
    (skill / "SKILL.md").write_text("No front matter.\n")
    done = whet("trigger", "optimize", skill, "--workspace", tmp_path / "workspace")
    assert done.returncode == 2
    assert "has no front matter" in done.stderr


def load(name: str) -> Turn:
    return Turn(calls=(ToolCall(action="skill", arguments={"name": name}),))


SCRIPT = Script(
    conversations=(
        Conversation(marker="ASK-ONE", turns=(load("tidy-up"), Turn(text="Done."))),
        Conversation(marker="ASK-TWO", turns=(load("cook-book"), Turn(text="Done."))),
        Conversation(marker="ASK-NO", turns=(Turn(text="Done."),)),
    )
)


def test_a_real_agent_is_measured_once_somebody_agrees(skill: Path, tmp_path: Path) -> None:
    beside = write_skill(tmp_path / "cook", "cook-book", "Cooks a meal.")
    write_queries(skill, [*wants("ASK-ONE", "ASK-NO"), *shuns("ASK-TWO")])
    program = installed("claude")
    workspace = tmp_path / "workspace"
    command = (
        *("run", skill, "--with", beside, "--engine", "claude", "--workspace", workspace),
        *("--model", "claude-sonnet-4-5", "--runs", "1"),
    )
    with ModelServer(SCRIPT) as server:
        given = {
            "PATH": f"{program.parent}:/usr/bin:/bin",
            "ANTHROPIC_BASE_URL": server.url,
            "ANTHROPIC_API_KEY": "test-key-of-a-made-up-user",
        }
        refused = whet("trigger", *command, **given)
        assert refused.returncode == 2, refused.stderr
        assert "claude:claude-sonnet-4-5: 3 agent runs" in refused.stderr
        assert "--yes" in refused.stderr
        assert server.requests == ()
        [leg] = told(*command, "--yes", **given)["results"]
    found = TriggerResult.parse(leg["result"], "result")
    assert [(one.query, one.triggers, one.passed) for one in found.results] == [
        ("ASK-ONE", 1, True),
        ("ASK-NO", 0, False),
        ("ASK-TWO", 0, True),
    ]
    assert (found.precision, found.recall, found.unknown) == (1.0, 0.5, 0)
    assert (found.engine, found.simulated, found.alarm) == ("claude", False, None)


AUTHOR = "Write a better description for an agent skill"
PROPOSED = "Use this skill when a table has to be tidied up."


def test_a_real_agent_writes_descriptions_from_training_failures_alone(
    skill: Path, tmp_path: Path
) -> None:
    write_queries(skill, [*wants("ASK-ONE", "ASK-TWO"), *shuns("ASK-NO", "ASK-NEVER")])
    program = installed("codex")
    answer = Turn(text=json.dumps({"description": PROPOSED}))
    script = Script(
        conversations=(Conversation(marker=AUTHOR, turns=(answer,)),), default=(Turn(text="Done."),)
    )
    command = ("--engine", "codex", "--model", "gpt-5.5", "--runs", "1", "--yes")
    with ModelServer(script) as server:
        given = {
            "PATH": f"{program.parent}:/usr/bin:/bin",
            "OPENAI_BASE_URL": f"{server.url}/v1",
            "OPENAI_API_KEY": "test-key-of-a-made-up-user",
        }
        workspace = tmp_path / "workspace"
        found = told("optimize", skill, *command, "--workspace", workspace, **given)
        asked = [(one.body or b"").decode() for one in server.requests_for(AUTHOR)]
    loop = DescriptionLoop.parse(found["loop"], "loop")
    assert [one.description for one in loop.history] == ["Cleans spreadsheets.", PROPOSED]
    assert (loop.final_description, loop.simulated) == ("Cleans spreadsheets.", False)
    # Each round is a question of its own, and what had been tried before is not tried again.
    assert len(asked) == 5
    assert loop.notes is not None
    assert len([note for note in loop.notes if "tried before" in note]) == 4
    known = {one.query for one in loop.history[0].train_results}
    hidden = {"ASK-ONE", "ASK-TWO", "ASK-NO", "ASK-NEVER"} - known
    assert len(hidden) == 2
    assert not [query for query in hidden for question in asked if query in question]
    assert all(query in asked[0] for query in known & {"ASK-ONE", "ASK-TWO"})
