"""Reading what the program printed and kept once, whole and mangled."""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from whet.core.errors import UsageError
from whet.core.failure import Failure
from whet.core.step import Called, Ended, Returned, Said, Step, Triggered
from whet.core.usage import Usage
from whet.engines.codex_reader import CodexReader
from whet.engines.codex_rollout import News, Rollouts
from whet.readers.codex_items import acts, script, skills_read
from whet.shell.process import Exit

RECORDED = Path(__file__).parent / "recorded"
EVENTS = [json.loads(line) for line in (RECORDED / "codex.jsonl").read_text().splitlines()]
MAIN, SUBAGENT = (RECORDED / f"codex-{name}.jsonl" for name in ("main", "subagent"))
NOW = datetime(2026, 1, 1, tzinfo=UTC)
FINE = Exit(0, None, timed_out=False, truncated=False, seconds=1.0, stderr="")
FAILED = Exit(1, None, timed_out=False, truncated=False, seconds=1.0, stderr="")
THREADS: list[dict[str, JsonValue]] = [
    json.loads(line) for path in (MAIN, SUBAGENT) for line in path.read_text().splitlines()
]


def kept(folder: Path, thread: str, text: str) -> Path:
    path = folder / f"2026/01/01/rollout-2026-01-01T00-00-00-{thread}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def identity(path: Path) -> str:
    return str(json.loads(path.read_text().splitlines()[0])["payload"]["id"])


def told(reader: CodexReader, events: Iterable[dict[str, JsonValue]], exit_: Exit) -> list[Step]:
    steps: list[Step] = []
    for event in events:
        steps += reader.read(event, NOW)
    return [*steps, *reader.rest(NOW), reader.ended(exit_, NOW)]


def test_events_and_threads_are_joined(tmp_path: Path) -> None:
    reader = CodexReader(Rollouts(tmp_path, tmp_path))
    for path in (MAIN, SUBAGENT):
        kept(tmp_path, identity(path), path.read_text())
    steps = told(reader, EVENTS, FINE)
    ended = steps[-1]
    assert isinstance(ended, Ended)
    assert (ended.failure, ended.answer) == (None, "All done.")
    assert ended.conversation == identity(MAIN)
    assert ended.usage == Usage(
        input_tokens=668, output_tokens=85, cache_read_tokens=30, cache_write_tokens=5
    )
    assert reader.turns == 7
    assert [step.text for step in steps if isinstance(step, Said)] == [
        "I look around.",
        "All done.",
    ]
    calls = sorted((step.tool, step.parent) for step in steps if isinstance(step, Called))
    assert {tool for tool, _ in calls} == {"Bash", "Edit", "Task", "Write", "mcp__calc__add"}
    assert len(calls) == 7
    # By the prompt, and again by a command.
    assert [step.skill for step in steps if isinstance(step, Triggered)] == ["greet", "greet"]


def test_without_threads_the_events_must_do(tmp_path: Path) -> None:
    ended = told(CodexReader(Rollouts(tmp_path / "nowhere", tmp_path)), EVENTS, FINE)[-1]
    assert isinstance(ended, Ended)
    assert ended.failure is None
    assert ended.usage == Usage(
        input_tokens=650, output_tokens=80, cache_read_tokens=30, cache_write_tokens=5
    )
    going_on = CodexReader(Rollouts(tmp_path / "nowhere", tmp_path), conversation=identity(MAIN))
    ended = told(going_on, EVENTS, FINE)[-1]
    assert isinstance(ended, Ended)
    # All that is known here counts what was used before, too.
    assert ended.usage == Usage()


