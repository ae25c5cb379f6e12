"""What people ask for: to run a suite, and to keep what they say of a run."""

from typing import Annotated, Literal

from pydantic import Field, JsonValue, StrictBool

from whet.core.budget import Budget
from whet.core.value import LARGEST_NUMBER, RequestModel

MOST_RUNS = 100
MOST_SECONDS = 7 * 24 * 3600


class EvalRequest(RequestModel):
    """Which skill to measure, on what, and how. What is None is as the suite says."""

    skill: str = Field(
        min_length=1,
        description="A folder with a SKILL.md and its evals/evals.json, or a skill of the library.",
    )
    against: str | None = Field(
        default=None,
        description="Compare with an older version: v3 of the library, or a folder.",
    )
    engines: tuple[str, ...] | None = Field(
        default=None, description="The agents to run it on. Default: as configured."
    )
    models: tuple[str, ...] = Field(
        default=(), description="Models for every engine, or engine:model for one."
    )
    runs: int | None = Field(
        default=None,
        ge=1,
        le=MOST_RUNS,
        description="Runs of each eval. Default: as the suite says.",
    )
    baseline: StrictBool | None = Field(
        default=None, description="Run without the skill as well, or not."
    )
    adaptive: StrictBool = Field(
        default=False, description="Stop as soon as it is clear; runs is the most of each eval."
    )
    margin: float = Field(
        default=0.0, ge=0, lt=1, description="The difference (0 to 1) that does not matter."
    )
    fresh: StrictBool = Field(
        default=False, description="Measure anew; nothing on record is reused."
    )
    imported: StrictBool = Field(
        default=False, description="Take answers of imported cassettes where there are no own."
    )
    judges: tuple[str, ...] = Field(
        default=(), description="simulated, a model, or engine:model; several are a panel."
    )
    readings: int = Field(default=1, ge=1, le=20, description="How often each judge reads a run.")
    pairwise: StrictBool = Field(
        default=False, description="Also compare outputs side by side, blind."
    )
    trust_scripts: StrictBool = Field(
        default=False, description="Let scripts of the suite run, in the sandbox."
    )
    timeout_seconds: float | None = Field(
        default=None, gt=0, le=MOST_SECONDS, description="Seconds for each run. Default: 600."
    )
    options: dict[str, JsonValue] = Field(default={}, description="Options of the engines.")
    budget: Budget = Budget()
    width: int = Field(
        default=8, ge=1, le=256, description="Runs at once for each engine and model."
    )

    @property
    def other(self) -> str:
        """What the skill is held against, if it is."""
        return "old_skill" if self.against else "without_skill"

    def resumed(self) -> "EvalRequest":
        """The same, going on with what is on record."""
        return self.model_copy(update={"fresh": False})


class ReviewRequest(RequestModel):
    """What a person says of a run."""

    label: Literal["pass", "fail"] | None = Field(default=None, description="What you find.")
    feedback: str = Field(default="", max_length=20_000, description="Why.")
    scores: dict[str, Annotated[int, Field(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER, strict=True)]] = (
        Field(default={}, description="A score for each dimension of the rubric.")
    )
