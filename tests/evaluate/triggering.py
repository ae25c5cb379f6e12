"""Skills with queries, and rows of trigger runs by hand."""

import json
from collections.abc import Sequence
from pathlib import Path

from whet.core.failure import Failure
from whet.documents.skill_creator import TriggerQuery
from whet.evaluate.experiment import Row
from whet.evaluate.plan import Cell, Design, Pin
from whet.evaluate.trigger import Offer, design, offer
from whet.evaluate.trigger_report import Counted, counted
from whet.testing.store import execution, record

PIN = Pin(engine="hand", engine_version="1", model="m")
NAME = "own"


def write_skill(folder: Path, name: str = NAME, description: str = "Does it.") -> Path:
    folder.mkdir(parents=True)
    front = f"name: {name}\ndescription: {description}\n"
    (folder / "SKILL.md").write_text(f"---\n{front}---\nUse type hints.\n")
    (folder / "notes.md").write_text(f"Notes of {name}.\n")
    return folder


def write_queries(skill: Path, queries: Sequence[TriggerQuery]) -> Path:
    file = skill / "evals/triggers.json"
    file.parent.mkdir(exist_ok=True)
    data = [{"query": q.query, "should_trigger": q.should_trigger} for q in queries]
    file.write_text(json.dumps(data))
    return file


def wants(*texts: str) -> list[TriggerQuery]:
    return [TriggerQuery(query=text, should_trigger=True) for text in texts]


def shuns(*texts: str) -> list[TriggerQuery]:
    return [TriggerQuery(query=text, should_trigger=False) for text in texts]


# What a run showed: the skill was taken up (T) or not (-), with all turns used up (M), with the
# time up (t), although the time was up (A), nothing because it crashed (x) or was skipped ($).
_FAILURES = {"M": Failure.MAX_TURNS, "t": Failure.TIMEOUT, "A": Failure.TIMEOUT}


def rows(plan: Design, *marks: str, name: str = NAME) -> list[Row]:
    """The rows of a plan: one mark for each run of each query."""
    [arm] = plan.arms
    return [
        row(Cell(arm, case, number), mark, name)
        for case, told in zip(plan.cases, marks, strict=True)
        for number, mark in enumerate(told, start=1)
    ]


def row(cell: Cell, mark: str, name: str = NAME) -> Row:
    if mark in "x$":
        return Row(cell, "t", None, None, "it crashed", skipped=mark == "$")
    failure = _FAILURES.get(mark)
    change = {
        "skills_used": ("another", name) if mark in "TA" else ("another",),
        "status": "failed" if failure else "completed",
        "failure": failure,
        "error": "so it is" if failure else None,
        "simulated": False,
    }
    done = record(execution(1)).model_copy(update=change)
    return Row(cell, "t", done, None, done.error)


def offered(folder: Path) -> Offer:
    return offer(write_skill(folder / NAME))


def planned(made: Offer, queries: Sequence[TriggerQuery], runs: int = 3) -> Design:
    return design(made, queries, PIN, runs=runs, timeout=60)


def seen(made: Offer, queries: Sequence[TriggerQuery], *marks: str) -> list[Counted]:
    return counted(queries, rows(planned(made, queries), *marks), made.name)
