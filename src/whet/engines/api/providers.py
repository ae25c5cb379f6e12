"""Whose APIs there are, and the library that speaks to them."""

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version  # noqa: TID251 - of a library
from typing import TYPE_CHECKING

from whet.core.errors import EnvironmentProblem

if TYPE_CHECKING:  # the library takes seconds to load, and need not be there
    import httpx2
    from pydantic_ai.models import Model

ADAPTER = 1
"""Raised whenever the same request would be put differently."""

INSTALL = "pip install 'whet[api]'"


@dataclass(frozen=True, slots=True)
class Provider:
    """Whose API it is: where it is, unless a variable says otherwise, and whose key it wants."""

    url: str
    url_variable: str
    key_variables: tuple[str, ...]


_OPENAI = Provider("https://api.openai.com/v1", "OPENAI_BASE_URL", ("OPENAI_API_KEY",))
PROVIDERS = {
    "anthropic": Provider(
        "https://api.anthropic.com", "ANTHROPIC_BASE_URL", ("ANTHROPIC_API_KEY",)
    ),
    "google": Provider(
        "https://generativelanguage.googleapis.com",
        "GOOGLE_GEMINI_BASE_URL",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    ),
    "openai": _OPENAI,
    "openai-chat": _OPENAI,  # the older protocol, which most compatible servers speak
}


@dataclass(frozen=True, slots=True)
class Access:
    """One model with all that is needed to reach it."""

    provider: str
    model: str
    url: str
    key: str


def library() -> str:
    """The version of the library and of what is made of it here; raises
    ``EnvironmentProblem``."""
    try:
        return f"{version('pydantic-ai-slim')}+{ADAPTER}"
    except PackageNotFoundError:
        raise EnvironmentProblem(f"engine api needs the extra: {INSTALL}") from None


def load(provider: str) -> object:
    """Import what a provider needs."""
    match provider:
        case "anthropic":
            from pydantic_ai.models import anthropic as module
        case "google":
            from pydantic_ai.models import google as module
        case _:
            from pydantic_ai.models import openai as module
    return module


def key_variables() -> set[str]:
    """The names of all variables that may hold a key."""
    return {name for provider in PROVIDERS.values() for name in provider.key_variables}


def model_of(access: Access, client: "httpx2.AsyncClient") -> "Model":
    """The model, with nothing taken from the process's own environment."""
    match access.provider:
        case "anthropic":
            from pydantic_ai.models.anthropic import AnthropicModel
            from pydantic_ai.providers.anthropic import AnthropicProvider

            anthropic = AnthropicProvider(
                api_key=access.key, base_url=access.url, http_client=client
            )
            return AnthropicModel(access.model, provider=anthropic)
        case "google":
            from google.genai.types import HttpRetryOptions
            from pydantic_ai.models.google import GoogleModel
            from pydantic_ai.providers.google import GoogleProvider

            google = GoogleProvider(
                api_key=access.key,
                base_url=access.url,
                http_client=client,
                retry_options=HttpRetryOptions(attempts=1),
            )
            return GoogleModel(access.model, provider=google)
        case _:
            from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
            from pydantic_ai.profiles.openai import OpenAIModelProfile
            from pydantic_ai.providers.openai import OpenAIProvider

            openai = OpenAIProvider(api_key=access.key, base_url=access.url, http_client=client)
            if access.provider == "openai":
                return OpenAIResponsesModel(access.model, provider=openai)
            # Without this an answer that breaks off passes for a whole one.
            strict = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
            return OpenAIChatModel(access.model, provider=openai, profile=strict)
