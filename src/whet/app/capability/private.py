"""Options of an engine that have secrets in them, as the key of an MCP server.

The options with references of them are kept apart from what a run shows of itself, and only as long
as somebody may go on with it. The values lie outside the workspace.
"""

from pydantic import JsonValue

from whet.app.capability.plan import Snapshot
from whet.app.secret_sweep import RUN_STATE
from whet.core.confidential import without_secrets
from whet.ports.store import Store

KIND = RUN_STATE


def shown(snapshot: Snapshot) -> Snapshot:
    """The snapshot without secrets."""
    options = without_secrets(snapshot.pin.options)
    return _with_options(snapshot, options if isinstance(options, dict) else {})


def keep(store: Store, run_id: str, snapshot: Snapshot) -> None:
    """Keep what of a new run must not be shown; of most runs that is nothing."""
    if shown(snapshot) != snapshot:
        store.states.put(KIND, run_id, 0, snapshot.pin.options)


def whole(store: Store, run_id: str, snapshot: Snapshot) -> Snapshot:
    """The snapshot with references of its secrets, where it has any."""
    state = store.states.get(KIND, run_id)
    return _with_options(snapshot, state.value) if state and state.value else snapshot


def forget(store: Store, run_id: str) -> None:
    """Nobody will go on with a run."""
    if (state := store.states.get(KIND, run_id)) is not None and state.value:
        store.states.put(KIND, run_id, state.revision, {})


def _with_options(snapshot: Snapshot, options: dict[str, JsonValue]) -> Snapshot:
    return snapshot.model_copy(update={"pin": snapshot.pin.model_copy(update={"options": options})})
