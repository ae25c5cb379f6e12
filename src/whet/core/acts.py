"""What kind of act a tool call is, by the canonical name of the tool."""

import re
from collections.abc import Mapping

from pydantic import JsonValue

_CATEGORIES = {
    "perception": (
        "Read Glob Grep LS LSP NotebookRead WebSearch WebFetch Skill ListMcpResources "
        "ReadMcpResource ListMcpResourcesTool ReadMcpResourceTool ToolSearch"
    ),
    "action": "Write Edit MultiEdit NotebookEdit Bash EnterWorktree ExitWorktree ptc",
    "interaction": (
        "Task Agent Workflow AskUserQuestion SendMessage ReportFindings StructuredOutput "
        "final_response"
    ),
    "planning": "EnterPlanMode ExitPlanMode",
    "task_management": (
        "TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop TodoWrite TodoRead "
        "BashOutput KillShell ListAgents Monitor ScheduleWakeup CronCreate CronDelete CronList "
        "list_background_processes update_topic complete_task"
    ),
}
_BY_TOOL = {tool: kind for kind, tools in _CATEGORIES.items() for tool in tools.split()}

_QUERY = re.compile(
    r"\s*(?:(?:ls|cat|head|tail|wc|[ef]?grep|rg|find|pwd|which|file|stat|du|df|tree|printenv|date|"
    r"nl|cut|tr|jq|diff|cmp|comm|od|strings|id|whoami|uname|hostname|nproc|ps|md5sum|sha\d+sum|"
    r"basename|dirname|realpath|readlink|cd|echo|true|"
    r"git\s+(?:status|log|diff|show|blame|grep|ls-files|ls-tree|rev-parse|describe|shortlog)|"
    # Of what these can do only the plainest is known to write nothing.
    r"sed\s+-n\s+(?:'[\d,$]+p'|\"[\d,]+p\"|[\d,]+p)|sort(?!.*\s(?:-\w*o|--o))|uniq(?=\s*$)|"
    r"\S+\s+--version)(?!\S)|"
    r"(?:env|git\s+branch(?:\s+-[arv]+)*|git\s+remote(?:\s+-v)?)\s*$)"
)
_HARMLESS = re.compile(r"\d?>\s*/dev/null|\d?>&\d")
_CHANGES = re.compile(
    r"[>`]|[$<]\(|\b(?:tee|xargs)\b|-(?:delete|exec|execdir|ok|okdir|fprint\w*)\b|\bsed\s+-i|"
    r"--output\b"
)


def is_known(tool: str) -> bool:
    """Whether the category of a tool is by its name, and no guess."""
    return tool in _BY_TOOL


def category(tool: str, params: Mapping[str, JsonValue]) -> str:
    """The category of a call. An unknown tool (also one of an MCP server) is an action."""
    if tool == "Bash" and is_query(str(params.get("command", ""))):
        return "perception"
    return _BY_TOOL.get(tool, "action")


def is_query(command: str) -> bool:
    """Whether a shell command only looks: every part of it reads and none writes."""
    quiet = _HARMLESS.sub("", command)
    if _CHANGES.search(quiet):
        return False
    return all(_QUERY.match(part) for part in re.split(r"\|\||&&|[;|&\n]", quiet))
