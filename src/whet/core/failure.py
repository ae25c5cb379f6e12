"""Why an agent did not deliver, and what that means for the trial."""

from enum import StrEnum


class Failure(StrEnum):
    """Kinds of failure that every engine sorts its troubles into."""

    AUTH = "auth"
    RATE_LIMIT = "rate_limit"
    OVERLOAD = "overload"
    CONTEXT = "context"
    REFUSAL = "refusal"
    MAX_TURNS = "max_turns"
    BUDGET = "budget"
    TIMEOUT = "timeout"
    CRASH = "crash"
    NETWORK = "network"

    @property
    def is_answer(self) -> bool:
        """The agent reached its own end or limit: that is its result, and it is kept."""
        return self in _ANSWERS

    @property
    def is_transient(self) -> bool:
        """Worth another execution by policy."""
        return not self.is_answer and self is not Failure.AUTH


_ANSWERS = {
    Failure.CONTEXT,
    Failure.REFUSAL,
    Failure.MAX_TURNS,
    Failure.BUDGET,
    Failure.TIMEOUT,
}
