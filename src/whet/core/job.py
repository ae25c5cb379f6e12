"""Jobs: one run of a skill with typed inputs that must yield declared files.

A job is asked for under a request id. What it does is done in a run, which has an id of its own:
another request for just the same may be given the run that is there.
"""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, JsonValue

from whet.core.arm import SkillPackage
from whet.core.budget import NO_LIMITS, Budget, Spending
from whet.core.errors import WrongStatus
from whet.core.failure import Failure
from whet.core.files import FileRef
from whet.core.lanes import lane_of
from whet.core.usage import Usage
from whet.core.value import Value

JobState = Literal[
    "waiting_upload", "queued", "running", "waiting_user", "succeeded", "failed", "cancelled"
]
Mode = Literal["auto", "interactive"]
Kind = Literal["open_text", "choose_one", "confirm", "upload_files"]

TERMINAL: frozenset[JobState] = frozenset({"succeeded", "failed", "cancelled"})

MOVES: Mapping[JobState, frozenset[JobState]] = {
    "waiting_upload": frozenset({"queued", "succeeded", "cancelled"}),
    "queued": frozenset({"running", "failed", "cancelled"}),
    "running": frozenset({"queued", "waiting_user", "succeeded", "failed", "cancelled"}),
    "waiting_user": frozenset({"queued", "failed", "cancelled"}),
    "succeeded": frozenset(),
    "failed": frozenset(),
    "cancelled": frozenset(),
}
"""Where a job may go from where it is. From an upload it goes straight to its end where the same
was done before; what was running is queued again when its process is gone."""

TRANSIENT = tuple(kind for kind in Failure if kind.is_transient)


class JobSkill(Value):
    """The skill of a job, pinned: what becomes of it later does not matter any more."""

    id: str
    """What the package calls itself."""

    asset: str | None = None
    """The library's id; None for a package that came with the job."""

    version: str | None = None
    package_version: str | None = None
    package: SkillPackage
    own: SkillPackage | None = None
    """The agent's own copy of it, with the output contract."""


class JobOptions(Value):
    """How a job is run."""

    timeout_seconds: float = Field(default=600, gt=0)
    """Of the agent's work in all, whatever number of rounds it takes."""

    no_cache: bool = False
    debug: bool = False
    auto_reply: bool = False
    reply_timeout_seconds: float = Field(default=1200, ge=0)
    retries: int = Field(default=2, ge=0, le=20)
    retry_on: tuple[Failure, ...] = TRANSIENT
    on_restart: Literal["rerun", "fail"] = "rerun"
    """What becomes of it when its process is gone while the agent works."""

    keep_seconds: float = Field(default=7 * 86_400, gt=0)
    """How long it is kept after its end."""

    budget: Budget = NO_LIMITS
    """What all its turns may use together."""

    engine: dict[str, JsonValue] = {}
    """Options of the engine; without secrets."""

    env: tuple[str, ...] = ()
    """The names of variables that the agent is given; their values are kept apart."""


class Round(Value):
    """One turn of the agent: the task itself, what is wrong with its output, or a reply."""

    number: int
    kind: Literal["task", "repair", "reply"]
    prompt: str
    files: tuple[FileRef, ...] = ()
    conversation: str | None = None
    """What the agent calls the conversation that it goes on with."""

    timeout_seconds: float
    """What is left of the time for the whole job."""

    max_cost_usd: float | None = None
    """What is left of the money for the whole job."""

    trial: str = ""
    """The address of the trial that it is."""


class Choice(Value):
    """One of the answers that a question offers."""

    label: str
    value: str


class Slot(Value):
    """A file that a question asks for."""

    name: str
    required: bool = True
    hint: str = ""
    accept: str = ""


class Interaction(Value):
    """What the agent wants to know before it goes on."""

    id: int
    kind: Kind
    message: str
    prompt: str = ""
    hint: str = ""
    options: tuple[Choice, ...] = ()
    files: tuple[Slot, ...] = ()
    asked_at: str
    replies_itself_at: str | None = None
    """When it is told to decide by itself, unless somebody replies."""


class Response(Value):
    """What somebody replied; nobody, where it is ``automatic``."""

    interaction: int
    value: JsonValue
    files: tuple[FileRef, ...] = ()
    key: str | None = None
    automatic: bool = False
    at: str


class Artifact(Value):
    """A file that a job yielded, below ``artifacts/``."""

    path: str
    digest: str
    size: int
    role: str | None = None
    mime: str | None = None


class JobFailure(Value):
    """Why a job has no result; ``code`` is stable."""

    code: str
    message: str


class Notice(Value):
    """Something about a result that its reader should know; ``code`` is stable."""

    code: str
    message: str


class JobResult(Value):
    """What a job came to."""

    data: JsonValue = None
    artifacts: tuple[Artifact, ...] = ()
    notices: tuple[Notice, ...] = ()
    failure: JobFailure | None = None


class Job(Value):
    """One request, and all that became of it so far."""

    request_id: str
    run_id: str
    revision: int = 0
    """How often it was kept; the store counts."""

    state: JobState
    skill_id: str
    """As it was asked for."""

    skill: JobSkill | None = None
    """None for one that comes with the upload."""

    engine: str
    engine_version: str
    model: str
    sandbox: str
    simulated: bool = False
    folder: str = ""
    """Where its agent works, in every turn of it."""

    mode: Mode
    options: JobOptions = JobOptions()
    input: dict[str, JsonValue] = {}
    parameter: dict[str, JsonValue] = {}
    notices: tuple[Notice, ...] = ()
    """What its request says in vain."""

    files: tuple[FileRef, ...] = ()
    """What was uploaded."""

    created_at: str
    updated_at: str
    started_at: str | None = None
    ended_at: str | None = None
    key: str | None = None
    """With the same key the same request is one job, however often it is sent."""

    digest: str = ""
    """Of the request, to tell whether it is the same."""

    owner: str | None = None
    """The process that works on it."""

    wants_cancel: bool = False
    restarts: int = 0
    worked_seconds: float = 0
    rounds: tuple[Round, ...] = ()
    pending: Interaction | None = None
    responses: tuple[Response, ...] = ()
    cache_key: str | None = None
    cache_hit: bool = False
    batch: str | None = None
    batch_index: int | None = None
    webhook: str | None = None
    result: JobResult | None = None
    usage: Usage = Usage()
    session: str | None = None
    """The name of its session log."""

    @property
    def is_over(self) -> bool:
        """Whether nothing will become of it any more."""
        return self.state in TERMINAL

    @property
    def spending(self) -> Spending:
        """What counts against its budget."""
        return Spending(trials=len(self.rounds), usage=self.usage, seconds=self.worked_seconds)

    @property
    def lane(self) -> str:
        """Whom it waits for: an engine with a model."""
        return lane_of(self.engine, self.model)

    @property
    def scope(self) -> str:
        """The name space of its trials."""
        return f"job/{self.run_id}"

    def moved(self, state: JobState, **change: object) -> "Job":
        """The job in another state; raises ``WrongStatus`` where it cannot go there."""
        if state not in MOVES[self.state]:
            message = f"job {self.request_id} is {self.state} and cannot become {state}"
            raise WrongStatus(message, state, self.state)
        return self.model_copy(update={"state": state, **change})
