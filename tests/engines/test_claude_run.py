"""One long run of the real program, and what must be seen of it."""

from collections.abc import Generator
from dataclasses import dataclass

import pytest

from tests.engines.claude_trials import KEY, MODEL, bash, call, claude, greeting, trial
from tests.engines.driving import Run, bench, nothing_runs, snapshot
from whet.core.step import Called, Ended
from whet.core.usage import Usage
from whet.testing.model_server import Conversation, Script, Tokens, ToolCall, Turn

pytestmark = pytest.mark.slow

PROMPT = "--help me with THE-WORK, please.\n" + "All work and no play. " * 14_000
SUBTASK = ToolCall(action="agent", arguments={"prompt": "Do THE-PART.", "description": "A part"})

SCRIPT = Script(
    conversations=(
        Conversation(
            marker="THE-WORK",
            turns=(
                Turn(
                    text=("Let me ", "see."),
                    calls=(call("Skill", skill="greet", args="Bob"),),
                    usage=Tokens(input=50, output=7, cache_read=1000, cache_write=200),
                ),
                Turn(
                    calls=(
                        call("Write", file_path="a.txt", content="written"),
                        bash("env > env.txt; pwd; exit 3"),
                    )
                ),
                Turn(calls=(SUBTASK, call("Read", file_path="a.txt"))),
                Turn(text="All is done.", usage=Tokens(input=30, output=5)),
            ),
        ),
        Conversation(
            marker="THE-PART",
            turns=(
                Turn(text="The part.", calls=(bash("echo part"),), usage=Tokens(input=7, output=3)),
                Turn(text="The part is done.", usage=Tokens(input=9, output=4)),
            ),
        ),
    )
)


@dataclass
class Seen:
    run: Run
    home_before: dict[str, tuple[int, int]]
    home_after: dict[str, tuple[int, int]]
    ended: bool


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Generator[Seen]:
    folder = tmp_path_factory.mktemp("claude")
    with bench(folder, SCRIPT) as made:
        (made.home / ".claude/skills/mine").mkdir(parents=True)
        (made.home / ".claude/skills/mine/SKILL.md").write_text("---\nname: mine\n---\nMINE")
        (made.home / ".claude/CLAUDE.md").write_text("WORDS-OF-THE-USER")
        before = snapshot(made.home)
        engine = claude(made, WORDS_OF_MINE="a-private-variable")
        run = made.drive(engine, trial(made, PROMPT, skill=greeting(made)))
        yield Seen(run, before, snapshot(made.home), nothing_runs(made.scratch_root))


def test_it_ends_well_with_the_last_words_as_answer(seen: Seen) -> None:
    ended = seen.run.ended
    assert (ended.failure, ended.error, ended.answer) == (None, None, "All is done.")
    assert ended.conversation
    assert ended.model == MODEL


def test_said_is_what_the_agent_said_and_not_its_subagents(seen: Seen) -> None:
    assert seen.run.said == ["Let me see.", "All is done."]


def test_calls_have_canonical_names_parameters_and_parents(seen: Seen) -> None:
    calls = {
        step.tool + ("" if step.parent is None else "/"): step for step in seen.run.all(Called)
    }
    assert seen.run.tools.count("Bash") == 2
    assert set(calls) == {"Skill", "Write", "Bash", "Task", "Read", "Bash/"}
    assert calls["Skill"].params["skill"] == "greet"
    assert calls["Write"].params["content"] == "written"
    assert str(calls["Write"].params["file_path"]).endswith("a.txt")
    assert calls["Bash"].description == "As the script says"
    assert calls["Bash/"].params["command"] == "echo part"
    assert calls["Bash/"].parent == calls["Task"].call_id


def test_every_call_returns_with_what_its_tool_said(seen: Seen) -> None:
    calls, returned = seen.run.all(Called), seen.run.returned
    assert {step.call_id for step in calls} == set(returned)
    outputs = {step.params.get("command"): returned[step.call_id] for step in calls}
    failed, part = outputs["env > env.txt; pwd; exit 3"], outputs["echo part"]
    assert not failed.ok
    assert str(seen.run.workdir.work) in failed.output
    assert (part.ok, part.output) == (True, "part")
    task = next(step for step in calls if step.tool == "Task")
    assert "The part is done." in returned[task.call_id].output


def test_steps_come_in_order_of_time(seen: Seen) -> None:
    times = [step.at for step in seen.run.steps]
    assert times == sorted(times)


def test_usage_has_subagents_and_the_cache_and_grows_on_the_way(seen: Seen) -> None:
    usage = seen.run.ended.usage
    assert usage.cost_usd is not None
    assert usage == Usage(
        input_tokens=50 + 100 + 100 + 30 + 7 + 9,
        output_tokens=7 + 10 + 10 + 5 + 3 + 4,
        cache_read_tokens=1000,
        cache_write_tokens=200,
        cost_usd=usage.cost_usd,
    )
    totals = [spent.total_tokens for spent in seen.run.spent]
    assert totals == sorted(totals)
    assert totals[0] >= 1250
    assert seen.run.spent[-1] == usage
    steps = seen.run.steps
    assert steps.index(next(step for step in steps if isinstance(step, Called))) < len(steps) - 5


def test_the_skill_is_offered_taken_up_and_used(seen: Seen) -> None:
    first, second = (str(request.body) for request in seen.run.requests[:2])
    assert "in the manner of Zanzibar" in first
    assert "Say hello to Bob" in second
    assert seen.run.skills == ["greet"]


def test_a_prompt_of_any_size_arrives_whole(seen: Seen) -> None:
    assert len(PROMPT) > 300_000
    assert seen.run.sent.count("All work and no play. " * 14_000) >= 4
    assert "--help me with THE-WORK, please." in seen.run.sent


def test_outputs_are_what_the_agent_made(seen: Seen) -> None:
    assert set(seen.run.outputs) == {"a.txt", "env.txt"}
    assert seen.run.outputs["a.txt"] == b"written"


def test_nothing_of_the_user_gets_in_but_the_credential(seen: Seen) -> None:
    lines = seen.run.outputs["env.txt"].decode().splitlines()
    environment = dict(line.split("=", 1) for line in lines if "=" in line)
    root = str(seen.run.workdir.root)
    assert environment["ANTHROPIC_API_KEY"] == KEY
    for name in ("HOME", "TMPDIR", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_TMPDIR", "XDG_CONFIG_HOME"):
        assert environment[name].startswith(root)
    assert "WORDS_OF_MINE" not in environment
    assert "WORDS-OF-THE-USER" not in seen.run.sent
    assert "MINE" not in seen.run.sent


def test_only_the_model_is_asked_and_only_what_it_must_be(seen: Seen) -> None:
    assert {request.path.partition("?")[0] for request in seen.run.requests} == {"/v1/messages"}
    assert [request.marker for request in seen.run.requests] == [
        "THE-WORK",
        "THE-WORK",
        "THE-WORK",
        "THE-PART",
        "THE-PART",
        "THE-WORK",
    ]
    assert all(request.headers["x-api-key"] == KEY for request in seen.run.requests)
    assert all(MODEL in str(request.body) for request in seen.run.requests)


def test_the_user_s_home_is_left_alone_and_nothing_runs_on(seen: Seen) -> None:
    assert seen.home_after == seen.home_before
    assert seen.ended


def test_the_end_comes_once_and_last(seen: Seen) -> None:
    assert [index for index, step in enumerate(seen.run.steps) if isinstance(step, Ended)] == [
        len(seen.run.steps) - 1
    ]
