"""Trials for a pool, and a handler that notes what it was asked."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from whet.core.budget import Budget, Purse
from whet.core.case import Limits, Stimulus
from whet.core.trial import TrialSpec
from whet.pools.local import LocalPool
from whet.ports.pool import Handled

DONE = Handled(settled=True, executions=1)
HELD = Handled(settled=False)
FOUND = Handled(settled=True, executions=0)
"""Somebody had run it already."""

Settled = tuple[TrialSpec, Handled]


def spec(name: str, model: str = "m", max_cost_usd: float | None = None) -> TrialSpec:
    return TrialSpec(
        skill=None,
        stimulus=Stimulus(prompt=name, limits=Limits(max_cost_usd=max_cost_usd)),
        engine="e",
        engine_version="1",
        model=model,
    )


def specs(count: int, model: str = "m", max_cost_usd: float | None = None) -> Iterator[TrialSpec]:
    return (spec(str(number), model, max_cost_usd) for number in range(count))


def name(settled: TrialSpec | Settled) -> str:
    return (settled if isinstance(settled, TrialSpec) else settled[0]).stimulus.prompt


@dataclass
class Desk:
    """A handler: answers by name, else that it is done; knows how busy each lane was."""

    answers: dict[str, list[Handled]] = field(default_factory=dict[str, list[Handled]])
    started: list[str] = field(default_factory=list[str])
    cleaned_up: list[str] = field(default_factory=list[str])
    busy: Counter[str] = field(default_factory=Counter[str])
    busiest: Counter[str] = field(default_factory=Counter[str])
    gates: dict[str, asyncio.Event] = field(default_factory=dict[str, asyncio.Event])
    """Trials wait here, by name or by model."""

    async def __call__(self, trial: TrialSpec) -> Handled:
        self.started.append(name(trial))
        self.busy[trial.model] += 1
        self.busiest[trial.model] = max(self.busiest[trial.model], self.busy[trial.model])
        try:
            gate = self.gates.get(name(trial)) or self.gates.get(trial.model)
            await (gate.wait() if gate else asyncio.sleep(0.001))
            answers = self.answers.get(name(trial))
            return answers.pop(0) if answers else DONE
        finally:
            # Whoever closes the pool must wait for this as well.
            await asyncio.sleep(0.001)
            self.busy[trial.model] -= 1
            self.cleaned_up.append(name(trial))


@asynccontextmanager
async def running(
    desk: Desk, plan: Iterable[TrialSpec], width: int = 4, budget: Budget | None = None
) -> AsyncGenerator[AsyncGenerator[Settled]]:
    """The pool at work; closed at the end of the block, and nothing may take long."""
    settled = LocalPool(desk, width).run(plan, Purse(budget or Budget()))
    async with asyncio.timeout(20):
        try:
            yield settled
        finally:
            await settled.aclose()


async def settle(
    desk: Desk, plan: Iterable[TrialSpec], width: int = 4, budget: Budget | None = None
) -> list[Settled]:
    """Run a plan to its end."""
    async with running(desk, plan, width, budget) as settled:
        return [each async for each in settled]
