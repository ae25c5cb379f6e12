"""Reading what an agent program prints."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from datetime import datetime

from pydantic import JsonValue

from whet.core.failure import Failure
from whet.core.request import Reply, Request
from whet.core.step import Ended, Step
from whet.core.usage import Usage
from whet.shell.process import Exit

Event = Mapping[str, JsonValue]


class Reader(ABC):
    """Turns the events of one program into steps; one object for each start of it."""

    def __init__(self) -> None:
        self.usage = Usage()
        """What is known to be used so far."""

        self.turns = 0
        """Answers of the model so far, without those of subagents."""

        self.model: str | None = None
        """The model that the program says it asks."""

        self.finished = False
        """Whether the agent has said its last word and only waits for the next prompt."""

        self.given_up: tuple[Failure, str] | None = None
        """A trouble that the program itself would go on with for a long time or for ever."""

    @abstractmethod
    def read(self, event: Event, at: datetime) -> Iterable[Step]:
        """The steps that an event stands for; events that mean nothing to us give none."""

    def rest(self, _at: datetime) -> Iterable[Step]:
        """The steps that can only be told when the program has ended."""
        return ()

    @abstractmethod
    def ended(self, exit_: Exit, at: datetime) -> Ended:
        """The end, by our own rule of success: exit code, last result and errors together."""

    def request(self, _event: Event) -> Request | None:
        """What the agent waits for with this event, if it does."""
        return None

    def reply(self, _request: Request, _reply: Reply) -> str:
        """The line that answers a request; empty if the program was told in another way."""
        raise AssertionError("whoever finds requests also answers them")
