"""Traps of agents' programs, in which harnesses around them were caught: each says in its own way
that all went well when it did not, and counts too much or too little.

What claude, codex, gemini and opencode printed is read here as an engine reads it.
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from whet.core.failure import Failure
from whet.core.step import Called, Ended, Step, Triggered
from whet.engines.claude_reader import ClaudeReader
from whet.engines.codex_reader import CodexReader
from whet.engines.codex_rollout import Rollouts
from whet.engines.gemini_reader import GeminiReader
from whet.engines.gemini_sessions import Sessions
from whet.engines.opencode_reader import OpencodeReader, Situation
from whet.shell.process import Exit

RECORDED = Path(__file__).parents[1] / "engines/recorded"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
WELL = Exit(code=0, signal=None, timed_out=False, truncated=False, seconds=1, stderr="")
RESULT: dict[str, Any] = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "result": "Fine.",
}


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (RECORDED / name).read_text().splitlines()]


def claude(
    *events: dict[str, Any], exit_: Exit = WELL, structured: bool = False
) -> tuple[list[Step], Ended]:
    reader = ClaudeReader("a-model", structured=structured, named=None)
    return [step for event in events for step in reader.read(event, NOW)], reader.ended(exit_, NOW)


def test_a_success_that_is_an_error_is_none() -> None:
    """`subtype` is `success` for every failure of the model's service."""
    failed = {**RESULT, "is_error": True, "api_error_status": 500, "result": "API Error: 500"}
    assert claude(RESULT)[1].failure is None
    assert claude(failed)[1].failure is not None


def test_an_interrupted_program_that_exits_with_0_has_not_succeeded() -> None:
    """After SIGINT there is no last word, and the exit code is 0."""
    assert claude()[1].failure is Failure.CRASH
    events = [event for event in rows("claude.jsonl") if event["type"] != "result"]
    assert claude(*events)[1].failure is Failure.CRASH


def test_the_last_of_several_results_counts() -> None:
    """A subagent in the background makes a second one."""
    first = {**RESULT, "result": "Async agent launched"}
    assert claude(first, {**RESULT, "result": "All done."})[1].answer == "All done."


def test_a_cost_that_adds_up_over_a_conversation_is_charged_once() -> None:
    """After a resume `total_cost_usd` and `modelUsage` tell of all runs so far."""
    whole = {"m": {"inputTokens": 300, "outputTokens": 30, "costUSD": 0.0024}}
    own = {"m": {"inputTokens": 100, "outputTokens": 10, "costUSD": 0.0008}}
    said = {"total_cost_usd": 0.0024, "modelUsage": whole, "model_usage_since_last_result": own}
    usage = claude({**RESULT, **said})[1].usage
    assert (usage.input_tokens, usage.cost_usd) == (100, 0.0008)


def test_tokens_of_subagents_are_counted() -> None:
    """`usage` leaves them out."""
    own = {"m": {"inputTokens": 923, "outputTokens": 9}}
    said = {"usage": {"input_tokens": 900}, "model_usage_since_last_result": own}
    assert claude({**RESULT, **said})[1].usage.input_tokens == 923


def test_a_price_that_nobody_knows_is_not_made_up() -> None:
    """An unknown model gets the price of another, marked as `unknown`."""
    own = {"m": {"inputTokens": 9, "costUSD": 5.0, "costBasis": "unknown"}}
    said = {**RESULT, "model_usage_since_last_result": own, "total_cost_usd": 5.0}
    assert claude(said)[1].usage.cost_usd is None


def test_an_answer_without_the_structure_that_was_asked_for_is_no_success() -> None:
    """The program ends well all the same."""
    assert claude(RESULT, structured=True)[1].failure is not None
    assert (
        claude({**RESULT, "structured_output": {"a": 1}}, structured=True)[1].answer == '{"a": 1}'
    )


