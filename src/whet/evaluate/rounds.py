"""A design in rounds: what is run before the next decision, and what came of it.

The rounds and their order come from the design alone. Decisions are made after a whole round and
in plan order. So a run that was interrupted comes to the same decisions from the records, and
starts no agent twice.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from whet.core.address import digest
from whet.core.arm import Arm
from whet.core.budget import Purse
from whet.core.case import Case
from whet.evaluate.experiment import Experiment, Row
from whet.evaluate.plan import Design
from whet.evaluate.run_result import Run, shortened
from whet.evaluate.suite_grading import efficiency

Unit = tuple[Case, ...]
"""Cases that share a fixture are one unit of chance; most cases are alone."""

Rows = Mapping[tuple[str, str, int], Row]
"""By the id of the arm, the id of the case, and the number of the attempt."""


def plan_digest(design: Design) -> str:
    """What a design asks for, whatever it is graded by."""
    return digest(
        [
            design.series,
            design.pin.model_dump(mode="json"),
            [arm.skill.digest if arm.skill else "" for arm in design.arms],
            [[case.id, case.stimulus.digest] for case in design.cases],
        ]
    )


def shuffled_units(design: Design, clusters: Mapping[str, str] | None) -> list[Unit]:
    """The units of a design in an order that has nothing to do with its results."""
    units: dict[str, list[Case]] = {}
    for case in design.cases:
        cluster = (clusters or {}).get(case.id)
        units.setdefault(f"case {case.id}" if cluster is None else f"of {cluster}", []).append(case)
    plan = plan_digest(design)
    return [tuple(units[name]) for name in sorted(units, key=lambda name: digest([plan, name]))]


def batches(units: Sequence[Unit], size: int) -> list[list[Unit]]:
    """Units one after another, *size* cases or a few more in each batch."""
    found: list[list[Unit]] = []
    room = 0
    for unit in units:
        if room <= 0:
            found.append([])
            room = size
        found[-1].append(unit)
        room -= len(unit)
    return found


async def settle(
    experiment: Experiment, design: Design, purse: Purse, settled: Callable[[Row], None]
) -> Rows:
    """Carry out one round to its end."""
    rows: dict[tuple[str, str, int], Row] = {}

    def take(row: Row) -> None:
        rows[row.cell.arm.id, row.cell.case.id, row.cell.attempt] = row
        settled(row)

    await experiment.run(design, purse, take)
    return rows


def whole(
    rows: Rows, arms: Sequence[Arm], case: Case, attempts: Iterable[int], excluded: list[str]
) -> list[tuple[float, ...]]:
    """The scores of all *arms* at every attempt where all have one.

    Attempts that are broken are *excluded*, with the reason. Those that nobody began are not
    there at all.
    """
    found: list[tuple[float, ...]] = []
    for attempt in attempts:
        places = [rows[arm.id, case.id, attempt] for arm in arms]
        scores = [efficiency(row) for row in places]
        known = tuple(score for score in scores if score is not None)
        if len(known) == len(scores):
            found.append(known)
        elif not all(row.skipped for row in places):
            told = [f"{r.cell.arm.id}: {_reason(r)}" for r in places if efficiency(r) is None]
            excluded.append(f"eval {case.id} run {attempt}: {'; '.join(told)}")
    return found


def _reason(row: Row) -> str:
    if row.record is not None:
        return Run(row).unscored_because
    return shortened(row.error or "no result")
