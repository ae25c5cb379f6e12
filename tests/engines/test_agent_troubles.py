"""What all agent programs have in common when something is wrong."""

import asyncio
from pathlib import Path

import pytest

from whet.core.case import Stimulus
from whet.core.errors import UsageError
from whet.core.failure import Failure
from whet.core.step import Step
from whet.core.trial import TrialSpec
from whet.engines.agent_cli.drive import last_words
from whet.engines.agent_cli.engine import CliEngine
from whet.engines.agent_cli.failures import classify
from whet.engines.claude import ClaudeEngine
from whet.engines.gemini import GeminiEngine
from whet.engines.opencode import OpencodeEngine
from whet.ports.machine import Machine
from whet.ports.workdir import Workdir
from whet.shell.process import Exit

PLAN = "You exceeded your current quota, please check your plan and billing details."


@pytest.mark.parametrize(
    ("status", "said", "failure"),
    [
        (429, f"{PLAN} For more, see: https://a.example/docs/rate-limits.", Failure.RATE_LIMIT),
        (429, "Rate limit reached. Pay more at https://a.example/billing.", Failure.RATE_LIMIT),
        (None, f"{PLAN} Please retry in 34.5s.", Failure.RATE_LIMIT),
        (429, "Request too large: Limit 30000, see /account/rate-limits", Failure.RATE_LIMIT),
        (429, PLAN, Failure.AUTH),
        (429, '429 Too Many Requests {"code": "insufficient_quota"}', Failure.AUTH),
        (400, "Your credit balance is too low; see Plans & Billing", Failure.AUTH),
        (400, "prompt is too long: 300000 tokens", Failure.CONTEXT),
        (None, "request timed out", Failure.NETWORK),
        (None, "connect ECONNREFUSED 127.0.0.1:1", Failure.NETWORK),
        (None, "cannot read websocketing.md of the networking skill", Failure.CRASH),
        (None, "'second' is not defined", Failure.CRASH),
        (503, "the network is down", Failure.OVERLOAD),
    ],
)
def test_troubles_are_sorted(status: int | None, said: str, failure: Failure) -> None:
    assert classify(status, said) is failure


@pytest.mark.slow
def test_a_long_complaint_is_sorted_at_once() -> None:
    """Else this would take hours, and the test its time limit."""
    assert classify(None, "input length " * 100_000) is Failure.CRASH


@pytest.mark.parametrize("code", [137, None])
def test_who_used_too_much_is_told_so(code: int | None) -> None:
    exit_ = Exit(
        code,
        9 if code is None else None,
        timed_out=False,
        truncated=False,
        seconds=1,
        stderr="some last line",
        exceeded="memory",
    )
    assert last_words(exit_) == "ended by whet for using too much: memory"


@pytest.mark.parametrize("kind", [ClaudeEngine, GeminiEngine, OpencodeEngine])
@pytest.mark.parametrize("name", ["--flag", "../x", "", "a b"])
def test_a_conversation_is_no_flag(kind: type[CliEngine], name: str, tmp_path: Path) -> None:
    spec = TrialSpec(
        skill=None, stimulus=Stimulus(prompt="?"), engine="e", engine_version="1", model="m"
    )

    async def steps() -> list[Step]:
        engine, workdir = kind(Machine({}, tmp_path)), Workdir(tmp_path, tmp_path / "work", None)
        return [step async for step in engine.converse(spec, workdir, name)]

    with pytest.raises(UsageError, match="has no conversation"):
        asyncio.run(steps())
