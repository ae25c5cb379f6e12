"""What a project was carried out with, and how two projects differ in it."""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from whet.core.address import canonical, digest
from whet.core.case import Case
from whet.documents.environment import (
    EnvironmentDifference,
    FieldDifference,
    PinnedAsset,
    PinnedRubric,
    ProjectEnvironment,
)
from whet.documents.project import BaselineRef, ProjectConfig
from whet.evaluate.plan import Design
from whet.evaluate.project import arm_id, shown_config

PLAIN = (
    "whet_version",
    "engine",
    "engine_version",
    "model",
    "extra_flags",
    "sandbox",
    "timeout_seconds",
    "retry_count",
    "repeats",
    "judges",
    "readings",
)
"""Fields that are compared as they are."""


def environment(config: ProjectConfig, plan: Design) -> ProjectEnvironment:
    """What a project is carried out with; *plan* is the design of its own copies."""
    cli, grading = shown_config(config).cli_config, config.grading_config
    version = (config.model_extra or {}).get("whet_version")
    return ProjectEnvironment(
        project_id=config.id,
        project_name=config.name,
        created_at=config.created_at,
        engine=plan.pin.engine,
        engine_version=plan.pin.engine_version or None,
        model=plan.pin.model,
        options=cli.options or {},
        extra_flags=cli.extra_flags,
        sandbox=plan.pin.sandbox,
        timeout_seconds=cli.timeout_seconds,
        retry_count=cli.retry_count,
        repeats=plan.repeats,
        judges=grading.judges if grading else (),
        readings=grading.readings if grading else 1,
        rubrics=_rubrics(plan.cases),
        skills=tuple(
            PinnedAsset(
                id=skill.ref_id,
                name=skill.name,
                version=skill.version,
                digest=arm.skill.digest if arm.skill else "",
            )
            for skill, arm in zip(config.skills, plan.arms, strict=True)
        ),
        baselines=tuple(_baseline(one, config, plan.cases) for one in config.baselines),
        whet_version=version if isinstance(version, str) else None,
    ).lean()


def difference(left: ProjectEnvironment, right: ProjectEnvironment) -> EnvironmentDifference:
    """Field by field. Names are no part of it: a renamed skill is the same skill."""
    found = tuple(_differences(left, right))
    return EnvironmentDifference(left=left, right=right, differences=found, identical=not found)


def _rubrics(cases: Sequence[Case]) -> tuple[PinnedRubric, ...]:
    rubrics = [case.standard.rubric for case in cases]
    known = {rubric.digest: rubric.name for rubric in rubrics if rubric is not None}
    return tuple(PinnedRubric(name=name, digest=one) for one, name in sorted(known.items()))


def _baseline(baseline: BaselineRef, config: ProjectConfig, cases: Sequence[Case]) -> PinnedAsset:
    place = arm_id(baseline.ref_id, baseline.version)
    own = [case for case in cases if case.set == place]
    content: list[JsonValue] = [
        [case.id, case.stimulus.task, case.standard.digest, *_own_time(case, config)]
        for case in own
    ]
    return PinnedAsset(
        id=baseline.ref_id,
        name=baseline.name,
        version=baseline.version,
        digest=digest(content),
        case_count=len(own),
    )


def _own_time(case: Case, config: ProjectConfig) -> list[JsonValue]:
    """What a case says of its time; the project's is no part of the baseline."""
    seconds = case.stimulus.limits.timeout_seconds
    return [] if seconds == config.cli_config.timeout_seconds else [seconds]


def _differences(left: ProjectEnvironment, right: ProjectEnvironment) -> Iterator[FieldDifference]:
    ours, theirs = left.model_dump(mode="json"), right.model_dump(mode="json")
    for field in PLAIN:
        if getattr(left, field) != getattr(right, field):
            yield FieldDifference(field=field, left=ours.get(field), right=theirs.get(field))
    for name in sorted(left.options.keys() | right.options.keys()):
        one, other = left.options.get(name), right.options.get(name)
        # True is 1 for Python, and not for an engine.
        if canonical(one) != canonical(other):
            yield FieldDifference(field=f"options.{name}", left=one, right=other)
    if {one.digest for one in left.rubrics} != {one.digest for one in right.rubrics}:
        yield FieldDifference(field="rubrics", left=ours["rubrics"], right=theirs["rubrics"])
    yield from _assets("skills", left.skills, right.skills)
    yield from _assets("baselines", left.baselines, right.baselines)


def _assets(
    field: str, left: Sequence[PinnedAsset], right: Sequence[PinnedAsset]
) -> Iterator[FieldDifference]:
    """By id, since a project may have several versions of one."""
    ours, theirs = _by_id(left), _by_id(right)
    for identity in dict.fromkeys([*ours, *theirs]):
        one, other = ours.get(identity, []), theirs.get(identity, [])
        if {(a.version, a.digest) for a in one} != {(b.version, b.digest) for b in other}:
            yield FieldDifference(
                field=f"{field}.{identity}",
                left=[asset.to_data() for asset in one] or None,
                right=[asset.to_data() for asset in other] or None,
            )


def _by_id(assets: Sequence[PinnedAsset]) -> Mapping[str, list[PinnedAsset]]:
    found: dict[str, list[PinnedAsset]] = {}
    for asset in assets:
        found.setdefault(asset.id, []).append(asset)
    return found
