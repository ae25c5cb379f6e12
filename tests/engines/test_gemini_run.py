"""One long run of the real program with a skill, one without, and what must be seen of them."""

import asyncio
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.engines.driving import Bench, Run, bench, left_running, nothing_runs, snapshot
from tests.engines.gemini_trials import GREET, KEY, MODEL, bash, call, gemini, trial
from whet.core.step import Called
from whet.core.usage import Usage
from whet.testing.model_server import Conversation, Script, Tokens, ToolCall, Turn

pytestmark = pytest.mark.slow

PROMPT = "--help me with THE-WORK by bob@example.com, please."
LONG = "/help with THE-OTHER-WORK.\n" + "All work and no play. " * 14_000 + "THE-END"

SCRIPT = Script(
    conversations=(
        Conversation(
            marker="THE-WORK",
            turns=(
                Turn(
                    text=("Let me ", "see."),
                    thinking="Hm.",
                    calls=(call("activate_skill", name="greet"),),
                    usage=Tokens(input=50, output=17, cache_read=1000, reasoning=10),
                ),
                Turn(
                    calls=(
                        call("write_file", file_path="a.txt", content="written"),
                        bash("env > env.txt; pwd; exit 3"),
                        call("read_file", file_path="given.txt"),
                        call("activate_skill", name="unknown"),
                    )
                ),
                Turn(calls=(ToolCall(action="agent", arguments={"prompt": "Do THE-PART."}),)),
                Turn(text="All is done.", usage=Tokens(input=30, output=5)),
            ),
        ),
        Conversation(
            marker="THE-PART",
            turns=(
                Turn(calls=(bash("echo part"),), usage=Tokens(input=7, output=3)),
                Turn(
                    calls=(call("complete_task", result={"response": "The part is done."}),),
                    usage=Tokens(input=9, output=4),
                ),
            ),
        ),
        Conversation(
            marker="THE-OTHER-WORK",
            turns=(
                Turn(text="First.", usage=Tokens(input=11, output=2)),
                Turn(text="Second.", usage=Tokens(input=13, output=3)),
            ),
        ),
    )
)


@dataclass
class Seen:
    made: Bench
    run: Run
    before: dict[str, tuple[int, int]]
    after: dict[str, tuple[int, int]]
    running: int


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Generator[Seen]:
    folder = tmp_path_factory.mktemp("gemini")
    with bench(folder, SCRIPT) as made:
        _lay_traps(made.home)
        _lay_traps(made.scratch_root)
        _lay_traps(folder)
        before = snapshot(folder)
        engine = gemini(made, WORDS_OF_MINE="a-private-variable")
        skill = made.package({"SKILL.md": GREET, "more/notes.md": "Notes."})
        spec = trial(made, PROMPT, skill=skill, files={"given.txt": "given\n", ".env": "LEAK=env"})
        run = made.drive(engine, spec)
        nothing_runs(made.scratch_root)  # what was killed may take a moment
        yield Seen(made, run, before, snapshot(folder), len(left_running(made.scratch_root)))


def _lay_traps(folder: Path) -> None:
    """What the program would find in the user's home or above the work, and must not."""
    for config in (".gemini", ".agents"):
        (folder / config / "skills/trap").mkdir(parents=True)
        text = "---\nname: trap\ndescription: TRAP-SKILL\n---\nTRAP"
        (folder / config / "skills/trap/SKILL.md").write_text(text)
    (folder / ".gemini/GEMINI.md").write_text("TRAP-INSTRUCTIONS")
    (folder / ".gemini/.env").write_text("TRAP_VARIABLE=trap\n")
    (folder / ".gemini/settings.json").write_text('{"model": {"name": "trap"}}')
    for name in ("GEMINI.md", "AGENTS.md"):
        (folder / name).write_text("TRAP-CONTEXT")
    (folder / ".env").write_text("TRAP_VARIABLE=trap\n")


def test_it_ends_well_with_the_last_words_as_answer(seen: Seen) -> None:
    ended = seen.run.ended
    assert (ended.failure, ended.error, ended.answer) == (None, None, "All is done.")
    assert ended.conversation


def test_pieces_of_a_message_are_one_step(seen: Seen) -> None:
    assert seen.run.said == ["Let me see.", "All is done."]


