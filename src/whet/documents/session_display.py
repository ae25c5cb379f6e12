"""What a call shows on one line, and what it leaves in the agent's mind, by its tool."""

import re
from collections.abc import Mapping

from pydantic import JsonValue

LONGEST = 120
_MOST_LOOKED_AT = 4_000_000

CONTRIBUTIONS = {
    "Read": "file_content",
    "NotebookRead": "file_content",
    "Grep": "search_result",
    "Glob": "search_result",
    "LS": "search_result",
    "LSP": "search_result",
    "ToolSearch": "search_result",
    "WebSearch": "search_result",
    "Bash": "command_output",
    "BashOutput": "command_output",
    "Skill": "knowledge",
    "WebFetch": "knowledge",
    "Task": "knowledge",
    "TaskOutput": "knowledge",
    "AskUserQuestion": "knowledge",
    "ReadMcpResource": "knowledge",
    "ReadMcpResourceTool": "knowledge",
}
"""What the agent learns from a call that succeeds."""

_SUBJECTS = (
    "file_path",
    "notebook_path",
    "pattern",
    "path",
    "url",
    "query",
    "skill",
    "description",
)

_CUT = re.compile(
    r"\A<persisted-output>|"
    r"\A\.\.\.output truncated\.\.\.|"
    r"\AOutput too large\. Showing|"
    r"(?m:^(?:\.\.\. \[\d+ (?:lines|characters) truncated\] \.\.\.|"
    r"\[\.\.\. omitted \d+ of \d+ lines \.\.\.\]|"
    r"\[\d+ characters omitted\])$)"
)
"""How agents say that they were shown only part of an output."""

_STARTS = ("<persisted-output>", "Output too large")
_MOST_SEARCHED = 200_000

_NUMBERED = re.compile(r"\s*\d+(?:→|\t|: |\| )")
_WRAPPED = re.compile(r"<(?:content|file)>\n(.*?)\n*</(?:content|file)>", re.DOTALL)
_NOTE = re.compile(r"\n*\((?:End of file|File has more lines).*\Z", re.DOTALL)


def head(text: str, most: int = LONGEST) -> str:
    """The first line of *text*, cut off where it is too long."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= most else line[: most - 1] + "…"


def is_cut(output: str) -> bool:
    """Whether the agent itself was shown only part of an output."""
    # Nearly none of them is, and looking for two words takes no time.
    if not ("truncated" in output or "omitted" in output or output.startswith(_STARTS)):
        return False
    return bool(_CUT.search(output[:_MOST_SEARCHED]))


def raw_command(tool: str, params: Mapping[str, JsonValue]) -> str | None:
    """How a call looks in a terminal."""
    if tool == "Bash":
        return f"$ {params.get('command', '')}"
    subject = next((params[name] for name in _SUBJECTS if params.get(name) is not None), None)
    return f"{tool}({subject})" if isinstance(subject, str | int | float) else None


def display(tool: str, params: Mapping[str, JsonValue], output: str) -> str | None:
    """A call that succeeded on one line; None where there is nothing to show. A number stands
    there only where it can be known."""
    if len(output) > _MOST_LOOKED_AT or is_cut(output):
        return head(output[: 4 * LONGEST]) or None
    match tool:
        case "Read":
            return _lines("Read", _read(output)) if output else None
        case "Write" if isinstance(content := params.get("content"), str):
            return _lines("Wrote", len(content.splitlines()))
        case "Write" | "Edit" if isinstance(path := params.get("file_path"), str):
            return f"{'Wrote' if tool == 'Write' else 'Edited'} {path.rpartition('/')[2]}"[:LONGEST]
        case "Glob" | "Grep" | "LS" if "\n" in output.strip():
            first = head(output)
            return first if first.startswith("Found ") else _lines("Found", _count(output))
        case _:
            return head(output) or None


def _lines(what: str, count: int) -> str:
    return f"{what} {count} line{'' if count == 1 else 's'}"


def _count(output: str) -> int:
    return len(output.strip("\n").splitlines())


def _read(output: str) -> int:
    """The lines of a file that was read, as the agent was shown them: numbered, or in a frame."""
    framed = _WRAPPED.search(output)
    shown = _NOTE.sub("", framed[1]) if framed else output
    rows = shown.splitlines()
    if not all(map(_NUMBERED.match, rows)):
        return len(rows)
    # Some agents number the nothing behind the last line break too.
    is_nothing = bool(rows) and not _NUMBERED.sub("", rows[-1], count=1)
    return len(rows) - is_nothing
