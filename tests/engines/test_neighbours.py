"""Skills beside the one on trial: part of what a trial is, copied, placed, and refused."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.app.recording import app_with, hand, recorded
from tests.core.test_address import GOLDEN
from tests.core.trials import SPEC
from tests.engines.simulation import package
from tests.run.agents import USED, files, now
from whet.app.cassettes import every_trial, export_cassette
from whet.app.clock import SystemClock
from whet.core.arm import SkillPackage
from whet.core.case import Stimulus
from whet.core.errors import EngineFailure, NotFound, UsageError
from whet.core.step import Ended, Step
from whet.core.trial import TrialSpec
from whet.documents import tape
from whet.documents.cassette import Cassette
from whet.engines.agent_cli.home import Home
from whet.engines.agent_cli.options import AgentOptions
from whet.engines.agent_cli.skill import place_package
from whet.engines.agent_cli.task import Task
from whet.engines.api import ApiEngine
from whet.engines.command import CommandEngine
from whet.engines.replay import ReplayEngine
from whet.ports.blobs import Blobs
from whet.ports.engine import Engine
from whet.ports.machine import Machine
from whet.ports.workdir import Workdir
from whet.run.workdir import Scratch
from whet.stores.memory import MemoryStore

A, B = (package({"SKILL.md": f"---\nname: {name}\n---\n"}) for name in ("a", "b"))


def text_of(name: str) -> str:
    return f"---\nname: {name}\ndescription: About {name}.\n---\nDo {name}.\n"


def stored(blobs: Blobs, name: str, folder: str = "library") -> SkillPackage:
    refs = files({"SKILL.md": text_of(name).encode(), "more/notes.md": b"Notes."}, blobs)
    kind = package({"SKILL.md": text_of(name)})
    return kind.model_copy(update={"name": folder, "files": refs})


def spec(skill: SkillPackage | None, *neighbours: SkillPackage) -> TrialSpec:
    return TrialSpec(
        skill=skill,
        neighbours=neighbours,
        stimulus=Stimulus(prompt="Do it."),
        engine="e",
        engine_version="1",
        model="m",
    )


def test_without_neighbours_an_address_and_a_tape_stay_as_they_were() -> None:
    assert SPEC.model_copy(update={"neighbours": ()}).address == GOLDEN
    assert b"neighbours" not in tape.header(SPEC)


def test_neighbours_are_part_of_the_address_and_their_order_is_not() -> None:
    one, two = (SPEC.model_copy(update={"neighbours": n}) for n in ((A,), (A, B)))
    turned = SPEC.model_copy(update={"neighbours": (B, A)})
    renamed = (A.model_copy(update={"name": "other"}),)
    assert len({SPEC.address, one.address, two.address}) == 3
    assert turned.address == two.address
    assert SPEC.model_copy(update={"neighbours": renamed}).address == one.address
    # A neighbour is not the skill itself.
    assert spec(A, B).address != spec(B, A).address


def test_a_tape_keeps_them() -> None:
    both = spec(A, B)
    half = both.model_copy(update={"stimulus": Stimulus(prompt="half \ud83d")})
    for one in (both, half):
        read, _ = tape.read(tape.header(one) + b"", "tape")
        assert read == one
        assert read.address == one.address


@pytest.fixture
def blobs() -> Blobs:
    return MemoryStore(lambda _owner: True, SystemClock()).blobs


def test_they_are_copied_outside_the_working_folder_and_go_with_it(
    tmp_path: Path, blobs: Blobs
) -> None:
    scratch = Scratch(tmp_path / "scratch", blobs)
    trial = spec(stored(blobs, "own"), stored(blobs, "x"), stored(blobs, "y"))
    with scratch.workdir("1", trial) as made:
        assert len(made.neighbours) == 2
        for folder, name in zip(made.neighbours, ("x", "y"), strict=True):
            assert (folder / "SKILL.md").read_text() == text_of(name)
            assert (folder / "more/notes.md").read_text() == "Notes."
            assert not folder.is_relative_to(made.work)
            assert folder.is_relative_to(made.root)
        assert list(made.work.iterdir()) == []
    assert not made.root.exists()
    with scratch.workdir("2", spec(stored(blobs, "own"))) as made:
        assert made.neighbours == ()
        assert sorted(path.name for path in made.root.iterdir()) == ["skill", "work"]
    scratch.close()


def test_all_are_placed_under_their_own_names(tmp_path: Path, blobs: Blobs) -> None:
    scratch = Scratch(tmp_path / "scratch", blobs)
    trial = spec(stored(blobs, "own"), stored(blobs, "x"))
    with scratch.workdir("1", trial) as made:
        home = Home.below(made)
        place_package(trial, made, home.folder / "skills")
        placed = {path.name for path in (home.folder / "skills").iterdir()}
        assert placed == {"own", "x"}
        assert (home.folder / "skills/x/more/notes.md").read_text() == "Notes."
        task = Task(trial, made, AgentOptions(), home)
        assert (task.skill, task.neighbours, task.skills) == ("own", ("x",), ("own", "x"))
        # Of an arm without a skill the others are there all the same.
        alone = Task(spec(None, *trial.neighbours), made, AgentOptions(), home)
        assert (alone.skill, alone.skills) == (None, ("x",))
    scratch.close()


@pytest.mark.parametrize("other", ["own", "OWN"])
def test_two_of_one_name_are_refused(tmp_path: Path, blobs: Blobs, other: str) -> None:
    scratch = Scratch(tmp_path / "scratch", blobs)
    trial = spec(stored(blobs, "own"), stored(blobs, other, "another"))
    with (
        scratch.workdir("1", trial) as made,
        pytest.raises(UsageError, match=f"called '{other}'"),
    ):
        place_package(trial, made, Home.below(made).folder / "skills")
    scratch.close()


def test_a_mere_text_is_no_neighbour(tmp_path: Path, blobs: Blobs) -> None:
    scratch = Scratch(tmp_path / "scratch", blobs)
    text = package({"content.txt": "Be kind."})
    refs = files({"content.txt": b"Be kind."}, blobs)
    trial = spec(stored(blobs, "own"), text.model_copy(update={"files": refs}))
    with scratch.workdir("1", trial) as made, pytest.raises(UsageError, match="mere text"):
        place_package(trial, made, Home.below(made).folder / "skills")
    scratch.close()


def test_an_agent_cannot_put_links_into_them(tmp_path: Path, blobs: Blobs) -> None:
    scratch = Scratch(tmp_path / "scratch", blobs)
    with scratch.workdir("1", spec(None, stored(blobs, "x"))) as made:
        (made.neighbours[0] / "link").symlink_to("/etc/passwd")
        with pytest.raises(EngineFailure, match="no file"):
            Home.below(made)
    scratch.close()


@pytest.mark.parametrize(
    ("kind", "options"), [(ApiEngine, {}), (CommandEngine, {"argv": ["true"]})]
)
def test_engines_that_cannot_choose_refuse(
    tmp_path: Path, kind: Callable[[Machine], Engine], options: dict[str, JsonValue]
) -> None:
    engine = kind(Machine({"PATH": "/usr/bin:/bin"}, tmp_path))
    (tmp_path / "work").mkdir()
    trial = spec(None, A).model_copy(update={"options": options})

    async def run() -> None:
        async for _ in engine.run(trial, Workdir(tmp_path, tmp_path / "work", None)):
            pass

    with pytest.raises(UsageError, match=f"engine {engine.name}"):
        asyncio.run(run())


async def counts_them(trial: TrialSpec, _workdir: Workdir) -> AsyncGenerator[Step]:
    yield Ended(now(), f"{len(trial.neighbours)} beside me", USED)


def test_a_replay_finds_the_trial_with_the_same_neighbours(tmp_path: Path) -> None:
    out = tmp_path / "tapes.zip"
    with app_with(tmp_path / "one", hand(counts_them)) as app:
        own, x, y = (stored(app.store.blobs, name) for name in ("own", "x", "y"))
        alone, crowd = (by_hand(trial) for trial in (spec(own), spec(own, x, y)))
        recorded(app, alone)
        recorded(app, crowd)
        export_cassette(app, out, every_trial(app))
    with Cassette(out) as cassette:
        listed = {trial.address: trial for trial in cassette.contents.trials}
        assert listed[alone.address].neighbours is None
        assert listed[crowd.address].neighbours == tuple(sorted([x.digest, y.digest]))
        for entry in listed.values():
            assert cassette.steps(entry, cassette.record(entry))
    replay = ReplayEngine(Machine({}, tmp_path))
    assert played(replay, spec(own), out, tmp_path) == "0 beside me"
    assert played(replay, spec(own, y, x), out, tmp_path) == "2 beside me"
    with pytest.raises(NotFound, match="and 1 beside it"):
        played(replay, spec(own, x), out, tmp_path)


def by_hand(trial: TrialSpec) -> TrialSpec:
    return trial.model_copy(update={"engine": "hand"})


def played(replay: ReplayEngine, trial: TrialSpec, tapes: Path, folder: Path) -> str:
    options: dict[str, JsonValue] = {"cassette": str(tapes)}
    change = {"engine_version": replay.version(options), "options": options}
    workdir = Workdir(folder, folder, None)

    async def collect() -> list[Step]:
        return [step async for step in replay.run(trial.model_copy(update=change), workdir)]

    [end] = asyncio.run(collect())
    assert isinstance(end, Ended)
    return end.answer
