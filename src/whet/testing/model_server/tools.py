"""Actions in the words of the agents: each has its own tools and names of arguments."""

import json
import shlex
from collections.abc import Callable, Mapping

from whet.testing.model_server.call import Action, NativeCall, ToolCall, WireName
from whet.testing.model_server.wire import Offered

Arguments = Mapping[str, str]


def put(call: ToolCall, wire: WireName, offered: Offered) -> NativeCall:
    """The call as the client understands it, by the tools that its request offers."""
    if wire in call.native:
        return call.native[wire]
    if call.action is None:
        return NativeCall(tool=call.tool or "", arguments=call.arguments)
    words = {key: value for key, value in call.arguments.items() if isinstance(value, str)}
    candidates = _CANDIDATES[wire](call.action, words)
    return next((one for one in candidates if _fits(one, offered)), candidates[0])


def _fits(call: NativeCall, offered: Offered) -> bool:
    known = offered.get(call.tool)
    return known is not None and (not known or call.arguments.keys() <= known)


def _call(tool: str, **arguments: str | bool) -> NativeCall:
    return NativeCall(tool=tool, arguments={**arguments})


def _claude(action: Action, given: Arguments) -> list[NativeCall]:
    match action:
        case "shell":
            return [_call("Bash", command=given["command"], description=_about(given))]
        case "write":
            return [_call("Write", file_path=given["path"], content=given["content"])]
        case "read":
            return [_call("Read", file_path=given["path"])]
        case "skill":
            args = {"args": given["args"]} if "args" in given else {}
            return [_call("Skill", skill=given["name"], **args)]
        case "agent":
            task = {"description": _about(given), "prompt": given["prompt"]}
            kind = given.get("kind", "general-purpose")
            return [
                _call("Agent", **task, subagent_type=kind, run_in_background=False),
                _call("Agent", **task, subagent_type=kind),
                _call("Task", **task, subagent_type=kind),
            ]


def _codex(action: Action, given: Arguments) -> list[NativeCall]:
    match action:
        case "shell":
            return _codex_shell(given["command"])
        case "write":
            patch = _patch(given["path"], given["content"])
            tool = NativeCall(tool="apply_patch", input=patch, custom=True)
            return [tool, *_codex_shell(f"apply_patch <<'EOF'\n{patch}\nEOF\n")]
        case "read":
            return _codex_shell(f"cat {shlex.quote(given['path'])}")
        case "skill":
            # Codex has no tool for skills: the model reads the file.
            path = f".agents/skills/{given['name']}/SKILL.md"
            return _codex_shell(f"cat {shlex.quote(path)}")
        case "agent":
            spawn = _call("spawn_agent", message=given["prompt"])
            return [spawn.model_copy(update={"namespace": "multi_agent_v1"})]


def _codex_shell(command: str) -> list[NativeCall]:
    """Some models of codex have a tool for commands, others only one for JavaScript."""
    words = json.dumps({"cmd": command})
    code = f"const r = await tools.exec_command({words}); text(JSON.stringify(r));"
    return [
        _call("exec_command", cmd=command),
        NativeCall(tool="exec", input=code, custom=True),
    ]


def _patch(path: str, content: str) -> str:
    """A patch that adds a file; codex ends it with a newline in any case."""
    lines = "\n".join(f"+{line}" for line in content.removesuffix("\n").split("\n"))
    return f"*** Begin Patch\n*** Add File: {path}\n{lines}\n*** End Patch"


def _chat_agents(action: Action, given: Arguments) -> list[NativeCall]:
    """Opencode, then qwen-code."""
    match action:
        case "shell":
            words = {"command": given["command"], "description": _about(given)}
            return [
                _call("bash", **words),
                _call("run_shell_command", **words, is_background=False),
            ]
        case "write":
            path, content = given["path"], given["content"]
            return [
                _call("write", filePath=path, content=content),
                _call("write_file", file_path=path, content=content),
            ]
        case "read":
            return [
                _call("read", filePath=given["path"]),
                _call("read_file", file_path=given["path"]),
            ]
        case "skill":
            return [_call("skill", name=given["name"]), _call("skill", skill=given["name"])]
        case "agent":
            task = {"description": _about(given), "prompt": given["prompt"]}
            return [
                _call("task", **task, subagent_type=given.get("kind", "general")),
                _call("agent", **task, subagent_type=given.get("kind", "general-purpose")),
            ]


def _gemini(action: Action, given: Arguments) -> list[NativeCall]:
    match action:
        case "shell":
            words = {"command": given["command"], "description": _about(given)}
            return [_call("run_shell_command", **words)]
        case "write":
            return [_call("write_file", file_path=given["path"], content=given["content"])]
        case "read":
            return [_call("read_file", file_path=given["path"])]
        case "skill":
            return [_call("activate_skill", name=given["name"])]
        case "agent":
            name = given.get("kind", "generalist")
            return [_call("invoke_agent", agent_name=name, prompt=given["prompt"])]


def _about(given: Arguments) -> str:
    return given.get("description", "As the script says")


_CANDIDATES: dict[WireName, Callable[[Action, Arguments], list[NativeCall]]] = {
    "anthropic": _claude,
    "responses": _codex,
    "chat": _chat_agents,
    "gemini": _gemini,
}