def test_success_needs_an_exit_code_and_a_last_word(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"

    def failure(events: Sequence[dict[str, JsonValue]], exit_: Exit) -> Failure | None:
        ended = told(CodexReader(Rollouts(nowhere, nowhere)), events, exit_)[-1]
        assert isinstance(ended, Ended)
        return ended.failure

    assert failure(EVENTS, FINE) is None
    assert failure(EVENTS, FAILED) is Failure.CRASH
    assert failure(EVENTS[:-1], FINE) is Failure.CRASH
    assert failure([*EVENTS, {"type": "turn.failed", "error": {}}], FINE) is Failure.CRASH
    late = Exit(None, 9, timed_out=True, truncated=False, seconds=1.0, stderr="")
    assert failure(EVENTS, late) is Failure.TIMEOUT


@pytest.mark.parametrize(
    ("message", "failure"),
    [
        ("You've hit your usage limit. Try again at 7 PM.", Failure.RATE_LIMIT),
        ("Selected model is at capacity. Please try a different model.", Failure.OVERLOAD),
        ("Codex ran out of room in the model's context window.", Failure.CONTEXT),
        ("Incomplete response returned, reason: content_filter", Failure.REFUSAL),
        ("stream disconnected before completion: idle timeout", Failure.NETWORK),
        ("unexpected status 401 Unauthorized: no, url: http://x", Failure.AUTH),
        ("workspace routing discovery failed", Failure.NETWORK),
        ("what is this", Failure.CRASH),
        ("", Failure.CRASH),
    ],
)
def test_words_of_the_program(tmp_path: Path, message: str, failure: Failure) -> None:
    event: dict[str, JsonValue] = {"type": "turn.failed", "error": {"message": message}}
    ended = told(CodexReader(Rollouts(tmp_path, tmp_path)), [event], FAILED)[-1]
    assert isinstance(ended, Ended)
    assert ended.failure is failure
    assert ended.error


def test_a_model_that_a_subscription_lacks(tmp_path: Path) -> None:
    said = '{"detail":"The \'o9\' model is not supported when using Codex with a ChatGPT account."}'
    event: dict[str, JsonValue] = {"type": "turn.failed", "error": {"message": said}}
    with pytest.raises(UsageError, match="codex has no model 'o9'"):
        told(CodexReader(Rollouts(tmp_path, tmp_path), "o9"), [event], FAILED)


def test_only_what_is_new_is_read_line_by_line(tmp_path: Path) -> None:
    lines = [json.dumps({"type": "t", "payload": {"n": number}}) for number in (1, 2, 3)]
    first, second, third = lines
    path = kept(tmp_path, "a" * 36, f"{first}\n")
    rollouts = Rollouts(tmp_path, tmp_path)
    assert list(rollouts.news()) == []
    with path.open("a") as file:
        file.write(f"{second}\n{third[:9]}")
    assert list(rollouts.news()) == [News("a" * 36, "t", {"n": 2})]
    assert list(rollouts.news()) == []
    with path.open("a") as file:
        file.write(f"{third[9:]}\nno sense\n")
    assert list(rollouts.news()) == [News("a" * 36, "t", {"n": 3})]
    kept(tmp_path, "b" * 36, f"{first}\n")
    assert list(rollouts.news()) == [News("b" * 36, "t", {"n": 1})]


def test_nothing_but_files_is_read(tmp_path: Path) -> None:
    elsewhere, folder = tmp_path / "elsewhere", tmp_path / "sessions"
    kept(elsewhere, "a" * 36, '{"type":"t","payload":{}}\n')
    folder.mkdir()
    rollouts = Rollouts(folder, folder)
    (folder / "folder").symlink_to(elsewhere, target_is_directory=True)
    (folder / "file.jsonl").symlink_to(next(elsewhere.rglob("*.jsonl")))
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "locked.jsonl").mkdir()
    assert list(rollouts.news()) == []


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("/bin/bash -lc 'echo \"a b\"'", 'echo "a b"'),
        ("/bin/sh -c ls", "ls"),
        (["/usr/bin/zsh", "-lc", "ls -l"], "ls -l"),
        (["ls", "a b"], "ls 'a b'"),
        ("python -c 'x'", "python -c 'x'"),
        ("broken 'quote", "broken 'quote"),
        (None, ""),
    ],
)
def test_what_a_shell_is_given_to_do(command: JsonValue, said: str) -> None:
    assert script(command) == said


