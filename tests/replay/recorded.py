"""Sessions of the four real programs, from what each printed and kept once."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import JsonValue

from tests.run.agents import spec
from whet.core.instant import iso
from whet.core.step import Ended, Step
from whet.documents.session import Session
from whet.engines.claude_reader import ClaudeReader
from whet.engines.codex_reader import CodexReader
from whet.engines.codex_rollout import Rollouts
from whet.engines.gemini_reader import GeminiReader
from whet.engines.gemini_sessions import Sessions
from whet.engines.opencode_reader import OpencodeReader, Situation
from whet.run.session import SessionFold
from whet.run.workdir import Kept
from whet.shell.process import Exit

FOLDER = Path(__file__).parents[1] / "engines/recorded"
NOON = datetime(2026, 1, 25, 12, tzinfo=UTC)
WELL = Exit(code=0, signal=None, timed_out=False, truncated=False, seconds=1, stderr="")
NOTHING = Kept({}, created=(), modified=(), cut=False)

Event = dict[str, JsonValue]


def events(name: str) -> list[Event]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


def at(place: int) -> datetime:
    """A second for each event."""
    return NOON + timedelta(seconds=place)


def claude() -> Session:
    reader = ClaudeReader("a-model")
    steps = _read(reader, events("claude"))
    return folded([*steps, reader.ended(WELL, at(60))])


def codex(folder: Path) -> Session:
    reader = CodexReader(Rollouts(folder, folder))
    for name in ("main", "subagent"):
        text = (FOLDER / f"codex-{name}.jsonl").read_text()
        thread = json.loads(text.splitlines()[0])["payload"]["id"]
        path = folder / f"2026/01/01/rollout-2026-01-01T00-00-00-{thread}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    steps = _read(reader, events("codex"))
    return folded([*steps, *reader.rest(at(60)), reader.ended(WELL, at(60))])


def gemini(folder: Path) -> Session:
    reader = GeminiReader("a-model", Sessions(folder, folder))
    (folder / "work/chats").mkdir(parents=True)
    kept = (FOLDER / "gemini_session.jsonl").read_bytes()
    (folder / "work/chats/session-1.jsonl").write_bytes(kept)
    steps = _read(reader, events("gemini"))
    return folded([*steps, *reader.rest(at(60)), reader.ended(WELL, at(60))])


def opencode() -> Session:
    reader = OpencodeReader(Situation("maker/some-model"))
    steps = _read(reader, events("opencode"))
    return folded([*steps, reader.ended(WELL, at(60))])


def every(folder: Path) -> dict[str, Session]:
    """All four."""
    return {
        "claude": claude(),
        "codex": codex(folder / "codex"),
        "gemini": gemini(folder / "gemini"),
        "opencode": opencode(),
    }


def _read(
    reader: ClaudeReader | CodexReader | GeminiReader | OpencodeReader, given: list[Event]
) -> list[Step]:
    return [step for place, event in enumerate(given) for step in reader.read(event, at(place))]


def folded(steps: Iterable[Step]) -> Session:
    fold = SessionFold(spec("Do what is needed."), simulated=False, started_at=iso(NOON))
    for step in steps:
        fold.add(step)
    last = fold.ended.at if isinstance(fold.ended, Ended) else NOON
    return Session.parse(fold.log(iso(last), NOTHING), "recorded")
