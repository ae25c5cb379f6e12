"""The only reader of the environment."""

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

from whet.core.confidential import PASSWORD, is_secret_name
from whet.core.errors import EnvironmentProblem, UsageError
from whet.core.outbound import OutboundPolicy, outbound_policy
from whet.ports.machine import Machine

SHARED_MEMORY = Path("/dev/shm")  # a memory file system; ten times faster than a disk
NO_HOME = Path("/nonexistent")
ROOM_BYTES = 512 * 1024 * 1024


OVERRIDES = {
    "default_engine": "WHET_DEFAULT_ENGINE",
    "default_model": "WHET_DEFAULT_MODEL",
    "default_timeout_seconds": "WHET_DEFAULT_TIMEOUT_SECONDS",
    "default_retry_count": "WHET_DEFAULT_RETRY_COUNT",
}
"""Keys of ``cli/config.json``, and the variables that go before the file."""

_QUERIED = re.compile(r"[?&](?:ssl)?password=([^&\s]*)")


@dataclass(frozen=True)
class Settings:
    """What a person may set; a flag beats the environment, that beats the default."""

    workspace: Path
    """``WHET_WORKSPACE``: the folder with everything; default ``./workspace``."""

    scratch: Path
    """``WHET_SCRATCH``: where agents work; default a memory file system, else the temp folder."""

    token: str | None
    """``WHET_TOKEN``: the bearer token that the server asks for; needed beyond this machine."""

    sandbox: Literal["required", "auto", "off"]
    """``WHET_SANDBOX``: ``required``, ``auto`` (the strongest there is) or ``off``; default
    ``auto``."""

    machine: Machine
    """What engines may know of the machine."""

    language: str
    """``WHET_LANGUAGE``: ``en`` or ``zh``, for sample data; default from the locale."""

    overrides: Mapping[str, str] = field(default_factory=dict[str, str])
    """``WHET_DEFAULT_…``: values that go before those of ``cli/config.json``, by their key."""

    public_url: str | None = None
    """``WHET_PUBLIC_URL``: the address that browsers see, behind a proxy that changes ``Host``."""

    database_url: str | None = field(default=None, repr=False)
    """``WHET_DATABASE_URL``: a PostgreSQL server in place of SQLite in the workspace."""

    drain_seconds: float = 30.0
    """``WHET_DRAIN_SECONDS``: how long trials under way may take when whet is told to end; default
    30."""

    outbound: OutboundPolicy = field(default_factory=OutboundPolicy)
    """``WHET_OUTBOUND_HOSTS``: hosts that webhooks, and spans that are sent over HTTP, may go to,
    besides those of ``policy.json``; ask ``Access.outbound``."""

    @property
    def config_folder(self) -> Path:
        """``WHET_CONFIG_DIR``: the user's own folder with the policy of this machine and what the
        user agreed to; default ``~/.config/whet``."""
        known = self.machine.environment
        if chosen := known.get("WHET_CONFIG_DIR"):
            return Path(chosen).absolute()
        base = known.get("XDG_CONFIG_HOME", "")
        above = Path(base) if Path(base).is_absolute() else self.machine.home / ".config"
        return above / "whet"

    @property
    def secrets(self) -> tuple[str, ...]:
        """Values of the environment that must never be stored, whoever comes upon them; also
        the passwords in URLs, as those of proxies have them."""
        found = self.machine.environment.items()
        named = (value for name, value in found if is_secret_name(name))
        inside = [word for _, value in found for word in PASSWORD.findall(value)]
        asked = [word for word in _QUERIED.findall(self.database_url or "") if word]
        return (*named, *inside, *asked, *map(unquote, (*inside, *asked)))


def read(workspace: Path | None = None, environment: Mapping[str, str] = os.environ) -> Settings:
    """Settings from flags and the environment."""
    known = {name: value for name, value in environment.items() if value}
    chosen = workspace or Path(known.get("WHET_WORKSPACE", "workspace"))
    return Settings(
        workspace=chosen.absolute(),
        scratch=_scratch(known.get("WHET_SCRATCH")),
        token=known.get("WHET_TOKEN"),
        sandbox=_sandbox(known.get("WHET_SANDBOX", "auto")),
        machine=Machine(known, _home(known)),
        language=_language(known),
        public_url=known.get("WHET_PUBLIC_URL"),
        database_url=known.get("WHET_DATABASE_URL"),
        outbound=outbound_policy(known.get("WHET_OUTBOUND_HOSTS", "")),
        drain_seconds=_seconds("WHET_DRAIN_SECONDS", known.get("WHET_DRAIN_SECONDS", "30")),
        overrides={key: known[name] for key, name in OVERRIDES.items() if name in known},
    )


def _home(known: Mapping[str, str]) -> Path:
    """The home folder of this user; one that nobody has where the system does not know the user,
    as in a container."""
    if "HOME" in known:
        return Path(known["HOME"])
    try:
        return Path.home()
    except RuntimeError:
        return NO_HOME


def _seconds(name: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise UsageError(f"{name} is {text!r}; use a number of seconds, 0 or more")
    return seconds


def _sandbox(wish: str) -> Literal["required", "auto", "off"]:
    match wish:
        case "required" | "auto" | "off":
            return wish
        case _:
            raise UsageError(f"WHET_SANDBOX is {wish!r}; use required, auto or off")


def _language(environment: Mapping[str, str]) -> str:
    names = ("WHET_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    spoken = next((environment[name] for name in names if name in environment), "en")
    return "zh" if spoken.lower().startswith("zh") else "en"


def _scratch(chosen: str | None) -> Path:
    """The folder that was chosen, else one of this user alone."""
    if chosen:
        return Path(chosen).absolute()
    try:
        root = Path(tempfile.gettempdir())
        if os.access(SHARED_MEMORY, os.W_OK) and shutil.disk_usage(SHARED_MEMORY).free > ROOM_BYTES:
            root = SHARED_MEMORY
        return private_folder(root / f"whet-{os.getuid()}")
    except OSError as error:
        where = error.filename or "the temp folder"
        raise EnvironmentProblem(
            f"cannot use {where} as scratch folder: {error.strerror}; set WHET_SCRATCH"
        ) from error


def private_folder(folder: Path) -> Path:
    """Make the folder, or take it over if it is a real one and this user's own."""
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid != os.getuid():
        raise EnvironmentProblem(f"{folder} belongs to somebody else; set WHET_SCRATCH")
    folder.chmod(0o700)
    return folder
