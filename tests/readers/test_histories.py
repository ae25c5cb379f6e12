"""Real agents do a piece of work; what they keep of it themselves is read as what was seen."""

import asyncio
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.engines.driving import SUBJECTS, Run, bench
from tests.readers.reading import READERS, codes, read_one
from whet.core.instant import iso
from whet.documents.session import Session, ToolCall
from whet.documents.session_import import ImportReport
from whet.ports.machine import Machine
from whet.readers.discovery import Candidate, candidates, histories
from whet.run.session import SessionFold
from whet.run.workdir import Kept
from whet.testing import mcp_server
from whet.testing.model_server import Conversation, NativeCall, Script, Tokens, Turn
from whet.testing.model_server import ToolCall as Wanted

pytestmark = pytest.mark.slow

GREET = "---\nname: greet\ndescription: Greets in the manner of Zanzibar\n---\nSay hello.\n"
CODEX_MODEL = "a-model-of-our-own"
NO_FILES = Kept({}, created=(), modified=(), cut=False)

# How each program is asked for the tool of an MCP server. What opencode keeps does not tell the
# server from the tool.
SUMS: dict[str, Wanted] = {
    "claude": Wanted(tool="mcp__sums__add", arguments={"a": 1, "b": 2}),
    "gemini": Wanted(tool="mcp_sums_add", arguments={"a": 1, "b": 2}),
    "codex": Wanted(
        tool="add",
        native={
            "responses": NativeCall(tool="add", namespace="mcp__sums", arguments={"a": 1, "b": 2})
        },
    ),
}


def wanted(action: str, **arguments: JsonValue) -> Wanted:
    return Wanted.model_validate({"action": action, "arguments": arguments})


def script(name: str) -> Script:
    sums = (SUMS[name],) if name in SUMS else ()
    skill = wanted("skill", name="greet")
    if name == "codex":
        skill = wanted("shell", command='cat "$CODEX_HOME/skills/greet/SKILL.md"')
    return Script(
        conversations=(
            Conversation(
                marker="THE-WORK",
                turns=(
                    Turn(
                        text=("Let me ", "see."),
                        calls=(
                            wanted("write", path="a.txt", content="written\n"),
                            wanted("shell", command="echo '<b>out</b>'; exit 3"),
                        ),
                    ),
                    Turn(calls=(skill,)),
                    Turn(calls=(wanted("read", path="a.txt"), *sums)),
                    Turn(calls=(wanted("read", path="missing.txt"),)),
                    Turn(calls=(wanted("agent", prompt="Do THE-PART.", description="A part"),)),
                    Turn(calls=(wanted("shell", command="printf '\\033[31mred' && sleep 0.3"),)),
                    Turn(text="All is done.", usage=Tokens(input=30, output=5, cache_read=7)),
                ),
            ),
            Conversation(
                marker="THE-PART",
                turns=(
                    Turn(
                        text="The part.",
                        calls=(wanted("shell", command="echo part"),),
                        usage=Tokens(input=7, output=3),
                    ),
                    Turn(text="The part is done.", usage=Tokens(input=9, output=4)),
                ),
            ),
        )
    )


@dataclass(frozen=True)
class Both:
    """What our recorder saw of a run, and what the agent's own history says of it."""

    name: str
    run: Run
    seen: Session
    found: tuple[Candidate, ...]
    read: Session
    report: ImportReport


@pytest.fixture(scope="module", params=SUBJECTS, ids=lambda subject: subject.name)
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Generator[Both]:
    subject = request.param
    with bench(tmp_path_factory.mktemp(subject.name), script(subject.name)) as made:
        agent = subject.engine(made)
        spec = made.spec(
            agent,
            "THE-WORK: do it.",
            model=CODEX_MODEL if subject.name == "codex" else subject.model,
            skill=made.package({"SKILL.md": GREET}, "greet"),
            mcp_servers={"sums": mcp_server.as_option()} if subject.name in SUMS else {},
        )
        with made.workdir(spec) as workdir:
            run = asyncio.run(made.conversed(agent, spec, workdir))
            fold = SessionFold(spec, simulated=False, started_at=iso(run.steps[0].at))
            for step in run.steps:
                fold.add(step)
            seen = Session.parse(fold.log(iso(run.ended.at), NO_FILES), "seen")
            [(_, place)] = histories(Machine({}, workdir.root / "home"))
            found = candidates(place, READERS)
            read, report = read_one(found[0].path)
            yield Both(subject.name, run, seen, found, read, report)


