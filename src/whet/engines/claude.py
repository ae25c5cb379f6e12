"""Claude Code."""

import json
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue

from whet.core.errors import UsageError
from whet.core.text import storable
from whet.engines.agent_cli.credential import Credential, from_environment, login
from whet.engines.agent_cli.engine import CliEngine
from whet.engines.agent_cli.network import address_of
from whet.engines.agent_cli.options import AgentOptions, checked
from whet.engines.agent_cli.skill import place_package
from whet.engines.agent_cli.task import Launch, Task
from whet.engines.claude_reader import ClaudeReader

_CONFIG = ".claude"
_MODEL = "https://api.anthropic.com"
_VARIABLES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")
_MARGIN = 60
"""Seconds of life that a login must have left to be worth a start."""

_LEAST_WINDOW = 100_000

_LISTS = ("TaskCreate", "TaskGet", "TaskList", "TaskUpdate")
"""What newer versions have instead of ``TodoWrite``."""

_LATENT = frozenset({"Glob", "Grep"})
"""There only when they are asked for: the program searches with its shell otherwise."""

_QUIET = {
    # Besides updates and telemetry this leaves out requests for titles and the like.
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    # A login of claude.ai would bring the user's own connectors along.
    "ENABLE_CLAUDEAI_MCP_SERVERS": "false",
    # Whole trials are tried again; the program itself would do so for many minutes.
    "CLAUDE_CODE_MAX_RETRIES": "1",
    # MCP servers are there before the model is asked for the first time.
    "MCP_CONNECTION_NONBLOCKING": "0",
    # Lets root allow everything; what the agent may do is our sandbox's business.
    "IS_SANDBOX": "1",
}


class ClaudeEngine(CliEngine):
    """``claude -p``.

    Only the user's level of configuration is read, which is the agent's fresh home. So neither
    the case's files nor folders above bring settings, hooks, instructions or skills of their
    own. A prompt is never a command of the program, unless it calls a skill by its name.

    Tools that a trial allows are the program's own. ``Skill`` is among them whenever a package
    is tried out, and MCP servers that a trial names keep all their tools.
    """

    name = "claude"
    install = "npm install -g @anthropic-ai/claude-code"
    log_in = "set ANTHROPIC_API_KEY or log in with: claude auth login"
    abilities = frozenset(
        {
            *("resume", "structured", "interactive", "subagents", "mcp", "tools"),
            *("cost", "skills", "compact"),
        }
    )

    own_tools = frozenset(
        {
            *("Bash", "Edit", "NotebookEdit", "Read", "Write", "WebFetch", "WebSearch"),
            *("Skill", "Task", "TaskStop", *_LISTS, "SendMessage", "ListAgents", "Workflow"),
            *("CronCreate", "CronDelete", "CronList", "Monitor", "ScheduleWakeup"),
            *("EnterWorktree", "ExitWorktree", "ReportFindings", "ToolSearch"),
        }
    )

    own_variables = ("ANTHROPIC_*", "CLAUDE_*", *_QUIET)

    def tools(self, options: Mapping[str, JsonValue]) -> Sequence[str]:
        """See the base."""
        allowed = checked(AgentOptions, options, self.name).allowed_tools or ()
        more = _LATENT & set(allowed)
        lists = _LISTS if "TodoWrite" in allowed else ()
        return sorted({*super().tools(options), *more, *lists})

    def credentials(self) -> Sequence[Credential]:
        """Variables, then the login of a subscription, then the key that a login left behind."""
        found = (
            from_environment(self.machine, *_VARIABLES),
            self._subscription(),
            self._managed_key(),
        )
        return [credential for credential in found if credential is not None]

    def lack(self) -> str:
        """See the base."""
        there = self._oauth()
        return "no credential" if there is None else "the login has expired"

    def endpoints(self, _credential: Credential) -> tuple[str, ...]:
        """See the base."""
        return (address_of(self.machine.environment.get("ANTHROPIC_BASE_URL") or _MODEL),)

    def prepare(self, task: Task) -> Launch:
        """See the base."""
        config = task.home.folder / _CONFIG
        place_package(task.spec, task.workdir, config / "skills")
        if task.instructions is not None:
            task.home.write(f"{_CONFIG}/CLAUDE.md", task.instructions)
        # The address that the program knows by itself is not the same to it as one it is told.
        given = self.machine.environment.get("ANTHROPIC_BASE_URL")
        return Launch(
            arguments=(*_arguments(task), *task.options.extra_flags),
            environment={
                **_QUIET,
                **({"ANTHROPIC_BASE_URL": given} if given else {}),
                "CLAUDE_CONFIG_DIR": str(config),
                "CLAUDE_CODE_TMPDIR": str(task.home.tmp),
                **_compacting(task.options),
            },
            stdin=_input(task),
        )

    def reader(self, task: Task) -> ClaudeReader:
        """See the base."""
        return ClaudeReader(
            task.spec.model,
            structured=task.options.output_schema is not None,
            named=_skill_called(task),
        )

    def _subscription(self) -> Credential | None:
        """The token alone, by a variable: with the rest of the login the program would renew
        it, and a renewed login makes the user's own useless."""
        oauth = self._oauth()
        token, renewal = (oauth or {}).get("accessToken"), (oauth or {}).get("refreshToken")
        if not isinstance(token, str) or not token or not _lives(oauth):
            return None
        return Credential(
            f"{_CONFIG}/.credentials.json",
            environment={"CLAUDE_CODE_OAUTH_TOKEN": token},
            secrets=(token, *([renewal] if isinstance(renewal, str) else [])),
        )

    def _managed_key(self) -> Credential | None:
        kept = login(self._config(".claude.json", self.machine.home / ".claude.json"))
        key = kept.get("primaryApiKey") if isinstance(kept, dict) else None
        if not isinstance(key, str) or not key:
            return None
        return Credential(".claude.json", environment={"ANTHROPIC_API_KEY": key}, secrets=(key,))

    def _oauth(self) -> dict[str, JsonValue] | None:
        default = self.machine.home / _CONFIG / ".credentials.json"
        kept = login(self._config(".credentials.json", default))
        oauth = kept.get("claudeAiOauth") if isinstance(kept, dict) else None
        return oauth if isinstance(oauth, dict) else None

    def _config(self, name: str, default: Path) -> Path:
        """A file of the program, for a user who may have moved its folder."""
        moved = self.machine.environment.get("CLAUDE_CONFIG_DIR")
        return Path(moved, name) if moved else default


