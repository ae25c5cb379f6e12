"""The project door: skills × baselines in a folder, pinned and copied, as a design."""

import errno
import re
import shutil
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import JsonValue

from whet.core.arm import Arm
from whet.core.confidential import without_secrets
from whet.core.errors import EnvironmentProblem, UsageError, WhetError
from whet.core.instant import iso_seconds
from whet.core.naming import short, slug
from whet.core.trial import WORKSPACE
from whet.core.value import Value
from whet.curate.library import Asset, cases, package
from whet.curate.locks import locked
from whet.curate.places import no_link
from whet.documents.assets import BaselineMeta, SkillMeta
from whet.documents.files import reason, unfinished_folder, write_atomic
from whet.documents.project import (
    BaselineRef,
    CliConfig,
    ContextConfig,
    GradingConfig,
    IterationConfig,
    Progress,
    ProjectConfig,
    SkillRef,
)
from whet.evaluate.plan import Design, Pin
from whet.evaluate.project_places import arm_id, copy_of, refuse_unfit
from whet.ports.blobs import Blobs

if TYPE_CHECKING:
    from whet.ports.checker import Checker


class ProjectRequest(Value):
    """What a project is to compare, and how."""

    name: str
    description: str = ""
    pin: Pin
    repeats: int = 1
    timeout_seconds: float = 60
    retry_count: int = 2
    extra_flags: tuple[str, ...] = ()
    grading: GradingConfig = GradingConfig(judges=("simulated",))
    context: ContextConfig = ContextConfig(token_threshold=80_000)
    iteration: IterationConfig | None = None


@dataclass(frozen=True)
class Project:
    """A project folder and its configuration."""

    folder: Path
    config: ProjectConfig

    @property
    def repeats(self) -> int:
        """How often each case is tried with each skill."""
        return self.config.repeats or 1

    def saved(self, **change: object) -> "Project":
        """Change the configuration on disk; what others changed in it meanwhile stays."""
        path = self.folder / "config.json"
        with locked(self.folder.parent.parent, f"project-{self.folder.name}"):
            config = ProjectConfig.load(path).model_copy(update=change).lean()
            write_atomic(path, config.to_json(), durable=True)
        return Project(self.folder, config)


@dataclass(frozen=True)
class Projects:
    """The projects of a workspace, and what is broken and why."""

    found: tuple[Project, ...]
    problems: tuple[str, ...]

    def find(self, reference: str) -> Project | None:
        """The newest project with that id, or else with that name: no name hides an id."""
        own = [project for project in self.found if project.config.id == reference]
        named = own or [project for project in self.found if project.config.name == reference]
        return max(named, key=_moment, default=None)


def _moment(project: Project) -> tuple[str, int]:
    """The second in the name of a project's folder, and its number among those of that second."""
    found = re.search(r"_(\d{14})(?:_(\d+))?$", project.folder.name)
    return (found[1], int(found[2] or 1)) if found else ("", 0)


def opened(folder: Path) -> Project:
    """The project in a folder, as its configuration says now."""
    return Project(folder, ProjectConfig.load(no_link(folder / "config.json")))


def projects(workspace: Path) -> Projects:
    """Every project of a workspace."""
    found: list[Project] = []
    problems: list[str] = []
    for folder in sorted((workspace / "projects").glob("project_*")):
        try:
            found.append(opened(folder))
        except WhetError as error:
            problems.append(str(error))
    return Projects(tuple(found), tuple(problems))


def create(
    workspace: Path,
    request: ProjectRequest,
    skills: Sequence[Asset[SkillMeta]],
    baselines: Sequence[Asset[BaselineMeta]],
    now: datetime,
) -> Project:
    """Copy the assets into a new project folder, which appears whole or not at all."""
    if not skills or not baselines:
        raise UsageError("a project needs at least one skill and one baseline")
    _no_twins(skills)
    _no_twins(baselines)
    config = _config(request, skills, baselines, now)
    root = workspace / "projects"
    try:
        root.mkdir(parents=True, exist_ok=True)
        with unfinished_folder(root) as temporary:
            folder = temporary / "project"
            for skill, reference in zip(skills, config.skills, strict=True):
                _copy(skill.folder, folder / reference.local_path)
            for baseline, reference in zip(baselines, config.baselines, strict=True):
                _copy(baseline.folder, folder / reference.local_path)
            (folder / "results").mkdir()
            write_atomic(folder / "config.json", config.to_json(), durable=True)
            return Project(placed(folder, root, config, now), config)
    except OSError as error:
        raise EnvironmentProblem(f"cannot create a project in {root}: {reason(error)}") from error


def design(project: Project, blobs: Blobs, checkers: "Mapping[str, Checker]") -> Design:
    """What the project's own copies ask for; their contents are put among the blobs."""
    from whet.evaluate.project_cases import CaseReader  # large; lists read no cases

    config = project.config
    refuse_unfit(project.folder, config)
    return Design(
        arms=tuple(_arm(project, reference, blobs) for reference in config.skills),
        cases=tuple(
            case
            for reference in config.baselines
            for case in CaseReader(
                f"{reference.local_path}/cases.json",
                arm_id(reference.ref_id, reference.version),
                config.cli_config.timeout_seconds,
                checkers,
            ).read(cases(copy_of(project.folder, reference)))
        ),
        pin=Pin(
            engine=config.cli_config.engine or "claude",
            engine_version=config.cli_config.engine_version or "",
            model=config.cli_config.model,
            options=options(config.cli_config),
            sandbox=config.cli_config.sandbox or "none",
        ),
        repeats=project.repeats,
        scope=_scope(config),
    )


