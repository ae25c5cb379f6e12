"""One start of an agent program, with everything it depends on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from whet.core.trial import TrialSpec
from whet.engines.agent_cli.home import Home
from whet.engines.agent_cli.options import AgentOptions
from whet.engines.agent_cli.skill import instructions, neighbour_names, skill_name
from whet.ports.conversing import Answerer
from whet.ports.workdir import Workdir

DEFAULT_MODEL = "default"
"""The name of whatever model a program takes by itself."""


@dataclass(frozen=True)
class Task:
    """What the program is to do, and where."""

    spec: TrialSpec
    workdir: Workdir
    options: AgentOptions
    home: Home
    conversation: str | None = None
    answerer: Answerer | None = None

    @property
    def model(self) -> str | None:
        """The model that was asked for; None for the program's own choice."""
        return None if self.spec.model == DEFAULT_MODEL else self.spec.model

    @cached_property
    def skill(self) -> str | None:
        """The name of the SKILL.md package, if there is one."""
        return skill_name(self.spec, self.workdir)

    @cached_property
    def neighbours(self) -> tuple[str, ...]:
        """The names of the skills beside it."""
        return neighbour_names(self.spec, self.workdir)

    @property
    def skills(self) -> tuple[str, ...]:
        """The names of all packages that the agent is offered."""
        return (*([self.skill] if self.skill else []), *self.neighbours)

    @cached_property
    def instructions(self) -> str | None:
        """The text of a skill that is only a text."""
        return instructions(self.spec, self.workdir)


@dataclass(frozen=True, slots=True)
class Launch:
    """How the program is started."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Besides what every agent gets."""

    stdin: str | None = None
    """The whole input; the first line of it where the agent may ask questions."""

    input_ends: bool = False
    """Whether that is all of the input even then, as answers reach the program otherwise."""
