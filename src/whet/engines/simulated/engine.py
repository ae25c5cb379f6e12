"""The engine around the agent: pauses, limits and troubles on demand."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing

from pydantic import JsonValue

from whet.core.counts import counted
from whet.core.errors import EngineFailure, UsageError
from whet.core.failure import Failure
from whet.core.step import Called, Step
from whet.core.trial import TrialSpec
from whet.engines.simulated import checking
from whet.engines.simulated.agent import Agent, is_for_coder
from whet.engines.simulated.clerk import Clerk, is_for_clerk, is_understood
from whet.engines.simulated.contract.agreement import agreed
from whet.engines.simulated.contractor import Contractor
from whet.engines.simulated.options import Config, Luck, allowed_tools, read_options
from whet.ports.conversing import Answerer
from whet.ports.machine import Machine
from whet.ports.tooled import FINAL_RESPONSE
from whet.ports.workdir import Workdir

_PAUSES = 4
_TOOLS = frozenset({"Bash", "Edit", "Grep", "LS", "Read", "Write"})


class SimulatedEngine:
    """A deterministic agent that needs no model: equal addresses give equal work.

    It sees the skill and the prompt and nothing else. How well it codes depends on what the
    skill asks for, how hard the case is, and on chance drawn from the trial's address. Plainly
    worded tasks about files and questions it does as well as it can, and as badly. A skill with
    an output contract is a job: it hands in what the contract declares, and goes on with the
    conversation when it is told what was wrong or what it asked for.
    """

    name = "simulated"
    simulated = True
    sandboxed = False

    def __init__(self, _machine: Machine | None = None) -> None:
        pass

    def version(self, _options: Mapping[str, JsonValue]) -> str:
        """Raised whenever the agent would do anything differently with a task for a coder. What
        it does with plainly worded tasks and with jobs is done anew by every run, so it does not
        count."""
        return "1"

    def can_do(self, prompt: str) -> bool:
        """See ``ports.capable``: it writes Python, and does plainly worded tasks with files."""
        return is_understood(prompt) or (not is_for_clerk(prompt) and is_for_coder(prompt))

    def tools(self, options: Mapping[str, JsonValue]) -> Sequence[str]:
        """See the port. MCP servers are nothing to it."""
        allowed = allowed_tools(options)
        left = _TOOLS if allowed is None else _TOOLS & allowed
        return sorted({*left, FINAL_RESPONSE})

    def run(self, spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step, None]:
        """Let the agent work on the trial; ``options["simulate"]`` is a ``Config``."""
        return self.converse(spec, workdir)

    async def converse(
        self,
        spec: TrialSpec,
        workdir: Workdir,
        conversation: str | None = None,
        answerer: Answerer | None = None,
    ) -> AsyncGenerator[Step, None]:
        """See ``ports.conversing``. Jobs are what it goes on with; it has no requests."""
        if answerer is not None:
            raise UsageError("simulated cannot do this: let somebody answer it")
        config = read_options(spec)
        agent = _worker(spec, workdir, config, conversation)
        luck = Luck(spec.address, workdir.root.name)
        if luck.of_execution("rate_limit", config.rate_limit):
            raise EngineFailure(Failure.RATE_LIMIT, "simulated rate limit")
        limit = spec.stimulus.limits.max_turns
        async with aclosing(_work(agent, config, luck, workdir)) as steps:
            async for step in steps:
                if (
                    isinstance(step, Called)
                    and limit is not None
                    and agent.transcript.calls > limit
                ):
                    error = f"stopped after {counted(limit, 'turn', 'turns')}"
                    yield agent.transcript.ended("", Failure.MAX_TURNS, error)
                    return
                yield step


def _worker(
    spec: TrialSpec, workdir: Workdir, config: Config, conversation: str | None
) -> Agent | Clerk | Contractor:
    """Whoever is the one for the task."""
    contract = agreed(spec, workdir)
    if contract is not None:
        return Contractor(spec, workdir, contract, config, conversation)
    if conversation is not None:
        raise UsageError(f"simulated has no conversation {conversation[:200]!r}")
    return (Clerk if is_for_clerk(spec.stimulus.prompt) else Agent)(spec, workdir)


async def _work(
    agent: Agent | Clerk | Contractor, config: Config, luck: Luck, workdir: Workdir
) -> AsyncGenerator[Step, None]:
    await _pause(config)
    for step in agent.read():
        yield step
    await _pause(config)
    if luck.of_execution("crash", config.crash):
        raise EngineFailure(Failure.CRASH, "simulated crash")
    if luck.of_trial("hang", config.hang):
        await checking.hang(workdir)
    for step in agent.write():
        yield step
    await _pause(config)
    if luck.of_trial("fail", config.fail):
        yield agent.transcript.ended("", config.fail_kind, f"simulated {config.fail_kind}")
        return
    async with aclosing(agent.check()) as steps:
        async for step in steps:
            yield step
    await _pause(config)
    yield agent.end()


async def _pause(config: Config) -> None:
    if config.latency_ms:
        await asyncio.sleep(config.latency_ms / 1000 / _PAUSES)
