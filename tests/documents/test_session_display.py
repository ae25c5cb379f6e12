"""What a call shows on one line, for tools of all agents."""

import pytest
from pydantic import JsonValue

from whet.documents.session_display import CONTRIBUTIONS, LONGEST, display, is_cut, raw_command

CLAUDE = "1\tfirst\n2\tsecond\n3\t"
OPENCODE = (
    "<path>/w/a.txt</path>\n<type>file</type>\n<content>\n1: first\n2: second\n\n"
    "(End of file - total 2 lines)\n</content>"
)


@pytest.mark.parametrize(
    ("tool", "params", "output", "shown"),
    [
        ("Read", {}, "first\nsecond\n", "Read 2 lines"),
        ("Read", {}, CLAUDE, "Read 2 lines"),
        ("Read", {}, "     1\u2192first", "Read 1 line"),
        ("Read", {}, OPENCODE, "Read 2 lines"),
        ("Read", {}, "1\tis a line\nof the file", "Read 2 lines"),
        ("Read", {}, "", None),
        ("Write", {"content": "a\nb\nc"}, "done", "Wrote 3 lines"),
        ("Write", {"content": ""}, "done", "Wrote 0 lines"),
        ("Write", {"file_path": "/w/src/a.py"}, "", "Wrote a.py"),
        ("Edit", {"file_path": "a.py", "old_string": "x"}, "ok", "Edited a.py"),
        ("Grep", {"pattern": "x"}, "a.py\nb.py\n", "Found 2 lines"),
        ("Grep", {"pattern": "x"}, "Found 2 files\na.py\nb.py", "Found 2 files"),
        ("Glob", {"pattern": "x"}, "No files found", "No files found"),
        ("Bash", {"command": "wc"}, "1870\n", "1870"),
        ("Bash", {"command": "true"}, "", None),
        ("Bash", {"command": "yes"}, "y" * 500, "y" * (LONGEST - 1) + "\u2026"),
        ("Read", {}, "<persisted-output>\nOutput too large", "<persisted-output>"),
    ],
)
def test_one_line(tool: str, params: dict[str, JsonValue], output: str, shown: str | None) -> None:
    assert display(tool, params, output) == shown


@pytest.mark.parametrize(
    ("tool", "params", "shown"),
    [
        ("Bash", {"command": "make all"}, "$ make all"),
        ("Read", {"file_path": "a.txt"}, "Read(a.txt)"),
        ("Grep", {"pattern": "x", "path": "src"}, "Grep(x)"),
        ("LS", {"path": "src"}, "LS(src)"),
        ("WebFetch", {"url": "http://a", "prompt": "p"}, "WebFetch(http://a)"),
        ("WebSearch", {"query": "q"}, "WebSearch(q)"),
        ("Skill", {"skill": "pdf"}, "Skill(pdf)"),
        ("Task", {"description": "look", "prompt": "long"}, "Task(look)"),
        ("TodoWrite", {"todos": []}, None),
        ("Read", {"file_path": {"strange": 1}}, None),
    ],
)
def test_how_a_call_looks_in_a_terminal(
    tool: str, params: dict[str, JsonValue], shown: str | None
) -> None:
    assert raw_command(tool, params) == shown


@pytest.mark.parametrize(
    "output",
    [
        "<persisted-output>\nOutput too large (42.9KB). Full output saved to: x",
        "...output truncated...\n\nFull output saved to: x",
        "a\n... [12 lines truncated] ...\nb",
        "a\n[... omitted 5 of 9 lines ...]\nb",
    ],
)
def test_an_agent_that_saw_only_part_of_an_output_says_so(output: str) -> None:
    assert is_cut(output)
    assert not is_cut("he wrote: " + output.splitlines()[0])


def test_what_an_agent_learns_is_one_of_four() -> None:
    kinds = {"file_content", "search_result", "command_output", "knowledge"}
    assert set(CONTRIBUTIONS.values()) == kinds
