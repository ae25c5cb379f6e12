"""The configuration of Codex: what is said in it, and how TOML says it."""

import json
from pathlib import Path
from typing import cast

from pydantic import JsonValue

from whet.core.errors import EnvironmentProblem, UsageError
from whet.documents.files import temporary_folder
from whet.engines.agent_cli.options import AgentOptions
from whet.engines.agent_cli.task import Task
from whet.shell.report import report

CONFIG = ".codex"
"""The program's folder below the home."""

PROVIDER = "whet"
KEY = "CODEX_API_KEY"
OPENAI = "https://api.openai.com/v1"
WRITABLE = (".cache", ".config", ".local")
"""What commands may write below the home besides the working folder, as they do elsewhere."""

_SECONDS = 60.0
_BY_SHELL = {"Read", "Glob", "Grep", "Skill"}
_known: dict[tuple[str, int, int], str] = {}


def configuration(task: Task, base_url: str | None) -> dict[str, JsonValue]:
    """Everything that does not come from the program's own defaults."""
    config: dict[str, JsonValue] = {
        "model_provider": PROVIDER,
        "model_providers": {PROVIDER: _provider(base_url)},
        "check_for_update_on_startup": False,
        "analytics": {"enabled": False},
        "feedback": {"enabled": False},
        "history": {"persistence": "none"},
        "cli_auth_credentials_store": "file",
        "approval_policy": "never",
        # No folder above the working folder belongs to the project, whatever lies there.
        "project_root_markers": [],
        # A login shell would set another PATH than the machine's.
        "allow_login_shell": False,
        "shell_environment_policy": {
            "inherit": "all",
            "ignore_default_excludes": True,
            "exclude": [KEY],
        },
        "web_search": "cached",
        "features": {
            # Both would bring along what the user has elsewhere, over the network.
            "plugins": False,
            "apps": False,
            # Waits for ever for a network that is not there.
            "unbounded_connection_retries": False,
            "enable_request_compression": False,
        },
        **_sandbox(task),
    }
    if task.model is not None:
        config["model"] = task.model
    if task.options.compact_tokens is not None:
        config["model_auto_compact_token_limit"] = task.options.compact_tokens
    if task.options.mcp_servers:
        config["mcp_servers"] = _servers(task.options)
    return config


def _provider(base_url: str | None) -> JsonValue:
    """A provider of our own, since nobody can change the retries of the built-in one.

    Under the name of OpenAI the program treats it as its own. With a URL it asks nobody else,
    not even for a list of models.
    """
    provider: dict[str, JsonValue] = {
        "name": "OpenAI" if base_url in (None, OPENAI) else PROVIDER,
        "wire_api": "responses",
        "requires_openai_auth": True,
        "request_max_retries": 0,
        "stream_max_retries": 1,
    }
    return provider if base_url is None else {**provider, "base_url": base_url}


def _sandbox(task: Task) -> dict[str, JsonValue]:
    """The program's own sandbox is the second line where there is no first.

    Inside one of ours it stays off. It is no use there, it needs namespaces that ours may not
    give (Landlock forbids them), and without them no command runs at all.
    """
    if task.spec.sandbox != "none":
        return {"sandbox_mode": "danger-full-access"}
    return {
        "sandbox_mode": "workspace-write",
        "sandbox_workspace_write": {
            "writable_roots": [str(task.home.folder / name) for name in WRITABLE],
            "exclude_slash_tmp": True,
        },
    }


def _servers(options: AgentOptions) -> JsonValue:
    """Nobody is there to approve calls, and a trial without its tools would prove nothing."""
    more: dict[str, JsonValue] = {
        "default_tools_approval_mode": "approve",
        "required": True,
        "startup_timeout_sec": _SECONDS,
    }
    return {name: {**server, **more} for name, server in options.mcp_servers.items()}


def confine_tools(config: dict[str, JsonValue], task: Task, program: Path, path: str) -> None:
    """Take away all tools that a trial does not allow; raises ``UsageError``.

    Some come with features, others with the model: those go by a catalogue of models.
    """
    if task.options.allowed_tools is None:
        return
    allowed = set(task.options.allowed_tools)
    if "Bash" not in allowed and (task.skills or allowed & _BY_SHELL):
        raise UsageError("codex reads files and skills with its shell only: allow Bash, too")
    agents, patches = bool(allowed & {"Task", "Agent"}), bool(allowed & {"Write", "Edit"})
    features = {
        "shell_tool": "Bash" in allowed,
        "view_image": "Read" in allowed,
        "goals": "TodoWrite" in allowed,
        "multi_agent": agents,
        "image_generation": False,
        "sleep_tool": False,
        "tool_suggest": False,
    }
    config["features"] = {**cast("dict[str, JsonValue]", config["features"]), **features}
    if "WebSearch" not in allowed:
        config["web_search"] = "disabled"
    if not (agents and patches):
        text = _catalogue(_models(program, path), agents=agents, patches=patches)
        config["model_catalog_json"] = str(task.home.write(f"{CONFIG}/models.json", text))


def _catalogue(text: str, *, agents: bool, patches: bool) -> str:
    try:
        catalogue = json.loads(text)
        for model in catalogue["models"]:
            if not agents:
                model["multi_agent_version"] = None
            if not patches:
                model["apply_patch_tool_type"] = None
    except (ValueError, TypeError, KeyError) as error:
        raise EnvironmentProblem("codex debug models gives no list of models") from error
    return json.dumps(catalogue)


def _models(program: Path, path: str) -> str:
    """What the program knows of its models; asked once as long as its file stays the same."""
    state = program.stat()
    key = (str(program.resolve()), state.st_mtime_ns, state.st_size)
    if key not in _known:
        with temporary_folder() as home:
            environment = {"PATH": path, "HOME": str(home), "CODEX_HOME": str(home)}
            _known[key] = report((str(program), "debug", "models"), environment, _SECONDS)
    return _known[key]


def document(config: dict[str, JsonValue]) -> str:
    """A whole TOML document, with one line for each key."""
    return "".join(f"{_quoted(key)} = {toml(value)}\n" for key, value in config.items())


def toml(value: JsonValue) -> str:
    """A value in TOML, on one line; TOML has no null, so what is null is left out."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _quoted(value)
        case int() | float():
            return repr(value)
        case list():
            return f"[{', '.join(toml(item) for item in value if item is not None)}]"
        case dict():
            pairs = [f"{_quoted(k)} = {toml(v)}" for k, v in value.items() if v is not None]
            return f"{{{', '.join(pairs)}}}"
        case None:
            raise ValueError("TOML has no null")


def _quoted(text: str) -> str:
    """JSON's strings are TOML's, but for one control character and half characters."""
    whole = text.encode("utf-8", "replace").decode()
    return json.dumps(whole, ensure_ascii=False).replace("\x7f", "\\u007f")
