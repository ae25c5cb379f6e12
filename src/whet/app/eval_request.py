"""What a person asks for when a suite is to be run."""

from pydantic import Field, JsonValue, StrictBool

from whet.core.budget import Budget
from whet.core.value import Value

MOST_RUNS = 100
MOST_SECONDS = 7 * 24 * 3600


class EvalRequest(Value):
    """Which skill to measure, on what, and how.

    ``skill`` is a folder with a SKILL.md, or a skill of the library. What is None is as the
    suite says.
    """

    skill: str = Field(min_length=1)
    against: str | None = None
    """An older version (``v3``) of the skill in the library, or a folder, instead of no skill."""

    engines: tuple[str, ...] | None = None
    """None for the one of the configuration."""

    models: tuple[str, ...] = ()
    """For every engine, or for one as ``engine:model``."""

    runs: int | None = Field(default=None, ge=1, le=MOST_RUNS)
    baseline: StrictBool | None = None
    """Whether to run without the skill as well."""

    adaptive: StrictBool = False
    """Whether to stop as soon as it is clear; ``runs`` is then the most of each eval."""

    margin: float = Field(default=0.0, ge=0, lt=1)
    """The difference that does not matter."""

    fresh: StrictBool = False
    """Whether to measure anew what is on record."""

    imported: StrictBool = False
    """Whether answers of imported cassettes will do where there are none of our own."""

    judges: tuple[str, ...] = ()
    """``simulated``, a model, or ``engine:model``."""

    readings: int = Field(default=1, ge=1, le=20)
    """How often each judge reads a run."""

    pairwise: StrictBool = False
    """Whether judges also hold the outputs of both sides against each other, blind."""

    trust_scripts: StrictBool = False
    """Whether scripts of the suite may run."""

    timeout_seconds: float | None = Field(default=None, gt=0, le=MOST_SECONDS)
    options: dict[str, JsonValue] = {}
    """For the engines."""

    budget: Budget = Budget()
    width: int = Field(default=8, ge=1, le=256)
    """Trials at once for each engine and model."""

    @property
    def other(self) -> str:
        """What the skill is held against, if it is."""
        return "old_skill" if self.against else "without_skill"

    def resumed(self) -> "EvalRequest":
        """The same, going on with what is on record."""
        return self.model_copy(update={"fresh": False})