def test_a_skill_is_seen_although_other_tools_came_first() -> None:
    """skill-creator looked at the first call only, and missed skills that were taken up later."""
    events = rows("claude.jsonl")
    [index] = [
        n
        for n, event in enumerate(events)
        if event["type"] == "assistant"
        and any(block.get("name") == "Skill" for block in event["message"]["content"])
    ][:1]
    look = {"type": "tool_use", "id": "first", "name": "Bash", "input": {"command": "ls"}}
    before = {
        **events[index],
        "message": {**events[index]["message"], "id": "m0", "content": [look]},
    }
    steps, _ = claude(*events[:index], before, *events[index:])
    tools = [step.tool for step in steps if isinstance(step, Called)]
    assert tools[:2] == ["Bash", "Skill"]
    assert [step.skill for step in steps if isinstance(step, Triggered)] == ["greet"]


def codex(folder: Path, *events: dict[str, Any], conversation: str | None = None) -> Ended:
    reader = CodexReader(Rollouts(folder, folder), conversation=conversation)
    for event in events:
        list(reader.read(event, NOW))
    list(reader.rest(NOW))
    return reader.ended(WELL, NOW)


def test_a_turn_that_failed_is_no_success_whatever_the_exit_code(tmp_path: Path) -> None:
    events = rows("codex.jsonl")
    assert codex(tmp_path, *events).failure is None
    assert codex(tmp_path, *events, {"type": "turn.failed", "error": {}}).failure is not None
    assert codex(tmp_path, *events[:-1]).failure is not None


def test_a_usage_limit_is_a_limit_and_no_missing_login(tmp_path: Path) -> None:
    """Skill Runner asked the user to log in."""
    said = {
        "type": "turn.failed",
        "error": {"message": "You've hit your usage limit. Try again at 7 PM."},
    }
    assert codex(tmp_path, *rows("codex.jsonl")[:-1], said).failure is Failure.RATE_LIMIT


def test_tokens_of_earlier_turns_are_not_charged_again(tmp_path: Path) -> None:
    """After a resume its numbers tell of the whole conversation."""
    events = rows("codex.jsonl")
    first = next(event for event in events if event["type"] == "thread.started")["thread_id"]
    assert codex(tmp_path, *events).usage.input_tokens > 0
    assert codex(tmp_path, *events, conversation=first).usage.input_tokens == 0


def gemini(folder: Path, *events: dict[str, Any], code: int = 0) -> Ended:
    reader = GeminiReader("m", Sessions(folder, folder))
    for event in events:
        list(reader.read(event, NOW))
    list(reader.rest(NOW))
    exit_ = Exit(code=code, signal=None, timed_out=False, truncated=False, seconds=1, stderr="")
    return reader.ended(exit_, NOW)


@pytest.mark.parametrize(
    ("code", "failure"), [(173, Failure.RATE_LIMIT), (145, Failure.AUTH), (244, Failure.OVERLOAD)]
)
def test_an_exit_code_that_is_a_status_modulo_256_is_understood(
    tmp_path: Path, code: int, failure: Failure
) -> None:
    """429 ends with 173, 401 with 145, 500 with 244."""
    error = {"type": "unknown", "message": "[API Error: the service is sorry]"}
    said = {"type": "result", "status": "error", "error": error}
    assert gemini(tmp_path, said, code=code).failure is failure


def test_an_end_without_a_result_and_with_exit_code_0_is_no_success(tmp_path: Path) -> None:
    events = [event for event in rows("gemini.jsonl") if event["type"] != "result"]
    assert gemini(tmp_path, *events).failure is not None


def opencode(*events: dict[str, Any]) -> tuple[list[Step], Ended]:
    reader = OpencodeReader(Situation("maker/some-model"))
    return [step for event in events for step in reader.read(event, NOW)], reader.ended(WELL, NOW)


def test_an_end_in_the_middle_of_the_work_is_no_success() -> None:
    """A refused permission ends the program with 0 and without a word."""
    events = rows("opencode.jsonl")
    assert opencode(*events)[1].failure is None
    assert opencode(*events[:4])[1].failure is not None
    assert opencode()[1].failure is not None
