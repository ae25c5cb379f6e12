"""The real opencode with a login, a budget, a person who answers, and a schema."""

import json
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.engines.driving import bench, says
from whet.core.failure import Failure
from whet.core.request import Question, Reply, Request
from whet.core.step import Called
from whet.engines.opencode import OpencodeEngine
from whet.testing.model_server import Tokens, ToolCall, Turn

pytestmark = pytest.mark.slow

KEY = "key-of-the-login-000000001"
SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"colour": {"type": "string"}},
    "required": ["colour"],
    "additionalProperties": False,
}


def test_a_login_is_used_and_money_is_counted(tmp_path: Path):
    expensive = Tokens(input=1_000_000, output=10, cache_read=1000, cache_write=2000)
    look = ToolCall(action="shell", arguments={"command": "ls"})
    with bench(tmp_path, says(Turn(calls=(look,), usage=expensive), "Done.")) as made:
        login = made.home / ".local/share/opencode/auth.json"
        login.parent.mkdir(parents=True)
        other = {"type": "api", "key": "key-of-another-provider-02"}
        login.write_text(json.dumps({"groq": other, "anthropic": {"type": "api", "key": KEY}}))
        agent = OpencodeEngine(made.machine("opencode", ANTHROPIC_BASE_URL=made.url))
        spec = made.spec(
            agent,
            "Go.",
            model="anthropic/claude-sonnet-4-5",
            skill=made.package({"content.txt": "Always say AHOY."}),
            max_budget_usd=0.5,
        )
        run = made.drive(agent, spec)
    assert run.ended.failure is Failure.BUDGET
    cost = run.ended.usage.cost_usd
    assert cost is not None
    assert 0.5 < cost < 30
    assert run.ended.usage.cache_read_tokens == 1000
    assert run.ended.usage.cache_write_tokens == 2000
    first = run.requests[0]
    assert first.headers["x-api-key"] == KEY
    assert "Always say AHOY." in (first.body or b"").decode()
    assert {json.loads(request.body or b"")["model"] for request in run.requests} == {
        "claude-sonnet-4-5"
    }
    assert run.skills == []


def test_a_person_answers_and_the_answer_fits_the_schema(tmp_path: Path):
    question: dict[str, JsonValue] = {
        "question": "Which colour?",
        "header": "Colour",
        "options": [{"label": "blue", "description": "b"}, {"label": "red", "description": "r"}],
    }
    turns = (
        Turn(calls=(ToolCall(action="shell", arguments={"command": "touch forbidden.txt"}),)),
        Turn(calls=(ToolCall(action="write", arguments={"path": "a.txt", "content": "a"}),)),
        Turn(calls=(ToolCall(tool="question", arguments={"questions": [question]}),)),
        Turn(calls=(ToolCall(tool="StructuredOutput", arguments={"colour": "grün"}),)),
    )
    asked: list[Request] = []

    async def answer(request: Request) -> Reply:
        asked.append(request)
        if request.tool == "Bash":
            return Reply(allow=False, reason="No commands today.")
        return Reply(allow=True, answers={"Which colour?": "grün"})

    with bench(tmp_path, says(*turns)) as made:
        agent = OpencodeEngine(made.machine("opencode", OPENAI_BASE_URL=f"{made.url}/v1"))
        spec = made.spec(agent, "Go.", model="some-model", output_schema=SCHEMA)
        run = made.drive(agent, spec, answer)
    assert run.ended.failure is None, run.ended
    assert json.loads(run.ended.answer) == {"colour": "grün"}
    assert [(request.kind, request.tool) for request in asked] == [
        ("permission", "Bash"),
        ("permission", "Write"),
        ("question", "AskUserQuestion"),
    ]
    assert asked[0].params["command"] == "touch forbidden.txt"
    assert asked[2].questions == (Question("Which colour?", ("blue", "red")),)
    assert run.outputs == {"a.txt": b"a"}
    told = {step.tool: run.returned[step.call_id] for step in run.all(Called)}
    assert not told["Bash"].ok
    assert "No commands today." in told["Bash"].output
    assert "grün" in told["AskUserQuestion"].output
    # Without a key none is sent.
    assert "authorization" not in run.requests[0].headers
