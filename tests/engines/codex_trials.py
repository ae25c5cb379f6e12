"""What the tests of the engine codex have in common."""

import asyncio
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from tests.engines.driving import Bench, Run
from whet.core.arm import SkillPackage
from whet.core.errors import WhetError
from whet.core.trial import TrialSpec
from whet.engines.codex import CodexEngine
from whet.testing.model_server import LoggedRequest, NativeCall, ToolCall

MODEL = "gpt-5.5"
CODE_MODEL = "gpt-6-astra"
"""Its only tool takes JavaScript, which calls the others."""

OWN_MODEL = "a-model-of-our-own"
"""The program knows nothing of it, and offers all subagents at once."""

KEY = "test-key-of-a-made-up-user"
GREET = """---
name: greet
description: Greets people in the manner of Zanzibar
---
Say hello in the manner of Zanzibar.
"""
READ_GREET = 'cat "$CODEX_HOME/skills/greet/SKILL.md"'
_AT_ONCE = 4


def codex(made: Bench, **environment: str) -> CodexEngine:
    """The real program, led to the scripted model."""
    given = {"OPENAI_BASE_URL": f"{made.url}/v1", "OPENAI_API_KEY": KEY, **environment}
    return CodexEngine(made.machine("codex", **given))


def trial(
    made: Bench,
    prompt: str,
    *,
    model: str = MODEL,
    skill: SkillPackage | None = None,
    files: Mapping[str, str | bytes] | None = None,
    **options: JsonValue,
) -> TrialSpec:
    return made.spec(codex(made), prompt, model=model, skill=skill, files=files, **options)


def greeting(made: Bench, text: str = GREET) -> SkillPackage:
    return made.package({"SKILL.md": text})


def shell(command: str) -> ToolCall:
    return ToolCall(action="shell", arguments={"command": command})


def write(path: str, content: str) -> ToolCall:
    return ToolCall(action="write", arguments={"path": path, "content": content})


def native(tool: str, namespace: str | None = None, **arguments: JsonValue) -> ToolCall:
    call = NativeCall(tool=tool, namespace=namespace, arguments=arguments)
    return ToolCall(tool=tool, native={"responses": call})


def custom(tool: str, text: str) -> ToolCall:
    """A call of a tool that takes a text."""
    return ToolCall(tool=tool, native={"responses": NativeCall(tool=tool, input=text, custom=True)})


def body(request: LoggedRequest) -> dict[str, JsonValue]:
    value = request.json
    assert isinstance(value, dict)
    return value


def tools_offered(request: LoggedRequest) -> set[str]:
    tools = body(request)["tools"]
    assert isinstance(tools, list)
    objects = [tool for tool in tools if isinstance(tool, dict)]
    return {str(tool.get("name", tool.get("type"))) for tool in objects}


def several(made: Bench, specs: Sequence[TrialSpec]) -> list[Run | WhetError]:
    """Run trials side by side, each to its end or its error."""
    engine, room = codex(made), asyncio.Semaphore(_AT_ONCE)

    async def one(spec: TrialSpec) -> Run | WhetError:
        async with room:
            try:
                return await made.driven(engine, spec)
            except WhetError as error:
                return error

    async def all_of_them() -> list[Run | WhetError]:
        return await asyncio.gather(*map(one, specs))

    return asyncio.run(all_of_them())
