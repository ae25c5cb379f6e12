"""One workspace to a database on a server, and the other way round.

Who is alive is known by locks in the workspace, and large contents lie there. A second workspace on
the same database would take every claim of the first one for that of a dead process, and pay for
its trials once more.
"""

import os
import secrets
from pathlib import Path

from whet.core.errors import Conflict, EnvironmentProblem
from whet.ports.states import State, States

_KIND, _KEY = "workspace", "id"


def settle(states: States, folder: Path) -> None:
    """Mark workspace and database as each other's; raises ``EnvironmentProblem`` if the database
    is that of another workspace."""
    mine = _identity(folder)
    present = states.get(_KIND, _KEY) or _claimed(states, mine, folder)
    if present.value.get("id") != mine:
        raise EnvironmentProblem(
            f"the database belongs to another workspace ({present.value.get('folder')}); use one "
            "for each, or, if that workspace is gone for good, take its database over with: "
            "DELETE FROM states WHERE kind = 'workspace'"
        )


def _claimed(states: States, mine: str, folder: Path) -> State:
    try:
        return states.put(_KIND, _KEY, 0, {"id": mine, "folder": str(folder)})
    except Conflict:  # somebody was quicker
        present = states.get(_KIND, _KEY)
        assert present is not None
        return present


def _identity(folder: Path) -> str:
    """What the workspace is known by, made when it is first asked for."""
    path = folder / ".database"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            new = folder / f".database-{secrets.token_hex(4)}"
            new.write_text(secrets.token_hex(16))
            try:
                os.link(new, path)  # whole, and never in place of another's
            except FileExistsError:
                pass
            finally:
                new.unlink()
        return path.read_text()
    except OSError as error:
        raise EnvironmentProblem(f"cannot use {path}: {error.strerror}") from error
