"""What the tests of the engine claude have in common."""

import asyncio
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from tests.engines.driving import Bench, Run
from whet.core.arm import SkillPackage
from whet.core.errors import WhetError
from whet.core.trial import TrialSpec
from whet.engines.claude import ClaudeEngine
from whet.testing.model_server import LoggedRequest, ToolCall

MODEL = "claude-sonnet-4-5"
KEY = "test-key-of-a-made-up-user"
GREET = """---
name: greet
description: Greets people in the manner of Zanzibar
---
Say hello to $ARGUMENTS in the manner of Zanzibar.
"""
_AT_ONCE = 4


def claude(made: Bench, **environment: str) -> ClaudeEngine:
    """The real program, led to the scripted model."""
    given = {"ANTHROPIC_BASE_URL": made.url, "ANTHROPIC_API_KEY": KEY, **environment}
    return ClaudeEngine(made.machine("claude", **given))


def trial(
    made: Bench,
    prompt: str,
    *,
    model: str = MODEL,
    skill: SkillPackage | None = None,
    files: Mapping[str, str | bytes] | None = None,
    **options: JsonValue,
) -> TrialSpec:
    return made.spec(claude(made), prompt, model=model, skill=skill, files=files, **options)


def greeting(made: Bench, text: str = GREET) -> SkillPackage:
    return made.package({"SKILL.md": text})


def call(tool: str, **arguments: JsonValue) -> ToolCall:
    return ToolCall(tool=tool, arguments=arguments)


def bash(command: str) -> ToolCall:
    return call("Bash", command=command, description="As the script says")


def tools_offered(request: LoggedRequest) -> list[str]:
    body = request.json
    assert isinstance(body, dict)
    tools = body["tools"]
    assert isinstance(tools, list)
    return [str(tool["name"]) for tool in tools if isinstance(tool, dict)]


def several(made: Bench, specs: Sequence[TrialSpec]) -> list[Run | WhetError]:
    """Run trials side by side, each to its end or its error."""
    engine, room = claude(made), asyncio.Semaphore(_AT_ONCE)

    async def one(spec: TrialSpec) -> Run | WhetError:
        async with room:
            try:
                return await made.driven(engine, spec)
            except WhetError as error:
                return error

    async def all_of_them() -> list[Run | WhetError]:
        return await asyncio.gather(*map(one, specs))

    return asyncio.run(all_of_them())
