"""What Gemini CLI writes down of a session while it works.

What it prints says nothing of tokens before the end, of what most tools gave back, of exit codes
and of what subagents do. All of it is in these files, which the agent may have tampered with, as
it may with everything in its home: whatever does not look right is passed over.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import JsonValue
from pydantic_core import from_json

from whet.core.usage import Usage

_MOST_FILES = 500
_MOST_BYTES = 16 * 1024 * 1024
"""Of one file that are read at once."""

_MOST_TOKENS = 10**12
Record = dict[str, JsonValue]


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

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._offsets: dict[str, int] = {}
        self._tokens: dict[str, Usage] = {}
        self._tasks: dict[str, str] = {}
        self._seen: set[str] = set()
        self._calls: list[SubagentCall] = []
        self.outcomes: dict[str, Outcome] = {}
        """By call, without those of subagents."""

        for path, _ in self._files():
            self._offsets[path] = _size(path)

    @property
    def usage(self) -> Usage:
        """All that is written down so far."""
        return sum(self._tokens.values(), Usage())

    def take_calls(self) -> list[SubagentCall]:
        """The calls of subagents that came since the last time."""
        calls, self._calls = self._calls, []
        return calls

    def look(self) -> None:
        """Read what is new."""
        for path, is_subagent in self._files():
            for record in self._new(path):
                self._add(record, path if is_subagent else None)

    def _files(self) -> Iterator[tuple[str, bool]]:
        """``<project>/chats/<session>.jsonl``, and a folder deeper those of its subagents."""
        left = _MOST_FILES
        for project in _listed(str(self._folder), folders=True):
            chats = f"{project}/chats"
            of_subagents = [
                (file, True)
                for session in _listed(chats, folders=True)
                for file in _listed(session, folders=False)
            ]
            for found in [
                *((file, False) for file in _listed(chats, folders=False)),
                *of_subagents,
            ]:
                if left and found[0].endswith(".jsonl"):
                    left -= 1
                    yield found

    def _new(self, path: str) -> Iterator[Record]:
        offset = self._offsets.get(path, 0)
        data = _read(path, offset)
        whole = data.rfind(b"\n") + 1
        if not whole and len(data) == _MOST_BYTES:
            whole = len(data)
        self._offsets[path] = offset + whole
        for line in data[:whole].splitlines():
            try:
                record: JsonValue = from_json(line)
            except ValueError:
                continue
            if isinstance(record, dict):
                yield record

    def _add(self, record: Record, subagent: str | None) -> None:
        match record.get("type"):
            case "gemini":
                name = record.get("id")
                if isinstance(name, str) and isinstance(tokens := record.get("tokens"), dict):
                    self._tokens[name] = _usage(tokens)
                for call in _objects(record.get("toolCalls")):
                    self._called(call, record, subagent)
            case "user" if subagent is not None:
                # The first of them is the prompt.
                self._tasks.setdefault(subagent, _texts(record.get("content")))
            case _:
                pass

    def _called(self, call: Record, record: Record, subagent: str | None) -> None:
        name, tool, result = call.get("id"), call.get("name"), call.get("result")
        if not isinstance(name, str) or not isinstance(tool, str) or result is None:
            return
        outcome = Outcome(_result(result), call.get("status") == "success")
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


def _listed(folder: str, *, folders: bool) -> list[str]:
    """In order of name; links are neither."""
    try:
        with os.scandir(folder) as entries:
            found = [
                entry.path
                for entry in entries
                if (
                    entry.is_dir(follow_symlinks=False)
                    if folders
                    else entry.is_file(follow_symlinks=False)
                )
            ]
    except OSError:
        return []
    return sorted(found)[:_MOST_FILES]


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0


def _read(path: str, offset: int) -> bytes:
    try:
        # Whatever has taken the file's place meanwhile: no link, and nothing that waits.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode) or state.st_size <= offset:
            return b""
        return os.pread(descriptor, _MOST_BYTES, offset)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def _usage(tokens: Record) -> Usage:
    """Cached tokens are counted among the input; thoughts are not among the output."""
    given, cached = count(tokens.get("input")), count(tokens.get("cached"))
    return Usage(
        input_tokens=max(0, given - cached) + count(tokens.get("tool")),
        output_tokens=count(tokens.get("output")) + count(tokens.get("thoughts")),
        cache_read_tokens=cached,
    )


def count(value: JsonValue) -> int:
    """A number of tokens; 0 if it cannot be one."""
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else 0


def _time(value: JsonValue) -> datetime | None:
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return at if at is not None and at.tzinfo is not None else None


def _result(value: JsonValue) -> str:
    """The text that the model gets for a call."""
    if isinstance(value, str):
        return value
    said: list[str] = []
    for part in _objects(value):
        answer = part.get("functionResponse")
        response = answer.get("response") if isinstance(answer, dict) else None
        if isinstance(response, dict):
            said += [text for text in response.values() if isinstance(text, str)]
    return _unfenced("\n".join(said))


def _unfenced(text: str) -> str:
    """The model is told with tags what comes from outside."""
    return text.removeprefix("<untrusted_context>\n").removesuffix("\n</untrusted_context>")


def _texts(value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    texts = (part.get("text") for part in _objects(value))
    return "".join(text for text in texts if isinstance(text, str))


def _objects(value: JsonValue) -> Iterator[Record]:
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))
