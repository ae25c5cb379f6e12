"""From what a log tells to a session: the same fold for every format."""

from dataclasses import dataclass, field
from datetime import datetime

from pydantic import JsonValue

from whet.core.instant import iso, milliseconds
from whet.core.logged import (
    About,
    Concluded,
    Delegated,
    Document,
    Listed,
    Logged,
    Opened,
    Prompted,
    Touched,
)
from whet.core.step import Called, Ended, Returned, Said, Spent, Triggered
from whet.core.tokens import estimate
from whet.documents.session_display import head
from whet.documents.session_fold import (
    LONGEST_TITLE,
    NEVER_RETURNED,
    WRITERS,
    Call,
    CallFold,
)
from whet.documents.session_import import Repairs
from whet.readers.agreement import agreed

_MOST_HELD = 1_000


@dataclass
class LogFold:
    """Collects what a log tells of one session; ``session`` gives it as a JSON object."""

    repairs: Repairs
    source: str
    format: str
    fallback: datetime
    """The time to go by where the log has none."""

    session_id: str | None = None
    steps: CallFold = field(default_factory=CallFold)
    about: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    prompts: list[Prompted] = field(default_factory=list[Prompted])
    files: dict[str, bool | None] = field(default_factory=dict[str, bool | None])
    subagents: dict[str, Delegated] = field(default_factory=dict[str, Delegated])
    conclusion: Concluded | None = None
    document: Document | None = None
    first: datetime | None = None
    last: datetime | None = None
    _known: dict[str, Call] = field(default_factory=dict[str, Call])
    _names: dict[str, str] = field(default_factory=dict[str, str])
    _held: dict[str, Returned] = field(default_factory=dict[str, Returned])
    _seen: set[str] = field(default_factory=set[str])

    def add(self, item: Logged) -> None:
        """Take the next thing that the log tells."""
        match item:
            case Called():
                self._call(item)
            case Returned():
                self._return(item)
            case Said() | Triggered() | Spent() | Ended():
                self._time(item.at)
                self.steps.add(item)
            case Prompted():
                self._time(item.at)
                self.prompts.append(item)
            case Listed():
                self.steps.calls.append(item.call)
            case _:
                self._note(item)

    def _note(self, item: Opened | About | Touched | Delegated | Concluded | Document) -> None:
        match item:
            case Opened():
                self.session_id = item.session_id or self.session_id
            case About():
                self._about(item)
            case Touched():
                self.files.setdefault(item.path, item.created)
            case Delegated():
                self.subagents[item.call_id] = item
            case Concluded():
                self.conclusion = item
            case Document():
                self.document = item

    def _time(self, at: datetime) -> None:
        if self.first is None or at < self.first:
            self.first = at
        if self.last is None or at > self.last:
            self.last = at

    def _about(self, item: About) -> None:
        if item.at is not None:
            self._time(item.at)
        told: dict[str, JsonValue] = {
            "model": item.model,
            "engine": item.engine,
            "engine_version": item.engine_version,
            "simulated": item.simulated,
            "trial_address": item.trial_address,
            "timing": item.timing,
        }
        for name, value in told.items():
            if value is not None:
                self.about.setdefault(name, value)
        if item.title is not None:
            self.about["title"] = item.title

    def _call(self, step: Called) -> None:
        self._time(step.at)
        name = step.call_id
        if (known := self._known.get(name)) is not None:
            given = known["input"]
            if isinstance(given, dict) and given["params"] == step.params:
                self.repairs.note("skipped", "repeated_call", "a call is told again")
                return
            name = self._renamed(name)
            step = Called(step.at, name, step.tool, step.params, step.description, step.parent)
        elif not name:
            name = f"call-{len(self.steps.calls) + 1}"
            self.repairs.note("missing", "call_id", "a call has no id", field="call_id")
            step = Called(step.at, name, step.tool, step.params, step.description, step.parent)
        self.steps.add(step)
        call = self.steps.calls[-1]
        if self.repairs.line is not None and self.repairs.file is None:
            call["source_line"] = self.repairs.line
        self._known[name] = call
        if (held := self._held.pop(step.call_id, None)) is not None:
            self._return(held)

    def _renamed(self, name: str) -> str:
        """Another name for another call; what comes back by the old one belongs to it."""
        self.repairs.note("guessed", "same_call_id", "two calls have one id; one is renamed")
        number = 2
        while f"{name}~{number}" in self._known:
            number += 1
        self._names[name] = f"{name}~{number}"
        return self._names[name]

    def _return(self, step: Returned) -> None:
        self._time(step.at)
        name = self._names.get(step.call_id, step.call_id)
        if name not in self._known:
            if len(self._held) < _MOST_HELD:
                self._held[name] = step
            return
        if name not in self.steps.open:
            self.repairs.note("skipped", "repeated_result", "a result is told again")
            return
        called, _ = self.steps.open[name]
        if name != step.call_id:
            step = Returned(step.at, name, step.ok, step.output, step.display)
        if step.at < called.at:
            self.repairs.note("disagrees", "times", "a call ended before it began")
        self.steps.add(step)
        if step.ok:
            self._touch(called)

    def _touch(self, called: Called) -> None:
        path = called.params.get("file_path", called.params.get("notebook_path"))
        if not isinstance(path, str) or not path:
            return
        if called.tool in WRITERS and path not in self.files:
            is_new = called.tool == "Write" and path not in self._seen
            if called.tool == "Write":
                said = "whether a written file was new is not told"
                self.repairs.note("guessed", "file_created", said)
            self.files[path] = is_new
        self._seen.add(path)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to make a session of."""
        told = self.steps.calls or self.steps.said or self.prompts
        return not told and self.document is None

    def session(self) -> dict[str, JsonValue]:
        """The session of all that was told."""
        if self._held:
            said = "a result has no call"
            for _ in self._held:
                self.repairs.note("skipped", "result_without_call", said)
        if self.document is not None:
            return agreed(self.document.fields, self.steps.calls, self.fallback, self.repairs)
        return self._made()

    def _made(self) -> dict[str, JsonValue]:
        first, last = self._times()
        calls = self._calls(iso(last))
        prompt = self.prompts[0].text if self.prompts else self._missing("user_prompt", "")
        outcome = self._outcome()
        failed = sum(1 for call in calls if _status(call) == "failed")
        data: dict[str, JsonValue] = {
            "session_id": self.session_id or self._missing("session_id", self.source),
            "task_title": self._title(prompt),
            "user_prompt": prompt,
            "created_at": iso(first),
            "completed_at": iso(last),
            "status": outcome.outcome,
            "agent": {"model_id": self.about.get("model") or self._missing("model_id", "unknown")},
            "tool_calls": [*calls],
            "summary": {
                "total_duration_ms": milliseconds(first, last),
                "tool_calls_count": len(calls),
                "files_created": [path for path, new in self.files.items() if new],
                "files_modified": [path for path, new in self.files.items() if not new],
                "errors_encountered": failed,
            },
        }
        return data | self._ours(outcome)

    def _times(self) -> tuple[datetime, datetime]:
        if self.first is None or self.last is None:
            self.repairs.note("missing", "times", "the log has no times; that of the file is taken")
            return self.fallback, self.fallback
        return self.first, self.last

    def _missing(self, name: str, instead: str) -> str:
        said = f"the log does not say it; {instead!r} is put there"
        self.repairs.note("missing", name, said, field=name)
        return instead

    def _title(self, prompt: str) -> str:
        title = self.about.get("title")
        text = title if isinstance(title, str) and title.strip() else prompt
        plain = "".join(char if char.isprintable() else " " for char in head(text, LONGEST_TITLE))
        return plain.strip() or self.source

    def _outcome(self) -> Concluded:
        if self.conclusion is None:
            self.repairs.note("missing", "status", "the log does not say how it ended")
            return Concluded("in_progress")
        return self.conclusion

    def _calls(self, gave_up: str) -> list[Call]:
        for _ in range(self.steps.unanswered):
            self.repairs.note("missing", "result", NEVER_RETURNED)
        calls = sorted(self.steps.settled(gave_up), key=lambda call: str(call["started_at"]))
        for call in calls:
            parent = call.get("parent_call_id")
            if parent is not None and parent not in self._known:
                self.repairs.note("missing", "parent_call", "the call of a subagent is not there")
                del call["parent_call_id"]
            if (told := self.subagents.get(str(call["call_id"]))) is not None:
                _delegate(call, told)
        return calls

    def _ours(self, outcome: Concluded) -> dict[str, JsonValue]:
        """The fields that are our own, as far as there is something to say."""
        steps, usage = self.steps, self.steps.usage
        prompts: list[JsonValue] = [{"at": iso(one.at), "text": one.text} for one in self.prompts]
        told: dict[str, JsonValue] = {
            "engine": self.about.get("engine"),
            "engine_version": self.about.get("engine_version"),
            "simulated": self.about.get("simulated"),
            "trial_address": self.about.get("trial_address"),
            "final_answer": outcome.answer or (steps.said[-1] if steps.said else None),
            "messages": [*steps.said],
            "messages_at": [*steps.said_at],
            "prompts": prompts if len(prompts) > 1 else None,
            "skills_used": [*steps.skills],
            "error": outcome.error,
            "input_tokens": usage.input_tokens if usage.total_tokens else None,
            "output_tokens": usage.output_tokens if usage.total_tokens else None,
            "cache_read_tokens": usage.cache_read_tokens or None,
            "cache_write_tokens": usage.cache_write_tokens or None,
            "cost_usd": usage.cost_usd,
            "spending": steps.spending,
            "estimated_tokens": steps.tokens + sum(estimate(one.text) for one in self.prompts),
            "source_file": self.source,
            "source_format": self.format,
            "timing_quality": self.about.get("timing", "recorded" if self.first else "guessed"),
        }
        return {name: value for name, value in told.items() if value is not None}


def _delegate(call: Call, told: Delegated) -> None:
    """Add what a subagent's own record says to what its calls say."""
    info = call.get("subagent_info")
    known: dict[str, JsonValue] = info if isinstance(info, dict) else {}
    uses = known.get("tool_uses", told.tool_uses)
    if uses is None:
        return
    kind = told.subagent_type or known.get("subagent_type") or "unknown"
    more: dict[str, JsonValue] = {} if told.tokens is None else {"tokens_used": told.tokens}
    call["subagent_info"] = {"subagent_type": kind, "tool_uses": uses} | known | more
    call["subagent_info"]["subagent_type"] = kind


def _status(call: Call) -> JsonValue:
    output = call["output"]
    return output.get("status") if isinstance(output, dict) else None
