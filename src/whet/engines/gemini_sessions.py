"""What Gemini CLI writes down of a session while it works.

What it prints says nothing of tokens before the end, of what most tools gave back, of exit codes
and of what subagents do. All of it is in these files, which the agent may have tampered with, as
it may with everything in its home: whatever does not look right is passed over.
"""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import JsonValue

from whet.core.foreign import objects
from whet.core.usage import Usage
from whet.engines.agent_cli.follow import Followed
from whet.readers.gemini_records import Record, result_text, texts, usage_of


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the model got back from a call."""

    text: str
    ok: bool


@dataclass(frozen=True, slots=True)
class SubagentCall:
    """A call that a subagent has made and got back."""

    id: str
    tool: str
    params: Record
    task: str
    """The prompt that the subagent works on."""

    started: datetime | None
    ended: datetime | None
    outcome: Outcome


class Sessions:
    """Follows the files below a folder; what is in them already belongs to earlier runs."""

    def __init__(self, folder: Path, root: Path) -> None:
        self._folder = folder
        self._files = Followed(folder, root)
        self._tokens: dict[str, Usage] = {}
        self._tasks: dict[str, str] = {}
        self._seen: set[str] = set()
        self._calls: list[SubagentCall] = []
        self.outcomes: dict[str, Outcome] = {}
        """By call, without those of subagents."""

    @property
    def usage(self) -> Usage:
        """All that is written down so far."""
        return sum(self._tokens.values(), Usage())

    def take_calls(self) -> list[SubagentCall]:
        """The calls of subagents that came since the last time."""
        calls, self._calls = self._calls, []
        return calls

    def look(self) -> None:
        """Read what is new: ``<project>/chats/<session>.jsonl``, and a folder deeper those of its
        subagents."""
        for path in self._files.paths():
            match Path(path).relative_to(self._folder).parts:
                case (_, "chats", _):
                    subagent = None
                case (_, "chats", _, _):
                    subagent = path
                case _:
                    continue
            for record in self._files.news(path):
                self._add(record, subagent)

    def _add(self, record: Record, subagent: str | None) -> None:
        match record.get("type"):
            case "gemini":
                name = record.get("id")
                if isinstance(name, str) and isinstance(tokens := record.get("tokens"), dict):
                    self._tokens[name] = usage_of(tokens)
                for call in objects(record.get("toolCalls")):
                    self._called(call, record, subagent)
            case "user" if subagent is not None:
                # The first of them is the prompt.
                self._tasks.setdefault(subagent, texts(record.get("content")))
            case _:
                pass

    def _called(self, call: Record, record: Record, subagent: str | None) -> None:
        name, tool, result = call.get("id"), call.get("name"), call.get("result")
        if not isinstance(name, str) or not isinstance(tool, str) or result is None:
            return
        outcome = Outcome(result_text(result), call.get("status") == "success")
        if subagent is None:
            self.outcomes[name] = outcome
        elif name not in self._seen:
            self._seen.add(name)
            params = call.get("args")
            self._calls.append(
                SubagentCall(
                    name,
                    tool,
                    params if isinstance(params, dict) else {},
                    self._tasks.get(subagent, ""),
                    _time(record.get("timestamp")),
                    _time(call.get("timestamp")),
                    outcome,
                )
            )


def _time(value: JsonValue) -> datetime | None:
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return at if at is not None and at.tzinfo is not None else None
