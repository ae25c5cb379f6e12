"""An assistant with an agent written by hand, and what it left in a workspace."""

import json
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from pydantic import JsonValue

from tests.app.recording import app_with, hand
from tests.curate.shelves import identity
from tests.run.agents import USED, Script, now
from whet.app.library.assist import Assistant
from whet.app.library.library import library
from whet.core.step import Ended, Step
from whet.core.trial import TrialSpec
from whet.curate import tags
from whet.curate.holding import holding
from whet.documents.assets import AutoTagLog
from whet.documents.settings import TempSession
from whet.ports.engine import Engine
from whet.ports.listing import Kind
from whet.ports.workdir import Workdir

Answer = Callable[[str], JsonValue]


def says(answer: Answer) -> Script:
    """Answers with a JSON value that depends on the question; a text is said as it is."""

    async def script(spec: TrialSpec, _workdir: Workdir) -> AsyncGenerator[Step]:
        value = answer(spec.stimulus.prompt)
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        yield Ended(now(), text, USED)

    return script


@contextmanager
def assisting(
    workspace: Path, engine: Engine | None = None, kind: Kind = "skill"
) -> Generator[Assistant]:
    """As a command has it."""
    with app_with(workspace, engine or hand()) as app, library(workspace, kind, app.clock) as shelf:
        yield Assistant(app, shelf)


def logs(workspace: Path, name: str, version: int = -1) -> list[AutoTagLog]:
    """The logs in a version of the asset of that name, the newest unless said otherwise."""
    folder = holding(workspace, identity(name)).versions[version].folder
    return [AutoTagLog.load(path) for path in sorted(folder.glob("auto_tag_log/*.json"))]


def pending(workspace: Path, name: str) -> list[str]:
    """The tags that wait, each with a log that says where it comes from."""
    folder = holding(workspace, identity(name)).versions[-1].folder
    found = tags.load(folder).auto
    for tag in found:
        log = AutoTagLog.load(folder / tag.log_ref)
        assert log.status == "completed"
        assert tag.value in [parsed.value for parsed in log.parsed_tags]
    return [tag.value for tag in found if tag.status == "pending"]


def sessions(workspace: Path) -> set[str]:
    """How the sessions ended."""
    files = (workspace / "cli/temp_session").iterdir()
    return {TempSession.load(path).status for path in files}
