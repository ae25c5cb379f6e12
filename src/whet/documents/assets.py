"""Workspace format: what lies in the folder of a skill or baseline version, but its content."""

from typing import Literal

from pydantic import JsonValue

from whet.core.text import folded
from whet.documents.base import Document, Filled, Items, Number, Written


class SkillMeta(Document):
    """``meta.json`` of a skill version."""

    id: str
    name: Filled
    description: Written[str] = ""
    author: Written[str] = ""
    source: Written[str] = ""
    purpose: str
    provider: str
    type: Written[Literal["skill", "agent"]] = "skill"
    version: str
    version_count: int
    content_file: Literal["content.txt"]
    status: Literal["active", "archived"]
    created_at: str
    updated_at: str

    package_id: str | None = None
    package_version: str | None = None
    """What an installed job package calls itself, and the version it gives itself."""


class BaselineMeta(Document):
    """``meta.json`` of a baseline version."""

    id: str
    name: Filled
    description: Written[str] = ""
    author: Written[str] = ""
    source: Written[str] = ""
    purpose: str
    provider: str
    version: str
    version_count: int
    case_count: int
    status: Literal["active", "archived"]
    created_at: str
    updated_at: str


class ManualTag(Document):
    """A tag that a person gave."""

    id: str
    value: Filled
    created_at: str


class AutoTag(Document):
    """A tag that a model proposed, and what a person said to it."""

    id: str
    value: str
    status: Literal["pending", "approved", "rejected"]
    generated_at: str
    approved_at: Written[str | None] = None
    rejected_at: Written[str | None] = None
    log_ref: str


class Tags(Document):
    """``tags.json`` of a skill or baseline version."""

    manual: Items[ManualTag]
    auto: Items[AutoTag]

    @property
    def effective(self) -> tuple[str, ...]:
        """Those in force: given by a person, or proposed and approved; each once, in whatever
        case."""
        approved = (tag.value for tag in self.auto if tag.status == "approved")
        found: dict[str, str] = {}
        for value in (*(tag.value for tag in self.manual), *approved):
            found.setdefault(folded(value), value)
        return tuple(found.values())


class Change(Document):
    """A value before and after an edit; null where there was or is none."""

    before: JsonValue
    after: JsonValue

    position: int | None = None
    """Of a case that was removed: how many cases stood before it."""


class Diff(Document):
    """What an edit changed; files of a package stand beside these as ``package/<path>``."""

    content: Change | None = None
    meta: dict[str, Change] | None = None
    cases: dict[str, Change] | Change | None = None
    """By case id. Older programs only wrote how many cases there were."""


class HistoryRecord(Document):
    """``history/{from}_to_{to}_{timestamp}.json``."""

    from_version: str
    to_version: str
    timestamp: str
    changed_fields: Items[str]
    diff: Diff


class ProposedTag(Document):
    """A tag as found in a model's answer."""

    value: str


class AutoTagLog(Document):
    """``auto_tag_log/session_{timestamp}.json``: one call to a model for tags."""

    session_id: str
    triggered_at: str
    triggered_by: Literal["user", "batch"]
    target_type: Literal["skill", "baseline"]
    target_id: str
    status: Literal["running", "completed", "failed"]
    duration_ms: Number
    cli_version: str | None
    model_version: str
    raw_output: str
    parsed_tags: Items[ProposedTag]
    error: str | None

    simulated: bool | None = None


class SourceSkill(Document):
    """A skill that gave segments to a recomposed one."""

    skill_id: str
    skill_name: str
    skill_version: str
    contributed_segments: Items[str]


class Provenance(Document):
    """``provenance.json`` of a recomposed skill: what it was made from."""

    type: str
    source_project_id: str
    source_project_name: str
    recomposition_strategy: str
    user_retention_rules: str
    source_skills: Items[SourceSkill]
    created_at: str
