"""Skills: how they were taken up, and what came after.

A skill is taken up by a call of the tool for skills, or by reading a file of its folder, whichever
comes first; a failed call takes up nothing. What a session only says it used counts too, without a
call. The calls after it are those of all agents until another skill is taken up. A file whose
folder does not name the skill, as in our own trials, belongs to the one that the session says it
used.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from whet.replay.acts import Act, Acts
from whet.replay.sources import skill_named, source_type

_FOLDERS = re.compile(r"(?:^|[\s\"'=/])\.?skills?/(?:\.\w+/)?([\w.-]+)/", re.IGNORECASE)


@dataclass(slots=True)
class SkillUse:
    """A skill and what came of it."""

    skill: str
    taken_up: Literal["called", "read", "told"]
    place: int | None
    calls_after: int = 0
    files_read: list[str] = field(default_factory=list[str])
    commands: list[int] = field(default_factory=list[int])


def skill_uses(acts: Acts) -> list[SkillUse]:
    """Every skill of a session, in the order in which they were taken up."""
    found: dict[str, SkillUse] = {}
    order: list[tuple[int, str]] = []
    told = [_plain(name) for name in acts.session.skills_used or ()]
    unnamed = told[0] if len(told) == 1 else "skill"
    for act in acts:
        for name, how in _taken_up(act, unnamed):
            if name not in found:
                found[name] = SkillUse(name, how, act.index)
            if not order or order[-1][1] != name:
                order.append((act.index, name))
        _note(act, found, unnamed)
    for number, (place, name) in enumerate(order):
        until = order[number + 1][0] if number + 1 < len(order) else len(acts)
        found[name].calls_after += until - place - 1
    for name in told:
        found.setdefault(name, SkillUse(name, "told", None))
    return list(found.values())


def _taken_up(act: Act, unnamed: str) -> Iterator[tuple[str, Literal["called", "read"]]]:
    if act.failed:
        return
    if act.kind == "skill" and act.subject:
        yield _plain(act.subject), "called"
    for path in act.reads:
        if source_type(path) == "skill":
            yield skill_named(path) or unnamed, "read"


def _note(act: Act, found: dict[str, SkillUse], unnamed: str) -> None:
    for path in () if act.failed else act.reads:
        use = found.get(skill_named(path) or unnamed) if source_type(path) == "skill" else None
        if use is not None and path not in use.files_read:
            use.files_read.append(path)
    if act.tool == "Bash" and act.kind in ("change", "check"):
        for name in dict.fromkeys(_FOLDERS.findall(act.subject)):
            if (use := found.get(name)) is not None:
                use.commands.append(act.index)


def _plain(name: str) -> str:
    """The name of a skill without that of its plugin."""
    return name.rpartition(":")[2] or name
