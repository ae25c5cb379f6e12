"""The session log of a trial."""

from datetime import UTC, datetime

from pydantic import JsonValue

from whet.core.address import digest
from whet.core.instant import iso, milliseconds
from whet.core.sized_cache import sized_cache
from whet.core.step import Ended, Step
from whet.core.tokens import estimate, estimate_bytes
from whet.core.trial import WORKSPACE, TrialSpec
from whet.documents.session_display import head
from whet.documents.session_fold import LONGEST_TITLE, CallFold
from whet.run.workdir import Kept


class SessionFold(CallFold):
    """Collects steps as they happen; ``log`` gives the session of what has come so far."""

    def __init__(self, spec: TrialSpec, *, simulated: bool, started_at: str) -> None:
        super().__init__()
        self.tools: tuple[str, ...] = ()
        """Those that the agent has, where its engine knows."""

        self.spec = spec
        self.simulated = simulated
        self.started_at = started_at

    def add(self, step: Step) -> None:
        """Take the next step."""
        super().add(step)
        if isinstance(step, Ended):
            self.simulated |= step.simulated

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

    def _abilities(self) -> dict[str, JsonValue]:
        """What the agent was able to, by date: the program's version and its tools."""
        if not self.tools:
            return {}
        agent = f"{self.spec.engine} {self.spec.engine_version}"
        return {"capability_snapshot": f"{self.started_at[:10]} {agent} {tools_digest(self.tools)}"}

    def log(self, ended_at: str, kept: Kept) -> dict[str, JsonValue]:
        """The session as a JSON object of the session log format. It lasts from its first moment
        to its last, so that all its calls lie inside, whatever somebody's clock does."""
        succeeded = self.ended is not None and self.ended.failure is None
        prompt = self.spec.stimulus.prompt
        calls = self.settled(iso(self.ended.at) if self.ended else ended_at)
        first = min([self.started_at, *(str(call["started_at"]) for call in calls)], key=_moment)
        last = max([first, ended_at, *(str(call["ended_at"]) for call in calls)], key=_moment)
        return {
            "session_id": f"trial-{self.spec.address[:16]}",
            "task_title": head(prompt, LONGEST_TITLE),
            "user_prompt": prompt,
            "created_at": first,
            "completed_at": last,
            "status": "success" if succeeded else "failed",
            "agent": {"model_id": self._model(), **self._abilities()},
            "tool_calls": list(calls),
            "summary": {
                "total_duration_ms": milliseconds(_moment(first), _moment(last)),
                "tool_calls_count": len(calls),
                "files_created": list(kept.created),
                "files_modified": list(kept.modified),
                "errors_encountered": self.errors + self.unanswered,
            },
            "engine": self.spec.engine,
            "engine_version": self.spec.engine_version,
            "sandbox": self.spec.sandbox,
            "simulated": self.simulated,
            "trial_address": self.spec.address,
            **({"trial_scope": scope} if (scope := self.spec.scope) != WORKSPACE else {}),
            "messages": list(self.said),
            "messages_at": list(self.said_at),
            "skills_used": list(self.skills),
            "estimated_tokens": self.estimated_tokens,
            **({"spending": points} if (points := self.spending) else {}),
            **({"outputs_cut": True} if kept.cut else {}),
            **_end(self.ended),
        }


def _moment(text: str) -> datetime:
    """A time as we or those before us wrote it; without a zone it is UTC."""
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


@sized_cache(1024 * 1024)
def tools_digest(tools: tuple[str, ...]) -> str:
    """A short name for a list of tools: another list has another one."""
    return f"tools:{digest([*tools])[:12]}"


def _end(ended: Ended | None) -> dict[str, JsonValue]:
    """What the agent came to, as far as it is known."""
    if ended is None:
        return {}
    end: dict[str, JsonValue] = {
        "final_answer": ended.answer,
        "error": ended.error,
        "output_truncated": ended.cut or None,
        "input_tokens": ended.usage.known(ended.usage.input_tokens),
        "output_tokens": ended.usage.known(ended.usage.output_tokens),
        "cache_read_tokens": ended.usage.cache_read_tokens or None,
        "cache_write_tokens": ended.usage.cache_write_tokens or None,
        "cost_usd": ended.usage.cost_usd,
    }
    return {name: value for name, value in end.items() if value is not None}
