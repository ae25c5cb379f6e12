"""What is remembered of a takeover."""

from whet.app.app import App
from whet.core.address import digest
from whet.core.value import Value
from whet.documents.project import ProjectConfig
from whet.evaluate.project import Project
from whet.ports.results import ResultQuery

KIND = "takeover"


class Note(Value):
    """Something about a file that a person should know."""

    path: str
    """Below the folder of the project."""

    what: str


class TakenOver(Value):
    """What a takeover came to."""

    at: str
    design: str
    """The digest of what the project asked for then."""

    results: int
    """Places that are known now."""

    notes: tuple[Note, ...] = ()
    """Files that were left alone, and what was not believed; the first thousand."""

    more_notes: int = 0

    def told_notes(self) -> tuple[str, ...]:
        """Each note on a line: the file, and what is said of it."""
        return tuple(f"{note.path}: {note.what}" for note in self.notes)


def taken_over(app: App, identity: str) -> TakenOver | None:
    """What the latest takeover of a project came to, if there was any."""
    state = app.store.states.get(KIND, identity)
    return TakenOver.model_validate(state.value) if state else None


def came_with(app: App, project: Project) -> frozenset[str]:
    """The trials of a project that was taken over: their imported answers are its own."""
    if taken_over(app, project.config.id) is None:
        return frozenset()
    return frozenset(app.store.results.trials(ResultQuery(project.config.id)))


def asked(config: ProjectConfig) -> str:
    """What decides about the addresses of trials and grades, besides the copies of assets."""
    grading = config.grading_config
    scope = [config.scope, config.repeats]
    return digest([config.cli_config.to_data(), grading.to_data() if grading else None, *scope])
