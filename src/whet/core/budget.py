"""How much an experiment may use."""

from pydantic import Field

from whet.core.value import Value


class Budget(Value):
    """Hard limits; None means none."""

    max_trials: int | None = Field(default=None, ge=0)
    """Executions that may be started, retries included."""

    max_cost_usd: float | None = Field(default=None, ge=0)
