"""The one fold from steps to a session log."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import JsonValue

from whet.core.instant import iso
from whet.core.step import Called, Ended, Returned, Said, Spent, Step, Triggered
from whet.core.tokens import estimate, estimate_bytes
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.run.tools import category
from whet.run.workdir import Kept

MOST_OUTPUT = 16_000
"""Characters of a tool's output that are kept; longer ones are marked as truncated."""

_CONTRIBUTIONS = {
    "Read": "file_content",
    "Grep": "search_result",
    "Glob": "search_result",
    "WebSearch": "search_result",
    "Bash": "command_output",
    "Skill": "knowledge",
}


_Call = dict[str, JsonValue]


@dataclass
class SessionFold:
    """Collects steps as they happen; ``log`` gives the session of what has come so far."""

    spec: TrialSpec
    simulated: bool
    started_at: str
    said: list[str] = field(default_factory=list[str])
    calls: list[_Call] = field(default_factory=list[_Call])
    open: dict[str, tuple[Called, _Call]] = field(default_factory=dict[str, tuple[Called, _Call]])
    skills: list[str] = field(default_factory=list[str])
    errors: int = 0
    usage: Usage = field(default_factory=Usage)
    ended: Ended | None = None
    tokens: int = 0
    """What was said and what tools took and gave, by a rough count."""

    def add(self, step: Step) -> None:
        """Take the next step."""
        match step:
            case Said():
                self.said.append(step.text)
                self.tokens += estimate(step.text)
            case Called():
                call = _call(step)
                self.tokens += estimate(json.dumps(step.params, ensure_ascii=False, default=str))
                self.calls.append(call)
                self.open[step.call_id] = step, call
            case Returned():
                self._return(step)
            case Triggered():
                if step.skill not in self.skills:
                    self.skills.append(step.skill)
            case Spent():
                self.usage = step.usage
            case Ended():
                self.ended = step
                self.usage = step.usage
                self.simulated |= step.simulated

    def _return(self, step: Returned) -> None:
        if step.call_id not in self.open:
            return
        called, call = self.open.pop(step.call_id)
        self.tokens += estimate(step.output)
        _time(call, called.at, step.at)
        call["output"] = _output(step)
        self.errors += not step.ok
        if step.ok and called.tool in _CONTRIBUTIONS:
            call["context_contribution"] = {
                "type": _CONTRIBUTIONS[called.tool],
                "summary": step.display or _head(step.output, 120),
            }

    @property
    def estimated_tokens(self) -> int:
        """How large the conversation grew, all told, by a rough count. An agent that tidies up
        its own context has had less before it at any time."""
        answer = self.ended.answer if self.ended else ""
        last = estimate(answer) if answer not in self.said[-1:] else 0
        skill = self.spec.skill
        # A package is read by tools, if at all, and counted there.
        standing = skill.files if skill is not None and skill.kind == "text" else ()
        given = estimate(self.spec.stimulus.prompt) + last
        return given + self.tokens + sum(estimate_bytes(file.size) for file in standing)

    def _model(self) -> str:
        answered = self.ended.model if self.ended else None
        return answered or self.spec.model

    def log(self, ended_at: str, duration_ms: int, kept: Kept) -> dict[str, JsonValue]:
        """The session as a JSON object of the session log format."""
        succeeded = self.ended is not None and self.ended.failure is None
        prompt = self.spec.stimulus.prompt
        gave_up = iso(self.ended.at) if self.ended else ended_at
        calls = [call if call["output"] else _unanswered(call, gave_up) for call in self.calls]
        unanswered = sum(1 for call in self.calls if call["output"] is None)
        return {
            "session_id": f"trial-{self.spec.address[:16]}",
            "task_title": _head(prompt, 80),
            "user_prompt": prompt,
            "created_at": self.started_at,
            "completed_at": ended_at,
            "status": "success" if succeeded else "failed",
            "agent": {"model_id": self._model()},
            "tool_calls": list(calls),
            "summary": {
                "total_duration_ms": duration_ms,
                "tool_calls_count": len(calls),
                "files_created": list(kept.created),
                "files_modified": list(kept.modified),
                "errors_encountered": self.errors + unanswered,
            },
            "engine": self.spec.engine,
            "engine_version": self.spec.engine_version,
            "sandbox": self.spec.sandbox,
            "simulated": self.simulated,
            "trial_address": self.spec.address,
            "messages": list(self.said),
            "skills_used": list(self.skills),
            "estimated_tokens": self.estimated_tokens,
            **({"outputs_cut": True} if kept.cut else {}),
            **_end(self.ended),
        }


def _end(ended: Ended | None) -> dict[str, JsonValue]:
    """What the agent came to, as far as it is known."""
    if ended is None:
        return {}
    end: dict[str, JsonValue] = {
        "final_answer": ended.answer,
        "error": ended.error,
        "output_truncated": ended.cut or None,
        "input_tokens": ended.usage.input_tokens,
        "output_tokens": ended.usage.output_tokens,
        "cost_usd": ended.usage.cost_usd,
    }
    return {name: value for name, value in end.items() if value is not None}


def _time(call: _Call, started: datetime, ended: datetime) -> None:
    """Say when a call ended; never before it began, whatever an engine's clock does."""
    ended = max(started, ended)
    call["ended_at"] = iso(ended)
    call["duration_ms"] = round((ended - started).total_seconds() * 1000)


def _call(step: Called) -> _Call:
    given: dict[str, JsonValue] = {"params": dict(step.params)}
    if step.description is not None:
        given["description"] = step.description
    if (raw := _raw_command(step.tool, step.params)) is not None:
        given["raw_command"] = raw
    call: _Call = {
        "call_id": step.call_id,
        "tool_name": step.tool,
        "tool_category": category(step.tool, step.params),
        "started_at": iso(step.at),
        "ended_at": iso(step.at),
        "duration_ms": 0,
        "input": given,
        "output": None,
    }
    if step.parent is not None:
        call["parent_call_id"] = step.parent
    return call


def _output(step: Returned) -> dict[str, JsonValue]:
    output: dict[str, JsonValue] = {"status": "success" if step.ok else "failed"}
    result: dict[str, JsonValue] = {}
    if step.display is not None:
        result["display"] = step.display
    if step.ok and step.output:
        result["content"] = step.output[:MOST_OUTPUT]
    if result:
        output["result"] = result
    if not step.ok:
        output["error"] = step.output[:MOST_OUTPUT]
    if len(step.output) > MOST_OUTPUT:
        output["truncated"] = True
    return output


def _unanswered(call: _Call, ended_at: str) -> _Call:
    """A call that never came back failed when the session ended."""
    failed: _Call = {**call, "output": {"status": "failed", "error": "the call did not return"}}
    started = datetime.fromisoformat(str(call["started_at"]))
    _time(failed, started, datetime.fromisoformat(ended_at))
    return failed


def _raw_command(tool: str, params: Mapping[str, JsonValue]) -> str | None:
    """How the call looks in a terminal."""
    if tool == "Bash":
        return f"$ {params.get('command', '')}"
    subject = params.get("file_path", params.get("pattern"))
    return f"{tool}({subject})" if subject is not None else None


def _head(text: str, most: int) -> str:
    line = text.strip().partition("\n")[0]
    return line if len(line) <= most else line[: most - 1] + "…"