def _lives(oauth: dict[str, JsonValue] | None) -> bool:
    expires = oauth.get("expiresAt") if oauth else None
    return not isinstance(expires, int | float) or expires > (time.time() + _MARGIN) * 1000


def _compacting(options: AgentOptions) -> dict[str, str]:
    """The program takes a smaller number for the smallest that it knows."""
    if options.compact_tokens is None:
        return {}
    if options.compact_tokens < _LEAST_WINDOW:
        raise UsageError(f"claude compresses its conversation from {_LEAST_WINDOW} tokens on")
    return {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": str(options.compact_tokens)}


def _arguments(task: Task) -> list[str]:
    options = task.options
    # With parts of messages the use of tokens is known while they still come.
    arguments = ["-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages"]
    arguments += ["--setting-sources", "user"]
    if task.model is not None:
        arguments += ["--model", task.model]
    if task.answerer is None:
        arguments += ["--permission-mode", "bypassPermissions"]
    else:
        arguments += ["--input-format", "stream-json", "--permission-prompt-tool", "stdio"]
    if task.conversation is not None:
        arguments += ["--resume", task.conversation]
    if options.max_turns is not None:
        arguments += ["--max-turns", str(options.max_turns)]
    if options.max_budget_usd is not None:
        arguments += ["--max-budget-usd", f"{options.max_budget_usd:f}"]
    if options.output_schema is not None:
        arguments += ["--json-schema", json.dumps(options.output_schema)]
    if options.allowed_tools is not None:
        arguments += ["--tools", ",".join(_tools(task, options.allowed_tools))]
    if options.mcp_servers:
        file = task.home.write("mcp.json", json.dumps({"mcpServers": _servers(options)}))
        arguments += ["--mcp-config", str(file)]
    return [*arguments, "--strict-mcp-config"]


def _tools(task: Task, allowed: tuple[str, ...]) -> list[str]:
    """A skill that cannot be loaded could not be measured."""
    tools = [*allowed, *(["Skill"] if task.skills and "Skill" not in allowed else [])]
    return [*tools, *(_LISTS if "TodoWrite" in allowed else ())]


def _servers(options: AgentOptions) -> dict[str, JsonValue]:
    return {
        name: {"type": "http" if "url" in server else "stdio", **server}
        for name, server in options.mcp_servers.items()
    }


def _input(task: Task) -> str:
    prompt = storable(task.spec.stimulus.prompt)
    if prompt.startswith("/") and not _skill_called(task):
        prompt = f" {prompt}"
    if task.answerer is None:
        return prompt
    return json.dumps({"type": "user", "message": {"role": "user", "content": prompt}}) + "\n"


def _skill_called(task: Task) -> str | None:
    """The skill that the prompt calls by its name."""
    first, *_ = re.split(r"\s", task.spec.stimulus.prompt, maxsplit=1)
    return next((name for name in task.skills if first == f"/{name}"), None)
