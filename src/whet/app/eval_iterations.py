"""Where the runs of a skill lie: the iterations of one engine and model, and their suite."""

import re
from pathlib import Path

from pydantic import Field

from whet.app.settings import Settings
from whet.core.errors import InvalidDocument, NotFound, UsageError
from whet.core.naming import slug
from whet.core.value import Value
from whet.documents.evals import EvalSuite
from whet.evaluate.iteration import Iteration, iterations
from whet.evaluate.suite import FILE, MOST_SUITE

_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")


class Place(Value):
    """Whose runs are meant: the skill in a folder, and an engine and a model if there are many."""

    folder: Path = Field(description="The folder of the skill, with its SKILL.md.")
    engine: str | None = Field(default=None, description="The engine whose runs are meant.")
    model: str | None = Field(default=None, description="The model whose runs are meant.")


def all_iterations(settings: Settings, place: Place) -> list[Iteration]:
    """The iterations of a skill, oldest first; raises ``UsageError`` where several engines or
    models have some and none is chosen."""
    suite = load_suite(place.folder)
    root = settings.workspace / "evals" / slug(suite.skill_name, "skill", "-")
    legs = {
        folder.name: found
        for folder in (sorted(root.iterdir()) if root.is_dir() else ())
        if _is_meant(folder.name, place) and (found := iterations(folder))
    }
    if not legs:
        raise NotFound(f"{suite.skill_name} has no such runs; run: whet eval {place.folder}")
    if len(legs) > 1:
        raise UsageError(
            f"{suite.skill_name} was run on {', '.join(legs)}; choose with --engine and --model"
        )
    return next(iter(legs.values()))


def one_iteration(settings: Settings, place: Place, number: int | None) -> Iteration:
    """The iteration with that number, or the newest; raises ``NotFound``."""
    every = all_iterations(settings, place)
    if number is None:
        return every[-1]
    for iteration in every:
        if iteration.number == number:
            return iteration
    numbers = ", ".join(str(iteration.number) for iteration in every)
    raise NotFound(f"there is no iteration {number}; there are: {numbers}")


def load_suite(folder: Path) -> EvalSuite:
    """The suite of a skill as it is written, whatever its checks; raises ``NotFound``."""
    path = folder / FILE
    if not folder.is_dir():
        raise NotFound(f"no folder {folder}")
    if not path.is_file():
        raise NotFound(f"{folder} has no {FILE}; write one with: whet eval init {folder}")
    if path.stat().st_size > MOST_SUITE:
        raise InvalidDocument(path, "", f"is larger than {MOST_SUITE // 1024 // 1024} MB")
    return EvalSuite.load(path)


def suite_of_runs(iteration: Iteration, folder: Path) -> EvalSuite:
    """The suite that an iteration was run with; where it was not kept, the one of the skill."""
    try:
        return EvalSuite.load(iteration.folder / "evals.json")
    except UsageError:
        return load_suite(folder)


def _is_meant(name: str, place: Place) -> bool:
    engine, joint, model = name.partition("__")
    wanted = (
        place.engine is None or engine == _UNFIT.sub("-", place.engine),
        place.model is None or model == _UNFIT.sub("-", place.model),
    )
    return bool(joint) and all(wanted)
