"""What a job is given and nobody is shown: values of variables, the key that signs its webhook.

It is kept apart from the job, and only as long as somebody may need it.
"""

from pydantic import JsonValue

from whet.core.value import Value
from whet.ports.store import Store

KIND = "job_private"


class Private(Value):
    """The secrets of one job."""

    env: dict[str, str] = {}
    webhook_secret: str = ""


def keep(store: Store, request_id: str, private: Private) -> None:
    """Keep what of a new job must not be shown; of most jobs that is nothing."""
    if private != Private():
        store.states.put(KIND, request_id, 0, private.model_dump())


def recall(store: Store, request_id: str) -> Private:
    """The secrets of a job."""
    state = store.states.get(KIND, request_id)
    value: dict[str, JsonValue] = state.value if state else {}
    return Private.model_validate(value)


def forget(store: Store, request_id: str, *, but_webhook: bool = False) -> None:
    """Nobody needs them any more; the key of a webhook may be needed longer."""
    state = store.states.get(KIND, request_id)
    if state is None or not state.value:
        return
    secret = state.value.get("webhook_secret")
    left: dict[str, JsonValue] = {"webhook_secret": secret} if but_webhook and secret else {}
    store.states.put(KIND, request_id, state.revision, left)
