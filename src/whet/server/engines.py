"""``/v1/engines``."""

from fastapi import APIRouter

from whet.app.config import defaults
from whet.app.doctor import EngineReport, Engines, engine_report, inspected
from whet.core.asset_query import LARGEST_PAGE
from whet.core.errors import NotFound, UnknownPart
from whet.core.value import Value
from whet.ports.jobs import JobQuery
from whet.server.desk import AtDesk, Desk

router = APIRouter(tags=["engines"])


class EngineModel(Value):
    """A model that an engine can be asked for."""

    id: str
    display_name: str | None = None
    deprecated: bool = False
    notes: str | None = None
    supported_effort: tuple[str, ...] | None = None


class EngineModels(Value):
    """The models of an engine that are known in this workspace."""

    engine: str
    cli_version_detected: str | None
    snapshot_version_used: str | None = None
    source: str = "workspace"
    fallback_reason: str | None = (
        "whet keeps no list of models: these are set or were used here, and others may be named"
    )
    models: tuple[EngineModel, ...]


@router.get("/v1/engines")
async def list_engines(desk: AtDesk) -> Engines:
    """List the engines: installed or not, which version, which credential, what is missing."""
    return Engines(engines=tuple(await inspected(desk.app.parts)))


@router.get("/v1/engines/{engine}/models")
def list_models(engine: str, desk: AtDesk) -> EngineModels:
    """List the models of an engine that are set or were used in this workspace. A job may name
    any other that its agent knows."""
    report = find_engine(desk, engine)
    models = known_models(desk, engine)
    return EngineModels(engine=engine, cli_version_detected=report.version, models=models)


def find_engine(desk: Desk, name: str) -> EngineReport:
    """The engine of that name, asked for its version; raises ``NotFound``."""
    known = desk.app.parts.engines()
    if name not in known:
        raise NotFound(str(UnknownPart("engine", name, [*known])))
    return engine_report(desk.app.parts, name)


def known_models(desk: Desk, name: str) -> tuple[EngineModel, ...]:
    """The models that are set for an engine or were used by its newest jobs."""
    configured = defaults(desk.app).model_for(name)
    found = {configured: "set in the configuration"} if configured else {}
    jobs = desk.app.store.jobs.list(JobQuery(engine=name, limit=LARGEST_PAGE))
    for job in jobs.items:
        if job.model not in ("", "default"):
            found.setdefault(job.model, "used by a job")
    return tuple(EngineModel(id=model, notes=notes) for model, notes in found.items())
