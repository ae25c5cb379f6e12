"""One piece of work by the real opencode, and its continuation, looked at from all sides."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.engines.driving import Bench, Run, bench, snapshot
from tests.engines.installed import VERSIONS
from whet.core.step import Called, Returned
from whet.core.usage import Usage
from whet.engines.opencode import OpencodeEngine
from whet.testing import mcp_server
from whet.testing.model_server import Conversation, Script, Tokens, ToolCall, Turn

pytestmark = pytest.mark.slow

KEY = "key-the-one-credential-0001"
LONG = '-- /not-a-command "quoted" {env:HOME} prompt ' + "x" * 300_000 + " the very end"
SKILL = "---\nname: ahoy\ndescription: Greets people in a very particular manner.\n---\nSay AHOY.\n"
MAIN = Conversation(
    marker="not-a-command",
    turns=(
        Turn(
            text=("I shall ", "begin."),
            calls=(
                ToolCall(action="write", arguments={"path": "out.txt", "content": "hello"}),
                ToolCall(action="shell", arguments={"command": "env; pwd", "description": "Look"}),
            ),
        ),
        Turn(
            calls=(
                ToolCall(action="skill", arguments={"name": "ahoy"}),
                ToolCall(action="skill", arguments={"name": "customize-opencode"}),
                ToolCall(tool="sums_add", arguments={"a": 21, "b": 21}),
            ),
            usage=Tokens(input=200, output=20, reasoning=5, cache_read=50),
        ),
        Turn(calls=(ToolCall(action="agent", arguments={"prompt": "SUBTASK please"}),)),
        Turn(
            calls=(
                ToolCall(tool="bash", arguments={"command": "exit 3", "description": "Fail"}),
                ToolCall(action="read", arguments={"path": "missing.txt"}),
            )
        ),
        Turn(text="All done."),
        Turn(text="Done again.", usage=Tokens(input=7, output=3)),
    ),
)
SUBTASK = Conversation(
    marker="SUBTASK",
    turns=(
        Turn(calls=(ToolCall(action="shell", arguments={"command": "echo below"}),)),
        Turn(text="The subtask is done."),
    ),
)


@dataclass(frozen=True)
class Worked:
    made: Bench
    first: Run
    second: Run
    before: dict[str, tuple[int, int]]


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worked]:
    folder = tmp_path_factory.mktemp("opencode")
    with bench(folder, Script(conversations=(MAIN, SUBTASK))) as made:
        _lay_traps(made)
        agent = OpencodeEngine(
            made.machine(
                "opencode",
                OPENAI_BASE_URL=f"{made.url}/v1",
                OPENAI_API_KEY=KEY,
                ANTHROPIC_API_KEY="key-another-credential",
                PRIVATE="the user's own",
                PASSED="on purpose",
            )
        )
        skill = made.package({"SKILL.md": SKILL, "notes/more.txt": "more"})
        spec = made.spec(
            agent,
            LONG,
            model="maker/model-1",
            skill=skill,
            pass_environment=["PASSED"],
            mcp_servers={"sums": mcp_server.as_option()},
        )
        again = made.spec(
            agent, "And now?", model="maker/model-1", skill=skill, allowed_tools=["Read", "Write"]
        )
        before = snapshot(made.home)
        with made.workdir(spec) as workdir:
            first = asyncio.run(made.conversed(agent, spec, workdir))
            talk = first.ended.conversation
            second = asyncio.run(made.conversed(agent, again, workdir, talk))
        yield Worked(made, first, second, before)


def _lay_traps(made: Bench) -> None:
    """What must not get into a run: everything of the user's, and of folders above."""
    trap = "---\nname: trap\ndescription: LEAKED skill\n---\nLEAKED\n"
    for place in (made.home, made.scratch_root):
        for name in ("AGENTS.md", "CLAUDE.md", "CONTEXT.md", ".config/opencode/AGENTS.md"):
            _write(place / name, "LEAKED instructions")
        for name in (".opencode", ".agents", ".claude", ".config/opencode"):
            _write(place / name / "skills/trap/SKILL.md", trap)
        _write(place / "opencode.json", json.dumps({"instructions": ["AGENTS.md"]}))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _of(run: Run, tool: str) -> tuple[Called, Returned]:
    call = next(step for step in run.all(Called) if step.tool == tool)
    return call, run.returned[call.call_id]


