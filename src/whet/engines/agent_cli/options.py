"""The options of a trial, with the same names for every agent program."""

from collections.abc import Collection, Mapping
from typing import Self, TypeVar

from pydantic import Field, JsonValue, ValidationError

from whet.core.errors import UsageError
from whet.core.trial import TrialSpec
from whet.core.value import Value
from whet.ports.tooled import FINAL_RESPONSE

_Number = TypeVar("_Number", int, float)
_Options = TypeVar("_Options", bound=Value)


def checked(kind: type[_Options], given: Mapping[str, JsonValue], engine: str) -> _Options:
    """The options of an engine; raises ``UsageError`` that names the first that is wrong."""
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(f"option {where} of engine {engine}: {first['msg']}") from error


class AgentOptions(Value):
    """How an agent program is run; an engine refuses what its program cannot do."""

    max_turns: int | None = Field(default=None, gt=0)
    """Answers of the model after which the agent is stopped."""

    max_budget_usd: float | None = Field(default=None, gt=0)
    """Money after which the agent is stopped, where its cost is known."""

    allowed_tools: tuple[str, ...] | None = None
    """Canonical names of the tools it may use; none at all when empty. Default: all it has."""

    mcp_servers: dict[str, dict[str, JsonValue]] = {}
    """MCP servers by name: ``command``, ``args`` and ``env``, or ``url``."""

    extra_flags: tuple[str, ...] = ()
    """Further arguments for the program, as they are."""

    output_schema: dict[str, JsonValue] | None = None
    """The JSON Schema that the final answer must fit."""

    pass_environment: tuple[str, ...] = ()
    """Names of the user's variables that the agent gets as they are."""

    environment: dict[str, str] = {}
    """Variables that the agent is given, with their values, which are secrets."""

    compact_tokens: int | None = Field(default=None, gt=0)
    """From how many tokens on the agent compresses its own conversation. Default: as it does."""

    allow_hosts: tuple[str, ...] = ()
    """Hosts besides the model's that the agent may reach, each with its port: ``name:443``."""

    @classmethod
    def of(cls, spec: TrialSpec) -> Self:
        """The options of a trial, with its case's own limits worked in."""
        options = checked(cls, spec.options, spec.engine)
        limits, tools = spec.stimulus.limits, spec.stimulus.tools
        return options.model_copy(
            update={
                "max_turns": _lesser(options.max_turns, limits.max_turns),
                "max_budget_usd": _lesser(options.max_budget_usd, limits.max_cost_usd),
                "allowed_tools": tools or None
                if options.allowed_tools is None
                else options.allowed_tools,
            }
        )

    def tools(self, own: Collection[str]) -> list[str]:
        """What is left of the agent's *own* tools, and what the MCP servers bring; sorted."""
        left = own if self.allowed_tools is None else set(own) & set(self.allowed_tools)
        return sorted({*left, *(f"{name}@*" for name in self.mcp_servers), FINAL_RESPONSE})


def _lesser(one: _Number | None, other: _Number | None) -> _Number | None:
    given = [limit for limit in (one, other) if limit is not None]
    return min(given, default=None)
