"""The port of engines that one can talk with."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol, runtime_checkable

from whet.core.request import Reply, Request
from whet.core.step import Step
from whet.core.trial import TrialSpec
from whet.ports.workdir import Workdir

Answerer = Callable[[Request], Awaitable[Reply]]


@runtime_checkable
class Conversing(Protocol):
    """An engine that goes on with a conversation, or lets somebody answer its agent.

    *conversation* is what an earlier ``Ended`` in the same workdir gave; the prompt of *spec*
    is then the next message. With an *answerer* the agent's requests are put to it, one at a
    time. What an engine cannot do it refuses with ``UsageError`` before it starts anything.
    """

    def converse(
        self,
        spec: TrialSpec,
        workdir: Workdir,
        conversation: str | None = None,
        answerer: Answerer | None = None,
    ) -> AsyncIterator[Step]:
        """Like ``run``, which is this without the last two arguments."""
        ...
