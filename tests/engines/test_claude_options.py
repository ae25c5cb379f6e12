"""What a trial may ask of the program."""

import asyncio
import json
import threading
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.engines.claude_trials import bash, call, claude, greeting, tools_offered, trial
from tests.engines.driving import SECONDS, Run, bench, says
from whet.core.errors import UsageError
from whet.core.request import Question, Reply, Request
from whet.core.step import Called
from whet.testing import mcp_server
from whet.testing.model_server import Conversation, LoggedRequest, Script, Tokens, Turn

pytestmark = pytest.mark.slow


def test_tools_servers_flags_and_variables(tmp_path: Path) -> None:
    script = says(
        Turn(calls=(bash("printenv LICENCE_OF_MINE > licence.txt"),)),
        Turn(calls=(call("mcp__sums__add", a=2, b=40),)),
        Turn(calls=(call("Write", file_path="no.txt", content="no"),)),
        "Done.",
    )
    with bench(tmp_path, script) as made:
        spec = trial(
            made,
            "Add.",
            skill=greeting(made),
            allowed_tools=["Bash", "Read"],
            mcp_servers={"sums": mcp_server.as_option()},
            extra_flags=["--append-system-prompt", "SPEAK-SOFTLY"],
            pass_environment=["LICENCE_OF_MINE"],
        )
        run = made.drive(claude(made, LICENCE_OF_MINE="licence-1234", OTHER="x"), spec)
    assert run.ended.failure is None
    offered = set(tools_offered(run.requests[0]))
    # The skill could not be loaded without its tool.
    assert offered == {"Bash", "Read", "Skill", "mcp__sums__add", "mcp__sums__lookup"}
    assert run.tools == ["Bash", "mcp__sums__add", "Write"]
    outputs = [returned.output for returned in run.returned.values()]
    assert outputs[1] == "2 + 40 = 42"
    assert [returned.ok for returned in run.returned.values()] == [True, True, False]
    assert run.outputs == {"licence.txt": b"licence-1234\n"}
    assert "SPEAK-SOFTLY" in run.sent