def _scope(config: ProjectConfig) -> str:
    """Whose answers these are. A project that was begun elsewhere has its own answers to questions
    that others may have asked too; neither may take the other's place."""
    own = config.scope == "project" or not config.cli_config.engine_version
    return f"project {config.origin_id or config.id}" if own else WORKSPACE


def options(config: CliConfig) -> dict[str, JsonValue]:
    """What the engine is given; extra flags are an option too."""
    flags: dict[str, JsonValue] = {"extra_flags": list(config.extra_flags)}
    return {**(flags if config.extra_flags else {}), **(config.options or {})}


def shown_config(config: ProjectConfig) -> ProjectConfig:
    """A configuration to be shown: without secrets that somebody else wrote into it."""
    cli = config.cli_config
    given: dict[str, JsonValue] = {"flags": [*cli.extra_flags], "options": cli.options}
    shown = without_secrets(given, references=True)
    if shown == given or not isinstance(shown, dict):
        return config
    change = {"extra_flags": shown["flags"], "options": shown["options"]}
    return config.model_copy(
        update={"cli_config": CliConfig.parse({**_members(cli), **change}, "cli_config")}
    )


def _members(config: CliConfig) -> dict[str, JsonValue]:
    data = config.to_data()
    return data if isinstance(data, dict) else {}


def _config(
    request: ProjectRequest,
    skills: Sequence[Asset[SkillMeta]],
    baselines: Sequence[Asset[BaselineMeta]],
    now: datetime,
) -> ProjectConfig:
    created = iso_seconds(now)
    pairs = len(skills) * sum(len(cases(baseline.folder).cases) for baseline in baselines)
    options: dict[str, JsonValue] | None = request.pin.options or None
    return ProjectConfig(
        id=str(uuid.uuid4()),
        name=request.name,
        description=request.description,
        status="pending",
        created_at=created,
        updated_at=created,
        skills=tuple(_skill_ref(skill.meta) for skill in skills),
        baselines=tuple(_baseline_ref(baseline.meta) for baseline in baselines),
        cli_config=CliConfig(
            model=request.pin.model,
            timeout_seconds=request.timeout_seconds,
            retry_count=request.retry_count,
            extra_flags=request.extra_flags,
            engine=request.pin.engine,
            engine_version=request.pin.engine_version,
            options=options,
            sandbox=request.pin.sandbox,
        ).lean(),
        context_config=request.context,
        progress=Progress(
            total_tasks=pairs,
            completed_tasks=0,
            failed_tasks=0,
            last_checkpoint=None,
            total_trials=pairs * request.repeats,
        ),
        original_skill_ids=tuple(skill.meta.id for skill in skills),
        iteration_config=request.iteration,
        repeats=request.repeats,
        grading_config=request.grading,
    ).lean()


def _no_twins(assets: Sequence[Asset[SkillMeta]] | Sequence[Asset[BaselineMeta]]) -> None:
    """Copies and results lie in folders that are named by short id and version."""
    taken: dict[str, tuple[Path, str]] = {}
    for asset in assets:
        place = arm_id(asset.meta.id, asset.meta.version)
        title = f"{asset.meta.name} {asset.meta.version}"
        if place not in taken:
            taken[place] = asset.folder, title
        elif taken[place][0] == asset.folder:
            raise UsageError(f"{title} is named twice")
        else:
            raise UsageError(
                f"{title} has the same short id as {taken[place][1]}: {short(asset.meta.id)}"
            )


def _skill_ref(meta: SkillMeta) -> SkillRef:
    return SkillRef(
        ref_id=meta.id,
        name=meta.name,
        purpose=meta.purpose,
        provider=meta.provider,
        version=meta.version,
        local_path=f"skills/skill_{arm_id(meta.id, meta.version)}",
    )


def _baseline_ref(meta: BaselineMeta) -> BaselineRef:
    return BaselineRef(
        ref_id=meta.id,
        name=meta.name,
        version=meta.version,
        local_path=f"baselines/baseline_{arm_id(meta.id, meta.version)}",
        purpose=meta.purpose,
        provider=meta.provider,
    )


def _copy(source: Path, target: Path) -> None:
    """Copy a version folder. Links stay links: what they point at is not part of the asset."""
    shutil.copytree(source, target, symlinks=True)


def placed(folder: Path, root: Path, config: ProjectConfig, now: datetime) -> Path:
    """Move a finished folder to its name, or to ``_2``, ``_3`` … where that is taken."""
    name = f"project_{slug(config.name, short(config.id))}_{now.astimezone(UTC):%Y%m%d%H%M%S}"
    target, number = root / name, 1
    while True:
        try:
            return folder.rename(target)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
            number += 1
            target = root / f"{name}_{number}"


def _arm(project: Project, reference: SkillRef, blobs: Blobs) -> Arm:
    skill, content = package(copy_of(project.folder, reference), reference.name)
    for data in content.values():
        blobs.put(data)
    return Arm(id=arm_id(reference.ref_id, reference.version), label=reference.name, skill=skill)
