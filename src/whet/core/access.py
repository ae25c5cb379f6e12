"""Options of an engine that widen what an agent sees and reaches, and what a machine allows.

Whatever is not on the short list of harmless options widens access: variables, hosts, paths,
servers, programs and their flags, and every option that whet does not know.
"""

import json
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Literal

from pydantic import AfterValidator, JsonValue

from whet.core.address import digest
from whet.core.confidential import is_secret_name, without_secrets
from whet.core.outbound import check_hosts
from whet.core.redaction import MARK
from whet.core.value import Value

HARMLESS = frozenset(
    {
        "allowed_tools",
        "compact_tokens",
        "max_budget_usd",
        "max_turns",
        "of",
        "output_schema",
        "prompt_by",
        "simulate",
    }
)
"""Options that anybody may choose: they limit an agent, or say in which form it is asked."""

SANDBOXES = ("none", "landlock", "bubblewrap")
"""From the weakest to the strongest."""

MOST_SHOWN = 2_000
"""Characters; nobody agrees to more than can be read."""

_NOTHING: tuple[JsonValue, ...] = (None, [], {})


class AccessPolicy(Value):
    """``policy.json`` of a machine: what is allowed there without asking anybody."""

    engines: tuple[str, ...] | None = None
    """The engines that may be started, besides simulated ones; None for all."""

    sandbox: Literal["none", "landlock", "bubblewrap"] = "none"
    """The weakest sandbox that agents may run in."""

    hosts: tuple[str, ...] = ()
    """Hosts that agents may reach, each with its port; ``*`` stands for any characters."""

    outbound: Annotated[tuple[str, ...], AfterValidator(check_hosts)] = ()
    """Hosts that whet itself sends webhooks and spans to, as ``OutboundPolicy`` has them."""

    environment: tuple[str, ...] = ()
    """Names of variables that agents may be given; ``*`` stands for any characters."""

    scripts: bool = False
    """Whether requests over HTTP may have scripts of a suite run."""

    paths: tuple[str, ...] = ()
    """Files and folders that agents may read, with all that is below."""

    programs: tuple[str, ...] = ()
    """Programs that may be started as an agent or an MCP server, each as it is named there."""

    flags: tuple[str, ...] = ()
    """Further arguments that an agent's program may be given."""

    def allows_environment(self, names: Sequence[str]) -> bool:
        """Whether agents may be given all these variables."""
        return all(any(fnmatchcase(name, each) for each in self.environment) for name in names)

    def allows_hosts(self, hosts: Sequence[str]) -> bool:
        """Whether agents may reach all these hosts."""
        return all(any(fnmatchcase(host, each) for each in self.hosts) for host in hosts)


def widening(options: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The options that widen access."""
    return {
        name: value
        for name, value in options.items()
        if name not in HARMLESS and value not in _NOTHING
    }


def consent_code(workspace: str, engine: str, wide: Mapping[str, JsonValue]) -> str:
    """The digest that a consent is kept under: of a workspace, an engine and widening options."""
    return digest({"workspace": workspace, "engine": engine, "options": dict(wide)})[:32]


def describe(wide: Mapping[str, JsonValue]) -> str:
    """Every widening option with its value in one line, without the secrets in it."""
    shown = {name: _without_secrets(name, value) for name, value in sorted(wide.items())}
    return ", ".join(f"{_plain(name)}={_plain(value)}" for name, value in shown.items())


def is_weaker(sandbox: str, least: str) -> bool:
    """Whether a sandbox confines less than another; one that nobody knows confines nothing."""
    known = SANDBOXES.index(sandbox) if sandbox in SANDBOXES else -1
    return known < SANDBOXES.index(least)


def _plain(value: JsonValue) -> str:
    if isinstance(value, str) and value.isidentifier() and value.isascii():
        return value
    return json.dumps(value, ensure_ascii=True, sort_keys=True)


def _without_secrets(name: str, value: JsonValue) -> JsonValue:
    """Variables are shown with their values, unless they are called like secrets: whoever agrees
    has to see what they say."""
    if name == "environment" and isinstance(value, dict):
        return {each: MARK if is_secret_name(each) else one for each, one in value.items()}
    return without_secrets(value)
