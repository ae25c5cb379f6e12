"""10,000 stored trials of a suite: look them up, sum them up, and check them anew.

The records are copies of one real simulated trial, each with a session log and an output of its
own. The floor is what it takes to read the same rows from the database and parse their JSON.
"""

import asyncio
import sqlite3
import tempfile
import time
from pathlib import Path

from pydantic_core import from_json

from bench.ground_truth import design_of, laboratory, made, package, suite_of
from bench.run import peak_mb
from whet.app.clock import SystemClock
from whet.core.budget import Budget, Purse
from whet.core.case import Case
from whet.core.files import FileRef
from whet.core.trial import IMPORTED, TrialRecord
from whet.evaluate.benchmark import Context, benchmark
from whet.evaluate.experiment import Experiment, Row
from whet.evaluate.plan import Design, cells, trial
from whet.ports.store import Store
from whet.stores.sql import SqlStore

EVALS = 500
RUNS = 10
TRIALS = 2 * EVALS * RUNS
VARIANT = b"variant 0"


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as name:
        folder = Path(name)
        store = SqlStore(folder, lambda _owner: True, SystemClock())
        with laboratory(store, folder / "scratch") as experiment:
            cases = [made(number, None) for number in range(EVALS)]
            plan = design_of(cases, package(store.blobs)).model_copy(
                update={"repeats": RUNS, "imported": True}
            )
            fill(store, experiment, plan)
            bare = floor(folder)
            rows, seconds = looked_up(experiment, plan)
            summed = aggregated(plan, rows)
            told("read and parse rows", bare, bare)
            told("look up", seconds, bare)
            told("sum up to a benchmark", summed, bare)
            told("check anew and store", checked_anew(experiment, plan), bare)
            print(f"peak {peak_mb():.0f} MB")
        store.close()


def told(what: str, seconds: float, bare: float) -> None:
    print(
        f"{what:22}{seconds:6.2f} s for {TRIALS} trials, {TRIALS / seconds:7.0f}/s,"
        f" {seconds / bare:5.1f} × read and parse"
    )


def fill(store: Store, experiment: Experiment, plan: Design) -> None:
    """Write records and grades for the whole plan, as if they had been run."""
    first = plan.model_copy(update={"cases": plan.cases[:1], "repeats": 1})
    rows: list[Row] = []
    asyncio.run(experiment.run(first, Purse(Budget()), rows.append))
    patterns = {row.cell.arm.id: row for row in rows}
    with store.transaction():
        for cell in cells(plan):
            like = patterns[cell.arm.id]
            record = copied(store, like, trial(plan, cell).address, f"variant {cell.case.id}")
            store.ledger.add_imported([record])
            own = experiment.grader.address(cell.case, record.address, IMPORTED)
            change = {"address": own, "trial": record.address, "generation": IMPORTED}
            assert like.grade is not None
            store.ledger.add_grades([like.grade.model_copy(update=change)])


def copied(store: Store, like: Row, address: str, variant: str) -> TrialRecord:
    """The record of another trial, with a session and outputs of its own."""
    record = like.record
    assert record is not None
    session = store.blobs.get(record.session).replace(VARIANT, f"{variant} {address}".encode())
    outputs: list[FileRef] = []
    for file in record.outputs:
        data = store.blobs.get(file.digest) + f"# {address}\n".encode()
        outputs.append(FileRef(path=file.path, digest=store.blobs.put(data), size=len(data)))
    change = {
        "address": address,
        "session": store.blobs.put(session),
        "outputs": tuple(outputs),
        "tape": None,
    }
    return record.model_copy(update=change)


def floor(folder: Path) -> float:
    """Seconds to read all records and grades, and to parse them as mere JSON."""
    database = sqlite3.connect(folder / "whet.db")
    begun = time.perf_counter()
    read = 0
    for table in ("trials", "grades"):
        for (data,) in database.execute(f"SELECT data FROM {table}"):
            read += bool(from_json(data))
    taken = time.perf_counter() - begun
    database.close()
    assert read >= 2 * TRIALS
    return taken


def looked_up(experiment: Experiment, plan: Design) -> tuple[list[Row], float]:
    rows: list[Row] = []
    begun = time.perf_counter()
    extent = asyncio.run(experiment.run(plan, Purse(Budget()), rows.append))
    taken = time.perf_counter() - begun
    assert extent.reused == len(rows) == TRIALS
    return rows, taken


def aggregated(plan: Design, rows: list[Row]) -> float:
    """Seconds from rows to the text of a benchmark."""
    begun = time.perf_counter()
    context = Context(suite_of(plan.cases), plan, skill_path="skill", timestamp="")
    found = benchmark(rows, context)
    text = found.to_json()
    taken = time.perf_counter() - begun
    assert len(found.runs) == TRIALS
    assert found.verdict is not None
    assert found.verdict.n_cases == EVALS
    assert text
    return taken


def checked_anew(experiment: Experiment, plan: Design) -> float:
    """Seconds to carry out checks that were changed, on the stored records."""
    stricter = plan.model_copy(update={"cases": tuple(map(changed, plan.cases))})
    rows: list[Row] = []
    begun = time.perf_counter()
    extent = asyncio.run(experiment.run(stricter, Purse(Budget()), rows.append))
    taken = time.perf_counter() - begun
    assert extent.ungraded == len(rows) == TRIALS
    assert all(row.grade is not None and row.grade.status == "scored" for row in rows)
    return taken


def changed(case: Case) -> Case:
    """The same task with its checks only, worded otherwise."""
    checks = [check.model_copy(update={"description": "changed"}) for check in case.standard.checks]
    standard = case.standard.model_copy(update={"checks": tuple(checks), "expectations": ()})
    return case.model_copy(update={"standard": standard})


if __name__ == "__main__":
    main()
