"""Codex."""

import base64
import json
import re
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from pydantic import JsonValue

from whet.core.errors import UsageError
from whet.core.text import storable
from whet.engines.agent_cli.credential import Credential, login
from whet.engines.agent_cli.engine import CliEngine
from whet.engines.agent_cli.network import address_of
from whet.engines.agent_cli.skill import place_package
from whet.engines.agent_cli.task import Launch, Task
from whet.engines.codex_config import (
    CONFIG,
    KEY,
    OPENAI,
    WRITABLE,
    configuration,
    confine_tools,
    document,
)
from whet.engines.codex_reader import NO_RENEWAL, CodexReader
from whet.engines.codex_rollout import Rollouts

_VARIABLES = (KEY, "OPENAI_API_KEY")
_CHATGPT = "https://chatgpt.com"
_MARGIN = 60
"""Seconds of life that a login must have left to be worth a start."""

_CONVERSATION = re.compile(r"[0-9a-fA-F-]{36}")


class CodexEngine(CliEngine):
    """``codex exec``.

    A user's ``OPENAI_BASE_URL`` holds for API keys. The login of a subscription is never sent
    there, only to its own service.

    With the sandbox ``none`` the commands of the agent run in the program's own sandbox: they
    write to the working folder and have no network. The flag ``-s`` among the extra flags
    changes that. Files of the case such as ``AGENTS.md`` are read as the agent's user would
    have them read; folders above are not.

    What the program cannot do: ask somebody while it works (it has a tool for questions, which
    it refuses by itself), say what it costs, and hold a limit of turns. That limit holds from
    outside, so the answer beyond it may have begun to act. It swallows refusals: an answer
    that used tokens and shows nothing counts as one. It ends subagents that still run when the
    agent ends; what their last request uses is not known.
    """

    name = "codex"
    install = "npm install -g @openai/codex"
    log_in = "set OPENAI_API_KEY or log in with: codex login"
    abilities = frozenset(
        {"resume", "structured", "subagents", "mcp", "tools", "skills", "compact"}
    )
    own_tools = frozenset({"Bash", "Edit", "Task", "WebSearch", "Write"})
    """It reads, lists and searches with its shell."""

    own_variables = ("CODEX_*", "OPENAI_*")

    def credentials(self) -> Sequence[Credential]:
        """Variables, then what ``codex login`` has left: a key or the tokens of a subscription."""
        given = self.machine.environment
        found = [_key(name, given[name]) for name in _VARIABLES if given.get(name)]
        kept = self._login()
        if (key := _api_key(kept)) is not None:
            found.append(_key(f"{CONFIG}/auth.json", key))
        elif (tokens := _tokens(kept)) is not None and _lives(tokens["access_token"]):
            found.append(_subscription(tokens))
        return found

    def lack(self) -> str:
        """See the base."""
        there = _tokens(self._login())
        return "no credential" if there is None else "the login has expired"

    def endpoints(self, credential: Credential) -> tuple[str, ...]:
        """See the base."""
        return (address_of(self._base_url(credential) or _CHATGPT),)

    def prepare(self, task: Task) -> Launch:
        """See the base."""
        folder = task.home.folder / CONFIG
        place_package(task.spec, task.workdir, folder / "skills")
        if task.instructions is not None:
            task.home.write(f"{CONFIG}/AGENTS.md", task.instructions)
        for name in WRITABLE:
            (task.home.folder / name).mkdir(exist_ok=True)
        config = configuration(task, self._base_url(self.credential()))
        confine_tools(config, task, self.program(), self.machine.environment.get("PATH", ""))
        task.home.write(f"{CONFIG}/config.toml", document(config))
        return Launch(
            arguments=_arguments(task),
            environment={
                "CODEX_HOME": str(folder),
                "CODEX_REFRESH_TOKEN_URL_OVERRIDE": NO_RENEWAL,
            },
            stdin=storable(task.spec.stimulus.prompt),
        )

    def reader(self, task: Task) -> CodexReader:
        """See the base."""
        return CodexReader(
            Rollouts(task.home.folder / CONFIG / "sessions", task.workdir.root),
            task.spec.model,
            task.conversation,
            structured=task.options.output_schema is not None,
        )

    def _base_url(self, credential: Credential) -> str | None:
        """None for a login: the program knows where that leads."""
        if credential.files:
            return None
        return self.machine.environment.get("OPENAI_BASE_URL") or OPENAI

    def _login(self) -> Mapping[str, JsonValue]:
        """The user's own login; the folder may have been moved."""
        moved = self.machine.environment.get("CODEX_HOME")
        folder = Path(moved) if moved else self.machine.home / CONFIG
        kept = login(folder / "auth.json")
        return kept if isinstance(kept, dict) else {}


def _arguments(task: Task) -> tuple[str, ...]:
    arguments = ["exec"]
    if task.conversation is not None:
        if not _CONVERSATION.fullmatch(task.conversation):
            raise UsageError(f"codex has no conversation {task.conversation!r}")
        arguments.append("resume")
    arguments += ["--json", "--skip-git-repo-check"]
    if (schema := task.options.output_schema) is not None:
        file = task.home.write(f"{CONFIG}/answer.json", json.dumps(schema))
        arguments += ["--output-schema", str(file)]
    arguments += task.options.extra_flags
    if task.conversation is not None:
        arguments.append(task.conversation)
    return (*arguments, "-")


def _key(source: str, key: str) -> Credential:
    """Only this variable counts for the program, wherever the key is from."""
    return Credential(source, environment={KEY: key}, secrets=(key,))


def _api_key(kept: Mapping[str, JsonValue]) -> str | None:
    key = kept.get("OPENAI_API_KEY")
    by_tokens = kept.get("auth_mode") == "chatgpt"
    return key if isinstance(key, str) and key and not by_tokens else None


def _tokens(kept: Mapping[str, JsonValue]) -> dict[str, str] | None:
    tokens = kept.get("tokens")
    if not isinstance(tokens, dict):
        return None
    texts = {name: token for name, token in tokens.items() if isinstance(token, str)}
    return texts if texts.get("access_token") and texts.get("id_token") else None


def _subscription(tokens: Mapping[str, str]) -> Credential:
    """Without the token for renewal: a renewed login makes the user's own useless."""
    kept = {
        "auth_mode": "chatgpt",
        "OPENAI_API_KEY": None,
        "tokens": {**tokens, "refresh_token": ""},
        # The program would renew an old one at once.
        "last_refresh": datetime.now(UTC).isoformat(),
    }
    # Where there is no sandbox, the agent could read those that it is not given.
    names = ("access_token", "id_token", "refresh_token")
    secrets = tuple(tokens[name] for name in names if tokens.get(name))
    source = f"{CONFIG}/auth.json"
    return Credential(source, files={source: json.dumps(kept)}, secrets=secrets)


def _lives(token: str) -> bool:
    """Whether a JSON Web Token is valid for a while; one that cannot be read may be."""
    payload = token.split(".")[1:2]
    try:
        claims: JsonValue = json.loads(base64.urlsafe_b64decode(payload[0] + "=="))
    except (IndexError, ValueError):
        return True
    expires = claims.get("exp") if isinstance(claims, dict) else None
    return not isinstance(expires, int | float) or expires > time.time() + _MARGIN
