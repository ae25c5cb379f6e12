"""What can be asked of projects: one model for each action, for HTTP and the command line."""

from typing import Literal

from pydantic import ConfigDict, Field, JsonValue, StrictBool

from whet.core.asset_query import LARGEST_PAGE, LAST_PAGE
from whet.core.budget import Budget
from whet.core.value import LARGEST_NUMBER, RequestModel, Value

MOST_SKILLS = 50
MOST_BASELINES = 20
MOST_REPEATS = 100
MOST_SECONDS = 7 * 24 * 3600

Status = Literal["pending", "running", "completed", "interrupted"]

_NAMES, _KINDS = ("skill", "baseline", "case"), ("failed", "unscored")


class ContextWish(Value):
    """What happens to long conversations; None is as the configuration has it."""

    token_threshold: int | None = Field(
        default=None,
        gt=0,
        le=LARGEST_NUMBER,
        description="Tokens from which a conversation is long. Default: as configured.",
    )
    auto_compress: StrictBool | None = Field(
        default=None,
        description="Have the agent compress long conversations, which is part of what is tried "
        "out. Otherwise agents look after that themselves.",
    )
    auto_export: StrictBool | None = Field(
        default=None, description="Export long conversations. Default: as configured."
    )


class IterationWish(Value):
    """Defaults of a later search for better skills."""

    mode: str = Field(default="standard", pattern="^(standard|explore|adaptive)$")
    beam_width: int = Field(default=1, ge=1, le=10)
    plateau_threshold: float = Field(default=1.0, ge=0, le=100, allow_inf_nan=False)
    plateau_rounds_before_escape: int = Field(default=2, ge=1, le=100)
    max_rounds: int | None = Field(default=None, ge=1, le=100)
    stop_threshold: float | None = Field(default=None, ge=0, le=100, allow_inf_nan=False)


class Comparison(RequestModel):
    """Which skills to compare on which baselines, and how."""

    name: str = Field(min_length=1, max_length=200, description="What to call it.")
    description: str = Field(default="", max_length=20_000, description="What it is about.")
    skills: tuple[str, ...] = Field(
        min_length=1,
        max_length=MOST_SKILLS,
        description="Skills by id, its beginning, or name; @v2 picks a version.",
    )
    baselines: tuple[str, ...] = Field(
        min_length=1,
        max_length=MOST_BASELINES,
        description="Baselines by id, its beginning, or name; @v2 picks a version.",
    )
    engine: str = Field(default="", description="The agent. Default: as configured.")
    model: str = Field(default="", description="The model. Default: as configured.")
    repeats: int = Field(
        default=1, ge=1, le=MOST_REPEATS, description="How often each case is tried by each skill."
    )
    timeout_seconds: float | None = Field(
        default=None,
        gt=0,
        le=MOST_SECONDS,
        allow_inf_nan=False,
        description="Seconds for each attempt. Default: as configured, or what such agents need.",
    )
    retries: int | None = Field(
        default=None,
        ge=0,
        le=20,
        description="Retries after a passing trouble. Default: as configured.",
    )
    extra_flags: tuple[str, ...] = Field(
        default=(), description="Flags for the agent's program, as they are."
    )
    options: dict[str, JsonValue] = Field(default={}, description="Options of the engine.")
    judges: tuple[str, ...] = Field(
        default=(),
        description="simulated, a model, engine:model, or a judge of your own; several are a "
        "panel. Default: one that is fit.",
    )
    readings: int = Field(
        default=1, ge=1, le=20, description="How often each judge reads an answer."
    )
    structural_gate: StrictBool = Field(
        default=True,
        description="Spare the judges what failed a critical check, which then scores 0.",
    )
    context: ContextWish = ContextWish()
    iteration: IterationWish | None = None


class ProjectListing(RequestModel):
    """Which projects, and which page of them."""

    status: Status | None = Field(default=None, description="Only those.")
    keyword: str = Field(default="", description="A part of the name, in upper or lower case.")
    archived: bool | Literal["all"] = Field(
        default=False, description="Archived ones are out of the way unless asked for."
    )
    page: int = Field(default=1, ge=1, le=LAST_PAGE, description="Pages are counted from 1.")
    page_size: int = Field(default=20, ge=1, le=LARGEST_PAGE, description="Projects on a page.")


class ProjectEdit(RequestModel):
    """What is to be changed of a project; what is not named stays."""

    name: str | None = None
    description: str | None = Field(default=None, max_length=20_000)


class Clone(RequestModel):
    """How the copy differs."""

    name: str = Field(
        default="",
        max_length=200,
        description="What to call it. Default: as the old one, and (copy).",
    )
    newest: StrictBool = Field(
        default=False, description="With the newest versions of skills and baselines."
    )


class Run(RequestModel):
    """Whether a person agrees to what it costs, and which answers will do."""

    confirmed: StrictBool = Field(default=False, description="Do not ask before spending.")
    imported: StrictBool = Field(
        default=False, description="Take answers of imported cassettes where there are no own."
    )
    budget: Budget = Field(
        default=Budget(), description="What it may use; one that is used up interrupts it."
    )


class RetryWish(RequestModel):
    """Which results to try again: those that fit all that is said."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [
                *(
                    {"required": [name], "properties": {name: {"type": "string"}}}
                    for name in _NAMES
                ),
                *({"required": [name], "properties": {name: {"const": True}}} for name in _KINDS),
            ]
        }
    )

    skill: str | None = Field(
        default=None, description="A skill of the project; @v2 picks a version."
    )
    baseline: str | None = Field(default=None, description="A baseline of the project.")
    case: str | None = Field(default=None, description="A case, by its id.")
    failed: bool = Field(default=False, description="Those that failed.")
    unscored: bool = Field(
        default=False,
        description="Those that the judges gave no usable score; with failed, those that are "
        "either.",
    )


class Retry(RetryWish):
    """Which results are to be tried again, and whether at once."""

    run: StrictBool = Field(default=False, description="Run it at once.")
    confirmed: StrictBool = Field(default=False, description="Do not ask before spending.")

    @property
    def wish(self) -> RetryWish:
        """Which results, whenever they are tried."""
        return RetryWish.model_validate(self.model_dump(include={*RetryWish.model_fields}))


class ResultListing(RequestModel):
    """Which results, and which page of them."""

    skill: str | None = Field(
        default=None, description="By id, its beginning, name, or arm; @v2 picks a version."
    )
    baseline: str | None = Field(default=None, description="In the same way.")
    case: str | None = Field(default=None, description="The id of a case.")
    status: Literal["completed", "failed", "skipped"] | None = Field(
        default=None, description="Only what came to this."
    )
    grade_status: Literal["scored", "unscored", "failed"] | None = Field(
        default=None, description="Only what judges made this of."
    )
    page: int = Field(default=1, ge=1, le=LAST_PAGE, description="Pages are counted from 1.")
    page_size: int = Field(default=50, ge=1, le=LARGEST_PAGE, description="Results on a page.")


class CompareSkills(RequestModel):
    """Which two skills to compare, or which two answers."""

    model_config = ConfigDict(extra="ignore")

    left: str = Field(
        description="PROJECT:SKILL, a project of one skill, or a skill; @v2 picks a version."
    )
    right: str = Field(description="In the same way.")
    case: str | None = Field(
        default=None,
        description="Compare the answers to this one, by id or name; BASELINE/CASE if needed.",
    )
    attempt: int = Field(
        default=1, ge=1, le=LARGEST_NUMBER, description="Which try; with case only."
    )
