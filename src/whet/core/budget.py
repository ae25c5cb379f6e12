"""How much may be used up, and the purse that sees to it."""

import time
from collections import Counter
from collections.abc import Callable

from pydantic import Field

from whet.core.counts import counted
from whet.core.errors import BudgetExhausted
from whet.core.trial import ASKED, TrialSpec
from whet.core.usage import Usage
from whet.core.value import LARGEST_NUMBER, Value

ROUNDING = 1e-9
"""What sums of fractions of a dollar may be off by."""


class Budget(Value):
    """Hard limits; None means none."""

    max_trials: int | None = Field(default=None, ge=0, le=LARGEST_NUMBER)
    """Executions of agents that may be started; questions to judges are none. Retries count, but
    a trial that is under way is not kept from them."""

    max_cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=0, le=LARGEST_NUMBER)
    max_seconds: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """While a process is at the run; what is under way then is ended."""


class Spending(Value):
    """What a run has used up of its budget, in all processes that were at it."""

    trials: int = 0
    usage: Usage = Usage()
    seconds: float = 0


NO_LIMITS = Budget()
NOTHING = Spending()


class Purse:
    """Reserves the most a trial is thought to use before it starts, and settles what it did use.

    The most is the trial's own limit; without one, the most that a trial of its lane has used so
    far. While nothing is known of a lane, a limit of money or tokens lets one trial at a time
    go. Shared by all that is paid from it: agents and judges, of one event loop. What was spent
    *before*, by other processes at the same run, counts against the budget.
    """

    def __init__(
        self,
        budget: Budget,
        clock: Callable[[], float] = time.monotonic,
        before: Spending = NOTHING,
    ) -> None:
        self.budget = budget
        self.before = before
        self._clock = clock
        self._begun: float | None = None
        self._reserved: dict[int, tuple[float, int]] = {}
        self._under_way: Counter[str] = Counter()
        self._most: dict[str, tuple[float, int]] = {}
        self._next = 0
        self.is_halted = False
        """Whether nothing more may start; what is under way may come to its end."""

        self.trials = 0
        self.usage = Usage()
        """What is settled; without what was spent before."""

    @property
    def spending(self) -> Spending:
        """All that counts against the budget."""
        return Spending(
            trials=self.before.trials + self.trials,
            usage=self.before.usage + self.usage,
            seconds=round(self.before.seconds + self.seconds, 3),
        )

    @property
    def known_tokens(self) -> int | None:
        """The tokens that were spent: 0 if nobody was asked, None if those asked report none."""
        return self.usage.known(self.usage.total_tokens) if self._next else 0

    @property
    def seconds(self) -> float:
        """Since it began; a clock that is set anew does not matter."""
        return 0.0 if self._begun is None else self._clock() - self._begun

    @property
    def seconds_left(self) -> float | None:
        """Until everything has to end; None without such a limit."""
        limit = self.budget.max_seconds
        return None if limit is None else max(0.0, limit - self.before.seconds - self.seconds)

    def begin(self) -> None:
        """Let the time run, if it does not run yet."""
        if self._begun is None:
            self._begun = self._clock()

    def halt(self) -> None:
        """Let nothing more start."""
        self.is_halted = True

    @property
    def is_held(self) -> bool:
        """Whether something is set aside that may come back."""
        return bool(self._reserved)

    def reserve(self, spec: TrialSpec) -> "Reservation":
        """Set aside what the trial may use; raises ``BudgetExhausted``."""
        self.begin()
        budget, counts = self.budget, spec.scope != ASKED
        if self.seconds_left == 0:
            raise BudgetExhausted(f"the time of {budget.max_seconds:g} s is up")
        trials = self.before.trials + self.trials
        if counts and budget.max_trials is not None and trials + 1 > budget.max_trials:
            raise BudgetExhausted(
                f"the budget of {counted(budget.max_trials, 'trial', 'trials')} is used up"
            )
        cost, tokens = self._bound(spec)
        self._check_money(spec, cost)
        self._check_tokens(tokens)
        self.trials += counts
        self._under_way[spec.lane] += 1
        self._next += 1
        self._reserved[self._next] = cost, tokens
        return Reservation(self, self._next, spec.lane, counts=counts)

    def _bound(self, spec: TrialSpec) -> tuple[float, int]:
        own = spec.stimulus.limits.max_cost_usd
        cost, tokens = self._most.get(spec.lane, (0.0, 0))
        limited = self.budget.max_cost_usd is not None or self.budget.max_tokens is not None
        known = spec.lane in self._most or (own is not None and self.budget.max_tokens is None)
        if limited and not known and self._under_way[spec.lane]:
            raise BudgetExhausted("what a trial takes is not known before the first one is done")
        return cost if own is None else own, tokens

    def _check_money(self, spec: TrialSpec, bound: float) -> None:
        limit = self.budget.max_cost_usd
        if limit is None:
            return
        spent = (self.before.usage + self.usage).cost_usd or 0.0
        left = limit - spent - sum(cost for cost, _ in self._reserved.values())
        unknown = spec.lane not in self._most and spec.stimulus.limits.max_cost_usd is None
        if bound > left + ROUNDING or (unknown and left <= ROUNDING):
            raise BudgetExhausted(f"the budget of {limit:g} USD does not cover another trial")

    def _check_tokens(self, bound: int) -> None:
        limit = self.budget.max_tokens
        held = sum(tokens for _, tokens in self._reserved.values())
        spent = self.before.usage.total_tokens + self.usage.total_tokens
        if limit is not None and spent + held + max(bound, 1) > limit:
            raise BudgetExhausted(
                f"the budget of {counted(limit, 'token', 'tokens')} does not cover another trial"
            )

    def settle(self, reservation: "Reservation", executions: int, usage: Usage) -> None:
        """Give back what was set aside, and take what was used."""
        if self._reserved.pop(reservation.number, None) is None:
            return
        lane = reservation.lane
        self._under_way[lane] -= 1
        self.trials += (executions - 1) * reservation.counts
        self.usage += usage
        # A start that led to nothing at no cost says nothing of what the next one takes.
        if usage.cost_usd or usage.total_tokens:
            cost, tokens = self._most.get(lane, (0.0, 0))
            self._most[lane] = max(cost, usage.cost_usd or 0.0), max(tokens, usage.total_tokens)


class Reservation:
    """What is set aside for one trial."""

    def __init__(self, purse: Purse, number: int, lane: str, *, counts: bool) -> None:
        self._purse = purse
        self.number = number
        self.lane = lane
        self.counts = counts
        """Whether it is one of the trials; a question to a judge is none."""

    def settle(self, executions: int, usage: Usage) -> None:
        """Say what the trial used; a second time changes nothing."""
        self._purse.settle(self, executions, usage)
