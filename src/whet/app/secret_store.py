"""Secrets at rest: their values lie in the user's own folder, everything else has references.

A value is put aside when it arrives, and looked up where an agent is started or a message is
signed. Below ``secrets/`` each workspace has a folder, and there each owner: a job, a capability
run, or ``shared`` for what several runs and projects may have. A reference is the keyed digest of
the value, its place and its owner, so it tells nothing of the value to whoever has not the key.
"""

import contextlib
import hashlib
import hmac
import json
import secrets
import shlex
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue, ValidationError

from whet.app.settings import Settings
from whet.app.user_folder import UserFolder
from whet.core.access import widening
from whet.core.address import canonical
from whet.core.confidential import (
    REFERENCE,
    references_in,
    replace_references,
    replace_secrets,
)
from whet.core.errors import EnvironmentProblem, NotFound, UsageError
from whet.core.value import Value
from whet.curate.locks import locked
from whet.documents.files import sweep_half_written

SHARED = "shared"
"""The owner of secrets that any run or project of the workspace may refer to."""

_FOLDER = "secrets"
_PREFIX = "whet-secret-"


def owner_of_job(request_id: str) -> str:
    """The owner of the secrets of a job."""
    return f"job-{request_id}"


def owner_of_run(run_id: str) -> str:
    """The owner of the secrets of a capability run."""
    return f"run-{run_id}"


class Secret(Value):
    """One that is put aside."""

    name: str
    """Where it stands among the options, as ``environment.API_TOKEN``."""

    value: str


class KeptSecret(NamedTuple):
    """What may be told of a secret."""

    reference: str
    name: str
    owner: str
    age_seconds: float


