"""A project that came as a file, made fit for this workspace.

Its folder is a stranger's. What it says of itself is kept, but nothing is taken for done before its
results are looked at here.
"""

import shutil
import uuid
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from whet.app.app import App
from whet.app.cassettes import check_cassette, import_cassette, trials_in
from whet.app.takeover.takeover import take_over
from whet.core.errors import InvalidDocument, InvalidImport, NotFound, UsageError, WhetError
from whet.curate.library import cases, package
from whet.curate.segments import segment, shown
from whet.documents.base import Document
from whet.documents.files import write_atomic
from whet.documents.project import BaselineRef, ProjectConfig
from whet.evaluate.project import Project, opened, projects
from whet.evaluate.project_files import SUMMARY
from whet.evaluate.project_places import copy_of, refuse_unfit

_TELLING = (
    f"results/{SUMMARY}",
    "analysis_report.json",
    "iterations/iteration_report.json",
    "iterations/exploration_log.json",
)
"""Documents that name the project they are of."""


def adopted(folder: Path, name: str, *, renamed: bool) -> ProjectConfig:
    """The configuration in *folder*, brought into the form that it has here; with a new id where
    it is *renamed*. Raises ``InvalidImport`` for the file called *name*."""
    with _complaints(folder, name):
        told = ProjectConfig.load(folder / "config.json")
        refuse_unfit(folder, told)
        for skill in told.skills:
            package(copy_of(folder, skill), skill.name)
        counts = [_case_count(folder, baseline) for baseline in told.baselines]
        pairs = len(told.skills) * sum(counts)
        if not renamed:
            segment(told.id, "id")
    config = told.model_copy(update=_change(told, pairs)).lean()
    if renamed:
        identity = {"id": str(uuid.uuid4()), "origin_id": told.origin_id or told.id}
        config = config.model_copy(update=identity)
        for path in _TELLING:
            _call(folder / path, config.id)
    write_atomic(folder / "config.json", config.to_json(), durable=True)
    return config


def _case_count(folder: Path, baseline: BaselineRef) -> int:
    count = len(cases(copy_of(folder, baseline)).cases)
    if not count:
        raise UsageError(f"{baseline.local_path}/cases.json has no cases; write at least one")
    return count


def _change(told: ProjectConfig, pairs: int) -> dict[str, object]:
    """Nobody is at it any more, and how far it is has to be seen."""
    numbers = {
        "total_tasks": pairs,
        "total_trials": pairs * (told.repeats or 1),
        "completed_tasks": 0,
        "failed_tasks": 0,
        "last_checkpoint": None,
    }
    return {
        "status": "pending" if told.status == "pending" else "interrupted",
        "control": told.control if told.status == "interrupted" else None,
        "progress": told.progress.model_copy(update=numbers),
        "imported": True,
    }


def _call(path: Path, identity: str) -> None:
    """Let a document name the project by its new id; one that cannot be read stays as it is."""
    with suppress(NotFound, InvalidDocument):
        document = Document.load(path).model_copy(update={"project_id": identity})
        write_atomic(path, document.to_json(), durable=False)


def refuse_present(app: App, identity: str) -> None:
    """Raise ``UsageError`` where a project of that id is here."""
    for project in projects(app.settings.workspace).found:
        if project.config.id == identity:
            raise UsageError(
                f"project {shown(project.config.name)} is here already under the id {identity}; "
                "import it with --renamed (over HTTP renamed=true), which gives it a new one"
            )


def take_trials(app: App, project: Project, name: str) -> int:
    """Keep the records that came along for the questions that the project asks, and how many they
    are; raises ``InvalidImport`` before it keeps any, where one cannot be."""
    folder = project.folder / "trials"
    cassettes = sorted(folder.glob("*.zip"))
    if not cassettes:
        return 0
    with _complaints(project.folder, name):
        for cassette in cassettes:
            check_cassette(cassette)
        asked = {*trials_in(app, project)}
    taken = [import_cassette(app, cassette, only=asked).trials for cassette in cassettes]
    shutil.rmtree(folder)
    return sum(taken)


def believed(app: App, project: Project) -> tuple[Project, list[str]]:
    """The project with the numbers that its results come to here, and what was not believed."""
    notes: list[str] = []
    taken = None
    try:
        taken = take_over(app, project, settling=True)
    except WhetError as error:
        notes.append(f"its results are not looked at yet: {error}")
    if taken is not None:
        notes += taken.told_notes()
    if taken is None or not taken.results:
        # A ranking without results is somebody's word.
        (project.folder / "results" / SUMMARY).unlink(missing_ok=True)
    return opened(project.folder), notes


@contextmanager
def _complaints(folder: Path, name: str) -> Generator[None]:
    """What is wrong inside the file is told with the names that it has there."""
    try:
        yield
    except UsageError as error:
        raise InvalidImport(name, [str(error).replace(f"{folder}/", "")]) from None
