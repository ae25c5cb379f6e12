"""Projects from references to library assets, with the engine pinned as it is now."""

from pydantic import Field, JsonValue

from whet.app.app import App
from whet.app.config import Defaults, defaults
from whet.core.errors import UsageError
from whet.core.value import Value
from whet.curate.library import Asset, baselines, cases, package, skills
from whet.documents.assets import BaselineMeta
from whet.evaluate.plan import Pin
from whet.evaluate.project import Project, ProjectRequest, create
from whet.ports.engine import Engine


class Comparison(Value):
    """Which skills to compare on which baselines, and how.

    An asset is named by id, short id or name, with ``@v2`` for a version other than the newest.
    """

    name: str = Field(min_length=1)
    skills: tuple[str, ...] = Field(min_length=1)
    baselines: tuple[str, ...] = Field(min_length=1)
    engine: str = ""
    model: str = ""
    """Both by default as the configuration has them."""

    repeats: int = Field(default=1, ge=1, le=100)
    timeout_seconds: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """For each attempt; by default what an agent of that kind may well need."""

    options: dict[str, JsonValue] = {}
    """For the engine."""


def create_project(app: App, comparison: Comparison) -> Project:
    """Make the project folder; raises ``UsageError`` for anything that is not there, and makes
    nothing then."""
    known = defaults(app)
    engine = app.parts.engine(comparison.engine or known.engine)
    shelf, tests = skills(app.settings.workspace), baselines(app.settings.workspace)
    request = ProjectRequest(
        name=comparison.name,
        pin=Pin(
            engine=engine.name,
            engine_version=engine.version(comparison.options),
            model=comparison.model or _default_model(engine, known),
            options=comparison.options,
            sandbox=app.sandbox(engine),
        ),
        repeats=comparison.repeats,
        timeout_seconds=comparison.timeout_seconds or known.timeout_seconds or _patience(engine),
        retry_count=known.retries,
    )
    chosen = [shelf.find(reference) for reference in comparison.skills]
    for skill in chosen:
        package(skill.folder, skill.meta.name)
    return create(
        app.settings.workspace,
        request,
        chosen,
        [_filled(tests.find(reference)) for reference in comparison.baselines],
        app.clock.now(),
    )


def _patience(engine: Engine) -> float:
    """Seconds. A time that is up counts as an answer, so it must not come too early."""
    return 60 if engine.simulated else 600


def _default_model(engine: Engine, known: Defaults) -> str:
    """A simulated agent has no model; every other one takes what it is set up with."""
    return engine.name if engine.simulated else known.model_for(engine.name) or "default"


def _filled(baseline: Asset[BaselineMeta]) -> Asset[BaselineMeta]:
    if not cases(baseline.folder).cases:
        raise UsageError(f"baseline {baseline.meta.name!r} has no cases")
    return baseline
