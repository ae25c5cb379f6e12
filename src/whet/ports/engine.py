"""The engine port."""

from collections.abc import AsyncIterator, Mapping
from typing import Protocol

from pydantic import JsonValue

from whet.core.step import Step
from whet.core.trial import TrialSpec
from whet.ports.workdir import Workdir


class Engine(Protocol):
    """An adapter to one agent, made with the ``Machine`` as its only argument.

    ``run`` yields steps as they happen and ends with exactly one ``Ended``. It raises
    ``EngineFailure`` when the agent could not be run at all. It may be cancelled or closed at
    any await and must then leave no process behind. It reads and writes only inside *workdir*
    and knows nothing of expected results, rubrics or other trials.
    """

    name: str
    simulated: bool
    sandboxed: bool
    """Whether the agent runs inside the sandbox that the trial names."""

    def version(self, options: Mapping[str, JsonValue], /) -> str:
        """The version of the agent under these options, as pinned in every trial; raises
        ``EnvironmentProblem`` when it is not installed."""
        ...

    def run(self, spec: TrialSpec, workdir: Workdir) -> AsyncIterator[Step]:
        """Let the agent work on the trial."""
        ...
