"""A case: the stimulus the agent sees and the standard only graders see."""

from functools import cached_property

from pydantic import Field

from whet.core.address import digest
from whet.core.check import CheckSpec
from whet.core.files import FileRef
from whet.core.rubric import SIX_DIMENSIONS, Rubric
from whet.core.value import Value


class Limits(Value):
    """Where an agent's attempt ends by its own limit."""

    timeout_seconds: float = Field(default=60, gt=0)
    max_turns: int | None = Field(default=None, gt=0)
    max_cost_usd: float | None = Field(default=None, gt=0)


class Stimulus(Value):
    """Everything the agent gets of a case, and nothing else."""

    prompt: str
    files: tuple[FileRef, ...] = ()
    tools: tuple[str, ...] = ()
    limits: Limits = Limits()

    @cached_property
    def digest(self) -> str:
        """The part of a trial's address that comes from the case."""
        return digest(self.model_dump(mode="json"))

    @cached_property
    def task(self) -> str:
        """The digest without the limits: what is to be done, however long it may take."""
        return digest(self.model_dump(mode="json", exclude={"limits"}))


class Standard(Value):
    """What graders hold an attempt against; never reaches the agent or the trial's address."""

    expected: str = ""
    rubric: Rubric | None = None
    weight: float = Field(default=1, ge=0)
    checks: tuple[CheckSpec, ...] = ()
    """Decided by rule."""

    expectations: tuple[str, ...] = ()
    """Decided by a judge, each as passed or failed."""

    @property
    def needs_judge(self) -> bool:
        """Whether rules alone cannot grade it."""
        return self.rubric is not None or bool(self.expectations)

    @cached_property
    def digest(self) -> str:
        """The part of a grade's address that comes from the case."""
        content = self.model_dump(mode="json")
        # Grades from before there were checks keep their addresses.
        for name in ("checks", "expectations"):
            if not content[name]:
                del content[name]
        # So do those from when this scale was what holds where a case says nothing.
        if self.rubric == SIX_DIMENSIONS:
            content["rubric"] = None
        return digest(content)


class Case(Value):
    """One thing to try; ``id`` is unique within its ``set``, a baseline or a suite."""

    id: str
    set: str = ""
    name: str = ""
    category: str = "standard"
    stimulus: Stimulus
    standard: Standard = Standard()
