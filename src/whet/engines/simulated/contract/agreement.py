"""The output contract in the copy of a skill that a job is run with."""

from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from whet.core.files import inside
from whet.core.sized_cache import sized_cache
from whet.core.trial import TrialSpec
from whet.engines.simulated.contract.decoding import decoded
from whet.engines.simulated.reading import read_text
from whet.ports.workdir import Workdir

FOLDER = "artifacts"

_LIMIT = 1_000_000
"""Characters of a skill; the contract is at its end."""

_BEGIN, _END = "<!-- whet:output-contract -->", "<!-- /whet:output-contract -->"
_MARK = "whet-contract"
_OPEN, _CLOSE = f"```json {_MARK}", "\n```"
_MOST_ARTIFACTS = 200


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file that the job is to yield; *path* may be a glob, and is always in the folder."""

    path: str
    role: str
    required: bool
    field: str | None
    """The property of the output that names it."""


@dataclass(frozen=True, slots=True)
class Contract:
    """What the agent is bound to."""

    mode: Literal["auto", "interactive"]
    schema: dict[str, JsonValue] | None
    artifacts: tuple[Artifact, ...]
    skill: str
    """What the skill says besides."""

    @property
    def binds(self) -> bool:
        """Whether there is anything that any answer in words would not do for."""
        return self.mode == "interactive" or self.schema is not None or bool(self.artifacts)


def agreed(spec: TrialSpec, workdir: Workdir) -> Contract | None:
    """The contract of a trial that is a round of a job; None for all others."""
    if spec.skill is None or workdir.skill is None:
        return None
    text = read_text(workdir.skill / spec.skill.entry.path, _LIMIT)
    contract = _read(text) if _MARK in text else None
    return contract if contract is not None and contract.binds else None


@sized_cache(8 * 1024 * 1024, per_character=40)
def _read(text: str) -> Contract | None:
    """The last one counts: what stands before it was not written by whet."""
    opened = text.rfind(_OPEN)
    start = text.find("\n", opened) if opened >= 0 else -1
    end = text.find(_CLOSE, start + 1) if start >= 0 else -1
    if end < 0:
        return None
    found = decoded(text[start:end])
    if found is None:
        return None
    schema = found.get("schema")
    return Contract(
        mode="interactive" if found.get("mode") == "interactive" else "auto",
        schema=schema if isinstance(schema, dict) else None,
        artifacts=_artifacts(found.get("artifacts")),
        skill=_without_section(text, opened, end + len(_CLOSE)),
    )


def _without_section(text: str, opened: int, closed: int) -> str:
    begin, end = text.rfind(_BEGIN, 0, opened), text.find(_END, closed)
    before = text[: begin if begin >= 0 else opened]
    after = text[end + len(_END) if end >= 0 else closed :]
    return before + after


def _artifacts(value: JsonValue) -> tuple[Artifact, ...]:
    items = value[:_MOST_ARTIFACTS] if isinstance(value, list) else []
    found = [_artifact(item) for item in items if isinstance(item, dict)]
    return tuple(artifact for artifact in found if artifact is not None)


def _artifact(item: dict[str, JsonValue]) -> Artifact | None:
    path, role, field = item.get("path"), item.get("role"), item.get("field")
    if not isinstance(path, str):
        return None
    try:
        below = inside(path.removeprefix(f"{FOLDER}/"))
    except ValueError:
        return None
    return Artifact(
        path=f"{FOLDER}/{below}",
        role=role if isinstance(role, str) else "output",
        required=item.get("required") is True,
        field=field if isinstance(field, str) else None,
    )
