"""The replay engine: what was recorded happens again, byte for byte and free of charge."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.app.opening import app_on
from tests.app.recording import app_with, hand, handled, recorded
from tests.run.agents import answers, ends, files, now, skill, spec, yields
from whet.app.app import App
from whet.app.cassettes import every_trial, export_cassette
from whet.core.errors import EnvironmentProblem, NotFound, UsageError, WhetError
from whet.core.failure import Failure
from whet.core.step import Called, Ended, Returned, Said, Spent, Step, Triggered
from whet.core.trial import TrialRecord, TrialSpec
from whet.core.usage import Usage
from whet.documents.session import Session
from whet.documents.tape import read
from whet.documents.text import parse_json
from whet.engines.replay import ReplayEngine
from whet.ports.inspected import Inspected
from whet.ports.machine import Machine
from whet.ports.workdir import Workdir

LONG_AGO = datetime(2024, 1, 1, 12, 0, 0, 123456, tzinfo=UTC)
COST = Usage(input_tokens=100, output_tokens=20, cache_read_tokens=3, cost_usd=1.5)


def at(seconds: float) -> datetime:
    return LONG_AGO + timedelta(seconds=seconds)


async def works(_spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
    """Does everything that an agent can do."""
    yield Said(at(0), "I begin. 磨")
    yield Triggered(at(0.5), "writer")
    yield Called(at(1), "1", "Write", {"file_path": "a/b.bin", "mode": [1, None]}, "write it")
    (workdir.work / "a").mkdir()
    (workdir.work / "a/b.bin").write_bytes(bytes(range(256)))
    yield Returned(at(2.25), "1", ok=True, output="x" * 20_000, display="written")
    yield Called(at(3), "2", "Bash", {"command": "false"}, parent="1")
    yield Returned(at(3.5), "2", ok=False, output="exit 1")
    yield Called(at(4), "3", "Bash", {"command": "sleep 99"})
    (workdir.work / "in.txt").write_text("changed")
    yield Spent(at(5), COST)
    yield Ended(at(6), "done", COST, conversation="c", cut=True)


def options(path: Path, **more: JsonValue) -> dict[str, JsonValue]:
    return {"cassette": str(path), **more}


def of(trial: TrialSpec, engine: ReplayEngine, chosen: dict[str, JsonValue]) -> TrialSpec:
    """The same task for the replay engine."""
    change = {"engine": "replay", "engine_version": engine.version(chosen), "options": chosen}
    return trial.model_copy(update=change)


@pytest.fixture
def engine(tmp_path: Path) -> ReplayEngine:
    return ReplayEngine(Machine({}, tmp_path))


def task(app: App) -> TrialSpec:
    package = skill(files({"content.txt": b"Be sharp."}, app.store.blobs))
    return spec("磨刀", skill=package, given=files({"in.txt": b"in"}, app.store.blobs))


def session(app: App, record: TrialRecord) -> Session:
    return Session.parse(parse_json(app.store.blobs.get(record.session), "blob"), "blob")


def tape(app: App, record: TrialRecord) -> tuple[Step, ...]:
    assert record.tape is not None
    return read(app.store.blobs.get(record.tape), "tape")[1]


def exported(app: App, path: Path) -> Path:
    export_cassette(app, path, every_trial(app))
    return path


def test_everything_happens_again_as_it_was(tmp_path: Path, engine: ReplayEngine) -> None:
    with app_with(tmp_path / "there", hand(works)) as app:
        first = recorded(app, task(app))
        told, steps = session(app, first), tape(app, first)
        path = exported(app, tmp_path / "c.zip")
    with app_with(tmp_path / "here", engine) as app:
        trial = of(task(app), engine, options(path))
        again = recorded(app, trial)
        retold = session(app, again)
        assert app.store.blobs.get(again.outputs[1].digest) == bytes(range(256))
        assert tape(app, again) == tuple(_free(step) for step in steps)
    assert again.outputs == first.outputs
    assert len(again.outputs) == 2
    assert (again.answer, again.status) == (first.answer, first.status)
    assert again.skills_used == first.skills_used == ("writer",)
    assert retold.tool_calls == told.tool_calls
    assert len(retold.tool_calls) == 3
    assert retold.messages == told.messages == ("I begin. 磨",)
    assert retold.final_answer == told.final_answer
    assert retold.summary.files_created == told.summary.files_created
    assert retold.summary.files_modified == told.summary.files_modified
    assert (again.engine, again.engine_version) == ("replay", engine.version(options(path)))


def _free(step: Step) -> Step:
    if isinstance(step, Spent | Ended):
        return replace(step, usage=step.usage.model_copy(update={"cost_usd": 0}))
    return step


@pytest.mark.parametrize("usage", [COST, Usage(input_tokens=5)])
def test_a_replay_costs_nothing(tmp_path: Path, engine: ReplayEngine, usage: Usage) -> None:
    """Money is summed over executions; what was paid once must not be counted again."""
    script = yields(Spent(now(), usage), Ended(now(), "42", usage))
    with app_with(tmp_path / "there", hand(script)) as app:
        recorded(app, spec())
        path = exported(app, tmp_path / "c.zip")
    with app_with(tmp_path / "here", engine) as app:
        trial = of(spec(), engine, options(path))
        done = handled(app, trial)
        [execution] = app.store.ledger.executions(trial.address)
    assert done.record is not None
    assert done.cost_usd == 0
    for charged in (execution.usage, done.record.usage):
        assert charged == usage.model_copy(update={"cost_usd": 0})
        assert charged.cost_usd == 0


@pytest.mark.parametrize("simulated", [True, False])
def test_a_replay_is_simulated_if_the_original_was(
    tmp_path: Path, engine: ReplayEngine, *, simulated: bool
) -> None:
    with app_with(tmp_path / "there", hand(answers, simulated=simulated)) as app:
        assert recorded(app, spec()).simulated is simulated
        path = exported(app, tmp_path / "c.zip")
    with app_with(tmp_path / "here", engine) as app:
        record = recorded(app, of(spec(), engine, options(path)))
        assert record.simulated is simulated
        assert session(app, record).simulated is simulated
        twice = exported(app, tmp_path / "d.zip")
    with app_with(tmp_path / "elsewhere", engine) as app:
        assert recorded(app, of(spec(), engine, options(twice))).simulated is simulated


@pytest.mark.parametrize("failure", [failure for failure in Failure if failure.is_answer])
def test_a_failed_answer_fails_again(
    tmp_path: Path, engine: ReplayEngine, failure: Failure
) -> None:
    with app_with(tmp_path / "there", hand(ends(failure))) as app:
        first = recorded(app, spec())
        path = exported(app, tmp_path / "c.zip")
    with app_with(tmp_path / "here", engine) as app:
        again = recorded(app, of(spec(), engine, options(path)))
    assert (again.status, again.failure, again.error) == ("failed", failure, "so it is")
    assert again.answer == first.answer


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A cassette with one trial."""
    with app_with(tmp_path / "there", hand(answers)) as app:
        recorded(app, spec())
        return exported(app, tmp_path / "one.zip")


