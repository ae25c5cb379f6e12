"""Who may widen what an agent sees and reaches on this machine.

Options come from a person who types them here, from a request over HTTP, or from a file: a package,
a project, a workspace, a suite, a set of cases, a cassette. ``Access.decide`` decides for all. What
a person agreed to and what the machine allows lies in the user's own folder, never in a workspace.
"""

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, Protocol
from urllib.parse import urlsplit

from pydantic import JsonValue, ValidationError

from whet.app.secret_store import SecretStore
from whet.app.settings import Settings
from whet.app.user_folder import UserFolder
from whet.core.access import (
    MOST_SHOWN,
    SANDBOXES,
    AccessPolicy,
    consent_code,
    describe,
    is_weaker,
    widening,
)
from whet.core.confidential import references_in
from whet.core.errors import (
    ConsentNeeded,
    EnvironmentProblem,
    InvalidDocument,
    NotFound,
    UsageError,
)
from whet.core.outbound import OutboundPolicy
from whet.core.trial import TrialSpec
from whet.core.value import Value
from whet.curate.locks import locked
from whet.documents.complaint import complaint
from whet.documents.text import read_json

Origin = Literal["request", "file"]
"""Where options come from: the request that is being answered, or a file."""

POLICY = "policy.json"
PROGRAM = "cli_path"
_CONSENT = "consent"
"""The owner of the references that codes are made of; none of them is kept."""


class AnyEngine(Protocol):
    """What has to be known of an engine."""

    name: str
    simulated: bool
    sandboxed: bool


class Asker(NamedTuple):
    """Who asks for options, in messages, and the command that agrees to them."""

    what: str = "a file"
    fix: str = ""
    """Without ``--workspace``; empty for the command that takes a code."""


class Consents(Value):
    """What was agreed to for one workspace, as it is kept on this machine."""

    workspace: str = ""
    """Its folder, for people."""

    given: dict[str, str] = {}
    """What each code stands for."""

    projects: tuple[str, ...] = ()
    """The ids of projects that were made or adopted here; all others are foreign."""

    foreign: tuple[str, ...] | None = None
    """The ids of unfinished runs and jobs that were there before the first one that was begun
    here; None before that."""