@pytest.mark.parametrize(
    ("allowed", "offered"),
    [
        ([], []),
        (["Task", "TodoWrite"], ["Agent", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate"]),
    ],
)
def test_canonical_names_of_tools(tmp_path: Path, allowed: list[str], offered: list[str]) -> None:
    with bench(tmp_path, says("Fine.")) as made:
        run = made.drive(claude(made), trial(made, "Think.", allowed_tools=[*allowed]))
    assert tools_offered(run.requests[0]) == offered
    assert run.ended.answer == "Fine."


def test_an_answer_by_a_schema(tmp_path: Path) -> None:
    schema: dict[str, JsonValue] = {
        "type": "object",
        "properties": {"n": {"type": "integer"}, "city": {"type": "string"}},
        "required": ["n"],
    }
    script = says(
        Turn(calls=(call("StructuredOutput", n="three"),)),
        Turn(calls=(call("StructuredOutput", n=3, city="Zürich"),)),
        "Never asked for.",
    )
    with bench(tmp_path, script) as made:
        run = made.drive(claude(made), trial(made, "How many?", output_schema=schema))
    assert run.ended.failure is None
    assert json.loads(run.ended.answer) == {"n": 3, "city": "Zürich"}
    assert "Zürich" in run.ended.answer
    assert [returned.ok for returned in run.returned.values()] == [False, True]


def test_a_conversation_goes_on(tmp_path: Path) -> None:
    script = says(
        Turn(text="The first.", usage=Tokens(input=11, output=1)),
        Turn(text="The second.", usage=Tokens(input=22, output=2)),
    )
    with bench(tmp_path, script) as made:
        engine = claude(made)
        first, second = trial(made, "MESSAGE-ONE"), trial(made, "MESSAGE-TWO")

        async def both() -> tuple[Run, Run]:
            with made.workdir(first) as workdir:
                one = await made.conversed(engine, first, workdir)
                two = await made.conversed(engine, second, workdir, one.ended.conversation)
                return one, two

        one, two = asyncio.run(both())
    assert (one.ended.answer, two.ended.answer) == ("The first.", "The second.")
    assert "MESSAGE-TWO" not in one.sent
    assert all(words in two.sent for words in ("MESSAGE-ONE", "The first.", "MESSAGE-TWO"))
    # Each part has its own use of tokens and money, whatever the program adds up.
    assert (one.ended.usage.input_tokens, two.ended.usage.input_tokens) == (11, 22)
    assert (one.ended.usage.output_tokens, two.ended.usage.output_tokens) == (1, 2)
    assert one.ended.usage.cost_usd is not None
    assert two.ended.usage.cost_usd == pytest.approx(2 * one.ended.usage.cost_usd)
    assert two.ended.conversation == one.ended.conversation


COLOUR: dict[str, JsonValue] = {
    "question": "Which colour?",
    "header": "Colour",
    "multiSelect": False,
    "options": [{"label": "Red", "description": "r"}, {"label": "Blue", "description": "b"}],
}


def test_somebody_answers(tmp_path: Path) -> None:
    script = says(
        Turn(calls=(call("Write", file_path="a.txt", content="a"),)),
        Turn(calls=(bash("touch b.txt"),)),
        Turn(calls=(call("AskUserQuestion", questions=[COLOUR]),)),
        "Blue it is.",
    )
    asked: list[Request] = []

    async def answerer(request: Request) -> Reply:
        asked.append(request)
        await asyncio.sleep(0)
        if request.kind == "question":
            return Reply(allow=True, answers={"Which colour?": "Blue"})
        return Reply(allow=request.tool == "Write", reason="not on MY-WATCH")

    with bench(tmp_path, script) as made:
        spec = trial(made, "/not a command", skill=greeting(made))
        run = made.drive(claude(made), spec, answerer)
    assert (run.ended.failure, run.ended.answer) == (None, "Blue it is.")
    assert [(request.kind, request.tool) for request in asked] == [
        ("permission", "Write"),
        ("permission", "Bash"),
        ("question", "AskUserQuestion"),
    ]
    assert asked[1].params["command"] == "touch b.txt"
    assert asked[2].questions == (Question("Which colour?", ("Red", "Blue")),)
    assert set(run.outputs) == {"a.txt"}
    assert [returned.ok for returned in run.returned.values()] == [True, False, True]
    assert "MY-WATCH" in run.sent
    assert "Blue" in list(run.returned.values())[2].output
    assert "/not a command" in run.sent


@pytest.mark.parametrize("somebody", [False, True])
def test_subagents_in_the_background_have_the_last_word(tmp_path: Path, *, somebody: bool) -> None:
    part = call(
        "Agent", description="A part", prompt="Do THE-PART.", subagent_type="general-purpose"
    )
    script = Script(
        conversations=(
            Conversation(
                marker="THE-WORK",
                turns=(Turn(calls=(part,)), Turn(text="I wait."), Turn(text="It is done.")),
            ),
            Conversation(
                marker="THE-PART",
                turns=(
                    Turn(calls=(bash("touch part.txt"),), usage=Tokens(input=7, output=3)),
                    Turn(text="Part done.", usage=Tokens(input=9, output=4)),
                ),
            ),
        )
    )

    async def answerer(_request: Request) -> Reply:
        await asyncio.sleep(0)
        return Reply(allow=True)

    waiting = threading.Event()

    def hold(request: LoggedRequest) -> None:
        """The part ends later than the main agent's first word on it."""
        if request.marker == "THE-WORK" and request.turn == 1:
            waiting.set()
        if request.marker == "THE-PART" and request.turn == 1:
            waiting.wait(SECONDS)

    with bench(tmp_path, script, hold) as made:
        spec = trial(made, "Do THE-WORK.")
        run = made.drive(claude(made), spec, answerer if somebody else None)
    assert (run.ended.failure, run.ended.answer) == (None, "It is done.")
    assert run.ended.usage.input_tokens == 3 * 100 + 7 + 9
    assert run.ended.usage.output_tokens == 3 * 10 + 3 + 4
    assert set(run.outputs) == {"part.txt"}
    task, command = run.all(Called)
    assert (task.tool, command.tool, command.parent) == ("Task", "Bash", task.call_id)


def test_a_window_is_handed_on_and_one_too_small_refused(tmp_path: Path) -> None:
    shows = Turn(calls=(bash("printenv CLAUDE_CODE_AUTO_COMPACT_WINDOW > window.txt"),))
    with bench(tmp_path, says(shows, "Done.")) as made:
        run = made.drive(claude(made), trial(made, "Look.", compact_tokens=150_000))
        assert run.outputs["window.txt"].strip() == b"150000"
        with pytest.raises(UsageError, match="from 100000 tokens on"):
            made.drive(claude(made), trial(made, "Look.", compact_tokens=80_000))
