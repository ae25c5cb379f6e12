"""What a job is given and nobody is shown: values of variables, the key that signs its webhook.

The values lie outside the workspace. The database has references of them, and only as long as
somebody may need them.
"""

from pydantic import JsonValue

from whet.app.app import App
from whet.app.secret_store import SHARED, owner_of_job
from whet.app.secret_sweep import JOB_STATE
from whet.core.confidential import replace_references, without_secrets
from whet.core.job import Job
from whet.core.value import Value
from whet.ports.store import Store

KIND = JOB_STATE
_SECRET, _URL = "webhook.secret", "webhook.url"


class Private(Value):
    """The secrets of one job, or references of them."""

    env: dict[str, str] = {}
    webhook_secret: str = ""


def keep(app: App, job: Job, private: Private) -> Job:
    """Put aside what of a new job must not be shown, of most jobs nothing; the job without it."""
    secrets, owner = app.secrets, owner_of_job(job.request_id)
    sealed = Private(
        env={
            name: secrets.put_aside(value, f"environment.{name}", owner)
            for name, value in private.env.items()
        },
        webhook_secret=secrets.put_aside(private.webhook_secret, _SECRET, owner),
    )
    url = job.webhook and secrets.seal_value(job.webhook, owner, _URL)
    if sealed != Private() or url != job.webhook:
        app.store.states.put(KIND, job.request_id, 0, sealed.model_dump())
    options = job.options.model_copy(update={"engine": secrets.seal(job.options.engine, SHARED)})
    return job.model_copy(update={"options": options, "webhook": url})


def recall(store: Store, request_id: str) -> Private:
    """The references of a job's secrets."""
    state = store.states.get(KIND, request_id)
    value: dict[str, JsonValue] = state.value if state else {}
    return Private.model_validate(value)


def webhook_secret(app: App, job: Job) -> str:
    """The key that signs the messages of a job; raises ``EnvironmentProblem``."""
    reference = recall(app.store, job.request_id).webhook_secret
    return app.secrets.value_of(_SECRET, reference) if reference else ""


def webhook_url(app: App, job: Job) -> str:
    """Where the messages of a job go; raises ``EnvironmentProblem``."""
    return str(replace_references(job.webhook, app.secrets.value_of, _URL))


def shown_url(job: Job) -> JsonValue:
    """The same for everybody to see."""
    return without_secrets(job.webhook)


def forget(store: Store, request_id: str, *, but_webhook: bool = False) -> None:
    """Nobody needs them any more; the key of a webhook may be needed longer. The values go with
    the next look at what is not referred to."""
    state = store.states.get(KIND, request_id)
    if state is None or not state.value:
        return
    secret = state.value.get("webhook_secret")
    left: dict[str, JsonValue] = {"webhook_secret": secret} if but_webhook and secret else {}
    store.states.put(KIND, request_id, state.revision, left)
