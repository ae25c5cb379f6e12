"""Projects from references to library assets, with the engine and the judges pinned as they are
now."""

from pydantic import JsonValue

from whet.app.access import Asker, Origin
from whet.app.app import App
from whet.app.config import Defaults, defaults
from whet.app.judging import Seats, chosen, name_of, needs_judge
from whet.app.parts import every_checker
from whet.app.projects.requests import MOST_SECONDS, Comparison, ContextWish
from whet.core.case import Case
from whet.core.errors import UsageError
from whet.curate.library import Asset, baselines, cases, package, skills
from whet.documents.assets import BaselineMeta
from whet.documents.project import ContextConfig, GradingConfig, IterationConfig
from whet.evaluate.plan import Pin
from whet.evaluate.project import Project, ProjectRequest, create
from whet.evaluate.project_cases import CaseReader
from whet.ports.engine import Engine
from whet.ports.inspected import Inspected

COMPACT = "compact_tokens"
"""The option of engines that can compress their conversation."""


def create_project(app: App, comparison: Comparison, origin: Origin = "request") -> Project:
    """Make the project folder; raises ``UsageError`` for anything that is not there, and makes
    nothing then. Options whose *origin* is a file stay foreign until somebody adopts them."""
    shelf, tests = skills(app.settings.workspace), baselines(app.settings.workspace)
    picked = [shelf.find(reference) for reference in comparison.skills]
    for skill in picked:
        package(skill.folder, skill.meta.name)
    chosen_tests = [tests.find(reference) for reference in comparison.baselines]
    tried = [case for baseline in chosen_tests for case in _usable_cases(app, baseline)]
    request = _request(app, comparison, origin, is_judged=needs_judge(tried))
    made = create(app.settings.workspace, request, picked, chosen_tests, app.clock.now())
    if origin == "request":
        app.access.remember_project(made.config.id)
    return made


def _request(
    app: App, comparison: Comparison, origin: Origin, *, is_judged: bool
) -> ProjectRequest:
    known = defaults(app)
    engine = app.parts.engine(comparison.engine or known.engine)
    flags: dict[str, JsonValue] = {"extra_flags": [*comparison.extra_flags]}
    app.access.decide(
        engine, {**flags, **comparison.options}, origin, Asker("the project to be copied")
    )
    context = _context(comparison.context, known)
    options = comparison.options
    if comparison.context.auto_compress:
        options = {COMPACT: _compacting(engine, context), **options}
    # A project says what is done in it: nobody compresses unless the agent is told to.
    context = context.model_copy(update={"auto_compress": COMPACT in options})
    pin = Pin(
        engine=engine.name,
        engine_version=engine.version(app.secrets.reveal(options)),
        model=comparison.model or _default_model(engine, known),
        options=app.secrets.seal(options),
        sandbox=app.sandbox(engine),
    )
    judges = chosen(app, Seats(comparison.judges), [pin]) if is_judged else ()
    retries = known.retries if comparison.retries is None else comparison.retries
    iteration = comparison.iteration
    return ProjectRequest(
        name=comparison.name,
        description=comparison.description,
        pin=pin,
        repeats=comparison.repeats,
        timeout_seconds=comparison.timeout_seconds or known.timeout_seconds or _patience(engine),
        retry_count=retries,
        extra_flags=_sealed_flags(app, comparison.extra_flags),
        grading=GradingConfig(
            judges=tuple(map(name_of, judges)),
            readings=comparison.readings,
            structural_gate=None if comparison.structural_gate else False,
        ).lean(),
        context=context,
        iteration=IterationConfig.model_validate(iteration.model_dump(exclude_none=True))
        if iteration
        else None,
    )


def _sealed_flags(app: App, flags: tuple[str, ...]) -> tuple[str, ...]:
    sealed = app.secrets.seal({"extra_flags": [*flags]})["extra_flags"]
    return tuple(map(str, sealed)) if isinstance(sealed, list) else flags


def _context(wish: ContextWish, known: Defaults) -> ContextConfig:
    said = {name: value for name, value in wish.model_dump().items() if value is not None}
    return known.context.model_copy(update=said)


def _compacting(engine: Engine, context: ContextConfig) -> int:
    """From how many tokens on the agent is to compress its conversation."""
    inspected = engine.inspect() if isinstance(engine, Inspected) else None
    if inspected is None or "compact" not in inspected.abilities:
        raise UsageError(f"{engine.name} cannot be told when to compress its conversation")
    return context.token_threshold


def _patience(engine: Engine) -> float:
    """Seconds. A time that is up counts as an answer, so it must not come too early."""
    return 60 if engine.simulated else 600


def _default_model(engine: Engine, known: Defaults) -> str:
    """A simulated agent has no model; every other one takes what it is set up with."""
    return engine.name if engine.simulated else known.model_for(engine.name) or "default"


def _usable_cases(app: App, baseline: Asset[BaselineMeta]) -> tuple[Case, ...]:
    """The cases of *baseline*, if it has some and every one of them can be run and graded."""
    document = cases(baseline.folder)
    if not document.cases:
        raise UsageError(f"baseline {baseline.meta.name!r} has no cases")
    source = f"baseline {baseline.meta.name!r} {baseline.meta.version}"
    return CaseReader(source, "", MOST_SECONDS, every_checker(app.parts)).read(document)
