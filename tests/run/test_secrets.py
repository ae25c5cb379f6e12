"""Through the whole run: whatever an agent does with a secret, the store never holds it."""

import asyncio
import base64
import json
from collections.abc import AsyncGenerator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote

import pytest
from pydantic import JsonValue

from tests.run.agents import (
    USED,
    OneEngine,
    Script,
    ScriptedAgent,
    Waiting,
    ends,
    now,
    raises,
    runner,
    spec,
    yields,
)
from whet.app.clock import SystemClock
from whet.core.errors import EngineFailure, EnvironmentProblem
from whet.core.failure import Failure
from whet.core.redaction import MARK
from whet.core.step import Called, Ended, Returned, Said, Step, Triggered
from whet.core.trial import TrialSpec
from whet.ports.inspected import Inspection
from whet.ports.pool import Handled
from whet.ports.store import Store
from whet.ports.workdir import Workdir
from whet.run.trial import TrialRunner
from whet.stores.sql import SqlStore

OWN = "sk-own/9aF3kQ7zLm2+XwT5v=="
OTHERS = 'pass "word" 磨刀 \\ 1234'


def shown(secret: str) -> str:
    """A secret in all its forms, some of them inside something longer."""
    inside = base64.b64encode(b"x" + secret.encode() + b"yz").decode()
    return " ".join([*(form.decode() for form in forms(secret)), inside])


def forms(secret: str) -> Iterator[bytes]:
    data = secret.encode()
    yield data
    yield json.dumps(secret)[1:-1].encode()
    yield json.dumps(secret, ensure_ascii=False)[1:-1].encode()
    yield quote(secret, safe="").encode()
    yield data.hex().encode()
    yield base64.b64encode(data)


PIECES = [
    base64.b64encode(b"x" + OWN.encode())[2:-4],
    base64.b64encode(b"x" + OTHERS.encode())[2:-4],
    base64.b64encode(b"xy" + OWN.encode())[3:-4],
]
SHOWN = f"{shown(OWN)} {shown(OTHERS)}"


@dataclass
class LeakyAgent(ScriptedAgent):
    """An agent with a credential of its own."""

    asked: list[Mapping[str, JsonValue]] = field(default_factory=list[Mapping[str, JsonValue]])

    def inspect(self) -> Inspection:
        return Inspection(installed=True)

    def secrets(self, options: Mapping[str, JsonValue], /) -> list[str]:
        self.asked.append(options)
        return [OWN]


