"""What a trial can ask for, as the scripted model gets to see it."""

import asyncio
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.engines.codex_trials import (
    CODE_MODEL,
    MODEL,
    body,
    codex,
    greeting,
    native,
    shell,
    tools_offered,
    trial,
)
from tests.engines.driving import Bench, Run, bench, says
from whet.core.errors import EnvironmentProblem, UsageError
from whet.core.request import Reply, Request
from whet.core.step import Called, Returned
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.testing import mcp_server
from whet.testing.model_server import Answer, Conversation, Script, Tokens, Turn

pytestmark = pytest.mark.slow


def test_a_server_of_tools_is_called(tmp_path: Path) -> None:
    adds = Turn(calls=(native("add", "mcp__sums", a=3, b=4),))
    with bench(tmp_path, says(adds, "Seven.")) as made:
        servers: JsonValue = {"sums": {**mcp_server.as_option(), "env": {"A": 'b"\\\n'}}}
        spec = trial(
            made,
            "Add.",
            mcp_servers=servers,
            # What the program does not know in its configuration is an error.
            extra_flags=["--strict-config"],
        )
        run = made.drive(codex(made), spec)
    assert run.ended.answer == "Seven."
    called, returned = run.all(Called), run.all(Returned)
    assert [(step.tool, step.params) for step in called] == [("mcp__sums__add", {"a": 3, "b": 4})]
    assert [(step.ok, step.output) for step in returned] == [(True, "3 + 4 = 7")]


def test_a_server_of_tools_that_does_not_start(tmp_path: Path) -> None:
    with bench(tmp_path, says("Never.")) as made:
        servers: JsonValue = {"sums": {"command": "/nonexistent/server"}}
        with pytest.raises(EnvironmentProblem, match="MCP server sums"):
            made.drive(codex(made), trial(made, "Add.", mcp_servers=servers))
        assert made.server.requests == ()


@pytest.mark.parametrize("model", [MODEL, CODE_MODEL])
def test_tools_that_are_not_allowed_are_not_there(tmp_path: Path, model: str) -> None:
    with bench(tmp_path, says("Done.")) as made:
        runs = {
            name: made.drive(codex(made), trial(made, "Go.", model=model, allowed_tools=allowed))
            for name, allowed in ALLOWED.items()
        }
    shown = {name: _tools(run) for name, run in runs.items()}
    assert {"exec_command", "apply_patch"} <= shown["all"]
    assert shown["Bash"] & CHECKED == {"exec_command"}
    assert "apply_patch" in shown["Write"]
    assert "exec_command" not in shown["Write"]
    assert shown["none"] & CHECKED == set()


ALLOWED: dict[str, JsonValue] = {
    "all": None,
    "Bash": ["Bash"],
    "Write": ["Write", "WebSearch", "Task"],
    "none": [],
}
CHECKED = {"exec_command", "apply_patch", "web_search", "spawn_agent", "view_image", "create_goal"}


def _tools(run: Run) -> set[str]:
    """Tools of a request, also those that only code can call."""
    if body(run.requests[0]).get("tools"):
        return tools_offered(run.requests[0])
    signs = ("### `{}`", '"name":"{}"')
    return {name for name in CHECKED if any(sign.format(name) in run.sent for sign in signs)}


def test_files_and_skills_need_the_shell(tmp_path: Path) -> None:
    with bench(tmp_path, says("Never.")) as made:
        reads = trial(made, "Go.", allowed_tools=["Read"])
        learns = trial(made, "Go.", skill=greeting(made), allowed_tools=["Write"])
        for spec in (reads, learns):
            with pytest.raises(UsageError, match="allow Bash"):
                made.drive(codex(made), spec)
        assert made.server.requests == ()


