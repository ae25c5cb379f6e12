"""Trials: one case under one arm by one engine and model, attempt *k*."""

from functools import cached_property
from typing import Literal

from pydantic import Field, JsonValue

from whet.core.address import PROTOCOL, digest
from whet.core.arm import SkillPackage
from whet.core.case import Stimulus
from whet.core.failure import Failure
from whet.core.files import FileRef
from whet.core.lanes import lane_of
from whet.core.usage import Usage
from whet.core.value import Value

IMPORTED = 0
"""The generation of a record that was made elsewhere; our own begin with 1."""


WORKSPACE = "workspace"
"""The scope of an answer that every plan of the workspace may reuse."""

ASKED = "ask"
"""The scope of questions to models, which are no trials."""


class TrialSpec(Value):
    """Everything needed to run a trial anywhere; what does not change the answer is not here.

    ``scope`` is the name space in which an answer may be reused: one for the whole workspace
    unless every run must be new, as a job's must. ``series`` is 0 unless the design needs
    independent answers to the same question.
    """

    scope: str = WORKSPACE
    series: int = 0
    skill: SkillPackage | None
    neighbours: tuple[SkillPackage, ...] = ()
    """Skills beside the one on trial, which the agent may take up instead."""

    stimulus: Stimulus
    engine: str
    engine_version: str
    model: str
    options: dict[str, JsonValue] = {}
    sandbox: str = "none"
    attempt: int = Field(default=1, ge=1)

    @cached_property
    def address(self) -> str:
        """The trial's identity. Names and paths are not part of it, contents are."""
        identity: dict[str, JsonValue] = {
            "protocol": PROTOCOL,
            "scope": self.scope,
            "series": self.series,
            "skill": self.skill.digest if self.skill else None,
            "stimulus": self.stimulus.digest,
            "engine": self.engine,
            "engine_version": self.engine_version,
            "model": self.model,
            "options": self.options,
            "sandbox": self.sandbox,
            "attempt": self.attempt,
        }
        # Trials from before there were neighbours keep their addresses.
        if self.neighbours:
            identity["neighbours"] = [*self.neighbourhood]
        return digest(identity)

    @property
    def neighbourhood(self) -> tuple[str, ...]:
        """The digests of the neighbours; their order means nothing to an agent."""
        return tuple(sorted(each.digest for each in self.neighbours))

    @property
    def lane(self) -> str:
        """What shares one rate limit: the engine and the model."""
        return lane_of(self.engine, self.model)


class TrialRecord(Value):
    """The answer of a trial: the agent ended by itself or by its own limit."""

    address: str
    generation: int = 1
    execution: str
    status: Literal["completed", "failed"]
    answer: str
    failure: Failure | None = None
    error: str | None = None
    started_at: str
    ended_at: str
    duration_ms: int
    usage: Usage = Usage()
    engine: str
    engine_version: str
    model: str
    sandbox: str
    simulated: bool
    outputs: tuple[FileRef, ...] = ()
    outputs_cut: bool = False
    """Whether there were more or larger outputs than are kept."""

    deleted: tuple[str, ...] = ()
    """The input files that are not there any more, by path."""

    answered_by: str | None = None
    """The model that the agent's program says it asked; matters where ``default`` was."""

    skills_used: tuple[str, ...] = ()
    """The names of the skills that the agent took up."""

    estimated_tokens: int | None = None
    """How large the conversation grew, by a rough count of its text."""

    session: str
    """The digest of the session log."""

    tape: str | None = None
    """The digest of the steps as they were, if they are kept."""

    conversation: str | None = None
    """What the agent calls the conversation, for going on with it."""
