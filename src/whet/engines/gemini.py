"""Gemini CLI."""

import json
import time
from collections.abc import Sequence

from pydantic import JsonValue

from whet.core.errors import UsageError
from whet.core.text import storable
from whet.engines.agent_cli.credential import Credential, from_environment, login, strings
from whet.engines.agent_cli.engine import CliEngine
from whet.engines.agent_cli.network import address_of
from whet.engines.agent_cli.skill import place_package
from whet.engines.agent_cli.task import Launch, Task
from whet.engines.gemini_reader import GeminiReader
from whet.engines.gemini_sessions import Sessions
from whet.engines.gemini_tools import native

_CONFIG = ".gemini"
_DEFAULT_MODEL = "pro"
_KEY = "GEMINI_API_KEY"
_VERTEX_KEY = "GOOGLE_API_KEY"
_VERTEX = "GOOGLE_GENAI_USE_VERTEXAI"
_LOGIN = f"{_CONFIG}/oauth_creds.json"
_ACCOUNTS = f"{_CONFIG}/google_accounts.json"
_PROJECT = ("GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_PROJECT_ID", "GOOGLE_CLOUD_LOCATION")
_MARGIN = 60
"""Seconds of life that a login must have left to be worth a start."""

_MOST_INPUT = 8 * 1024 * 1024
"""Bytes of a prompt; the program cuts a longer one off without a word."""

_NO_COMMAND = "\u200b"
"""A space of no width. After white space a command would be none either, but the program forgets
such a message when the conversation goes on."""

_BLOCKING = """\
delete process.env.NODE_OPTIONS;
for (const stream of [process.stdout, process.stderr]) stream._handle?.setBlocking?.(true);
"""
"""Runs before the program. What the program has not got rid of when it exits is lost, its result
above all: it must wait until its output is taken."""

# By the source of the credential: what the program calls it, whose variable says where the
# model is, and where it is by default.
_SERVICES = {
    _KEY: (
        "gemini-api-key",
        "GOOGLE_GEMINI_BASE_URL",
        "https://generativelanguage.googleapis.com",
    ),
    _VERTEX_KEY: ("vertex-ai", "GOOGLE_VERTEX_BASE_URL", "https://aiplatform.googleapis.com"),
    _LOGIN: ("oauth-personal", "CODE_ASSIST_ENDPOINT", "https://cloudcode-pa.googleapis.com"),
}
_TOKENS = "https://oauth2.googleapis.com"
"""Where a login is checked and renewed."""


class GeminiEngine(CliEngine):
    """``gemini`` with its prompt on the standard input.

    Left to itself the program asks another model which one to take, anew for every prompt. So its
    default is here the model that it calls ``pro``, and ``auto`` is refused. It can neither be
    answered nor be bound to a JSON Schema, and does not know what it costs.

    A prompt is never a command of the program, but a path after ``@`` is replaced by the content
    of that file of the case, if there is one. Skills without a name and a description in their
    front matter are not offered to the model. ``Skill`` is among the tools whenever a package is
    tried out, and MCP servers that a trial names keep all their tools.

    Credentials: ``GEMINI_API_KEY``; ``GOOGLE_API_KEY`` if ``GOOGLE_GENAI_USE_VERTEXAI`` is true;
    the login with Google, whose tokens do not change when they are used in two places.
    """

    name = "gemini"
    install = "npm install -g @google/gemini-cli"
    log_in = "set GEMINI_API_KEY, or log in with: gemini"
    abilities = frozenset({"resume", "subagents", "mcp", "tools", "skills"})
    own_tools = frozenset(
        {
            *("Bash", "BashOutput", "Edit", "Glob", "Grep", "LS", "Read", "Write"),
            *("Skill", "Task", "TodoWrite", "WebFetch", "WebSearch"),
            *("list_background_processes", "update_topic"),
        }
    )
    own_variables = (
        *("GEMINI_*", "CODE_ASSIST_*", "GOOGLE_GEMINI_*", "GOOGLE_VERTEX_*", "GOOGLE_GENAI_*"),
        *("GOOGLE_CLOUD_*", "GOOGLE_APPLICATION_CREDENTIALS", _VERTEX_KEY, "NO_BROWSER"),
    )

    def credentials(self) -> Sequence[Credential]:
        """See the base."""
        found = (from_environment(self.machine, _KEY), self._vertex(), self._google())
        return [credential for credential in found if credential is not None]

    def lack(self) -> str:
        """See the base."""
        there = login(self.machine.home / _LOGIN)
        return "no credential" if there is None else "the login has expired"

    def endpoints(self, credential: Credential) -> tuple[str, ...]:
        """See the base."""
        _, variable, default = _SERVICES[credential.source]
        model = address_of(self.machine.environment.get(variable) or default)
        return (model, address_of(_TOKENS)) if credential.source == _LOGIN else (model,)

    def prepare(self, task: Task) -> Launch:
        """See the base."""
        source = self.credential().source
        method, variable, _ = _SERVICES[source]
        config = task.home.folder / _CONFIG
        place_package(task.spec, task.workdir, config / "skills")
        if task.instructions is not None:
            task.home.write(f"{_CONFIG}/GEMINI.md", task.instructions)
        task.home.write(f"{_CONFIG}/settings.json", json.dumps(_settings(task, method)))
        blocking = task.home.write(f"{_CONFIG}/blocking.cjs", _BLOCKING)
        if task.conversation is None:
            # The program takes variables from the first such file in a folder above the work.
            (task.workdir.root / _CONFIG).mkdir()
            (task.workdir.root / _CONFIG / ".env").touch()
        given = self.machine.environment
        return Launch(
            arguments=_arguments(task),
            environment={
                "NODE_OPTIONS": f"--require {json.dumps(str(blocking))}",
                # It would start itself a second time, for a larger heap that nobody needs here.
                "GEMINI_CLI_NO_RELAUNCH": "true",
                "GEMINI_CLI_SYSTEM_SETTINGS_PATH": str(config / "no-system-settings.json"),
                "GEMINI_CLI_SYSTEM_DEFAULTS_PATH": str(config / "no-system-defaults.json"),
                # A login that does not work fails at once instead of waiting for a browser.
                "NO_BROWSER": "true",
                **({variable: given[variable]} if variable in given else {}),
            },
            stdin=_input(task.spec.stimulus.prompt),
        )

    def reader(self, task: Task) -> GeminiReader:
        """See the base."""
        sessions = Sessions(task.home.folder / _CONFIG / "tmp", task.workdir.root)
        return GeminiReader(task.spec.model, sessions, tuple(task.options.mcp_servers))

    def _vertex(self) -> Credential | None:
        given = self.machine.environment
        key = given.get(_VERTEX_KEY)
        if not key or given.get(_VERTEX, "").lower() not in ("1", "true"):
            return None
        environment = {_VERTEX_KEY: key, _VERTEX: "true", **self._project()}
        return Credential(_VERTEX_KEY, environment=environment, secrets=(key,))

    def _google(self) -> Credential | None:
        """The login as it is: tokens of Google stay valid when another program renews them."""
        kept = login(self.machine.home / _LOGIN)
        if not isinstance(kept, dict) or not _lives(kept):
            return None
        files = {_LOGIN: json.dumps(kept)}
        # Without it the program would look the account up.
        if isinstance(accounts := login(self.machine.home / _ACCOUNTS), dict):
            files[_ACCOUNTS] = json.dumps(accounts)
        secrets = tuple(strings({**kept, "scope": None}))
        return Credential(_LOGIN, environment=self._project(), files=files, secrets=secrets)

    def _project(self) -> dict[str, str]:
        """The project that the credential is charged to; some logins do not work without."""
        given = self.machine.environment
        return {name: given[name] for name in _PROJECT if given.get(name)}


