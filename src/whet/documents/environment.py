"""What a project was carried out with, and how two projects differ in it; made by queries, never
stored."""

from pydantic import JsonValue

from whet.documents.base import Document, Items, Number


class PinnedAsset(Document):
    """A version of a skill or baseline, as the project's own copy has it."""

    id: str
    name: str
    version: str
    digest: str
    """Of all that counts: the files that agents get, or the cases with how they are graded."""

    case_count: int | None = None
    """Of a baseline."""


class PinnedRubric(Document):
    """A rubric that cases of the project are judged by."""

    name: str
    digest: str


class ProjectEnvironment(Document):
    """Everything but chance that decides what a project comes to."""

    project_id: str
    project_name: str
    created_at: str
    engine: str
    engine_version: str | None
    """None in projects that were made without it; they do not run as they are."""

    model: str
    options: dict[str, JsonValue]
    extra_flags: Items[str]
    sandbox: str
    timeout_seconds: Number
    retry_count: int
    repeats: int
    judges: Items[str]
    readings: int
    rubrics: Items[PinnedRubric]
    skills: Items[PinnedAsset]
    baselines: Items[PinnedAsset]

    whet_version: str | None = None
    """Where the project says which one made it."""


class FieldDifference(Document):
    """One thing that two projects do not have in common; null where a side has nothing."""

    field: str
    """``model``, ``options.temperature``, ``skills.{id}`` and so on."""

    left: JsonValue
    right: JsonValue


class EnvironmentDifference(Document):
    """Two projects side by side."""

    left: ProjectEnvironment
    right: ProjectEnvironment
    differences: Items[FieldDifference]
    identical: bool
