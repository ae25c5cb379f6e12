"""The names of tools: one that all engines share, and whatever else they are called.

The shared name is the one that sessions have: ``Read``, ``Write``, ``Edit``, ``LS``, ``Grep``,
``Bash``, … A tool of an MCP server is ``server@tool``; a skill that an agent was given is
``skill@name``.
"""

from collections.abc import Iterable, Mapping

from pydantic import JsonValue

FINAL = "final_response"
"""Not a tool of any program: called whenever the agent ends by itself with an answer."""

PTC = "ptc"
"""Calls of tools out of a program that the model writes; few agents have it."""

ANY = "*"
"""As the tool of a server: all that it has."""

SKILL = "skill@"
"""Before the name of a skill that an agent was given."""

BUILTIN = (
    "Read",
    "Write",
    "Edit",
    "LS",
    "Glob",
    "Grep",
    "Bash",
    "BashOutput",
    "KillShell",
    "NotebookEdit",
    "LSP",
    "WebFetch",
    "WebSearch",
    "Skill",
    "Task",
    "TaskOutput",
    "TaskStop",
    "SendMessage",
    "TodoRead",
    "TodoWrite",
    "AskUserQuestion",
    PTC,
    FINAL,
)
"""Tools that agents come with, by their shared names."""

PLANNED: Mapping[str, str] = {
    "read": "Read",
    "write": "Write",
    "edit": "Edit",
    "replace": "Edit",
    "search": "Grep",
    "list": "LS",
    "execute_command": "Bash",
    PTC: PTC,
    FINAL: FINAL,
}
"""The tools that a set of cases should touch, and their shared names."""

ALIASES: Mapping[str, Mapping[str, str]] = {
    "capability": {
        **PLANNED,
        "read_file": "Read",
        "write_file": "Write",
        "edit_file": "Edit",
        "replace_text": "Edit",
        "apply_patch": "Edit",
        "search_content": "Grep",
        "list_files": "LS",
        "skill_call": "Skill",
        "skill_get": "Skill",
        "programmatic_tool_call": PTC,
        "final_reply": FINAL,
        "final_answer": FINAL,
        "读取文件": "Read",
        "写入文件": "Write",
        "编辑文件": "Edit",
        "替换文本": "Edit",
        "应用补丁": "Edit",
        "搜索内容": "Grep",
        "列出文件": "LS",
        "执行命令": "Bash",
        "技能调用": "Skill",
        "最终回复": FINAL,
    },
    "claude": {"MultiEdit": "Edit", "Agent": "Task"},
    "codex": {
        "shell": "Bash",
        "exec_command": "Bash",
        "local_shell": "Bash",
        "apply_patch": "Edit",
        "view_image": "Read",
        "write_stdin": "BashOutput",
        "update_plan": "TodoWrite",
        "request_user_input": "AskUserQuestion",
        "spawn_agent": "Task",
        "wait_agent": "TaskOutput",
        "send_input": "SendMessage",
        "send_message": "SendMessage",
        "close_agent": "TaskStop",
    },
    "gemini": {
        "read_file": "Read",
        "read_many_files": "Read",
        "write_file": "Write",
        "replace": "Edit",
        "run_shell_command": "Bash",
        "read_background_output": "BashOutput",
        "list_directory": "LS",
        "glob": "Glob",
        "grep_search": "Grep",
        "search_file_content": "Grep",
        "web_fetch": "WebFetch",
        "google_web_search": "WebSearch",
        "activate_skill": "Skill",
        "invoke_agent": "Task",
        "write_todos": "TodoWrite",
        "ask_user": "AskUserQuestion",
    },
    "opencode": {
        "apply_patch": "Edit",
        "bash": "Bash",
        "codesearch": "WebSearch",
        "edit": "Edit",
        "glob": "Glob",
        "grep": "Grep",
        "list": "LS",
        "lsp": "LSP",
        "multiedit": "Edit",
        "patch": "Edit",
        "question": "AskUserQuestion",
        "read": "Read",
        "skill": "Skill",
        "task": "Task",
        "todoread": "TodoRead",
        "todowrite": "TodoWrite",
        "webfetch": "WebFetch",
        "websearch": "WebSearch",
        "write": "Write",
    },
}
"""Other names, by who uses them: an engine, or sets of capability cases."""

_SHARED = {name.casefold(): name for name in BUILTIN} | {
    alias.casefold(): name for aliases in ALIASES.values() for alias, name in aliases.items()
}

_PATH = {"path": "file_path", "absolute_path": "file_path", "filePath": "file_path"}
_FOLDER = {"dir_path": "path"}
_ARGUMENTS: Mapping[str, Mapping[str, str]] = {
    "Read": _PATH,
    "Write": {**_PATH, "text": "content"},
    "Edit": {
        **_PATH,
        "oldString": "old_string",
        "newString": "new_string",
        "replaceAll": "replace_all",
    },
    "LS": _FOLDER,
    "Glob": _FOLDER,
    "Grep": {**_FOLDER, "query": "pattern"},
    "Bash": {"cmd": "command", "content": "command"},
    "Skill": {"name": "skill"},
}

PATHS = ("file_path", "path")
"""Arguments that name a file or a folder, by their shared names."""


def canonical(name: str) -> str:
    """The name that all engines share; an unknown one stays as it is."""
    plain = name.strip()
    if plain.startswith("mcp__"):
        server, joint, tool = plain.removeprefix("mcp__").partition("__")
        return f"{server}@{tool}" if server and joint and tool else plain
    if "@" in plain:
        return plain
    return _SHARED.get(plain.casefold(), plain)


def canonical_arguments(tool: str, given: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The arguments of a call of the tool that has this shared name, by their shared names.

    One that stands there under its shared name already is not overwritten.
    """
    names = _ARGUMENTS.get(tool, {})
    renamed = {name: names.get(name, name) for name in given}
    return {
        name if new != name and new in given else new: given[name] for name, new in renamed.items()
    }


def is_builtin(name: str) -> bool:
    """Whether it is a tool that some agent comes with."""
    return canonical(name) in BUILTIN


def missing(names: Iterable[str], tools: frozenset[str] | None) -> tuple[str, ...]:
    """Those of *names* that are not among *tools*, by their shared names, sorted.

    ``server@*`` among the tools stands for all of that server. None means that nobody knows: then
    an agent is thought to have every builtin tool but ``ptc``, and no others.
    """
    wanted = {canonical(name) for name in names}
    if tools is None:
        return tuple(sorted(one for one in wanted if one not in BUILTIN or one == PTC))
    there = {canonical(tool) for tool in tools} | {FINAL}
    return tuple(sorted(one for one in wanted if not ({one, _all_of(one)} & there)))


def _all_of(tool: str) -> str:
    """``server@*`` for a tool of a server, else the tool."""
    server, at, _ = tool.partition("@")
    return f"{server}@{ANY}" if at and not tool.startswith(SKILL) else tool