def test_lists_of_things_to_do_and_searches(tmp_path: Path) -> None:
    todo: JsonValue = [{"text": "Think", "completed": False}]
    events: list[dict[str, JsonValue]] = [
        {"type": kind, "item": {"id": "i", "type": "todo_list", "items": todo}}
        for kind in ("item.started", "item.updated", "item.completed")
    ]
    search: JsonValue = {"id": "j", "type": "web_search", "query": "Zanzibar"}
    events.append({"type": "item.completed", "item": search})
    steps = told(CodexReader(Rollouts(tmp_path, tmp_path)), events, FINE)
    calls = [step for step in steps if isinstance(step, Called)]
    assert [step.tool for step in calls] == ["TodoWrite", "TodoWrite", "WebSearch"]
    assert calls[0].params == {"todos": todo}
    assert calls[2].params == {"query": "Zanzibar"}
    assert len({step.call_id for step in calls}) == 3
    assert [step.call_id for step in steps if isinstance(step, Returned)] == ["i+1", "i", "j"]


def test_several_changes_are_several_calls() -> None:
    changes: JsonValue = [{"path": "a", "kind": "add"}, {"path": "b", "kind": "delete"}, 7]
    found = acts({"type": "file_change", "changes": changes})
    assert [(act.tool, act.params, act.description) for act in found] == [
        ("Write", {"file_path": "a"}, None),
        ("Edit", {"file_path": "b"}, "delete"),
    ]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@st.composite
def mangled(draw: st.DrawFn, source: Sequence[dict[str, JsonValue]]) -> list[dict[str, JsonValue]]:
    """Recorded objects, in any order, with anything in the place of anything."""
    chosen = draw(st.lists(st.sampled_from(source), max_size=12))
    return [changed for one in chosen if isinstance(changed := _mangle(draw, one), dict)]


def _mangle(draw: st.DrawFn, value: JsonValue) -> JsonValue:
    if draw(st.integers(0, 9)) == 0:
        return draw(json_values)
    if isinstance(value, dict):
        return {key: _mangle(draw, inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_mangle(draw, inner) for inner in value]
    return value


@settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    events=st.lists(st.dictionaries(st.text(max_size=5), json_values), max_size=3)
    | mangled(EVENTS),
    threads=mangled(THREADS),
    code=st.sampled_from([0, 1, 2, None]),
)
def test_nothing_that_is_read_breaks_the_reader(
    tmp_path: Path,
    events: list[dict[str, JsonValue]],
    threads: list[dict[str, JsonValue]],
    code: int | None,
) -> None:
    reader = CodexReader(Rollouts(tmp_path, tmp_path))
    lines = "".join(f"{json.dumps(line)}\n" for line in threads)
    paths = [kept(tmp_path, identity(path), lines) for path in (MAIN, SUBAGENT)]
    exit_ = Exit(code, None, timed_out=False, truncated=False, seconds=0.1, stderr="")
    try:
        steps = told(reader, _begun(events), exit_)
    except UsageError:
        return
    finally:
        for path in paths:
            path.unlink()
    assert [isinstance(step, Ended) for step in steps].count(True) == 1
    names = {step.call_id for step in steps if isinstance(step, Called)}
    assert {step.call_id for step in steps if isinstance(step, Returned)} <= names


def _begun(events: list[dict[str, JsonValue]]) -> Iterator[dict[str, JsonValue]]:
    yield EVENTS[0]
    yield from events


def test_arguments_that_are_no_json_numbers_are_none(tmp_path: Path) -> None:
    """A session with them could not be kept."""
    reader = CodexReader(Rollouts(tmp_path, tmp_path), conversation="a" * 36)
    asked = {"type": "function_call", "call_id": "1", "name": "view_image"}
    answer = {"type": "function_call_output", "call_id": "1", "output": "no"}
    payloads = [{**asked, "arguments": '{"path": 1e999}'}, answer]
    lines = [json.dumps({"type": "response_item", "payload": payload}) for payload in payloads]
    kept(tmp_path, "a" * 36, "\n".join(lines) + "\n")
    called = [step for step in reader.rest(NOW) if isinstance(step, Called)]
    assert [call.params for call in called] == [{}]


def test_a_long_command_is_searched_for_skills_at_once() -> None:
    """Else this would take minutes, and the test its time limit."""
    assert skills_read(">" * 300_000 + " SKILL.md") == []
