"""Transcripts of Claude Code, as various versions have written them."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from tests.readers.claude_log import SESSION, Row, answer, asked, at, result, row, said, use, worked
from tests.readers.reading import READERS, codes, lines, read_one, there
from whet.core.errors import InvalidDocument
from whet.readers.discovery import candidates

RECORDED = Path(__file__).parent.parent / "engines/recorded"


def test_a_piece_of_work(tmp_path: Path) -> None:
    session, report = read_one(lines(tmp_path / f"{SESSION}.jsonl", worked()))
    assert session.session_id == SESSION
    assert (session.task_title, session.user_prompt) == ("Sharpen the knife.",) * 2
    assert (session.created_at, session.completed_at) == (at(0), at(7))
    assert (session.status, session.final_answer) == ("success", "It is sharp.")
    assert session.agent.model_id == "claude-sonnet-4-5"
    assert (session.engine, session.engine_version) == ("claude", "2.1.325")
    read, write, bash = session.tool_calls
    assert (read.call_id, read.tool_name, read.source_line) == ("c1", "Read", 2)
    assert (read.started_at, read.ended_at, read.duration_ms) == (at(1), at(2), 1000)
    assert there(read.context_contribution).summary == "first"
    assert write.input.raw_command == "Write(/w/b.txt)"
    assert (bash.output.status, bash.output.error) == ("failed", "Exit code 3")
    assert bash.input.description == "Fail"
    assert session.summary.files_created == ("/w/b.txt",)
    assert session.summary.errors_encountered == 1
    assert session.messages == ("I look.", "It is sharp.")
    assert session.messages_at == (at(1), at(7))
    assert (session.input_tokens, session.cache_read_tokens) == (40, 400)
    assert report.findings == ()
    assert (report.lines, report.tool_calls, report.sessions) == (8, 3, (SESSION,))


def test_a_message_that_comes_in_several_rows_is_counted_once(tmp_path: Path) -> None:
    first = answer(1, said("One."), use("c1", "Read", file_path="a"))
    message = first["message"]
    assert isinstance(message, dict)
    blocks = message["content"]
    assert isinstance(blocks, list)
    parts = [{**first, "message": {**message, "content": [block]}} for block in blocks]
    session, _ = read_one(lines(tmp_path / "a.jsonl", [asked(0, "Go."), *parts, result(2, "c1")]))
    assert (session.input_tokens, len(session.tool_calls)) == (10, 1)
    assert session.status == "in_progress"


def test_several_prompts_are_all_kept(tmp_path: Path) -> None:
    rows = [
        *worked(),
        asked(8, "And now?"),
        asked(9, "<local-command-stdout>ls</local-command-stdout>"),
        asked(9, "Injected.", isMeta=True),
        answer(10, said("Nothing more."), stop="end_turn"),
    ]
    session, _ = read_one(lines(tmp_path / "a.jsonl", rows))
    prompts = [(each.at, each.text) for each in there(session.prompts)]
    assert prompts == [(at(0), "Sharpen the knife."), (at(8), "And now?")]
    assert session.final_answer == "Nothing more."


@pytest.mark.parametrize(
    ("last", "status", "error"),
    [
        (answer(9, said("Done."), stop="end_turn"), "success", None),
        (answer(9, said("Done."), stop=None), "success", None),
        (answer(9, use("c9", "Read", file_path="a")), "in_progress", None),
        (asked(9, "More?"), "in_progress", None),
        (asked(9, "[Request interrupted by user]"), "failed", "interrupted by the user"),
        (
            answer(9, said("I ca"), stop="max_tokens"),
            "failed",
            "the model's answer was cut off at its limit of tokens",
        ),
        (
            answer(9, said("API Error: 529"), stop=None, isApiErrorMessage=True),
            "failed",
            "API Error: 529",
        ),
    ],
)
def test_how_it_ended(
    tmp_path: Path, last: dict[str, object], status: str, error: str | None
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in [*worked(), last]))
    session, _ = read_one(path)
    assert (session.status, session.error) == (status, error)


def test_a_call_that_never_came_back(tmp_path: Path) -> None:
    rows = [asked(0, "Go."), answer(1, use("c1", "Bash", command="sleep 9")), asked(5, "Still?")]
    session, report = read_one(lines(tmp_path / "a.jsonl", rows))
    [call] = session.tool_calls
    assert (call.output.status, call.duration_ms) == ("failed", 4000)
    assert session.status == "in_progress"
    assert codes(report) == {"result"}


def test_skills_by_call_and_by_prompt(tmp_path: Path) -> None:
    rows = [
        asked(0, "/greet bob"),
        answer(1, use("c1", "Skill", skill="sharpen"), attributionSkill="greet"),
        result(2, "c1", told={"success": True, "commandName": "sharpen"}),
        answer(3, use("c2", "Skill", skill="none")),
        result(4, "c2", "Unknown skill", error=True),
        answer(5, said("Hi."), stop="end_turn"),
    ]
    session, _ = read_one(lines(tmp_path / "a.jsonl", rows))
    assert session.skills_used == ("greet", "sharpen")


TASK = answer(1, use("t1", "Agent", prompt="Look below.", subagent_type="Explore"))
BELOW = [
    asked(2, "Look below.", isSidechain=True, agentId="ag1"),
    answer(3, said("below"), use("b1", "Grep", pattern="x"), isSidechain=True, agentId="ag1"),
    result(4, "b1", "found", isSidechain=True, agentId="ag1"),
]
BACK = result(
    6,
    "t1",
    [{"type": "text", "text": "It is there."}],
    told={"agentId": "ag1", "agentType": "Explore", "totalTokens": 99, "totalToolUseCount": 1},
)
ENDED = answer(7, said("Done."), stop="end_turn")


def linked(path: Path) -> set[str]:
    session, report = read_one(path)
    task, below = session.tool_calls
    assert (task.tool_name, below.tool_name) == ("Task", "Grep")
    assert below.parent_call_id == "t1"
    info = there(task.subagent_info)
    assert (info.subagent_type, info.tool_uses, info.tokens_used) == ("Explore", 1, 99)
    assert session.messages == ("Done.",)
    assert session.user_prompt == "Go."
    assert session.input_tokens == 30
    return codes(report)


def test_subagents_in_files_of_their_own(tmp_path: Path) -> None:
    path = lines(tmp_path / f"{SESSION}.jsonl", [asked(0, "Go."), TASK, BACK, ENDED])
    folder = tmp_path / SESSION / "subagents"
    lines(folder / "agent-ag1.jsonl", BELOW)
    (folder / "agent-ag1.meta.json").write_text('{"agentType": "Explore", "toolUseId": "t1"}')
    assert linked(path) == set()
    assert [each.path for each in candidates(tmp_path, READERS)] == [path]


def test_a_subagent_that_is_still_at_work_is_known_by_its_description(tmp_path: Path) -> None:
    path = lines(tmp_path / f"{SESSION}.jsonl", [asked(0, "Go."), TASK])
    lines(tmp_path / SESSION / "subagents" / "agent-ag1.jsonl", BELOW)
    meta = path.with_suffix("") / "subagents" / "agent-ag1.meta.json"
    meta.write_text('{"agentType": "Explore", "toolUseId": "t1"}')
    session, _ = read_one(path)
    assert [call.parent_call_id for call in session.tool_calls] == [None, "t1"]


def test_subagents_in_files_beside_it(tmp_path: Path) -> None:
    path = lines(tmp_path / f"{SESSION}.jsonl", [asked(0, "Go."), TASK, BACK, ENDED])
    lines(tmp_path / "agent-ag1.jsonl", BELOW)
    assert linked(path) == set()
    assert [each.path for each in candidates(tmp_path, READERS)] == [path]


def test_subagents_between_the_other_rows(tmp_path: Path) -> None:
    inside = [{**each, "agentId": None} for each in BELOW]
    for before, after in pairwise(inside):
        after["parentUuid"] = before["uuid"]
    path = lines(tmp_path / "a.jsonl", [asked(0, "Go."), TASK, *inside, BACK, ENDED])
    assert linked(path) == {"subagent_prompt"}


def test_a_subagent_of_nobody_knows_whom(tmp_path: Path) -> None:
    lost = [asked(2, "Other.", isSidechain=True), *BELOW[1:]]
    path = lines(tmp_path / "a.jsonl", [asked(0, "Go."), TASK, *lost, ENDED])
    session, report = read_one(path)
    assert [call.parent_call_id for call in session.tool_calls] == [None, None]
    assert "parent_call" in codes(report)


def test_the_file_of_a_subagent_for_itself(tmp_path: Path) -> None:
    path = lines(tmp_path / "agent-ag1.jsonl", BELOW)
    session, _ = read_one(path)
    assert session.user_prompt == "Look below."
    assert [call.tool_name for call in session.tool_calls] == ["Grep"]
    assert [each.path for each in candidates(tmp_path, READERS)] == [path]


def test_a_subagents_name_leads_nowhere_else(tmp_path: Path) -> None:
    evil = result(6, "t1", told={"agentId": "../../secret/x"})
    path = lines(tmp_path / "p" / "a.jsonl", [asked(0, "Go."), TASK, evil, ENDED])
    lines(tmp_path / "secret/x.jsonl", BELOW)
    lines(tmp_path / "p" / "agent-" / ".." / ".." / "secret" / "x.jsonl", BELOW)
    session, _ = read_one(path)
    assert len(session.tool_calls) == 1


def test_links_among_subagents_are_not_followed(tmp_path: Path) -> None:
    path = lines(tmp_path / f"{SESSION}.jsonl", [asked(0, "Go."), TASK, BACK, ENDED])
    elsewhere = lines(tmp_path / "elsewhere/other.jsonl", BELOW)
    folder = tmp_path / SESSION / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-ag1.jsonl").symlink_to(elsewhere)
    session, _ = read_one(path)
    assert len(session.tool_calls) == 1


def test_rows_that_are_there_twice(tmp_path: Path) -> None:
    again = result(9, "c1", "again")
    session, report = read_one(lines(tmp_path / "a.jsonl", [*worked(), worked()[1], again]))
    assert len(session.tool_calls) == 3
    content = there(session.tool_calls[0].output.result).to_data()
    assert content == {"display": "Read 2 lines", "content": "first\nsecond"}
    assert codes(report) == {"repeated_call", "repeated_result"}


def test_two_calls_with_one_name(tmp_path: Path) -> None:
    other = [answer(9, use("c1", "Read", file_path="/other")), result(10, "c1", "other")]
    session, report = read_one(lines(tmp_path / "a.jsonl", [*worked(), *other]))
    assert [call.call_id for call in session.tool_calls] == ["c1", "c2", "c3", "c1~2"]
    other = there(session.tool_calls[3].output.result).to_data()
    assert other == {"display": "Read 1 line", "content": "other"}
    assert codes(report) == {"same_call_id"}


def test_a_result_before_its_call_and_one_without(tmp_path: Path) -> None:
    rows = worked()
    rows[1], rows[2] = rows[2], rows[1]
    session, report = read_one(lines(tmp_path / "a.jsonl", [*rows, result(9, "c99")]))
    read = next(call for call in session.tool_calls if call.call_id == "c1")
    assert read.output.status == "success"
    assert codes(report) == {"result_without_call"}


def test_a_clock_that_goes_back(tmp_path: Path) -> None:
    rows = [asked(0, "Go."), answer(5, use("c1", "Read", file_path="a")), result(3, "c1")]
    session, report = read_one(lines(tmp_path / "a.jsonl", rows))
    [call] = session.tool_calls
    assert (call.started_at, call.ended_at, call.duration_ms) == (at(5), at(5), 0)
    assert codes(report) == {"times"}


def test_rows_of_another_session_and_of_unknown_types(tmp_path: Path) -> None:
    rows = [
        *worked(),
        {**answer(9, said("More."), stop="end_turn"), "sessionId": "other"},
        row("user", 10, {}) | {"type": "brand-new"},
        {"type": "custom-title", "customTitle": "My title", "sessionId": SESSION},
    ]
    session, report = read_one(lines(tmp_path / "a.jsonl", rows))
    assert (session.session_id, session.task_title) == (SESSION, "My title")
    assert codes(report) == {"other_session", "unknown_row"}


def test_tools_that_ran_where_the_model_is(tmp_path: Path) -> None:
    search: Row = {
        "type": "server_tool_use",
        "id": "s1",
        "name": "web_search",
        "input": {"query": "q"},
    }
    found: Row = {
        "type": "web_search_tool_result",
        "tool_use_id": "s1",
        "content": [{"title": "A page", "url": "there"}],
    }
    rows = [asked(0, "Go."), answer(1, search, found, said("So."), stop="end_turn")]
    session, _ = read_one(lines(tmp_path / "a.jsonl", rows))
    [call] = session.tool_calls
    assert (call.tool_name, call.tool_category) == ("WebSearch", "perception")
    assert there(call.output.result).to_data() == {
        "display": "A page",
        "content": "A page",
    }


def test_what_the_program_prints() -> None:
    session, report = read_one(RECORDED / "claude.jsonl")
    assert [call.tool_name for call in session.tool_calls] == ["Skill", "Task", "Bash", "Bash"]
    assert session.tool_calls[2].parent_call_id == session.tool_calls[1].call_id
    assert (session.status, session.final_answer) == ("success", "main done")
    assert session.timing_quality == "guessed"
    assert codes(report) == {"time", "user_prompt"}


def test_a_long_output_is_cut_as_in_sessions_of_our_own(tmp_path: Path) -> None:
    rows = [
        asked(0, "Go."),
        answer(1, use("c1", "Bash", command="x")),
        result(2, "c1", "y" * 20_000),
    ]
    session, _ = read_one(lines(tmp_path / "a.jsonl", rows))
    [call] = session.tool_calls
    assert call.output.truncated is True
    assert len(str(there(call.output.result).to_data())) < 17_000


def test_escapes_stay_in_texts_and_out_of_titles(tmp_path: Path) -> None:
    prompt = "\x1b[31mred\x1b[0m <b>bold</b>\x07\nmore"
    session, _ = read_one(lines(tmp_path / "a.jsonl", [asked(0, prompt), *worked()[1:]]))
    assert session.user_prompt == prompt
    assert session.task_title.isprintable()


def test_a_log_without_any_conversation_is_refused(tmp_path: Path) -> None:
    path = lines(tmp_path / "a.jsonl", [{"type": "summary", "summary": "x", "leafUuid": "y"}])
    with pytest.raises(InvalidDocument, match="line 1, column 1: there is no session in it"):
        read_one(path)
