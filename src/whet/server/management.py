"""``/v1/management``: skills and engines as the forms of Skill-Runner's clients read them."""

import asyncio
from typing import Literal

from fastapi import APIRouter
from pydantic import JsonValue

from whet.app.packages.told import FileItem, PackageItem
from whet.core.errors import WhetError
from whet.core.value import Value
from whet.documents.job import ExecutionMode
from whet.server.desk import AtDesk, Desk
from whet.server.engines import EngineModel, find_engine, known_models

router = APIRouter(prefix="/v1/management", tags=["management"])


class ManagedSkill(Value):
    """An installed package in a list."""

    id: str
    name: str
    version: str
    engines: tuple[str, ...]
    effective_engines: tuple[str, ...]
    """Those that may run it; the same twice, as clients look into either."""

    execution_modes: tuple[ExecutionMode, ...]
    installed_at: str
    health: Literal["healthy", "degraded"]
    health_error: str | None


class ManagedSkillDetail(ManagedSkill):
    """An installed package with its files."""

    schemas: dict[str, str]
    """Where its schemas lie."""

    entrypoints: dict[str, JsonValue]
    files: tuple[FileItem, ...]


class ManagedSkills(Value):
    """The installed packages."""

    skills: tuple[ManagedSkill, ...]


class SkillSchemas(Value):
    """The schemas of a package; null where there is none."""

    skill_id: str
    input: dict[str, JsonValue] | None
    parameter: dict[str, JsonValue] | None
    output: dict[str, JsonValue] | None


class ManagedEngine(Value):
    """An engine, and whether it could run now."""

    engine: str
    cli_version: str | None
    auth_ready: bool
    sandbox_status: Literal["available", "unsupported", "unknown"]
    """``unknown`` for an engine that starts no program."""

    models_count: int


class ManagedEngineDetail(ManagedEngine):
    """An engine with the models that are known here."""

    models: tuple[EngineModel, ...]
    upgrade_status: dict[str, str]
    last_error: str | None


class ManagedEngines(Value):
    """The agents that whet can drive here."""

    engines: tuple[ManagedEngine, ...]


@router.get("/skills")
def list_skills(desk: AtDesk) -> ManagedSkills:
    """List the installed packages."""
    return ManagedSkills(skills=tuple(map(_skill, desk.packages.items())))


@router.get("/skills/{reference}")
def show_skill(reference: str, desk: AtDesk) -> ManagedSkillDetail:
    """Show a package with its files."""
    found = desk.packages.detail(reference)
    return ManagedSkillDetail(
        **_skill(found).model_dump(),
        schemas=found.schema_paths,
        entrypoints={"prompts": {**found.prompts}} if found.prompts else {},
        files=found.files,
    )


@router.get("/skills/{reference}/schemas")
def show_schemas(reference: str, desk: AtDesk) -> SkillSchemas:
    """Show the schemas of a package."""
    found = desk.packages.detail(reference)
    return SkillSchemas(
        skill_id=found.skill_id, input=found.input, parameter=found.parameter, output=found.output
    )


@router.get("/engines")
async def list_engines(desk: AtDesk) -> ManagedEngines:
    """List the engines."""
    found = await asyncio.gather(
        *(asyncio.to_thread(_engine, desk, name) for name in desk.app.parts.engines())
    )
    fields = tuple(ManagedEngine.model_fields)
    return ManagedEngines(
        engines=tuple(ManagedEngine(**one.model_dump(include=set(fields))) for one in found)
    )


@router.get("/engines/{engine}")
def show_engine(engine: str, desk: AtDesk) -> ManagedEngineDetail:
    """Show an engine with the models that are known here."""
    return _engine(desk, engine)


def _skill(found: PackageItem) -> ManagedSkill:
    return ManagedSkill(
        id=found.skill_id,
        name=found.name,
        version=found.version,
        engines=found.engines,
        effective_engines=found.engines,
        execution_modes=found.execution_modes,
        installed_at=found.updated_at,
        health="degraded" if found.problems else "healthy",
        health_error="; ".join(found.problems) or None,
    )


def _engine(desk: Desk, name: str) -> ManagedEngineDetail:
    report, models = find_engine(desk, name), known_models(desk, name)
    return ManagedEngineDetail(
        engine=name,
        cli_version=report.version,
        auth_ready=report.simulated or report.credential is not None,
        sandbox_status=_sandbox_status(desk, name),
        models_count=len(models),
        models=models,
        upgrade_status={"state": "idle"},
        last_error=report.problem,
    )


def _sandbox_status(desk: Desk, name: str) -> Literal["available", "unsupported", "unknown"]:
    """Whether the agent would run inside a sandbox of this machine."""
    try:
        engine = desk.app.parts.engine(name)
        if not engine.sandboxed:
            return "unknown"
        return "unsupported" if desk.app.sandbox(engine) == "none" else "available"
    except WhetError:
        return "unsupported"
