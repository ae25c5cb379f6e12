"""Troubles on demand: what ``options["simulate"]`` of a trial may ask for."""

import random
from collections.abc import Mapping

from pydantic import Field, JsonValue, ValidationError, field_validator

from whet.core.errors import UsageError
from whet.core.failure import Failure
from whet.core.trial import TrialSpec
from whet.core.value import Value


class Config(Value):
    """Delays and failures, each failure at a rate between 0 and 1."""

    latency_ms: float = Field(default=0, ge=0, le=3_600_000)
    """Time the whole trial takes, spread over its steps."""

    fail: float = Field(default=0, ge=0, le=1)
    """The agent ends at a limit of its own, which is an answer."""

    fail_kind: Failure = Failure.MAX_TURNS
    crash: float = Field(default=0, ge=0, le=1)
    rate_limit: float = Field(default=0, ge=0, le=1)
    hang: float = Field(default=0, ge=0, le=1)
    """The agent starts a process and waits for it for ever."""

    bad_output: int = Field(default=0, ge=0)
    """So many answers of a job do not fit its schema before one does."""

    missing_artifact: int = Field(default=0, ge=0)
    """So many answers of a job come without the first file that it must yield."""

    outside: str | None = None
    """A path that a job's output has in place of its first file, as an attacker would."""

    @field_validator("fail_kind")
    @classmethod
    def _must_be_an_answer(cls, kind: Failure) -> Failure:
        if not kind.is_answer:
            raise ValueError(f"{kind} is not a limit an agent reaches by itself")
        return kind


_CALM = Config()


def read_options(spec: TrialSpec) -> Config:
    """Read the options of a trial; raises ``UsageError``."""
    asked = spec.options.get("simulate")
    if asked is None:
        return _CALM
    try:
        return Config.model_validate(asked)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(["options.simulate", *map(str, first["loc"])])
        raise UsageError(f"{where}: {first['msg']}") from None


def allowed_tools(options: Mapping[str, JsonValue]) -> frozenset[str] | None:
    """The option ``allowed_tools``, as every agent has it; None for all. Raises ``UsageError``."""
    match options.get("allowed_tools"):
        case None:
            return None
        case [*names] if all(isinstance(name, str) for name in names):
            return frozenset(map(str, names))
        case _:
            raise UsageError("option allowed_tools of engine simulated: not a list of names")


class Luck:
    """Draws whether a trouble strikes.

    What is part of the answer depends on the address alone. What a retry should be able to
    get past depends on the execution too, known by the name of its folder.
    """

    def __init__(self, address: str, execution: str) -> None:
        self._address = address
        self._execution = execution

    def of_trial(self, knob: str, rate: float) -> bool:
        """Whether it strikes, alike in every execution of the trial."""
        return rate > 0 and random.Random(f"{knob} {self._address}").random() < rate

    def of_execution(self, knob: str, rate: float) -> bool:
        """Whether it strikes this execution."""
        seed = f"{knob} {self._address} {self._execution}"
        return rate > 0 and random.Random(seed).random() < rate
