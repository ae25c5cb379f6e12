"""Runs that a server does in the background. The next server goes on with those that it had to
leave: because it was told to end, or because it was killed."""

from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from whet.app import control
from whet.app.app import App
from whet.app.foreign_runs import BACKGROUND as STATE
from whet.core.errors import Conflict
from whet.core.value import Value
from whet.ports.states import State

Kind = Literal["project", "eval", "capability", "auto_tag", "generation"]


class BackgroundRun(Value):
    """A run that a server is at, or was when it ended."""

    id: str
    kind: Kind
    options: dict[str, JsonValue] = {}
    """What of its beginning is on record nowhere else."""

    owners: tuple[str, ...] = ()
    """The processes that were at it without a break, the latest last. Where the run itself names
    another one, somebody has gone on with it since, as in a terminal."""

    wish: int = 0
    """The number of the last wish to pause or stop it when it began."""


@dataclass(frozen=True)
class Background:
    """The runs of all servers of a workspace that are not over, each known by its id."""

    app: App

    def begin(self, run: BackgroundRun) -> None:
        """Note that this process is at a run."""
        self.app.foreign.note()
        states = self.app.store.states
        with self.app.store.transaction():
            state = states.get(STATE, run.id)
            if state is not None and state.value and self._is_mine(state):
                return  # it was left behind, and taken
            change = {"owners": (self.app.owner.id,), "wish": control.newest(states, run.id)}
            value = run.model_copy(update=change).model_dump(mode="json")
            states.put(STATE, run.id, state.revision if state else 0, value)

    def end(self, identity: str) -> None:
        """Note that a run of this process is over, or is not to go on by itself."""
        with self.app.store.transaction():
            state = self.app.store.states.get(STATE, identity)
            if state is not None and state.value and self._is_mine(state):
                self.app.store.states.put(STATE, identity, state.revision, {})

    def take_left_behind(self) -> list[BackgroundRun]:
        """Those that no process is at any more, oldest first, as they were left; from now on they
        are this process's. What a person wanted to pause or stop is not among them, and what came
        with the workspace from elsewhere only if somebody agreed to it."""
        taken: list[BackgroundRun] = []
        foreign = self.app.foreign.waiting()
        for state in reversed(self.app.store.states.list(STATE)):
            if not state.value or state.key in foreign:
                continue
            run = BackgroundRun.model_validate(state.value)
            if self.app.is_alive(run.owners[-1]):
                continue
            is_wanted = control.newest(self.app.store.states, run.id) == run.wish
            mine = run.model_copy(update={"owners": (*run.owners, self.app.owner.id)})
            value = mine.model_dump(mode="json") if is_wanted else {}
            try:
                self.app.store.states.put(STATE, run.id, state.revision, value)
            except Conflict:  # another server was first
                continue
            if is_wanted:
                taken.append(run)
        return taken

    def _is_mine(self, state: State) -> bool:
        return BackgroundRun.model_validate(state.value).owners[-1] == self.app.owner.id
