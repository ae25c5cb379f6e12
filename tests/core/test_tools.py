"""The names of tools."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from whet.core.tools import (
    ALIASES,
    BUILTIN,
    FINAL,
    PLANNED,
    PTC,
    canonical,
    canonical_arguments,
    is_builtin,
    missing,
)
from whet.readers import gemini_names, opencode_names


@pytest.mark.parametrize(
    ("name", "shared"),
    [
        ("Read", "Read"),
        ("read", "Read"),
        ("READ_FILE", "Read"),
        ("读取文件", "Read"),
        ("写入文件", "Write"),
        ("replace", "Edit"),
        ("应用补丁", "Edit"),
        ("MultiEdit", "Edit"),
        ("列出文件", "LS"),
        ("搜索内容", "Grep"),
        ("grep_search", "Grep"),
        ("执行命令", "Bash"),
        ("exec_command", "Bash"),
        ("技能调用", "Skill"),
        ("activate_skill", "Skill"),
        ("programmatic_tool_call", PTC),
        ("最终回复", FINAL),
        ("mcp__notes__lookup", "notes@lookup"),
        ("mcp__my__server__tool", "my@server__tool"),
        ("notes@lookup", "notes@lookup"),
        (" notes@lookup ", "notes@lookup"),
        ("mcp__broken", "mcp__broken"),
        ("mcp____", "mcp____"),
        ("something else", "something else"),
        ("", ""),
    ],
)
def test_shared_names(name: str, shared: str) -> None:
    assert canonical(name) == shared


@given(st.text())
def test_a_shared_name_is_its_own(name: str) -> None:
    once = canonical(name)
    assert canonical(once) == once


def test_no_two_tables_contradict_each_other() -> None:
    seen: dict[str, str] = {}
    for table in ALIASES.values():
        for alias, name in table.items():
            assert seen.setdefault(alias.casefold(), name) == name
            assert name in BUILTIN
    assert set(PLANNED.values()) <= set(BUILTIN)


def test_engines_name_their_tools_alike() -> None:
    for alias, name in ALIASES["gemini"].items():
        assert canonical(gemini_names.canonical(alias, ())) == name
    for alias, name in ALIASES["opencode"].items():
        assert canonical(opencode_names.canonical(alias, ())) == name
    theirs = gemini_names.canonical("mcp_notes_lookup", ["notes"])
    assert canonical(theirs) == "notes@lookup"
    assert canonical(opencode_names.canonical("notes_add", ["notes"])) == "notes@add"


@pytest.mark.parametrize(
    ("tool", "given", "shared"),
    [
        ("Read", {"path": "a"}, {"file_path": "a"}),
        ("Read", {"path": "a", "file_path": "b"}, {"path": "a", "file_path": "b"}),
        ("Bash", {"cmd": "ls"}, {"command": "ls"}),
        ("LS", {"path": "a"}, {"path": "a"}),
        ("notes@lookup", {"path": "a"}, {"path": "a"}),
    ],
)
def test_shared_arguments(tool: str, given: JsonValue, shared: JsonValue) -> None:
    assert isinstance(given, dict)
    assert canonical_arguments(tool, given) == shared


@pytest.mark.parametrize(
    ("names", "tools", "lacking"),
    [
        (["read_file", "写入文件"], {"Read", "Write"}, ()),
        (["read_file", "search"], {"read"}, ("Grep",)),
        (["notes@lookup"], {"notes@*"}, ()),
        (["notes@lookup"], {"mcp__notes__lookup"}, ()),
        (["notes@lookup"], {"notes@add", "other@*"}, ("notes@lookup",)),
        (["skill@pdf"], {"skill@*", "Skill"}, ("skill@pdf",)),
        (["skill@pdf"], {"skill@pdf"}, ()),
        ([FINAL], set[str](), ()),
        ([PTC], {"Bash"}, (PTC,)),
        (["Read", "Bash"], None, ()),
        ([PTC, "notes@lookup", "skill@x", "unheard_of"], None,
         ("notes@lookup", PTC, "skill@x", "unheard_of")),
    ],
)  # fmt: skip
def test_what_is_missing(names: list[str], tools: set[str] | None, lacking: tuple[str]) -> None:
    assert missing(names, None if tools is None else frozenset(tools)) == lacking


def test_builtin() -> None:
    assert is_builtin("读取文件")
    assert not is_builtin("notes@lookup")
