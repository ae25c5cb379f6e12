"""How the agents are told where the model is."""

import json
from dataclasses import dataclass
from typing import Literal

from whet.testing.model_server.wire import JsonObject

KEY = "test-key"
PROVIDER = "whet"

AgentName = Literal["claude", "codex", "gemini", "opencode", "qwen"]


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """What an agent's process needs; all of it may be shown, the key is no secret."""

    environment: dict[str, str]
    arguments: tuple[str, ...] = ()


def agent_settings(url: str, model: str) -> dict[AgentName, AgentSettings]:
    """For every agent that is known to work with the server at *url*."""
    openai = {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": KEY}
    return {
        "claude": AgentSettings({"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": KEY}),
        "codex": AgentSettings({"OPENAI_API_KEY": KEY}, _codex_arguments(url, model)),
        "gemini": AgentSettings({"GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": KEY}),
        "opencode": AgentSettings({"OPENCODE_CONFIG_CONTENT": _opencode_config(url, model)}),
        "qwen": AgentSettings({**openai, "OPENAI_MODEL": model}, ("--auth-type", "openai")),
    }


def _codex_arguments(url: str, model: str) -> tuple[str, ...]:
    """Codex takes another provider from its configuration only."""
    provider = (
        f'{{name="{PROVIDER}",base_url="{url}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}}'
    )
    return (
        "-c",
        f'model_provider="{PROVIDER}"',
        "-c",
        f"model_providers.{PROVIDER}={provider}",
        "-m",
        model,
    )


def _opencode_config(url: str, model: str) -> str:
    provider: JsonObject = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{url}/v1", "apiKey": KEY},
        "models": {model: {}},
    }
    return json.dumps({"model": f"{PROVIDER}/{model}", "provider": {PROVIDER: provider}})
