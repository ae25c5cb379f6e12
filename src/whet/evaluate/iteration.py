"""Iterations: one folder for every plan of a suite that differs from all before."""

import re
from dataclasses import dataclass
from pathlib import Path

from whet.core.errors import EnvironmentProblem, WhetError
from whet.documents.files import unfinished_folder, write_atomic
from whet.documents.iteration import IterationMark

FILE = "iteration.json"
_NAME = re.compile(r"iteration-([0-9]{1,6})")


@dataclass(frozen=True)
class Iteration:
    """A folder of runs."""

    folder: Path
    mark: IterationMark

    @property
    def number(self) -> int:
        """Counted from 1."""
        found = _NAME.fullmatch(self.folder.name)
        return int(found[1]) if found else 0


def iterations(root: Path) -> list[Iteration]:
    """Every iteration below *root*, oldest first; a link, and a folder without its mark, is none
    of ours."""
    found: list[Iteration] = []
    for folder in root.glob("iteration-*"):
        if _NAME.fullmatch(folder.name) and not folder.is_symlink():
            try:
                found.append(Iteration(folder, IterationMark.load(folder / FILE)))
            except WhetError:
                continue
    return sorted(found, key=lambda each: each.number)


def find(root: Path, plan_digest: str) -> Iteration | None:
    """The iteration of a plan, if it was begun before."""
    same = [each for each in iterations(root) if each.mark.plan_digest == plan_digest]
    return same[-1] if same else None


def begin(root: Path, mark: IterationMark) -> Iteration:
    """The iteration of a plan, with a folder of its own if it is new.

    To be called under a lock; whoever finds a number taken takes the next one. The folder appears
    with its mark in it or not at all.
    """
    if (known := find(root, mark.plan_digest)) is not None:
        return known
    numbers = [int(n[1]) for each in root.glob("*") if (n := _NAME.fullmatch(each.name))]
    number = max(numbers, default=0) + 1
    try:
        root.mkdir(parents=True, exist_ok=True)
        with unfinished_folder(root) as temporary:
            whole = temporary / "iteration"
            whole.mkdir()
            write_atomic(whole / FILE, mark.to_json(), durable=True)
            while (folder := root / f"iteration-{number}").exists():
                number += 1
            return Iteration(whole.rename(folder), mark)
    except OSError as error:
        raise EnvironmentProblem(f"cannot write in {root}: {error.strerror}") from error
