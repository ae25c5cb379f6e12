"""Tapes: what an agent did comes back as it was, or there is no tape."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.run.agents import USED, answers, ends, files, now, runner, skill, spec, yields
from whet.core.errors import InvalidDocument
from whet.core.failure import Failure
from whet.core.redaction import NOTHING, Redactor
from whet.core.step import Called, Ended, Returned, Said, Spent, Step, Triggered
from whet.core.trial import TrialRecord, TrialSpec
from whet.core.usage import Usage
from whet.documents.tape import header, line, read
from whet.ports.store import Store
from whet.ports.workdir import Workdir
from whet.run.tape import Tape

NOON = datetime(2024, 1, 1, 12, 0, 0, 123456, tzinfo=UTC)
ZONES = st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30)), None])
TIMES = st.datetimes(timezones=ZONES)
TEXTS = st.text()
MAYBE = st.none() | TEXTS
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
COUNTS = st.integers(0, 2**53)
USAGES = st.builds(
    Usage,
    input_tokens=COUNTS,
    output_tokens=COUNTS,
    cache_read_tokens=COUNTS,
    cache_write_tokens=COUNTS,
    cost_usd=st.none() | st.floats(0, 1e6),
)
STEPS: st.SearchStrategy[Step] = st.one_of(
    st.builds(Said, TIMES, TEXTS),
    st.builds(
        Called, TIMES, TEXTS, TEXTS, st.dictionaries(TEXTS, VALUES, max_size=3), MAYBE, MAYBE
    ),
    st.builds(Returned, TIMES, TEXTS, st.booleans(), TEXTS, MAYBE),
    st.builds(Triggered, TIMES, TEXTS),
    st.builds(Spent, TIMES, USAGES),
    st.builds(
        Ended,
        TIMES,
        TEXTS,
        USAGES,
        st.none() | st.sampled_from(Failure),
        MAYBE,
        MAYBE,
        st.booleans(),
        st.booleans(),
        MAYBE,
    ),
)


def taped(*steps: Step, trial: TrialSpec | None = None) -> bytes:
    tape = Tape(trial or spec(), NOTHING)
    for step in steps:
        tape.add(step)
    data = tape.data()
    assert data is not None
    return data


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, max_size=5))
def test_steps_come_back_as_they_were(steps: list[Step]) -> None:
    trial, back = read(taped(*steps), "tape")
    assert trial == spec()
    assert list(back) == steps
    assert [step.at.utcoffset() for step in back] == [step.at.utcoffset() for step in steps]


def test_the_trial_comes_back_with_its_address() -> None:
    trial = spec("磨刀 \ud83d").model_copy(update={"options": {"a": [1, 1.5, None]}, "attempt": 3})
    back, _ = read(taped(trial=trial), "tape")
    assert back == trial
    assert back.address == trial.address


def test_half_an_emoji_and_other_mappings_come_back() -> None:
    steps = (
        Said(NOON, "a\ud83d"),
        Called(NOON, "1", "Bash", MappingProxyType({"\udcff": {"b": 1}})),
        Ended(NOON, "c\ud83d", USED, Failure.TIMEOUT),
    )
    _, back = read(taped(*steps), "tape")
    assert back[0] == steps[0]
    assert back[2] == steps[2]
    assert isinstance(back[1], Called)
    assert back[1].params == {"\udcff": {"b": 1}}


def test_a_tape_that_gets_too_long_is_none_and_takes_no_room() -> None:
    tape = Tape(spec(), NOTHING, most=1000)
    tape.add(Said(NOON, "short"))
    assert tape.data() is not None
    tape.add(Said(NOON, "x" * 1000))
    assert tape.data() is None
    tape.add(Said(NOON, "short"))
    assert tape.data() is None


@pytest.mark.parametrize(
    "step",
    [
        Called(NOON, "1", "t", {"x": object()}),  # pyright: ignore[reportArgumentType]
        Spent(NOON, Usage(cost_usd=float("nan"))),
        Spent(NOON, Usage(input_tokens=-1)),
    ],
)
def test_what_could_not_be_read_again_leaves_no_tape(step: Step) -> None:
    tape = Tape(spec(), NOTHING)
    tape.add(step)
    assert tape.data() is None


def test_a_trial_with_a_secret_in_it_has_no_tape() -> None:
    redactor = Redactor(["hunter2hunter2"])
    assert Tape(spec("the key is hunter2hunter2"), redactor).data() is None
    assert Tape(spec("there is no key"), redactor).data() is not None


def test_a_trial_with_variables_has_no_tape_however_short_they_are() -> None:
    given_a_pin = spec().model_copy(update={"options": {"environment": {"PIN": "1234"}}})
    assert Tape(given_a_pin, NOTHING).data() is None
    given_none = spec().model_copy(update={"options": {"environment": {}}})
    assert Tape(given_none, NOTHING).data() is not None


def tape_of(store: Store, record: TrialRecord | None) -> tuple[TrialSpec, tuple[Step, ...]]:
    assert record is not None
    assert record.tape is not None
    return read(store.blobs.get(record.tape), "tape")


def test_a_record_names_its_tape(store: Store, scratch: Path) -> None:
    taken: list[Step] = []

    async def watched(trial: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
        async for step in answers(trial, workdir):
            taken.append(step)
            yield step

    run, _ = runner(store, scratch, watched)
    trial = spec("磨刀", skill=skill(files({"content.txt": b"Be sharp."}, store.blobs)))
    handled = asyncio.run(run(trial))
    assert tape_of(store, handled.record) == (trial, tuple(taken))
    assert store.ledger.record(trial.address) == handled.record


def test_the_limit_that_ended_it_is_on_the_tape(store: Store, scratch: Path) -> None:
    async def waits(_trial: TrialSpec, _workdir: Workdir) -> AsyncGenerator[Step]:
        yield Spent(now(), USED)
        await asyncio.Event().wait()

    run, _ = runner(store, scratch, waits)
    handled = asyncio.run(run(spec(seconds=0.05)))
    _, (_, last) = tape_of(store, handled.record)
    assert isinstance(last, Ended)
    assert (last.failure, last.usage) == (Failure.TIMEOUT, USED)


def test_secrets_are_not_on_the_tape(store: Store, scratch: Path) -> None:
    secret = "hunter2hunter2"
    made, _ = runner(store, scratch, yields(Said(now(), f"it is {secret}"), Ended(now(), secret)))
    run = replace(made, secrets=(secret,))
    record = asyncio.run(run(spec())).record
    assert record is not None
    assert record.tape is not None
    assert secret.encode() not in store.blobs.get(record.tape)
    assert [type(step) for step in tape_of(store, record)[1]] == [Said, Ended]


def test_an_execution_that_failed_leaves_no_tape(store: Store, scratch: Path) -> None:
    run, _ = runner(store, scratch, ends(Failure.AUTH))
    assert asyncio.run(run(spec())).record is None
    assert store.ledger.record(spec().address) is None


GOOD = header(spec())
STEP = line(Said(NOON, "x"))
BROKEN: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "end is missing"),
    "no end": (GOOD + STEP[:-1], "end is missing"),
    "cut": (GOOD + STEP[:20] + b"\n", "line 2: broken JSON"),
    "no JSON": (b"hello\n", "line 1: broken JSON"),
    "deep": (GOOD + b"[" * 100_000 + b"\n", "line 2: broken JSON"),
    "NaN": (GOOD + STEP.replace(b'"x"', b"NaN"), "NaN is not JSON"),
    "latin": (GOOD + STEP.replace(b"x", b"\xff"), "line 2: broken JSON"),
    "list": (GOOD + b"[]\n", "line 2: must be an object"),
    "no tape": (b"{}\n", "this is no tape"),
    "newer": (GOOD.replace(b'"version":1', b'"version":2'), "update whet"),
    "no trial": (b'{"format":"whet-tape","version":1}\n', "line 1: spec"),
    "attempt": (GOOD.replace(b'"attempt":1', b'"attempt":0'), "spec.attempt"),
    "kind": (GOOD + STEP.replace(b"said", b"sung"), "line 2: is no step: unknown type 'sung'"),
    "lost": (GOOD + STEP.replace(b'"text"', b'"tuxt"'), "line 2: is no step: 'text'"),
    "type": (GOOD + STEP.replace(b'"x"', b"7"), "text must be a string"),
    "time": (GOOD + STEP.replace(b"2024", b"noon"), "line 2: is no step"),
    "flag": (GOOD + line(Returned(NOON, "1", ok=True)).replace(b"true", b"1"), "true or false"),
    "params": (GOOD + line(Called(NOON, "1", "t", {})).replace(b"{},", b"[],"), "an object"),
    "tokens": (
        GOOD + line(Ended(NOON, "")).replace(b'tokens":0', b'tokens":99999999999999999999', 1),
        "out of range",
    ),
    "cost": (GOOD + line(Ended(NOON, "")).replace(b'usd":null', b'usd":-1'), "out of range"),
    "failure": (GOOD + line(Ended(NOON, "")).replace(b'ure":null', b'ure":"bad"'), "'bad'"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_tape_is_one_clear_line(name: str) -> None:
    data, says = BROKEN[name]
    with pytest.raises(InvalidDocument, match=r"^the tape: ") as refusal:
        read(data, "the tape")
    assert says in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 400