def test_an_answer_by_a_schema_flags_and_variables(tmp_path: Path) -> None:
    schema: JsonValue = {"type": "object", "properties": {"n": {"type": "integer"}}}
    look = shell('echo "$MY_TOKEN"; printenv CODEX_API_KEY || echo no key')
    with bench(tmp_path, says(Turn(calls=(look,)), '{"n": 7}')) as made:
        spec = trial(
            made,
            "Count.",
            output_schema=schema,
            extra_flags=["-c", 'model_reasoning_effort="high"'],
            pass_environment=["MY_TOKEN"],
        )
        run = made.drive(codex(made, MY_TOKEN="let through"), spec)
        assert "let through" in codex(made, MY_TOKEN="let through").secrets(spec.options)
    assert run.ended.answer == '{"n": 7}'
    assert run.all(Returned)[0].output == "let through\nno key\n"
    asked = body(run.requests[0])
    assert '"json_schema"' in str(asked["text"]).replace("'", '"')
    assert '"n"' in str(asked["text"]).replace("'", '"')
    assert "high" in str(asked["reasoning"])


def test_what_the_program_cannot_do_is_refused(tmp_path: Path) -> None:
    async def answerer(_request: Request) -> Reply:
        raise AssertionError("nobody is asked")

    with bench(tmp_path, says("Never.")) as made:
        with pytest.raises(UsageError, match="let somebody answer it"):
            made.drive(codex(made), trial(made, "Go."), answerer)
        assert made.server.requests == ()


@pytest.mark.parametrize(
    "prompt",
    ["T-LONG " + "lorem " * 50_000, "--help T-FLAG", "/init T-COMMAND", "- T-DASH", 'T-"Q\\\n\x00'],
    ids=["long", "flag", "command", "dash", "odd"],
)
def test_prompts_of_all_kinds_arrive(tmp_path: Path, prompt: str) -> None:
    with bench(tmp_path, says("Read.")) as made:
        run = made.drive(codex(made), trial(made, prompt))
    assert run.ended.answer == "Read."
    messages = body(run.requests[0])["input"]
    assert isinstance(messages, list)
    last = messages[-1]
    assert isinstance(last, dict)
    assert last["content"] == [{"type": "input_text", "text": prompt}]


def test_a_conversation_goes_on(tmp_path: Path) -> None:
    first = Turn(text="I am Ada.", calls=(shell("echo 1"),), usage=Tokens(input=40, output=4))
    second = Turn(text="Still Ada.", usage=Tokens(input=60, output=6, cache_read=9))
    script = Script(
        conversations=(
            Conversation(
                marker="T-FIRST", turns=(first, Turn(text="Written."), second, Turn(text="Bye."))
            ),
        )
    )
    with bench(tmp_path, script) as made:
        spec, later = trial(made, "T-FIRST word."), trial(made, "And now?")
        before, after = asyncio.run(_twice(made, spec, later))
    assert before.ended.usage == Usage(input_tokens=140, output_tokens=14)
    assert after.ended.usage == Usage(input_tokens=60, output_tokens=6, cache_read_tokens=9)
    assert after.ended.answer == "Still Ada."
    assert after.ended.conversation == before.ended.conversation
    assert "T-FIRST word." in after.sent
    assert "I am Ada." in after.sent
    assert after.tools == []


async def _twice(made: Bench, spec: TrialSpec, later: TrialSpec) -> tuple[Run, Run]:
    engine = codex(made)
    with made.workdir(spec) as workdir:
        before = await made.conversed(engine, spec, workdir)
        return before, await made.conversed(engine, later, workdir, before.ended.conversation)


@pytest.mark.parametrize("name", ["01a1e2bb-8007-7c50-a42e-4adc7a6c5f03", "--last"])
def test_a_conversation_that_never_was(tmp_path: Path, name: str) -> None:
    with bench(tmp_path, says("Never.")) as made:
        spec = trial(made, "And now?")

        async def go_on() -> Run:
            with made.workdir(spec) as workdir:
                return await made.conversed(codex(made), spec, workdir, name)

        with pytest.raises(UsageError, match=r"no such conversation|no conversation '--last'"):
            asyncio.run(go_on())
        assert made.server.requests == ()


def test_a_conversation_is_compressed_at_a_number_of_tokens(tmp_path: Path) -> None:
    much = Answer(calls=(shell("echo 1"),), usage=Tokens(input=9_000, output=4))
    begin = Turn(hits=(much, Answer(text="Done.")))  # what was compressed begins anew
    with bench(tmp_path, says(begin, "What there is.")) as made:
        run = made.drive(codex(made), trial(made, "Count.", compact_tokens=5_000))
    assert run.ended.answer == "Done."
    assert len(run.requests) == 3, "the second one asks for what there was, in short"