@dataclass(frozen=True)
class Access:
    """Decides for one workspace, on behalf of a person at this machine or of the server."""

    settings: Settings
    door: Literal["person", "server"] = "person"

    def decide(
        self,
        engine: AnyEngine,
        options: Mapping[str, JsonValue],
        origin: Origin = "file",
        asker: "Asker | None" = None,
    ) -> None:
        """Raise ``ConsentNeeded`` unless an engine may be given these options.

        What a person types on this machine is agreed to by that. What a request over HTTP asks
        for must be allowed by the policy. What a file asks for must be allowed by the policy, or a
        person must have agreed to exactly that in this workspace. The *asker* is named in messages.
        """
        if origin == "request":
            _refuse_references(options)
        if engine.simulated:
            return
        policy = self.policy()
        if policy.engines is not None and engine.name not in policy.engines:
            may = ", ".join(policy.engines) or "none"
            raise ConsentNeeded(f"engine {engine.name}: {POLICY} of this machine allows {may}")
        wide = widening(options)
        if not wide or allows(policy, SecretStore(self.settings).reveal_known(wide)):
            return
        if origin == "request" and self.door == "person":
            self.give(engine.name, wide)
        elif origin == "request":
            raise ConsentNeeded(
                f"the request gives {engine.name} {_short(wide)}; over HTTP that is allowed by "
                f"{POLICY} of the server only"
            )
        elif self.code(engine.name, wide) not in self.consents().given:
            raise ConsentNeeded(self._question(engine.name, wide, asker or Asker()))

    def check_trial(self, engine: AnyEngine, spec: TrialSpec) -> None:
        """Raise unless a trial may start here, whoever planned it and wherever the plan was kept:
        ``ConsentNeeded`` for its options, ``EnvironmentProblem`` for its sandbox."""
        self.decide(engine, spec.options, "file", Asker("the plan of this run"))
        self.require_sandbox(engine, spec.sandbox)

    def require_sandbox(self, engine: AnyEngine, planned: str) -> None:
        """Raise ``EnvironmentProblem`` for a plan with a weaker sandbox than agents get here: a
        plan may have come as a file."""
        if not engine.sandboxed:
            return
        least = max(self.policy().sandbox, self.sandbox(), key=SANDBOXES.index)
        if is_weaker(planned, least):
            shown = "without a sandbox" if planned == "none" else f"in sandbox {planned[:40]!r}"
            raise EnvironmentProblem(
                f"this was planned to run {shown}, and agents run in {least} here; plan it anew: "
                "a new project, a new run or a new job"
            )

    def sandbox(self) -> str:
        """The sandbox that agents run in here; raises ``EnvironmentProblem`` where that is weaker
        than the policy wants."""
        from whet.shell.sandbox import choose

        found = choose(self.settings.sandbox)
        least = self.policy().sandbox
        if is_weaker(found, least):
            raise EnvironmentProblem(
                f"{POLICY} of this machine wants {least} or a stronger sandbox, and agents would "
                f"run in {found}; see: whet doctor"
            )
        return found

    def allow_scripts(self) -> None:
        """Raise ``ConsentNeeded`` where a request may not have scripts of a suite run."""
        if self.door == "server" and not self.policy().scripts:
            raise ConsentNeeded(
                f'trust_scripts: over HTTP that needs "scripts": true in {POLICY} of the server'
            )

    def outbound(self) -> OutboundPolicy:
        """Where whet itself may send to on behalf of somebody: what the policy lists, and what
        ``WHET_OUTBOUND_HOSTS`` adds to it."""
        return OutboundPolicy((*self.policy().outbound, *self.settings.outbound.hosts))

    def policy(self) -> AccessPolicy:
        """What this machine allows; without a file, nothing that widens access. Raises
        ``InvalidDocument``."""
        path = self._user.root / POLICY
        try:
            data = read_json(path)
        except NotFound:
            return AccessPolicy()
        try:
            return AccessPolicy.model_validate(data)
        except ValidationError as error:
            field, reason = complaint(error, data)
            raise InvalidDocument(path, field, reason) from None

    def consents(self) -> Consents:
        """What was agreed to for this workspace, where it lies now."""
        workspace = self._user.workspace_identity()
        if not workspace:
            return Consents()
        path = self._path(workspace)
        try:
            return Consents.model_validate(read_json(path))
        except NotFound:
            return Consents()
        except ValidationError:
            raise InvalidDocument(path, "", "is no list of consents; remove it") from None

    def code(self, engine: str, wide: Mapping[str, JsonValue]) -> str:
        """What a consent to these options is kept under; the identity of the workspace is made
        where there is none yet. It tells nothing of the secrets in them, and is the same whether
        they are there or referred to."""
        store = SecretStore(self.settings)
        sealed = store.seal(store.reveal_known(wide), _CONSENT, keep=False)
        return consent_code(self._user.workspace_identity(make=True), engine, sealed)

    def give(self, engine: str, wide: Mapping[str, JsonValue]) -> None:
        """Keep that a person agreed to these options in this workspace."""
        code = self.code(engine, wide)
        if code not in self.consents().given:
            self.give_code(code, f"{engine}: {_short(wide)}")

    def give_code(self, code: str, meaning: str) -> None:
        """Keep that a person agreed to what stands behind a code."""
        with locked(self.settings.workspace, "consents"):
            known = self.consents()
            self._save(known.model_copy(update={"given": {**known.given, code: meaning}}))

    def revoke(self, code: str) -> None:
        """Take a consent back; raises ``NotFound``."""
        with locked(self.settings.workspace, "consents"):
            known = self.consents()
            fit = [each for each in known.given if each.startswith(code)]
            if not code or len(fit) != 1:
                raise NotFound(f"no one consent {code[:40]!r} in this workspace")
            left = {each: meaning for each, meaning in known.given.items() if each != fit[0]}
            self._save(known.model_copy(update={"given": left}))

    def knows_project(self, identity: str) -> bool:
        """Whether a project was made or adopted here."""
        return identity in self.consents().projects

    def remember_project(self, identity: str) -> None:
        """Keep that a project was made or adopted here."""
        self._user.workspace_identity(make=True)
        with locked(self.settings.workspace, "consents"):
            known = self.consents()
            if identity not in known.projects:
                self._save(known.model_copy(update={"projects": (*known.projects, identity)}))

    def note_foreign(self, ids: Collection[str]) -> None:
        """Keep which unfinished runs and jobs came along with this workspace, once."""
        self._user.workspace_identity(make=True)
        with locked(self.settings.workspace, "consents"):
            known = self.consents()
            if known.foreign is None:
                self._save(known.model_copy(update={"foreign": tuple(sorted(ids))}))

    def allows_foreign(self, ids: Collection[str]) -> bool:
        """Whether runs and jobs that came along may go on by themselves: a person agreed to that,
        or the policy says which engines may be started here."""
        if not ids or self.policy().engines is not None:
            return True
        return self._foreign_code(ids) in self.consents().given

    def foreign_question(self, ids: Collection[str]) -> str:
        """That runs and jobs came along, and how to agree to them."""
        return (
            f"{len(ids)} unfinished runs and jobs came with this workspace from elsewhere; none of "
            "them goes on by itself; if you want that, agree on this machine: "
            f"whet consent give {self._foreign_code(ids)} "
            f"--workspace {shlex.quote(str(self.settings.workspace))}"
        )

    def _foreign_code(self, ids: Collection[str]) -> str:
        """What a consent to go on with these is kept under."""
        workspace = self._user.workspace_identity(make=True)
        return consent_code(workspace, "", {"foreign": [*sorted(ids)]})

    def _question(self, engine: str, wide: Mapping[str, JsonValue], asker: "Asker") -> str:
        # A person here sees what variables say; whoever asks over HTTP may not know the secrets.
        is_person = self.door == "person"
        told = describe(SecretStore(self.settings).reveal_known(wide) if is_person else wide)
        if len(told) > MOST_SHOWN:
            return f"{asker.what} gives {engine} {_short(wide)}: too much to be read and agreed to"
        fix = asker.fix or f"whet consent give {self.code(engine, wide)}"
        return (
            f"{asker.what} gives {engine} {told}; if you want that, agree on this machine: "
            f"{fix} --workspace {shlex.quote(str(self.settings.workspace))}"
        )

    @property
    def _user(self) -> UserFolder:
        return UserFolder(self.settings)

    def _path(self, workspace: str) -> Path:
        return self._user.root / "consents" / f"{workspace[:32]}.json"

    def _save(self, known: Consents) -> None:
        path = self._path(self._user.workspace_identity(make=True))
        kept = known.model_copy(update={"workspace": str(self.settings.workspace)})
        self._user.write(path, kept.model_dump_json(indent=2) + "\n")