async def leaks_everywhere(_spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
    name = OWN.replace("/", "_")
    (workdir.work / "plain.txt").write_text(SHOWN)
    (workdir.work / "wide.txt").write_text(SHOWN, encoding="utf-16")
    (workdir.work / "wrapped.txt").write_bytes(base64.encodebytes(b"x" * 50 + OWN.encode() * 3))
    (workdir.work / "binary").write_bytes(b"\xff\x00" + OTHERS.encode() + b"\xfe")
    (workdir.work / "large").write_bytes(b"y" * 200_000 + OWN.encode() + b"y" * 200_000)
    (workdir.work / OWN.partition("/")[0]).mkdir()
    (workdir.work / OWN).write_text("a secret as a path")
    (workdir.work / f"{name}.txt").write_text(name)
    yield Said(now(), SHOWN)
    deep: dict[str, JsonValue] = {SHOWN: [SHOWN, {OWN: {OTHERS: OWN}}]}
    yield Called(now(), SHOWN, SHOWN, {"command": SHOWN, "deep": deep}, SHOWN, SHOWN)
    yield Returned(now(), SHOWN, ok=True, output=SHOWN, display=SHOWN)
    yield Called(now(), OWN, "Read", {"file_path": OTHERS})
    yield Returned(now(), OWN, ok=False, output=SHOWN)
    yield Triggered(now(), SHOWN)
    yield Ended(now(), SHOWN, USED, Failure.MAX_TURNS, SHOWN, SHOWN)


@pytest.fixture
def sql(tmp_path: Path) -> Iterator[SqlStore]:
    store = SqlStore(tmp_path / "store", lambda _owner: True, SystemClock())
    yield store
    store.close()


def leaky(store: Store, folder: Path, *scripts: Script, retries: int = 0) -> TrialRunner:
    made, _ = runner(store, folder, retries=retries)
    agent = LeakyAgent(list(scripts))
    return replace(made, parts=OneEngine(agent), sleep=agent.pause, secrets=(OTHERS,))


def assert_kept_out(store: SqlStore, folder: Path) -> None:
    """Every byte of the database and of the blobs."""
    store.close()
    kept = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert sum(map(len, kept.values())) > 1000
    wide = [secret.encode("utf-16-le") for secret in (OWN, OTHERS)]
    for path, data in kept.items():
        for form in (*forms(OWN), *forms(OTHERS), *PIECES, *wide):
            assert form not in data, f"{form!r} is in {path.name}"


def test_nothing_an_agent_says_or_writes_brings_a_secret_into_the_store(
    sql: SqlStore, scratch: Path, tmp_path: Path
) -> None:
    handled = asyncio.run(leaky(sql, scratch, leaks_everywhere)(spec()))
    record = handled.record
    assert record is not None
    assert (record.failure, record.usage) == (Failure.MAX_TURNS, USED)
    paths = [file.path for file in record.outputs]
    assert {"plain.txt", "wide.txt", "wrapped.txt", "binary", "large"} < set(paths)
    assert any(MARK in path for path in paths)
    large = next(file for file in record.outputs if file.path == "large")
    assert sql.blobs.get(large.digest) == b"y" * 200_000 + MARK.encode() + b"y" * 200_000
    session = sql.blobs.get(record.session).decode()
    assert MARK in session
    tell(sql, handled)
    assert_kept_out(sql, tmp_path / "store")


def tell(store: SqlStore, handled: Handled) -> None:
    """As an experiment does it with every trial that is settled."""
    record, error = handled.record, handled.error
    message = record.error if record else str(error)
    with store.transaction():
        store.events.append("trial.settled", "x" * 1000, {"error": message})


@pytest.mark.parametrize(
    "script",
    [
        raises(EngineFailure(Failure.AUTH, f"the key {SHOWN} is wrong")),
        raises(EnvironmentProblem(f"no room for {SHOWN}")),
        raises(ValueError(SHOWN)),
        raises(KeyError(OWN, {OTHERS: SHOWN})),
        ends(Failure.CRASH, SHOWN),
        yields(Said(now(), SHOWN)),
        yields(Called(now(), "1", "X", {"a": float("nan"), "b": SHOWN}), Ended(now(), SHOWN)),
    ],
)
def test_nor_do_its_troubles(sql: SqlStore, scratch: Path, tmp_path: Path, script: Script) -> None:
    handled = asyncio.run(leaky(sql, scratch, script)(spec()))
    assert handled.error is not None
    for form in (*forms(OWN), *forms(OTHERS), *PIECES):
        assert form not in str(handled.error).encode()
    assert len(sql.ledger.executions(spec().address)) == 1
    tell(sql, handled)
    assert_kept_out(sql, tmp_path / "store")


def test_nor_does_its_end_by_force(sql: SqlStore, scratch: Path, tmp_path: Path) -> None:
    async def work() -> None:
        script = Waiting(first=(Said(now(), SHOWN), Triggered(now(), OWN)))
        run = leaky(sql, scratch, script)
        task = asyncio.create_task(run(spec()))
        await script.begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(work())
    tell(sql, Handled(settled=True, error=EnvironmentProblem("stopped")))
    assert_kept_out(sql, tmp_path / "store")


def test_an_agent_is_asked_for_its_secrets_each_time(sql: SqlStore, scratch: Path) -> None:
    """A login may be renewed while an experiment runs."""
    run = leaky(sql, scratch, ends(Failure.CRASH), retries=2)
    asyncio.run(run(spec()))
    agent = run.parts.engine("hand")
    assert isinstance(agent, LeakyAgent)
    assert len(agent.asked) == 3


@pytest.mark.slow
def test_a_value_that_is_nested_without_end_costs_one_execution(
    store: Store, scratch: Path
) -> None:
    deep: JsonValue = []
    for _ in range(100_000):
        deep = [deep]
    script = yields(Called(now(), "1", "X", {"a": deep}), Ended(now(), ""))
    without_secrets, _ = runner(store, scratch / "1", script, retries=0)
    for number, run in enumerate((without_secrets, leaky(store, scratch / "2", script))):
        error = asyncio.run(run(spec(str(number)))).error
        assert isinstance(error, EngineFailure)
        assert error.kind is Failure.CRASH