def of(session: Session, told: Callable[[ToolCall], object]) -> list[object]:
    return [told(call) for call in session.tool_calls]


def test_the_history_is_found_by_the_place_and_its_content(both: Both) -> None:
    [one] = both.found
    expected = "opencode-database" if both.name == "opencode" else both.name
    assert one.format == expected
    assert both.read.source_file == one.path.name


def test_the_same_tools_are_called_in_the_same_order(both: Both) -> None:
    assert of(both.read, lambda call: call.tool_name) == both.run.tools
    assert len(both.read.tool_calls) >= 7


def test_with_the_same_inputs(both: Both) -> None:
    for read, seen in zip(both.read.tool_calls, both.seen.tool_calls, strict=True):
        # A history may know more: codex does not print what it writes into a file.
        assert seen.input.params.items() <= read.input.params.items()
        if both.name != "codex":
            assert read.input == seen.input


def test_and_come_back_in_the_same_way(both: Both) -> None:
    status = of(both.read, lambda call: call.output.status)
    assert status == of(both.seen, lambda call: call.output.status)
    assert {"success", "failed"} <= set(status)


def test_with_the_same_outputs(both: Both) -> None:
    """Codex prints the outputs of commands only, and Gemini nothing of a subagent's."""

    def is_told(call: ToolCall) -> bool:
        return call.parent_call_id is None and (both.name != "codex" or call.tool_name == "Bash")

    read, seen = (
        [call.output for call in session.tool_calls if is_told(call)]
        for session in (both.read, both.seen)
    )
    assert len(read) >= 4
    assert read == seen


def test_calls_of_subagents_belong_to_the_call_that_started_them(both: Both) -> None:
    def parents(session: Session) -> list[str | None]:
        names = {call.call_id: call.tool_name for call in session.tool_calls}
        return [names.get(call.parent_call_id or "") for call in session.tool_calls]

    assert parents(both.read) == parents(both.seen)
    assert parents(both.read).count("Task") == 1
    [task] = [call for call in both.read.tool_calls if call.tool_name == "Task"]
    assert task.subagent_info is not None
    assert task.subagent_info.tool_uses == 1


def test_times_are_those_of_the_run(both: Both) -> None:
    for read, seen in zip(both.read.tool_calls, both.seen.tool_calls, strict=True):
        assert both.read.created_at <= read.started_at <= read.ended_at <= both.read.completed_at
        # By the same clock, so never far from when it was seen.
        assert read.started_at[:17] == seen.started_at[:17] or read.started_at < seen.started_at
    starts = [call.started_at for call in both.read.tool_calls]
    assert starts == sorted(starts)
    # Codex begins to count when a command is under way.
    assert both.read.tool_calls[-1].duration_ms >= (50 if both.name == "codex" else 300)
    assert both.read.timing_quality == "recorded"


def test_all_else_is_the_same_too(both: Both) -> None:
    read, seen = both.read, both.seen
    assert read.user_prompt == "THE-WORK: do it."
    assert read.messages == seen.messages == ("Let me see.", "All is done.")
    assert read.final_answer == seen.final_answer
    assert read.status == seen.status == "success"
    assert read.skills_used == seen.skills_used == ("greet",)
    assert (read.input_tokens, read.output_tokens) == (seen.input_tokens, seen.output_tokens)
    assert read.cost_usd == seen.cost_usd
    assert read.cache_read_tokens == 7
    assert [Path(name).name for name in read.summary.files_created] == ["a.txt"]
    assert read.engine == seen.engine
    assert read.engine_version in (seen.engine_version, None)
    assert read.agent.model_id == seen.agent.model_id


def test_nothing_had_to_be_guessed(both: Both) -> None:
    assert codes(both.report) == set()
