"""Putting a skill where an agent finds it."""

import re
import shutil
from pathlib import Path

from whet.core.naming import slug
from whet.core.trial import TrialSpec
from whet.engines.agent_cli.inside import inside
from whet.ports.workdir import Workdir

_NAME = re.compile(
    r"\A---[ \t]*\n(?:(?!---).*\n)*?"
    r"name:[ \t]*[\"']?([A-Za-z0-9][\w.-]{0,63})[\"']?[ \t]*\n"
)
_HEAD = 4096


def skill_name(spec: TrialSpec, workdir: Workdir) -> str | None:
    """The name under which the agent knows the skill: that of its own front matter if it is
    usable as the name of a folder, else that of the library. None without a SKILL.md package."""
    if spec.skill is None or workdir.skill is None or spec.skill.kind != "package":
        return None
    with (workdir.skill / "SKILL.md").open(encoding="utf-8", errors="replace") as file:
        found = _NAME.match(file.read(_HEAD))
    return found[1] if found else slug(spec.skill.name, spec.skill.digest[:8], "-")


def place_package(spec: TrialSpec, workdir: Workdir, skills: Path) -> None:
    """Copy a SKILL.md package into the folder where the agent looks for skills."""
    name = skill_name(spec, workdir)
    if name is None or workdir.skill is None:
        return
    target = inside(skills / name, workdir.root)
    if not target.exists():
        skills.mkdir(parents=True, exist_ok=True)
        shutil.copytree(workdir.skill, target)


def instructions(spec: TrialSpec, workdir: Workdir) -> str | None:
    """The text of a skill that is only a text: it holds for the whole conversation, so it goes
    where the agent looks for its user's standing instructions."""
    if spec.skill is None or workdir.skill is None or spec.skill.kind != "text":
        return None
    return (workdir.skill / spec.skill.entry.path).read_text(encoding="utf-8", errors="replace")
