"""What the tests of the engine gemini have in common."""

import asyncio
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from tests.engines.driving import Bench, Run
from whet.core.arm import SkillPackage
from whet.core.errors import WhetError
from whet.core.trial import TrialSpec
from whet.engines.gemini import GeminiEngine
from whet.testing.model_server import LoggedRequest, ToolCall

MODEL = "gemini-2.5-pro"
KEY = "test-key-of-a-made-up-user"
GREET = """---
name: greet
description: Greets people in the manner of Zanzibar
---
Say hello in the manner of Zanzibar.
"""
_AT_ONCE = 3


def gemini(made: Bench, **environment: str) -> GeminiEngine:
    """The real program, led to the scripted model."""
    given = {"GOOGLE_GEMINI_BASE_URL": made.url, "GEMINI_API_KEY": KEY, **environment}
    return GeminiEngine(made.machine("gemini", **given))


def trial(
    made: Bench,
    prompt: str,
    *,
    model: str = MODEL,
    skill: SkillPackage | None = None,
    files: Mapping[str, str | bytes] | None = None,
    **options: JsonValue,
) -> TrialSpec:
    return made.spec(gemini(made), prompt, model=model, skill=skill, files=files, **options)


def call(tool: str, **arguments: JsonValue) -> ToolCall:
    return ToolCall(tool=tool, arguments=arguments)


def bash(command: str) -> ToolCall:
    return call("run_shell_command", command=command, description="As the script says")


def tools_offered(request: LoggedRequest) -> list[str]:
    body = request.json
    assert isinstance(body, dict)
    return [str(tool["name"]) for group in _objects(body.get("tools")) for tool in _tools(group)]


def _tools(group: dict[str, JsonValue]) -> list[dict[str, JsonValue]]:
    return _objects(group["functionDeclarations"])


def _objects(value: JsonValue) -> list[dict[str, JsonValue]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def several(
    made: Bench, specs: Sequence[TrialSpec], at_once: int = _AT_ONCE
) -> list[Run | WhetError]:
    """Run trials side by side, each to its end or its error."""
    engine, room = gemini(made), asyncio.Semaphore(at_once)

    async def one(spec: TrialSpec) -> Run | WhetError:
        async with room:
            try:
                return await made.driven(engine, spec)
            except WhetError as error:
                return error

    async def all_of_them() -> list[Run | WhetError]:
        return await asyncio.gather(*map(one, specs))

    return asyncio.run(all_of_them())