def test_calls_have_canonical_names_parameters_and_parents(seen: Seen) -> None:
    assert seen.run.tools == [
        *("Skill", "Write", "Bash", "Read", "Skill", "Task"),
        *("Bash", "complete_task"),
    ]
    skill, write, shell, read, _, task, part, _ = seen.run.all(Called)
    assert skill.params == {"skill": "greet"}
    assert write.params == {"file_path": "a.txt", "content": "written"}
    assert (shell.params["command"], shell.description) == (
        "env > env.txt; pwd; exit 3",
        "As the script says",
    )
    assert read.params == {"file_path": "given.txt"}
    assert task.params["prompt"] == "Do THE-PART."
    assert (part.params["command"], part.parent) == ("echo part", task.call_id)
    assert write.parent is None


def test_results_say_what_the_model_got_and_which_command_failed(seen: Seen) -> None:
    skill, write, shell, read, unknown, task, part, _ = (
        seen.run.returned[step.call_id] for step in seen.run.all(Called)
    )
    assert skill.ok
    assert "in the manner of Zanzibar" in skill.output
    assert write.ok
    assert not shell.ok
    assert shell.output.endswith("/work\nExit Code: 3")
    assert (read.ok, read.output) == (True, "given\n")
    assert not unknown.ok
    assert "allowed values" in unknown.output
    assert (task.ok, part.ok) == (True, True)
    assert "The part is done." in task.output


def test_only_the_skill_that_was_loaded_is_triggered(seen: Seen) -> None:
    assert seen.run.skills == ["greet"]
    assert "Greets people in the manner of Zanzibar" in seen.run.sent
    assert "notes.md" in seen.run.sent


def test_usage_has_subagents_thoughts_and_caches_and_grows(seen: Seen) -> None:
    expected = Usage(
        input_tokens=50 + 100 + 100 + 30 + 7 + 9,
        output_tokens=17 + 10 + 10 + 5 + 3 + 4,
        cache_read_tokens=1000,
    )
    assert seen.run.ended.usage == expected
    assert len(seen.run.spent) > 2
    totals = [usage.total_tokens for usage in seen.run.spent]
    assert totals == sorted(totals)


def test_steps_come_as_they_happen(seen: Seen) -> None:
    called = seen.run.all(Called)
    assert called[0].at < called[1].at < called[5].at <= called[6].at <= seen.run.ended.at


def test_outputs_are_the_works_alone(seen: Seen) -> None:
    assert set(seen.run.outputs) == {"a.txt", "env.txt"}


def test_the_environment_has_nothing_of_the_users_but_the_credential(seen: Seen) -> None:
    lines = seen.run.outputs["env.txt"].decode().splitlines()
    given = dict(line.split("=", 1) for line in lines if "=" in line)
    root = str(seen.run.workdir.root)
    assert given["HOME"] == f"{root}/home"
    assert given["TMPDIR"] == f"{root}/tmp"
    assert not {"WORDS_OF_MINE", "TRAP_VARIABLE", "LEAK"} & given.keys()
    assert [name for name, value in given.items() if value == KEY] == ["GEMINI_API_KEY"]


def test_nothing_is_taken_from_or_written_to_folders_around(seen: Seen) -> None:
    assert "TRAP" not in seen.run.sent
    assert "TRAP" not in "".join(seen.run.said)
    assert seen.before == seen.after
    assert seen.running == 0


def test_every_request_goes_to_the_model_of_the_trial(seen: Seen) -> None:
    # No router, no title, no check who speaks next.
    assert {request.path for request in seen.run.requests} == {
        f"/v1beta/models/{MODEL}:streamGenerateContent?alt=sse"
    }
    assert len(seen.run.requests) == 6
    assert {request.headers["x-goog-api-key"] for request in seen.run.requests} == {KEY}


def test_a_text_skill_a_long_prompt_and_a_second_message(seen: Seen) -> None:
    made, engine = seen.made, gemini(seen.made)
    skill = made.package({"content.txt": "Be BRIEF-AS-EVER."})
    spec = trial(made, LONG, skill=skill)
    next_spec = trial(made, "And now?", skill=skill)

    async def conversation() -> tuple[Run, Run]:
        with made.workdir(spec) as workdir:
            first = await made.conversed(engine, spec, workdir)
            name = first.ended.conversation
            return first, await made.conversed(engine, next_spec, workdir, name)

    first, second = asyncio.run(conversation())
    assert (first.ended.answer, first.ended.error) == ("First.", None)
    assert first.skills == []
    assert "BRIEF-AS-EVER" in first.sent
    assert "Zanzibar" not in first.sent
    assert "/help with THE-OTHER-WORK" in first.sent
    assert "THE-END" in first.sent
    assert (second.ended.answer, second.said) == ("Second.", ["Second."])
    assert "/help with THE-OTHER-WORK" in second.sent
    assert "First." in second.sent
    assert second.ended.usage == Usage(input_tokens=13, output_tokens=3)
    assert second.ended.conversation == first.ended.conversation