@dataclass(frozen=True)
class SecretStore:
    """The secrets of one workspace on this machine."""

    settings: Settings

    def seal(
        self, options: Mapping[str, JsonValue], owner: str = SHARED, *, keep: bool = True
    ) -> dict[str, JsonValue]:
        """Options of an engine with references in place of secrets, whose values are put aside.

        Options without secrets stay as they are. Where nothing is to be kept, the references are
        the same ones all the same."""
        wide = widening(options)
        return {
            name: self.seal_value(value, owner, name, keep=keep) if name in wide else value
            for name, value in options.items()
        }

    def seal_value(
        self, value: JsonValue, owner: str, place: str, *, keep: bool = True
    ) -> JsonValue:
        """The same for any value that stands at *place*."""

        def replace(at: str, secret: str) -> str:
            return self.put_aside(secret, at, owner, keep=keep)

        # An option such as ``environment`` is known by its name.
        sealed = replace_secrets({place: value}, replace)
        return sealed[place] if isinstance(sealed, dict) else value

    def put_aside(self, value: str, name: str, owner: str = SHARED, *, keep: bool = True) -> str:
        """The reference of a secret; its value is kept until nobody needs it."""
        if not value or REFERENCE.fullmatch(value):
            return value
        reference = self.reference([owner, name, value])
        if keep:
            self._write(reference, owner, Secret(name=name, value=value))
        return reference

    def reference(self, identity: JsonValue) -> str:
        """The keyed digest of anything, as a reference."""
        said = hmac.new(self._key(), canonical(identity), hashlib.sha256).hexdigest()
        return f"{_PREFIX}{said[:32]}"

    def reveal(self, options: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """Options with the values of all secrets. Raises ``EnvironmentProblem`` with the command
        that gives one again where it is not on this machine."""
        if not any(True for _ in references_in(dict(options))):
            return dict(options)
        found = replace_references(dict(options), self.value_of)
        return found if isinstance(found, dict) else {}

    def reveal_known(self, options: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """The same, with references where the value is not on this machine."""

        def replace(place: str, reference: str) -> str:
            known = self.find(reference)
            return known.value if known and known.name == place else reference

        found = replace_references(dict(options), replace)
        return found if isinstance(found, dict) else {}

    def value_of(self, name: str, reference: str) -> str:
        """The value of a secret, for the place that it was given for and no other; raises
        ``EnvironmentProblem``."""
        known = self.find(reference)
        if known is not None and known.name == name:
            return known.value
        place = shlex.quote(str(self.settings.workspace))
        raise EnvironmentProblem(
            f"{name}: its value is not kept on this machine; give it again: "
            f"whet secret set {reference} --name {shlex.quote(name)} --workspace {place}"
        )

    def find(self, reference: str) -> Secret | None:
        """A secret of this workspace, if it is here."""
        for path in self._folder().glob(f"*/{reference}.json") if self._has_folder() else ():
            try:
                return Secret.model_validate_json(path.read_text())
            except FileNotFoundError:
                continue
            except (OSError, ValidationError) as error:
                raise EnvironmentProblem(f"cannot read {path}: {error}") from None
        return None

    def give(self, reference: str, name: str, value: str) -> None:
        """Keep the value of a reference that came from elsewhere; raises ``UsageError``."""
        if not REFERENCE.fullmatch(reference):
            raise UsageError(f"{reference[:60]!r} is no reference; take the one of the message")
        if not value:
            raise UsageError("a secret must not be empty")
        owner = next((one.owner for one in self.list() if one.reference == reference), SHARED)
        self._write(reference, owner, Secret(name=name, value=value))

    def list(self) -> list[KeptSecret]:
        """What is kept for this workspace, without any value."""
        if not self._has_folder():
            return []
        found: list[KeptSecret] = []
        for path in sorted(self._folder().glob(f"*/{_PREFIX}*.json")):
            try:
                name = Secret.model_validate_json(path.read_text()).name
                age = max(0.0, time.time() - path.stat().st_mtime)
            except (OSError, ValidationError):
                continue
            found.append(KeptSecret(path.stem, name, path.parent.name, age))
        return found

    def remove(self, reference: str) -> None:
        """Forget a secret; raises ``NotFound``."""
        paths = [*self._folder().glob(f"*/{reference}.json")] if self._has_folder() else []
        if not REFERENCE.fullmatch(reference) or not paths:
            raise NotFound(f"no secret {reference[:60]!r} is kept for this workspace")
        for path in paths:
            path.unlink(missing_ok=True)

    def remove_empty(self) -> None:
        """Remove the folders of owners that have no secrets any more, and what a killed process
        left half written."""
        if self._has_folder():
            sweep_half_written(self._folder())
        for folder in self._folder().iterdir() if self._has_folder() else ():
            with contextlib.suppress(OSError):
                folder.rmdir()

    def _write(self, reference: str, owner: str, secret: Secret) -> None:
        path = self._folder(make=True) / owner / f"{reference}.json"
        try:
            if Secret.model_validate_json(path.read_text()) == secret:
                return
        except (OSError, ValidationError):
            pass
        UserFolder(self.settings).write(path, json.dumps(secret.model_dump()) + "\n")

    def _folder(self, *, make: bool = False) -> Path:
        mine = UserFolder(self.settings)
        return mine.root / _FOLDER / mine.workspace_identity(make=make)[:32]

    def _has_folder(self) -> bool:
        mine = UserFolder(self.settings)
        return bool(mine.workspace_identity()) and self._folder().is_dir()

    def _key(self) -> bytes:
        """What references are made with; one for all workspaces of the user, made when it is first
        needed."""
        mine = UserFolder(self.settings)
        path = mine.root / _FOLDER / "key"
        try:
            return bytes.fromhex(path.read_text())
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            raise EnvironmentProblem(f"cannot read {path}: {error}") from None
        mine.make(path.parent)
        with locked(path.parent, "key"):
            if not path.exists():
                mine.write(path, secrets.token_hex(32))
        return bytes.fromhex(path.read_text())


def references(values: Iterable[JsonValue]) -> set[str]:
    """Every reference in these values."""
    return {reference for value in values for _, reference in references_in(value)}
