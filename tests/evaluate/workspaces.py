"""Projects from a small library on disk."""

from datetime import UTC, datetime
from pathlib import Path

from whet.curate.library import baselines, skills
from whet.evaluate.plan import Pin
from whet.evaluate.project import Project, ProjectRequest, create

NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)
REQUEST = ProjectRequest(
    name="Knives 磨刀",
    pin=Pin(engine="hand", engine_version="1", model="m", options={"x": 1}, sandbox="none"),
    repeats=2,
    timeout_seconds=30,
)


def made(
    workspace: Path, *names: str, tests: tuple[str, ...] = ("Tests",), now: datetime = NOON
) -> Project:
    chosen = [skills(workspace).find(name) for name in names or ("Writer", "Author")]
    cases = [baselines(workspace).find(name) for name in tests]
    return create(workspace, REQUEST, chosen, cases, now)
