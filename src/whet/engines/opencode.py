"""Opencode."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from shutil import rmtree, which

from pydantic import JsonValue

from whet.core.errors import EngineFailure, EnvironmentProblem, UsageError
from whet.core.failure import Failure
from whet.core.text import storable
from whet.engines.agent_cli.credential import Credential
from whet.engines.agent_cli.engine import CliEngine
from whet.engines.agent_cli.skill import place_package
from whet.engines.agent_cli.task import Launch, Task
from whet.engines.opencode_access import (
    CUSTOM,
    Access,
    accesses,
    asked_of,
    kept,
    moved_to,
    places,
    provider_variables,
)
from whet.engines.opencode_plugin import PLUGIN
from whet.engines.opencode_reader import OpencodeReader, Situation
from whet.engines.opencode_tools import hidden, permission
from whet.ports.inspected import Inspection

_CONFIG = ".config/opencode"
_REPLIES = "replies"
_QUIET = {
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_CLAUDE_CODE": "1",
    "OPENCODE_DISABLE_EMBEDDED_WEB_UI": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
    "OPENCODE_DISABLE_SHARE": "1",
    "OPENCODE_DISABLE_TERMINAL_TITLE": "1",
    "OPENCODE_EXPERIMENTAL_DISABLE_FILEWATCHER": "1",
    # Otherwise every folder above the working folder is searched, up to the root.
    "OPENCODE_DISABLE_EXTERNAL_SKILLS": "1",
    "OPENCODE_DISABLE_PROJECT_CONFIG": "1",
}
# The program takes this for what it would otherwise fetch from a registry at every start.
_INSTALLED = {"packages": {"": {"dependencies": {"@opencode-ai/plugin": "*"}}}}
_FIX = "install ripgrep"
_RIPGREP = f"opencode needs rg on the PATH to load skills; {_FIX}"


class OpencodeEngine(CliEngine):
    """``opencode run``, with a plugin of ours that tells what it keeps to itself.

    A model is ``provider/model``; one without a provider that is known is asked for at
    ``OPENAI_BASE_URL``. Its cost is known for models in opencode's own list only. Neither the
    case's files nor folders above bring configuration, instructions or skills of their own.

    Tools that a trial allows are the program's own. ``Skill`` is among them whenever a package
    is tried out, and MCP servers that a trial names keep all their tools. Where a provider is
    only known to opencode itself, its host must be among ``allow_hosts``.
    """

    name = "opencode"
    install = "npm install -g opencode-ai"
    log_in = "set the key of your provider (ANTHROPIC_API_KEY, ...) or run: opencode auth login"
    abilities = frozenset(
        {"resume", "structured", "interactive", "subagents", "mcp", "tools", "cost", "skills"}
    )
    own_tools = frozenset(
        {
            *("Bash", "Edit", "Glob", "Grep", "Read", "Write"),
            *("Skill", "Task", "TodoWrite", "WebFetch"),
        }
    )
    own_variables = ("OPENCODE_*", *provider_variables())
    needs = ("rg",)

    def credentials(self) -> Sequence[Credential]:
        """See the base."""
        return tuple(accesses(self.machine))

    def credential(self, model: str | None = None) -> Access:
        """The one for the provider of the model; raises ``EngineFailure`` or ``UsageError``."""
        provider = None if model is None else asked_of(self.machine, model)[0]
        for access in accesses(self.machine):
            if provider in (None, access.provider):
                return access
        known = kept(self.machine)
        lack = "the login has expired" if provider in known else "no credential"
        if provider is None:
            lack = self.lack()
        place = f" for {provider}" if provider else ""
        raise EngineFailure(Failure.AUTH, f"opencode: {lack}{place}; {self.log_in}")

    def lack(self) -> str:
        """See the base."""
        return "the login has expired" if kept(self.machine) else "no credential"

    def endpoints(self, credential: Credential, /) -> tuple[str, ...]:
        """See the base."""
        return places(self.machine, credential) if isinstance(credential, Access) else ()

    def inspect(self) -> Inspection:
        """See the port."""
        # At an address of the user's own nobody knows which models there are.
        own = bool(self.machine.environment.get("OPENAI_BASE_URL"))
        found = replace(super().inspect(), has_default_model=not own)
        if found.problem is None and not self._has_ripgrep():
            return replace(found, problem="rg is missing: no skill can be loaded", fix=_FIX)
        return found

    def prepare(self, task: Task) -> Launch:
        """See the base."""
        if task.skills and not self._has_ripgrep():
            raise EnvironmentProblem(_RIPGREP)
        access = self.credential(task.model)
        place_package(task.spec, task.workdir, task.home.folder / _CONFIG / "skills")
        if task.instructions is not None:
            task.home.write(f"{_CONFIG}/AGENTS.md", task.instructions)
        (task.home.folder / _CONFIG / "node_modules").mkdir(parents=True, exist_ok=True)
        task.home.write(f"{_CONFIG}/package-lock.json", json.dumps(_INSTALLED))
        plugin = task.home.write("whet/plugin.js", PLUGIN)
        config = {**self._config(task, access), "plugin": [[str(plugin), _settings(task)]]}
        task.home.write(f"{_CONFIG}/opencode.json", json.dumps(config))
        login_plugins = {} if access.is_login else {"OPENCODE_DISABLE_DEFAULT_PLUGINS": "1"}
        return Launch(
            arguments=(*self._arguments(task), *task.options.extra_flags),
            environment={**_QUIET, **login_plugins},
            # As an argument it would come in quotation marks.
            stdin=storable(task.spec.stimulus.prompt),
            input_ends=True,
        )

    def reader(self, task: Task) -> OpencodeReader:
        """See the base."""
        return OpencodeReader(
            Situation(
                model=task.spec.model,
                skill=task.skill,
                neighbours=task.neighbours,
                servers=tuple(task.options.mcp_servers),
                structured=task.options.output_schema is not None,
                priced=self.credential(task.model).provider != CUSTOM,
                replies=_replies(task),
                root=task.workdir.root,
            )
        )

    def _has_ripgrep(self) -> bool:
        return which("rg", path=self._path) is not None

    def _arguments(self, task: Task) -> list[str]:
        # With a title nobody asks the model for one.
        arguments = ["run", "--format", "json", "--title", "task"]
        if task.model is not None:
            arguments += ["--model", "/".join(asked_of(self.machine, task.model))]
        if task.conversation is not None:
            arguments += ["--session", task.conversation]
        return arguments

    def _config(self, task: Task, access: Access) -> dict[str, JsonValue]:
        options = task.options
        allowed = options.allowed_tools
        if allowed is not None and task.skills:
            # A skill that cannot be loaded could not be measured.
            allowed = (*allowed, "Skill")
        return {
            "autoupdate": False,
            "share": "disabled",
            "snapshot": False,
            "enabled_providers": [access.provider],
            "provider": self._provider(task, access.provider),
            "permission": permission(allowed, options.mcp_servers),
            "mcp": {name: _server(server) for name, server in options.mcp_servers.items()},
        }

    def _provider(self, task: Task, provider: str) -> dict[str, JsonValue]:
        url = moved_to(self.machine, provider)
        if url is None:
            return {}
        if provider != CUSTOM:
            return {provider: {"options": {"baseURL": url}}}
        if task.model is None:
            raise UsageError("opencode needs the name of a model at OPENAI_BASE_URL")
        _, model = asked_of(self.machine, task.model)
        package = "@ai-sdk/openai-compatible"
        return {provider: {"npm": package, "options": {"baseURL": url}, "models": {model: {}}}}


def _settings(task: Task) -> dict[str, JsonValue]:
    """What our plugin is to do."""
    settings: dict[str, JsonValue] = {"hidden": [*hidden(task.options.allowed_tools)]}
    if task.options.output_schema is not None:
        settings["schema"] = task.options.output_schema
    if task.answerer is not None:
        folder = _replies(task)
        rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        settings["replies"] = str(folder)
    return settings


def _replies(task: Task) -> Path:
    return task.home.folder / "whet" / _REPLIES


def _server(server: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """An MCP server in the words of opencode."""
    if "url" in server:
        return {"type": "remote", **server}
    arguments = server.get("args")
    command = [server.get("command"), *(arguments if isinstance(arguments, list) else [])]
    return {"type": "local", "command": command, "environment": server.get("env") or {}}