def _refuse_references(options: Mapping[str, JsonValue]) -> None:
    """Whoever asks for a secret by its reference may have it from where it does not belong."""
    for place, _ in references_in(dict(options)):
        raise UsageError(f"option {place}: is the reference of a kept secret; give the value")


def program_options(path: str) -> dict[str, JsonValue]:
    """The program that ``cli_path`` names, as an option that widens access."""
    return {PROGRAM: path}


def allows(policy: AccessPolicy, wide: Mapping[str, JsonValue]) -> bool:
    """Whether a policy allows all these options."""
    return all(_allows(policy, name, value) for name, value in wide.items())


def _allows(policy: AccessPolicy, name: str, value: JsonValue) -> bool:
    match name, value:
        case "pass_environment", list() if _are_texts(value):
            return policy.allows_environment([str(each) for each in value])
        case "environment", dict():
            return policy.allows_environment([*value])
        case "allow_hosts", list() if _are_texts(value):
            return policy.allows_hosts([str(each) for each in value])
        case "readable", list() if _are_texts(value):
            return all(_is_below(str(each), policy.paths) for each in value)
        case "cassette", str():
            return _is_below(value, policy.paths)
        case "extra_flags", list():
            return all(each in policy.flags for each in value)
        case "argv", list() if _are_texts(value):
            return _allows_command(policy, [str(each) for each in value])
        case "mcp_servers", dict():
            return all(_allows_server(policy, server) for server in value.values())
        case _:
            return False


def _allows_command(policy: AccessPolicy, argv: Sequence[str]) -> bool:
    """Whether the program may be started; files that its arguments name are shown to it."""
    named = [each for each in argv[1:] if Path(each).is_absolute()]
    return argv[0] in policy.programs and all(_is_below(each, policy.paths) for each in named)


def _allows_server(policy: AccessPolicy, server: JsonValue) -> bool:
    if not isinstance(server, dict) or not server.keys() <= {"command", "args", "env", "url"}:
        return False
    given = server.get("env", {})
    if not isinstance(given, dict) or not policy.allows_environment([*given]):
        return False
    match server:
        case {"url": str(url)} if "command" not in server:
            return policy.allows_hosts([_host(url)])
        case {"command": str(command)} if "url" not in server:
            arguments = server.get("args", [])
            if not isinstance(arguments, list) or not _are_texts(arguments):
                return False
            return _allows_command(policy, [command, *map(str, arguments)])
        case _:
            return False


def _host(url: str) -> str:
    """The host and port of an address; empty where it has none, or where programs would read
    different ones."""
    if "\\" in url or not url.isprintable():
        return ""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return ""
    return f"{parts.hostname}:{port}" if parts.hostname and port else ""


def _is_below(path: str, folders: Sequence[str]) -> bool:
    if not Path(path).is_absolute():
        return False
    try:
        real = Path(path).resolve()
        return any(
            Path(one).is_absolute() and real.is_relative_to(Path(one).resolve()) for one in folders
        )
    except (OSError, ValueError):
        return False


def _are_texts(values: Sequence[JsonValue]) -> bool:
    return bool(values) and all(isinstance(each, str) for each in values)


def _short(wide: Mapping[str, JsonValue]) -> str:
    """The names of widening options, for those who may not see their values."""
    return ", ".join(name[:80] if name.isprintable() else repr(name[:80]) for name in sorted(wide))
