"""Who runs what is asked for: every engine with each of its models, pinned as they are now."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from whet.app.access import Asker, Origin
from whet.app.app import App
from whet.app.secret_store import SHARED
from whet.core.budget import Budget
from whet.core.errors import UsageError
from whet.evaluate.judging import MUTE
from whet.evaluate.plan import Pin
from whet.ports.engine import Engine
from whet.ports.inspected import Inspected

_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")
_FREE = frozenset({"replay"})
"""Engines that are not simulated and still ask no model."""


@dataclass(frozen=True)
class Wish:
    """Engines and models as a person names them.

    A model is for every engine, or for one as ``engine:model``.
    """

    engines: Sequence[str]
    models: Sequence[str] = ()
    options: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    budget: Budget = field(default_factory=Budget)
    origin: Origin = "request"
    """Where the options come from."""

    asker: Asker | None = None
    owner: str | None = SHARED
    """Of the secrets among the options; None where nothing is to be put aside yet."""


def pinned(app: App, wish: Wish) -> tuple[Pin, ...]:
    """Every engine with each of its models; raises ``UsageError`` for what cannot be. Secrets of
    the options are put aside: a pin has references of them."""
    _check_models(app, wish)
    pins: list[Pin] = []
    for name in dict.fromkeys(wish.engines):
        engine = app.parts.engine(name)
        app.access.decide(engine, wish.options, wish.origin, wish.asker)
        _check_money(engine, wish.budget)
        version = engine.version(app.secrets.reveal(wish.options))
        options = app.secrets.seal(wish.options, wish.owner or SHARED, keep=wish.owner is not None)
        pins += [
            Pin(
                engine=name,
                engine_version=version,
                model=model,
                options=options,
                sandbox=app.sandbox(engine),
            )
            for model in _models(engine, wish)
        ]
    if not pins:
        raise UsageError("no engine was named")
    return tuple(pins)


def place(pin: Pin) -> str:
    """The name of the folder for the results of an engine and model."""
    return f"{_UNFIT.sub('-', pin.engine)}__{_UNFIT.sub('-', pin.model)}"


def is_paid(engine: Engine) -> bool:
    """Whether somebody is charged for what it does, as far as whet can know."""
    return not engine.simulated and engine.name not in _FREE


def tells_cost(app: App, name: str) -> bool:
    """Whether an engine reports what its runs cost."""
    engine = app.parts.engine(name)
    return not isinstance(engine, Inspected) or "cost" in engine.inspect().abilities


def can_learn(app: App, name: str) -> bool:
    """Whether some runs of ``engine:model`` would tell what others take; a command of somebody's
    own reports no tokens."""
    called = name.partition(":")[0]
    return called in app.parts.engines() and called not in MUTE


def _check_models(app: App, wish: Wish) -> None:
    """A model that nobody would be asked by is a slip, and dear if it is not noticed."""
    simulated = [app.parts.engine(name).simulated for name in wish.engines]
    for model in wish.models:
        prefix, mark, _ = model.partition(":")
        if mark and prefix in wish.engines:
            continue
        if mark and prefix in app.parts.engines():
            raise UsageError(f"the model {model} is for {prefix}; add: --engine {prefix}")
        if simulated and all(simulated):
            raise UsageError(
                f"the simulated agent has no model {model}; name an engine with --engine"
            )


def _models(engine: Engine, wish: Wish) -> list[str]:
    mine: list[str] = []
    for model in dict.fromkeys(wish.models):
        prefix, _, rest = model.partition(":")
        if prefix in wish.engines and rest:
            mine += [rest] if prefix == engine.name else []
        else:
            mine.append(model)
    if engine.simulated:
        return [engine.name]
    if not mine and isinstance(engine, Inspected) and not engine.inspect().has_default_model:
        raise UsageError(f"{engine.name} takes no model by itself; name one with --model")
    return list(dict.fromkeys(mine)) or ["default"]


def _check_money(engine: Engine, budget: Budget) -> None:
    if budget.max_cost_usd is None or not isinstance(engine, Inspected):
        return
    if "cost" not in engine.inspect().abilities:
        raise UsageError(
            f"{engine.name} does not tell what it costs, so a limit of money cannot be kept; "
            "limit tokens or trials instead"
        )