def test_the_prompt_arrives_as_it_is_and_the_answer_comes_back(worked: Worked):
    body = json.loads(worked.first.requests[0].body or b"")
    assert body["messages"][-1]["content"] == LONG
    assert body["model"] == "maker/model-1"
    assert worked.first.ended.failure is None
    assert worked.first.ended.answer == "All done."
    assert worked.first.said == ["I shall begin.", "All done."]


def test_only_the_model_and_its_subagent_are_asked(worked: Worked):
    markers = [request.marker for request in worked.first.requests]
    assert markers == [MAIN.marker] * 3 + [SUBTASK.marker] * 2 + [MAIN.marker] * 2
    keys = {request.headers["authorization"] for request in worked.first.requests}
    assert keys == {f"Bearer {KEY}"}


def test_calls_have_the_names_that_all_agents_share(worked: Worked):
    assert sorted(worked.first.tools) == sorted(
        ["Write", "Bash", "Skill", "Skill", "mcp__sums__add", "Task", "Bash", "Bash", "Read"]
    )
    write, _ = _of(worked.first, "Write")
    assert write.params == {"file_path": "out.txt", "content": "hello"}
    assert worked.first.outputs == {"out.txt": b"hello"}
    bash, _ = _of(worked.first, "Bash")
    assert bash.description == "Look"
    assert _of(worked.first, "mcp__sums__add")[1].output == "21 + 21 = 42"


def test_calls_are_told_before_they_return(worked: Worked):
    steps = worked.first.steps
    for call in worked.first.all(Called):
        returned = worked.first.returned[call.call_id]
        assert steps.index(call) < steps.index(returned)
        assert call.at <= returned.at


def test_failures_of_tools_are_told(worked: Worked):
    read, missing = _of(worked.first, "Read")
    assert read.params["file_path"] == "missing.txt"
    assert not missing.ok
    assert "not found" in missing.output
    failed = [
        worked.first.returned[step.call_id].ok
        for step in worked.first.all(Called)
        if step.params.get("command") == "exit 3"
    ]
    assert failed == [False]


def test_a_subagents_calls_belong_to_its_task(worked: Worked):
    task, done = _of(worked.first, "Task")
    below = [step for step in worked.first.all(Called) if step.parent is not None]
    assert [(step.tool, step.parent) for step in below] == [("Bash", task.call_id)]
    assert "The subtask is done." in done.output


def test_the_skill_is_offered_and_its_use_is_noticed(worked: Worked):
    assert "Greets people in a very particular manner." in worked.first.sent
    assert sorted(worked.first.skills) == ["ahoy", "customize-opencode"]
    assert "Say AHOY." in _of(worked.first, "Skill")[1].output
    assert worked.second.skills == []


def test_all_tokens_count_also_those_of_subagents(worked: Worked):
    used = worked.first.ended.usage
    # Six answers of 100 and 10 tokens each, and one with a cache.
    assert used == Usage(input_tokens=800, output_tokens=80, cache_read_tokens=50)
    assert worked.first.spent[-1] == used
    assert len(worked.first.spent) == 7


def test_a_conversation_goes_on(worked: Worked):
    second = worked.second
    assert second.ended.answer == "Done again."
    assert "All done." in second.sent
    assert "And now?" in second.sent
    assert second.ended.usage == Usage(input_tokens=7, output_tokens=3)
    assert second.ended.conversation == worked.first.ended.conversation


def test_tools_that_are_not_allowed_are_taken_away(worked: Worked):
    before, after = (
        {tool["function"]["name"] for tool in json.loads(run.requests[0].body or b"")["tools"]}
        for run in (worked.first, worked.second)
    )
    assert {"bash", "edit", "write", "read", "webfetch", "task", "sums_add"} < before
    assert after == {"read", "write", "skill"}


def test_nothing_of_the_users_gets_in(worked: Worked):
    assert "LEAKED" not in worked.first.sent
    _, looked = _of(worked.first, "Bash")
    for secret in (KEY, "key-another-credential", "the user's own"):
        assert secret not in looked.output
    assert "PASSED=on purpose" in looked.output
    assert str(worked.first.workdir.work) in looked.output


def test_nothing_is_left_outside(worked: Worked):
    assert snapshot(worked.made.home) == worked.before
    assert worked.first.files > {"work/out.txt"}
    work = {name for name in worked.second.files if name.startswith("work/")}
    assert work == {"work/out.txt"}


def test_the_version_is_the_programs(worked: Worked):
    agent = OpencodeEngine(worked.made.machine("opencode"))
    assert agent.version({}) == VERSIONS["opencode"]
