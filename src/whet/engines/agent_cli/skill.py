"""Putting skills where an agent finds them."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from whet.core.arm import SkillPackage
from whet.core.errors import UsageError
from whet.core.front_matter import HEAD, name_of
from whet.core.trial import TrialSpec
from whet.engines.agent_cli.inside import inside
from whet.ports.workdir import Workdir


def skill_name(spec: TrialSpec, workdir: Workdir) -> str | None:
    """The name under which the agent knows the skill on trial; None without a SKILL.md package."""
    if spec.skill is None or workdir.skill is None or spec.skill.kind != "package":
        return None
    return _name(spec.skill, workdir.skill)


def neighbour_names(spec: TrialSpec, workdir: Workdir) -> tuple[str, ...]:
    """The names of the skills beside it; raises ``UsageError`` for one that is a mere text."""
    pairs = zip(spec.neighbours, workdir.neighbours, strict=True)
    return tuple(_name(package, folder) for package, folder in pairs)


def place_package(spec: TrialSpec, workdir: Workdir, skills: Path) -> None:
    """Copy SKILL.md packages into the folder where the agent looks for skills; raises
    ``UsageError`` where two have one name."""
    taken: set[str] = set()
    for name, folder in _packages(spec, workdir):
        if name.casefold() in taken:
            raise UsageError(f"two of the skills are called {name!r}; an agent would see one")
        taken.add(name.casefold())
        target = inside(skills / name, workdir.root)
        if not target.exists():
            skills.mkdir(parents=True, exist_ok=True)
            shutil.copytree(folder, target)


def instructions(spec: TrialSpec, workdir: Workdir) -> str | None:
    """The text of a skill that is only a text: it holds for the whole conversation, so it goes
    where the agent looks for its user's standing instructions."""
    if spec.skill is None or workdir.skill is None or spec.skill.kind != "text":
        return None
    return (workdir.skill / spec.skill.entry.path).read_text(encoding="utf-8", errors="replace")


def _packages(spec: TrialSpec, workdir: Workdir) -> Iterator[tuple[str, Path]]:
    if (name := skill_name(spec, workdir)) is not None and workdir.skill is not None:
        yield name, workdir.skill
    yield from zip(neighbour_names(spec, workdir), workdir.neighbours, strict=True)


def _name(package: SkillPackage, folder: Path) -> str:
    if package.kind != "package":
        raise UsageError(f"skill {package.name!r} is a mere text; beside another it needs SKILL.md")
    with (folder / "SKILL.md").open(encoding="utf-8", errors="replace") as file:
        return name_of(file.read(HEAD), package)
