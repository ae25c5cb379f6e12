"""A run: one row for every kind of long work. It says who does it, how far it is, what people want
of it, what it cost and how it ended. The states of the doors' own documents are made from it."""

from typing import Literal

from pydantic import JsonValue

from whet.core.budget import NOTHING, Budget, Spending
from whet.core.usage import Usage
from whet.core.value import Value

RunKind = Literal[
    "project", "eval", "capability", "trigger", "race", "job", "auto_tag", "generation"
]
RunStatus = Literal[
    "queued", "waiting", "running", "interrupted", "completed", "partial", "failed", "cancelled"
]
"""``waiting`` is for a person; an ``interrupted`` run can be resumed; a ``partial`` one came to its
end without all that was planned, as when its budget was used up."""

Wish = Literal["paused", "stopped"]
Actor = Literal["person", "server"]

OVER: frozenset[RunStatus] = frozenset({"completed", "partial", "failed", "cancelled"})
"""Nobody has to go on with these."""


class Run(Value):
    """Long work of any kind, as the store keeps it."""

    id: str
    kind: RunKind
    name: str
    status: RunStatus
    request: dict[str, JsonValue] = {}
    """What was asked for; secrets in it are references."""

    details: dict[str, JsonValue] = {}
    """What only its kind knows, such as the folders of its results."""

    owner: str = ""
    """The process that is at it, or was the last."""

    epoch: int = 0
    """How often a process has claimed it; a write that carries an older one is refused."""

    actor: Actor = "person"
    """Who began it: a person at a terminal, or a request to a server."""

    is_unattended: bool = False
    """Whether the next server goes on with it where the process that is at it goes away."""

    wish: Wish | None = None
    """What a person wanted last of whoever is at it."""

    wishes: int = 0
    """How many wishes there were; who begins later does not mind those from before."""

    total: int = 0
    """Places of its plan: trials, or whatever else it consists of."""

    reused: int = 0
    """Places that were there when the latest process began."""

    done: int = 0
    """Places that came to something, the reused ones included."""

    failed: int = 0
    skipped: int = 0
    """Of the done."""

    usage: Usage = Usage()
    """Of the latest process."""

    budget: Budget = Budget()
    spending: Spending = NOTHING
    """What was used up of the budget since that was set, by all processes together."""

    error: str | None = None
    """Why it was interrupted or failed, if it was a trouble and not a person."""

    parent: str | None = None
    """The run that it is a part of."""

    created_at: str
    started_at: str
    """When the latest process began."""

    ended_at: str | None = None
    elapsed_s: float | None = None
    """Seconds that the latest process took, or had taken when it last said so, whatever was done to
    the clock of the day."""

    @property
    def is_over(self) -> bool:
        """Whether nobody has to go on with it."""
        return self.status in OVER
