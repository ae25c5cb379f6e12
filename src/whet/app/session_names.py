"""Names of session logs: ``{date}-{nnn}-{slug}``, each given out once."""

from whet.app.app import App
from whet.core.naming import slug

KIND = "session_number"


def reserve(app: App, about: str, date: str | None = None) -> str:
    """The next name of a date, today's if there is none, within a transaction. It stays reserved
    whatever becomes of it."""
    date = date or app.clock.now().strftime("%Y-%m-%d")
    states = app.store.states
    state = states.get(KIND, date)
    number = state.value.get("last") if state else 0
    last = number if isinstance(number, int) else 0
    folder = app.settings.workspace / "sessions"
    name = ""
    while not name or (folder / f"{name}.json").exists():
        last += 1
        name = f"{date}-{last:03}-{slug(about, 'session', '-')}"
    states.put(KIND, date, state.revision if state else 0, {"last": last})
    return name
