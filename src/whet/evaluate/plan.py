"""Plans: which trials a design asks for, as a pure function of the design."""

from collections.abc import Iterator
from typing import NamedTuple

from pydantic import Field, JsonValue

from whet.core.arm import Arm, SkillPackage
from whet.core.case import Case
from whet.core.trial import WORKSPACE, TrialSpec
from whet.core.value import Value


class Pin(Value):
    """Who runs the trials: fixed when the experiment is created, never looked up again."""

    engine: str
    engine_version: str
    model: str
    options: dict[str, JsonValue] = {}
    sandbox: str = "none"


class Design(Value):
    """Arms × cases × repeats by one engine and model."""

    arms: tuple[Arm, ...] = Field(min_length=1)
    cases: tuple[Case, ...]
    pin: Pin
    repeats: int = Field(default=1, ge=1)
    first: int = Field(default=1, ge=1)
    """The number of the first attempt; a later round of an experiment begins further on."""

    scope: str = WORKSPACE
    series: int = 0
    neighbours: tuple[SkillPackage, ...] = ()
    """Skills that every agent is offered besides its arm's."""

    imported: bool = False
    """Whether an imported record will do where there is none of our own."""

    own_imports: frozenset[str] = frozenset()
    """Trials whose imported record will do all the same: they came with the project."""

    @property
    def size(self) -> int:
        """How many trials it asks for."""
        return len(self.arms) * len(self.cases) * self.repeats


class Cell(NamedTuple):
    """One place in the table of an experiment."""

    arm: Arm
    case: Case
    attempt: int


def cells(design: Design) -> Iterator[Cell]:
    """All places in plan order: whole rounds first, arms side by side within a case, so that
    an experiment that is stopped half-way has compared like with like."""
    for attempt in range(design.first, design.first + design.repeats):
        for case in design.cases:
            for arm in design.arms:
                yield Cell(arm, case, attempt)


def trial(design: Design, cell: Cell) -> TrialSpec:
    """The trial that fills a place; two places may be filled by one trial."""
    pin = design.pin
    return TrialSpec(
        scope=design.scope,
        series=design.series,
        skill=cell.arm.skill,
        neighbours=design.neighbours,
        stimulus=cell.case.stimulus,
        engine=pin.engine,
        engine_version=pin.engine_version,
        model=pin.model,
        options=pin.options,
        sandbox=pin.sandbox,
        attempt=cell.attempt,
    )
