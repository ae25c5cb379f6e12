"""Who is asked, where a person may name somebody."""

from whet.app.app import App
from whet.app.config import defaults
from whet.core.errors import UsageError
from whet.ports.inspected import Inspected
from whet.run.assist.asking import How, how


def who_is_asked(app: App, engine: str | None = None, model: str | None = None) -> How:
    """An engine and a model, as configured where nobody is named; raises ``UsageError``, and
    ``EnvironmentProblem`` where that is not installed."""
    known = defaults(app)
    chosen = app.parts.engine(engine or known.engine)
    if chosen.simulated:
        if model:
            raise UsageError(f"the simulated agent has no model {model}; name an engine beside it")
        return how(chosen)
    wanted = model or known.model_for(chosen.name)
    if not wanted and isinstance(chosen, Inspected) and not chosen.inspect().has_default_model:
        raise UsageError(f"{chosen.name} takes no model by itself; name one")
    return how(chosen, wanted)
