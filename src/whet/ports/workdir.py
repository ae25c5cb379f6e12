"""The folders an engine gets for one execution."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Workdir:
    """Fresh for every execution and removed after it; the input files are already in ``work``."""

    root: Path
    """Above all others; an engine may make further folders here (home, tmp, config)."""

    work: Path
    """The agent's working folder. What it creates or changes here is its output."""

    skill: Path | None
    """A copy of the skill package, outside ``work``; None for the arm without a skill."""

    neighbours: tuple[Path, ...] = ()
    """Copies of the skills beside it, in the order of the trial; outside ``work`` too."""
