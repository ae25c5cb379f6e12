"""Who judges: somebody else than who did the work, wherever that can be had."""

import re
from collections.abc import Sequence
from typing import NamedTuple

SIMULATED = "simulated"
MODEL = "model"
"""The names of the two judges that are chosen from."""

DEFAULT = "default"
"""The model that an engine takes by itself."""

PREFERRED = ("claude", "codex", "gemini", "opencode")
KNOWN = (*PREFERRED, "api", SIMULATED)
"""Engines by whose name a wish may begin, whether they are usable or not."""

MUTE = frozenset({SIMULATED, "command", "replay"})
"""Engines that cannot be asked for an opinion."""

_OTHERS = {"claude": ("opus", "sonnet")}
"""Models to judge by where an engine has to judge its own work, the first that did not do it."""

_SHORT = {"claude": ("opus", "sonnet", "haiku")}
"""What models are called for short."""

_MAKERS = (
    ("claude", re.compile(r"claude|opus|sonnet|haiku", re.IGNORECASE)),
    ("codex", re.compile(r"gpt|o[0-9]|codex", re.IGNORECASE)),
    ("gemini", re.compile(r"gemini", re.IGNORECASE)),
)

Executor = tuple[str, str]
"""Engine and model of who did the work."""


class JudgeWish(NamedTuple):
    """What was said about the judge: ``simulated``, a model, an engine, or ``engine:model``."""

    asked: str | None = None
    """By whoever runs the suite; this counts first."""

    suite: str | None = None
    """By the suite: its ``judge_model``."""


class JudgeChoice(NamedTuple):
    """The judge, what it asks, and what a person should know about that."""

    judge: str
    engine: str
    model: str
    warnings: tuple[str, ...] = ()


def choose_judge(
    executors: Sequence[Executor], wish: JudgeWish, usable: Sequence[str]
) -> JudgeChoice:
    """The judge of what *executors* did; *usable* are the engines that could be asked now."""
    real = [executor for executor in executors if executor[0] != SIMULATED]
    if wish.asked:
        return _wished(wish.asked, real, usable)
    if not real:
        ignored = f"the suite's judge {wish.suite} is not asked: nothing real is to be judged"
        return _simulated(ignored) if wish.suite else _simulated()
    if not wish.suite:
        return _unlike(real, usable)
    named = _wished(wish.suite, real, usable)
    if named.judge == SIMULATED or named.engine in usable:
        return named
    instead = _unlike(real, usable)
    note = f"the suite's judge {wish.suite} cannot be asked here: {named.engine} is not usable"
    return instead._replace(warnings=(note, *instead.warnings))


def _wished(name: str, real: Sequence[Executor], usable: Sequence[str]) -> JudgeChoice:
    engine, model = _named(name.strip(), real, usable)
    if engine == SIMULATED:
        by_rule = "the simulated judge goes by rules: it does not understand what it judges"
        return _simulated(by_rule) if real else _simulated()
    choice = _judged_by(engine, model, real)
    if engine in usable:
        return choice
    missing = f"{engine} may not be usable here, and it is to judge; see: whet doctor"
    return choice._replace(warnings=(*choice.warnings, missing))


def _named(name: str, real: Sequence[Executor], usable: Sequence[str]) -> Executor:
    """The engine and the model that are meant."""
    first, _, rest = name.partition(":")
    if first in {*KNOWN, *usable}:
        return first, rest or DEFAULT
    for engine, pattern in _MAKERS:
        if pattern.match(name):
            return engine, name
    if "/" in name:
        return "opencode", name
    others = [engine for engine, _ in real if engine not in MUTE]
    return next(iter([*others, *_in_order(usable)]), "claude"), name


def _unlike(real: Sequence[Executor], usable: Sequence[str]) -> JudgeChoice:
    """A judge of another kind than all executors, else another model, else one of them."""
    at_work = [engine for engine, _ in real]
    for engine in _in_order(usable):
        if engine not in at_work:
            return _judged_by(engine, DEFAULT, real)
    speaking = [executor for executor in real if executor[0] not in MUTE]
    for engine, _ in speaking:
        for model in _OTHERS.get(engine, ()):
            if not any(_is_same((engine, model), executor) for executor in speaking):
                return _judged_by(engine, model, real)
    if not speaking:
        return _simulated("no agent that could judge is usable here: the simulated judge does it")
    return _judged_by(*speaking[0], real)


def _judged_by(engine: str, model: str, real: Sequence[Executor]) -> JudgeChoice:
    warnings: tuple[str, ...] = ()
    if any(_is_same((engine, model), executor) for executor in real):
        warnings = (f"the judge is the model that did the work: {engine}:{model}",)
    elif any(engine == other and DEFAULT in (model, work) for other, work in real):
        warnings = (f"the judge may be the model that did the work: {engine}:{model}",)
    return JudgeChoice(MODEL, engine, model, warnings)


def _is_same(judge: Executor, executor: Executor) -> bool:
    """Whether both are one model; a short name is the model whose full name has it."""
    if judge[0] != executor[0]:
        return False
    names = judge[1].lower(), executor[1].lower()
    short = [name for name in _SHORT.get(judge[0], ()) if name in names]
    return names[0] == names[1] or any(all(name in each for each in names) for name in short)


def _in_order(usable: Sequence[str]) -> list[str]:
    return [engine for engine in PREFERRED if engine in usable]


def _simulated(*warnings: str) -> JudgeChoice:
    return JudgeChoice(SIMULATED, "", "", warnings)
