"""Who is measured: the engine, its model, its options and its tools."""

from collections.abc import Sequence

from pydantic import JsonValue

from whet.app.app import App
from whet.app.capability.requests import EvaluationStart, Overrides
from whet.app.config import Defaults, defaults
from whet.app.pins import Wish, pinned
from whet.app.secret_store import SHARED
from whet.core.errors import UsageError
from whet.core.tools import FINAL, canonical
from whet.evaluate.plan import Pin


def options_of(wanted: EvaluationStart, overrides: Overrides) -> dict[str, JsonValue]:
    """The options of the engine: with the servers, and only the tools, that the run is to have."""
    options = dict(overrides.options)
    servers = dict(overrides.mcp_servers)
    if wanted.tool_names is not None:
        names = list(dict.fromkeys(map(canonical, wanted.tool_names)))
        options["allowed_tools"] = [name for name in names if "@" not in name and name != FINAL]
        named = {name.partition("@")[0] for name in names if "@" in name}
        servers = {name: server for name, server in servers.items() if name in named}
    if servers:
        options["mcp_servers"] = {**servers}
    return options


def narrowed(tools: Sequence[str], tool_names: Sequence[str] | None) -> list[str]:
    """The tools of an agent, with those of a server by name where only some are wanted."""
    if tool_names is None:
        return sorted(tools)
    of_servers = {name for name in map(canonical, tool_names) if "@" in name}
    found: set[str] = set()
    for tool in tools:
        server, mark, inner = tool.partition("@")
        if mark and inner == "*" and tool not in of_servers:
            found |= {name for name in of_servers if name.partition("@")[0] == server}
        else:
            found.add(tool)
    return sorted(found)


def pin_of(app: App, name: str | None, options: dict[str, JsonValue], owner: str = SHARED) -> Pin:
    """Who is measured; *name* is an engine, a model or ``engine:model``. Raises ``UsageError``
    where it is none of them: nobody wants to measure another one unawares. Secrets of the options
    are put aside for *owner*."""
    engine, model = _named(app, name, defaults(app))
    if model and app.parts.engine(engine).simulated:
        if model != engine:
            raise UsageError(f"the {engine} agent has no model {model!r}")
        model = ""
    models = (f"{engine}:{model}",) if model else ()
    [pin] = pinned(app, Wish((engine,), models, options, owner=owner))
    app.require_credential(pin.engine, pin.model)
    return pin


def _named(app: App, name: str | None, known: Defaults) -> tuple[str, str]:
    """Engine and model; the model is empty for the agent's own."""
    if name is None:
        return known.engine, known.model_for(known.engine)
    name = name.strip()
    if not name:
        raise UsageError("model_name: is empty; leave it out for the default")
    engines = app.parts.engines()
    if name in engines:
        return name, known.model_for(name)
    engine, mark, model = name.partition(":")
    if mark and engine in engines:
        if not model:
            raise UsageError(f"model_name {name!r} names no model after the colon")
        return engine, model
    if app.parts.engine(known.engine).simulated:
        raise UsageError(
            f"model_name {name!r} is no engine, and the default engine {known.engine} has no "
            f"models; name an engine ({', '.join(engines)}) or engine:model"
        )
    return known.engine, name
