"""Folders of runs where somebody laid traps: nothing is written outside, nobody stops the rest."""

import os
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.evaluate.iterations import Iterated, writes
from tests.evaluate.suites import eval_, suite_at, suite_of
from tests.run.agents import now
from whet.core.errors import UsageError
from whet.core.step import Ended, Step
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.ports.workdir import Workdir
from whet.stores.memory import MemoryStore

SYSTEM = 4090
"""Bytes of a path that the system still takes."""

EVAL = "eval-1-sharpen-1"
RUN = f"{EVAL}/with_skill/run-1"


def iterated(store: MemoryStore, folder: Path) -> Iterated:
    suite = suite_at(folder / "skill", suite_of(eval_(1)))
    return Iterated(store, suite, folder / "iteration-1")


@pytest.mark.parametrize(
    "place", [EVAL, f"{EVAL}/with_skill", RUN, f"{RUN}/outputs", f"{RUN}/outputs/deep"]
)
def test_no_link_is_followed(store: MemoryStore, tmp_path: Path, place: str) -> None:
    """An agent's file would land in somebody's home otherwise."""
    one = iterated(store, tmp_path)
    home = tmp_path / "home"
    home.mkdir()
    link = one.folder / place
    link.parent.mkdir(parents=True)
    link.symlink_to(home)
    with pytest.raises(UsageError, match="is a link"):
        one.run([writes(answer_py="x", deep__answer_py="x")])
    assert list(home.iterdir()) == []


async def digs(_spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
    """Makes a file so deep that a folder with a name as long has no room for it."""
    (workdir.work / "answer.py").write_text("x")
    left = SYSTEM - len(os.fsencode(workdir.work)) - len("/deep.py")
    deep = workdir.work.joinpath(*["d" * 99] * (left // 100), "d" * (left % 100))
    deep.mkdir(parents=True)
    (deep / "deep.py").write_text("x")
    yield Ended(now(), "done", Usage())


def test_a_path_too_long_costs_one_file(store: MemoryStore, tmp_path: Path) -> None:
    one = iterated(store, tmp_path)
    one.run([digs])
    run = one.path("1")
    record = one.rows[0].record
    assert record is not None
    assert {Path(file.path).name for file in record.outputs} == {"answer.py", "deep.py"}
    assert (run / "grading.json").is_file()
    assert {path.name for path in (run / "outputs").iterdir()} == {"answer.py", "metrics.json"}
    before = (run / "grading.json").stat().st_ino
    one.write()
    assert (run / "grading.json").stat().st_ino == before, "it is whole, and not written again"