def _lives(kept: dict[str, JsonValue]) -> bool:
    if isinstance(renewal := kept.get("refresh_token"), str) and renewal:
        return True
    token, expires = kept.get("access_token"), kept.get("expiry_date")
    if not isinstance(token, str) or not token:
        return False
    return not isinstance(expires, int | float) or expires / 1000 > time.time() + _MARGIN


def _arguments(task: Task) -> tuple[str, ...]:
    model = task.model if task.model is not None else _DEFAULT_MODEL
    if not model or model.startswith(("auto", "-")):
        raise UsageError(f"gemini needs the name of a model, like gemini-2.5-pro, not {model!r}")
    arguments = ["-m", model, "-o", "stream-json", "-y", "--skip-trust"]
    if task.conversation is not None:
        arguments += ["--resume", task.conversation]
    return (*arguments, *task.options.extra_flags)


def _input(prompt: str) -> str:
    text = storable(prompt)
    if len(text.encode()) > _MOST_INPUT:
        raise UsageError("the prompt is too long for gemini, which takes up to 8 MiB")
    return _NO_COMMAND + text if text.lstrip().startswith(("/", "?")) else text


def _settings(task: Task, method: str) -> dict[str, JsonValue]:
    options = task.options
    tools: dict[str, JsonValue] = {}
    if options.allowed_tools is not None:
        # A skill that cannot be loaded could not be measured.
        allowed = (*options.allowed_tools, *(["Skill"] if task.skills else []))
        tools["core"] = native(allowed, options.mcp_servers)
    return {
        "security": {"auth": {"selectedType": method}},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "general": {
            "enableAutoUpdate": False,
            "enableAutoUpdateNotification": False,
            # Whole trials are tried again.
            "maxAttempts": 1,
            "retryFetchErrors": False,
            # Nobody is there to agree to a plan, and planning changes the model.
            "plan": {"enabled": False, "modelRouting": False},
        },
        "model": {"maxSessionTurns": options.max_turns or -1},
        # Nothing of the folders above the work; a word after "@" is no search for files.
        "context": {
            "memoryBoundaryMarkers": [],
            "fileFiltering": {"enableRecursiveFileSearch": False},
        },
        "advanced": {"ignoreLocalEnv": True},
        "tools": tools,
        "mcpServers": {name: _server(server) for name, server in options.mcp_servers.items()},
    }


def _server(given: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Under ``url`` the program expects the older of the two protocols over HTTP."""
    server = {name: value for name, value in given.items() if name not in ("type", "url")}
    if "url" in given:
        server["url" if given.get("type") == "sse" else "httpUrl"] = given["url"]
    return {**server, "trust": True}