OTHERS: dict[str, tuple[dict[str, object], str]] = {
    "prompt": ({"stimulus": spec("Other.").stimulus}, "'Other.' with no skill"),
    "model": ({"model": "n"}, "model n, attempt 1"),
    "attempt": ({"attempt": 2}, "model m, attempt 2"),
    "skill": ({"skill": skill(())}, "with skill 's' by any engine"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_trial_that_is_not_on_it_is_named(
    tmp_path: Path, engine: ReplayEngine, path: Path, name: str
) -> None:
    change, says = OTHERS[name]
    with app_with(tmp_path / "here", engine) as app:
        trial = of(spec(), engine, options(path)).model_copy(update=change)
        done = handled(app, trial)
        assert len(app.store.ledger.executions(trial.address)) == 1  # trying again is no use
    assert isinstance(done.error, NotFound)
    assert str(path) in str(done.error)
    assert says in str(done.error)


def test_another_limit_is_the_same_task(tmp_path: Path, engine: ReplayEngine, path: Path) -> None:
    with app_with(tmp_path / "here", engine) as app:
        trial = of(spec(seconds=9), engine, options(path))
        assert recorded(app, trial).status == "completed"


def test_a_trial_of_several_engines_must_be_chosen(tmp_path: Path, engine: ReplayEngine) -> None:
    for name in ("red", "blue"):
        script = yields(Ended(now(), name))
        with app_with(tmp_path / "there", hand(script, name=name)) as app:
            recorded(app, spec(engine=name))
    with app_on(tmp_path / "there") as app:
        path = exported(app, tmp_path / "two.zip")
    with app_with(tmp_path / "here", engine) as app:
        done = handled(app, of(spec(), engine, options(path)))
        assert isinstance(done.error, UsageError)
        assert "has 2 tapes" in str(done.error)
        assert "'of': blue@1, red@1" in str(done.error)
        for name in ("red", "blue@1"):
            record = recorded(app, of(spec(), engine, options(path, of=name)))
            assert record.answer == name.removesuffix("@1")
        done = handled(app, of(spec(), engine, options(path, of="green")))
        assert "by green" in str(done.error)


def test_two_trials_of_one_engine_cannot_be_told_apart(
    tmp_path: Path, engine: ReplayEngine
) -> None:
    with app_with(tmp_path / "there", hand(answers)) as app:
        recorded(app, spec())
        recorded(app, spec().model_copy(update={"options": {"max_turns": 3}}))
        path = exported(app, tmp_path / "two.zip")
    with app_with(tmp_path / "here", engine) as app:
        done = handled(app, of(spec(), engine, options(path, of="hand")))
    assert "differ in options or sandbox: export one of them alone" in str(done.error)


def test_another_file_is_another_version(tmp_path: Path, engine: ReplayEngine, path: Path) -> None:
    before = engine.version(options(path))
    assert engine.version(options(path)) == before
    trial = of(spec(), engine, options(path))
    with app_with(tmp_path / "there", hand(answers)) as app:
        recorded(app, spec("more"))
        path.unlink()
        exported(app, path)
    assert engine.version(options(path)) != before
    with app_with(tmp_path / "here", engine) as app:
        done = handled(app, trial)
    assert isinstance(done.error, EnvironmentProblem)
    assert "pinned to" in str(done.error)


def test_the_home_of_the_user_is_known(engine: ReplayEngine, path: Path) -> None:
    assert engine.version({"cassette": f"~/{path.name}"}) == engine.version(options(path))


def test_it_is_there_without_any_cassette(engine: ReplayEngine) -> None:
    assert isinstance(engine, Inspected)
    assert (engine.inspect().installed, engine.inspect().problem) == (True, None)


WRONG: dict[str, tuple[dict[str, JsonValue], type[WhetError], str]] = {
    "none": ({}, UsageError, "option cassette of engine replay"),
    "number": ({"cassette": 7}, UsageError, "option cassette of engine replay"),
    "unknown": ({"cassette": "x", "speed": 2}, UsageError, "option speed of engine replay"),
    "missing": ({"cassette": "/no/such.zip"}, EnvironmentProblem, "no cassette /no/such.zip"),
    "nul": ({"cassette": "a\0b"}, EnvironmentProblem, "cannot read the cassette"),
    "long": ({"cassette": "x" * 5000}, EnvironmentProblem, "cannot read the cassette"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_options_are_named(engine: ReplayEngine, name: str) -> None:
    chosen, kind, says = WRONG[name]
    with pytest.raises(kind, match=says):
        engine.version(chosen)


async def rearranges(_spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
    """Puts a folder where a file was, and a file where a folder was."""
    (workdir.work / "file").unlink()
    (workdir.work / "file").mkdir()
    (workdir.work / "file/inner").write_text("in a folder")
    (workdir.work / "folder/deep.txt").unlink()
    (workdir.work / "folder").rmdir()
    (workdir.work / "folder").write_text("a file")
    yield Ended(now(), "")


def test_inputs_that_were_removed_are_not_in_the_way(tmp_path: Path, engine: ReplayEngine) -> None:
    def task(app: App) -> TrialSpec:
        inputs = {"file": b"f", "folder/deep.txt": b"d"}
        return spec(given=files(inputs, app.store.blobs))

    with app_with(tmp_path / "there", hand(rearranges)) as app:
        first = recorded(app, task(app))
        path = exported(app, tmp_path / "c.zip")
    with app_with(tmp_path / "here", engine) as app:
        again = recorded(app, of(task(app), engine, options(path)))
    assert [file.path for file in again.outputs] == ["folder", "file/inner"]
    assert again.outputs == first.outputs


def test_links_are_replaced_and_never_followed(tmp_path: Path, engine: ReplayEngine) -> None:
    async def play(trial: TrialSpec, workdir: Workdir) -> list[Step]:
        return [step async for step in engine.run(trial, workdir)]

    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "b.bin").write_text("precious")
    with app_with(tmp_path / "there", hand(works)) as app:
        trial = task(app)
        recorded(app, trial)
        path = exported(app, tmp_path / "c.zip")
    work = tmp_path / "root/work"
    work.mkdir(parents=True)
    (work / "a").symlink_to(outside)
    (work / "in.txt").symlink_to(outside / "b.bin")
    replayed = of(trial, engine, options(path))
    steps = asyncio.run(play(replayed, Workdir(work.parent, work, None)))
    assert isinstance(steps[-1], Ended)
    assert [entry.name for entry in outside.iterdir()] == ["b.bin"]
    assert (outside / "b.bin").read_text() == "precious"
    assert (work / "a/b.bin").read_bytes() == bytes(range(256))
    assert (work / "in.txt").read_text() == "changed"
