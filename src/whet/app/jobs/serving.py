"""Who does the jobs of a workspace: servers say so while they live, and others leave it to them."""

from pydantic import JsonValue

from whet.app.app import App

KIND = "job_servers"
KEY = "owners"


def announce(app: App) -> None:
    """This process does jobs from now on, within a transaction."""
    _put(app, [*_alive(app), app.owner.id])


def withdraw(app: App) -> None:
    """It does not any more. One that is killed need not say so: it is not alive."""
    _put(app, _alive(app))


def is_served(app: App) -> bool:
    """Whether another process does what is queued."""
    return bool(_alive(app))


def _alive(app: App) -> list[str]:
    state = app.store.states.get(KIND, KEY)
    known = state.value.get(KEY) if state else None
    owners = [each for each in known if isinstance(each, str)] if isinstance(known, list) else []
    return [each for each in owners if each != app.owner.id and app.is_alive(each)]


def _put(app: App, owners: list[str]) -> None:
    state = app.store.states.get(KIND, KEY)
    value: dict[str, JsonValue] = {KEY: [*owners]}
    app.store.states.put(KIND, KEY, state.revision if state else 0, value)
