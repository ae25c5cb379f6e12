"""Whom opencode can ask for a model, and with which credential."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import JsonValue

from whet.core.errors import UsageError
from whet.engines.agent_cli.credential import Credential, login
from whet.engines.agent_cli.network import address_of
from whet.ports.machine import Machine

CUSTOM = "custom"
"""Our name for the service at ``OPENAI_BASE_URL``; the model gets to see it."""

AUTH = ".local/share/opencode/auth.json"
_COPILOT = "github-copilot"
_MARGIN = 60
"""Seconds of life that a login must have left to be worth a start."""


@dataclass(frozen=True, slots=True)
class Provider:
    """A service that opencode knows: where it is, and what the user's variables are called."""

    url: str
    keys: tuple[str, ...]
    moved_by: str = ""
    """The variable that names another place."""


PROVIDERS = {
    "anthropic": Provider(
        "https://api.anthropic.com/v1", ("ANTHROPIC_API_KEY",), "ANTHROPIC_BASE_URL"
    ),
    "openai": Provider("https://api.openai.com/v1", ("OPENAI_API_KEY",), "OPENAI_BASE_URL"),
    "google": Provider(
        "https://generativelanguage.googleapis.com/v1beta",
        ("GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"),
        "GOOGLE_GEMINI_BASE_URL",
    ),
    "openrouter": Provider("https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",)),
    "deepseek": Provider("https://api.deepseek.com", ("DEEPSEEK_API_KEY",)),
    "groq": Provider("https://api.groq.com/openai/v1", ("GROQ_API_KEY",)),
    "mistral": Provider("https://api.mistral.ai/v1", ("MISTRAL_API_KEY",)),
    "xai": Provider("https://api.x.ai/v1", ("XAI_API_KEY",)),
    "opencode": Provider("https://opencode.ai/zen/v1", ("OPENCODE_API_KEY",)),
    _COPILOT: Provider("https://api.githubcopilot.com", ()),
}
_SUBSCRIPTIONS = {"openai": "https://chatgpt.com"}
"""Where a login leads instead of the place for keys."""


@dataclass(frozen=True, slots=True)
class Access(Credential):
    """A credential for one provider."""

    provider: str = ""
    is_login: bool = False
    """Whether one of opencode's own plugins is needed to use it."""


def provider_variables() -> tuple[str, ...]:
    """The names of all variables that lead to a provider."""
    known = PROVIDERS.values()
    return tuple(name for each in known for name in (*each.keys, each.moved_by) if name)


def accesses(machine: Machine) -> Iterator[Access]:
    """All there are: variables first, then what ``opencode auth login`` has kept."""
    given = machine.environment
    if given.get("OPENAI_BASE_URL"):
        if key := given.get("OPENAI_API_KEY"):
            yield _by_key("OPENAI_API_KEY", CUSTOM, key)
        else:
            yield Access("OPENAI_BASE_URL", provider=CUSTOM)
    for provider, known in PROVIDERS.items():
        for name in known.keys:
            if key := given.get(name):
                yield _by_key(name, provider, key)
                break
    for provider, entry in kept(machine).items():
        if (access := _by_login(provider, entry)) is not None:
            yield access


def kept(machine: Machine) -> dict[str, dict[str, JsonValue]]:
    """The user's logins by provider, whatever they are worth."""
    moved = machine.environment.get("XDG_DATA_HOME")
    file = Path(moved, "opencode", "auth.json") if moved else machine.home / AUTH
    found = login(file)
    entries = found.items() if isinstance(found, dict) else ()
    return {provider: entry for provider, entry in entries if isinstance(entry, dict)}


def asked_of(machine: Machine, model: str) -> tuple[str, str]:
    """The provider of a model and the provider's own name for it; raises ``UsageError``."""
    provider, _, name = model.partition("/")
    if name and (provider in PROVIDERS or provider in kept(machine)):
        return provider, name
    if machine.environment.get("OPENAI_BASE_URL"):
        return CUSTOM, model.removeprefix(f"{CUSTOM}/")
    if name:
        return provider, name
    raise UsageError(
        f"opencode needs a provider for the model {model!r}: "
        f"write provider/{model}, or set OPENAI_BASE_URL"
    )


def moved_to(machine: Machine, provider: str) -> str | None:
    """The URL at which the user's variables have a provider, if they name one."""
    if provider == CUSTOM:
        return machine.environment.get("OPENAI_BASE_URL")
    known = PROVIDERS.get(provider)
    url = machine.environment.get(known.moved_by) if known else None
    if not known or not url:
        return None
    # Other programs, for which such variables are set too, add the version themselves.
    has_path = urlsplit(url).path.strip("/")
    return url if has_path else url.rstrip("/") + urlsplit(known.url).path


def places(machine: Machine, access: Access) -> tuple[str, ...]:
    """The hosts with ports behind an access; none where only opencode knows them."""
    provider = access.provider
    if (moved := moved_to(machine, provider)) is not None:
        return (address_of(moved),)
    if access.is_login and provider in _SUBSCRIPTIONS:
        return (address_of(_SUBSCRIPTIONS[provider]),)
    return (address_of(PROVIDERS[provider].url),) if provider in PROVIDERS else ()


def _by_key(source: str, provider: str, key: str) -> Access:
    entry: dict[str, JsonValue] = {"type": "api", "key": key}
    return Access(source, files=_file(provider, entry), secrets=(key,), provider=provider)


def _by_login(provider: str, entry: dict[str, JsonValue]) -> Access | None:
    source = f"{AUTH} ({provider})"
    match entry.get("type"):
        case "api" if isinstance(key := entry.get("key"), str) and key:
            return _by_key(source, provider, key)
        case "oauth" if provider.startswith(_COPILOT):
            # Its only token neither expires nor changes.
            copy = entry
        case "oauth" if _lives(entry):
            # Renewing it would make the user's own login useless.
            copy = {**entry, "refresh": ""}
        case _:
            return None
    tokens = (entry.get("access"), entry.get("refresh"))
    secrets = tuple(token for token in tokens if isinstance(token, str) and token)
    files = _file(provider, copy)
    return Access(source, files=files, secrets=secrets, provider=provider, is_login=True)


def _file(provider: str, entry: dict[str, JsonValue]) -> dict[str, str]:
    """The login of the agent's own home, with this one entry."""
    return {AUTH: json.dumps({provider: entry})}


def _lives(entry: dict[str, JsonValue]) -> bool:
    expires, token = entry.get("expires"), entry.get("access")
    if not isinstance(token, str) or not token:
        return False
    return isinstance(expires, int | float) and expires / 1000 > time.time() + _MARGIN
