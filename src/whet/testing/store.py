"""What every store must do. ``check_store`` runs it all; ``CHECKS`` lets a test run each."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta

from pydantic import JsonValue

from whet.core.errors import Conflict, NotFound
from whet.core.execution import Execution, Outcome
from whet.core.failure import Failure
from whet.core.grade import Grade
from whet.core.trial import TrialRecord
from whet.core.usage import Usage
from whet.ports.store import Store
from whet.ports.timers import Timer
from whet.testing.store_evaluations import EVALUATION_CHECKS
from whet.testing.store_jobs import JOB_CHECKS
from whet.testing.store_records import RECORD_CHECKS
from whet.testing.store_results import result, results_are_one_for_each_place
from whet.testing.store_runs import RUN_CHECKS

Living = set[str]
"""The owners that are alive; a check removes one to kill it."""

Make = Callable[[Living], AbstractContextManager[Store]]


def check_store(make: Make) -> None:
    """Run every check, each on a store of its own; an ``AssertionError`` names what is wrong."""
    for check in CHECKS:
        living = {"me", "other"}
        with make(living) as store:
            check(store, living)


def execution(number: int, address: str = "a", owner: str = "me", generation: int = 1) -> Execution:
    """An open execution to claim with."""
    return Execution(
        id=f"execution-{number}",
        address=address,
        generation=generation,
        owner=owner,
        started_at=f"2024-01-01T00:00:{number:02}.000Z",
    )


def record(of: Execution, answer: str = "42") -> TrialRecord:
    """The record that an execution led to."""
    return TrialRecord(
        address=of.address,
        generation=of.generation,
        execution=of.id,
        status="completed",
        answer=answer,
        started_at=of.started_at,
        ended_at=of.started_at,
        duration_ms=0,
        usage=Usage(input_tokens=3, cost_usd=0.5),
        engine="e",
        engine_version="1",
        model="m",
        sandbox="none",
        simulated=True,
        session="s",
    )


def closed(of: Execution, outcome: Outcome = Outcome.ANSWERED) -> Execution:
    """The same execution when it is over."""
    change = {"outcome": outcome, "ended_at": of.started_at, "usage": Usage(output_tokens=7)}
    return of.model_copy(update=change)


def grade(address: str, score: float = 0.5) -> Grade:
    """A grade under an address."""
    return Grade(
        address=address,
        trial="a",
        generation=1,
        grader="j",
        grader_version="1",
        status="scored",
        score=score,
        evaluated_at="2024-01-01T00:00:00.000Z",
    )


def a_claim_is_granted_once(store: Store, _living: Living) -> None:
    """While its owner lives, nobody else gets it, the owner itself included."""
    first = execution(1)
    assert store.ledger.claim(first) == first
    assert store.ledger.claim(execution(2, owner="other")) is None
    assert store.ledger.claim(execution(3)) is None
    assert store.ledger.claim(execution(4, address="b", owner="other")) is not None
    assert [e.id for e in store.ledger.executions("a")] == [first.id]


def a_dead_owners_claim_is_free_at_once(store: Store, living: Living) -> None:
    """It is closed as abandoned, and the new claim stands beside it."""
    store.ledger.claim(execution(1, owner="other"))
    living.remove("other")
    mine = execution(2)
    assert store.ledger.claim(mine) == mine
    outcomes = [e.outcome for e in store.ledger.executions("a")]
    assert outcomes == [Outcome.ABANDONED, None]
    dead = closed(execution(1, owner="other"))
    _raises(Conflict, lambda: store.ledger.close(dead, record(dead)))
    assert store.ledger.record("a") is None


def a_record_answers_every_later_claim(store: Store, _living: Living) -> None:
    """Whoever asks again gets the record and no claim."""
    first = execution(1)
    store.ledger.claim(first)
    store.ledger.close(closed(first), record(first))
    assert store.ledger.claim(execution(2)) == record(first)
    assert store.ledger.record("a") == record(first)
    assert store.ledger.executions("a") == [closed(first)]


def an_execution_without_record_may_be_tried_again(store: Store, _living: Living) -> None:
    """Failures and cancellations stay executions, with what they cost."""
    first, second = execution(1), execution(2)
    store.ledger.claim(first)
    change = {"failure": Failure.RATE_LIMIT, "error": "slow down"}
    failed = closed(first, Outcome.FAILED).model_copy(update=change)
    store.ledger.close(failed, None)
    assert store.ledger.record("a") is None
    assert store.ledger.claim(second) == second
    assert store.ledger.executions("a") == [failed, second]
    assert store.ledger.execution(failed.id) == failed
    assert store.ledger.execution("nobody") is None


def an_execution_is_closed_once(store: Store, _living: Living) -> None:
    """Closing what is closed, or was never opened, is a conflict and changes nothing."""
    first = execution(1)
    _raises(Conflict, lambda: store.ledger.close(closed(first), None))
    store.ledger.claim(first)
    store.ledger.close(closed(first, Outcome.CANCELLED), None)
    _raises(Conflict, lambda: store.ledger.close(closed(first), record(first)))
    assert store.ledger.record("a") is None
    assert store.ledger.executions("a") == [closed(first, Outcome.CANCELLED)]


def a_retry_wants_another_answer(store: Store, _living: Living) -> None:
    """What is recorded stays and counts no more; asking twice is asking once."""
    first = execution(1)
    store.ledger.claim(first)
    store.ledger.close(closed(first), record(first))
    store.ledger.add_imported([record(execution(2, "b"))])
    assert store.ledger.generation("a") == 1
    assert store.ledger.retry(["a", "b", "nowhere"]) == 2
    assert store.ledger.retry(["a", "b"]) == 0
    assert [store.ledger.generation(one) for one in ("a", "b", "nowhere")] == [2, 1, 1]
    assert store.ledger.records(["a", "b"], imported=True) == {}
    again = execution(3, generation=2)
    assert store.ledger.claim(again) == again
    store.ledger.close(closed(again), record(again, "better"))
    assert store.ledger.record("a") == record(again, "better")
    assert store.ledger.retry(["a"]) == 1
    assert store.ledger.generation("a") == 3


def generations_stand_beside_each_other(store: Store, _living: Living) -> None:
    """A retry is a new generation; the newest one counts, all are kept."""
    for number in (1, 2):
        again = execution(number, generation=number)
        assert store.ledger.claim(again) == again
        store.ledger.close(closed(again), record(again, f"answer {number}"))
    newest = store.ledger.record("a")
    assert newest is not None
    assert newest.answer == "answer 2"
    assert store.ledger.claim(execution(3, generation=1)) == record(execution(1), "answer 1")


def imported_records_count_only_if_asked_for(store: Store, _living: Living) -> None:
    """They are generation 0: the first one stays, and our own record goes before it."""
    theirs = record(execution(1, generation=7), "theirs")
    assert store.ledger.add_imported([theirs]) == 1
    assert store.ledger.add_imported([record(execution(2), "late")]) == 0
    assert store.ledger.record("a") is None
    assert store.ledger.records(["a"]) == {}
    kept = theirs.model_copy(update={"generation": 0})
    assert store.ledger.record("a", imported=True) == kept
    assert store.ledger.records(["a", "b"], imported=True) == {"a": kept}
    mine = execution(3)
    assert store.ledger.claim(mine) == mine
    store.ledger.close(closed(mine), record(mine, "mine"))
    assert store.ledger.add_imported([theirs]) == 0
    for imported in (False, True):
        assert store.ledger.record("a", imported=imported) == record(mine, "mine")
    assert store.ledger.executions("a") == [closed(mine)]


def every_address_with_a_record_is_known(store: Store, _living: Living) -> None:
    """Once each and in order; an execution without a record is none."""
    assert list(store.ledger.addresses()) == []
    store.ledger.add_imported([record(execution(1, "c")), record(execution(2, "a"))])
    for number, address in ((3, "b"), (4, "c")):
        one = execution(number, address)
        store.ledger.claim(one)
        store.ledger.close(closed(one), record(one))
    store.ledger.claim(execution(5, "d"))
    assert list(store.ledger.addresses()) == ["a", "b", "c"]


def what_was_spent_is_summed_over_executions(store: Store, _living: Living) -> None:
    """Also over those that led to nothing; money that nobody knows is not 0."""
    assert store.ledger.spent(["a"]) == Usage()
    for number, address, outcome, cost in (
        (1, "a", Outcome.FAILED, 0.5),
        (2, "a", Outcome.ANSWERED, None),
        (3, "b", Outcome.ANSWERED, None),
        (4, "c", Outcome.ANSWERED, 2.0),
    ):
        one = execution(number, address)
        store.ledger.claim(one)
        usage = Usage(input_tokens=10, output_tokens=number, cost_usd=cost)
        over = closed(one, outcome).model_copy(update={"usage": usage})
        store.ledger.close(over, record(one) if outcome is Outcome.ANSWERED else None)
    spent = store.ledger.spent(["a", "c", "nowhere"])
    assert spent == Usage(input_tokens=30, output_tokens=7, cost_usd=2.5)
    assert store.ledger.spent(["b"]).cost_usd is None
    store.results.put([result(0, trial="a"), result(1, trial="c"), result(2, trial="a")])
    store.results.put([result(0, project="q", trial="b"), result(1, project="q")])
    assert store.results.spent("p") == spent, "each execution once"
    assert store.results.spent("p", ["b"]) == store.ledger.spent(["c"])
    assert store.results.spent("q") == Usage(input_tokens=10, output_tokens=3)
    assert store.results.spent("nobody") == Usage()


def the_latest_records_come_first(store: Store, _living: Living) -> None:
    """Those of answered executions only."""
    for number, address in enumerate(("a", "b", "c")):
        one = execution(number, address)
        store.ledger.claim(one)
        over = closed(one).model_copy(update={"ended_at": f"2024-01-0{number + 1}T00:00:00Z"})
        store.ledger.close(over, record(one))
    store.ledger.claim(execution(9, "d"))
    assert [each.address for each in store.ledger.latest(2)] == ["c", "b"]


def many_records_are_found_together(store: Store, _living: Living) -> None:
    """More than any one statement takes; those that are missing are simply not there."""
    addresses = [f"address-{number}" for number in range(1200)]
    with store.transaction():
        for number, address in enumerate(addresses):
            one = execution(number, address)
            store.ledger.claim(one)
            store.ledger.close(closed(one), record(one))
    found = store.ledger.records([*addresses, "nowhere"])
    assert sorted(found) == sorted(addresses)


def a_grade_is_kept_once(store: Store, _living: Living) -> None:
    """The first one under an address stays."""
    store.ledger.add_grades([grade("g1", 0.25), grade("g2")])
    store.ledger.add_grades([grade("g1", 0.75)])
    assert store.ledger.grades(["g1", "g2", "g3"]) == {"g1": grade("g1", 0.25), "g2": grade("g2")}
    store.ledger.add_grades([])


def events_come_in_order_and_can_be_resumed(store: Store, _living: Living) -> None:
    """Cursors grow; a reader that comes back misses nothing and sees nothing twice."""
    assert store.events.last() == 0
    for number in range(5):
        store.events.append("tick", f"subject-{number % 2}", {"number": number, "text": "磨"})
    everything = store.events.since(0)
    assert [event.data["number"] for event in everything] == [0, 1, 2, 3, 4]
    assert [event.cursor for event in everything] == sorted({e.cursor for e in everything})
    assert store.events.last() == everything[-1].cursor
    assert list(store.events.since(everything[1].cursor)) == list(everything[2:])
    assert [e.data["number"] for e in store.events.since(0, "subject-1")] == [1, 3]
    assert len(store.events.since(0, limit=2)) == 2
    odd: dict[str, JsonValue] = {"half": "\ud83d", "nul": "\0", "磨": ["\udc00"]}
    store.events.append("tick", "odd", odd)
    assert [event.data for event in store.events.since(0, "odd")] == [odd]


def a_state_changes_by_compare_and_set(store: Store, _living: Living) -> None:
    """Who holds an old revision is told, and changes nothing."""
    assert store.states.get("job", "1") is None
    for known, status in enumerate(("queued", "running")):
        assert store.states.put("job", "1", known, {"status": status}).revision == known + 1
    _raises(Conflict, lambda: store.states.put("job", "1", 1, {"status": "lost"}))
    _raises(Conflict, lambda: store.states.put("job", "1", 0, {"status": "lost"}))
    _raises(Conflict, lambda: store.states.put("job", "2", 1, {"status": "lost"}))
    odd: dict[str, JsonValue] = {"half": "\ud83d", "nul": "\0"}
    store.states.put("odd", "1", 0, odd)
    assert [state.value for state in store.states.list("odd")] == [odd]
    assert [state.value for state in store.states.list("job")] == [{"status": "running"}]
    store.states.put("other", "1", 0, {})
    assert [state.key for state in store.states.list("job")] == ["1"]


def a_timer_fires_for_one_taker(store: Store, _living: Living) -> None:
    """Setting it again moves it; taking it needs the moment that was seen."""
    noon = datetime(2024, 1, 1, 12, tzinfo=UTC)
    later = noon + timedelta(hours=1)
    store.timers.set(Timer("expire", "1", noon, {"n": 1}))
    store.timers.set(Timer("expire", "2", noon - timedelta(hours=1), {}))
    assert [timer.key for timer in store.timers.due(noon)] == ["2", "1"]
    assert store.timers.due(noon, ("other",)) == []
    assert len(store.timers.due(noon, ("other", "expire"), limit=1)) == 1
    store.timers.set(Timer("expire", "1", later, {"n": 2}))
    assert [timer.key for timer in store.timers.due(noon)] == ["2"]
    assert not store.timers.take("expire", "1", noon)
    assert store.timers.due(later)[1] == Timer("expire", "1", later, {"n": 2})
    assert store.timers.take("expire", "1", later)
    assert not store.timers.take("expire", "1", later)


def blobs_are_kept_by_content(store: Store, _living: Living) -> None:
    """Small and large, empty and binary; an unknown one is not found."""
    for data in (b"", b"\x00\xff", "磨刀".encode(), b"x" * 1_000_000):
        digest = store.blobs.put(data)
        assert store.blobs.put(data) == digest
        assert store.blobs.get(digest) == data
        assert store.blobs.has(digest)
    assert not store.blobs.has("0" * 64)
    _raises(NotFound, lambda: store.blobs.get("0" * 64))


def a_transaction_is_all_or_nothing(store: Store, _living: Living) -> None:
    """An error inside undoes every change, whichever port made it."""

    def half_done() -> None:
        with store.transaction():
            store.states.put("job", "1", 0, {})
            store.events.append("tick", "s", {})
            store.ledger.claim(execution(1))
            store.blobs.put(b"half")
            raise Conflict("all of it", "nothing", "something")

    _raises(Conflict, half_done)
    assert store.states.get("job", "1") is None
    assert store.events.last() == 0
    assert store.ledger.executions("a") == []
    with store.transaction():
        store.events.append("tick", "s", {})
        assert store.events.last() > 0
    assert len(store.events.since(0)) == 1


def threads_share_a_store(store: Store, _living: Living) -> None:
    """Of many threads that want one claim, one gets it, and no event is lost."""
    granted: list[str] = []

    def work(number: int) -> None:
        if store.ledger.claim(execution(number)) is not None:
            granted.append(str(number))
        store.events.append("tick", "s", {"number": number})

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(granted) == 1
    assert len(store.events.since(0)) == len(threads)


def _raises(kind: type[Exception], call: Callable[[], object]) -> None:
    try:
        call()
    except kind:
        return
    raise AssertionError(f"{kind.__name__} was expected")


CHECKS: tuple[Callable[[Store, Living], None], ...] = (
    a_claim_is_granted_once,
    a_dead_owners_claim_is_free_at_once,
    a_record_answers_every_later_claim,
    an_execution_without_record_may_be_tried_again,
    an_execution_is_closed_once,
    a_retry_wants_another_answer,
    results_are_one_for_each_place,
    generations_stand_beside_each_other,
    imported_records_count_only_if_asked_for,
    every_address_with_a_record_is_known,
    what_was_spent_is_summed_over_executions,
    the_latest_records_come_first,
    many_records_are_found_together,
    a_grade_is_kept_once,
    events_come_in_order_and_can_be_resumed,
    a_state_changes_by_compare_and_set,
    a_timer_fires_for_one_taker,
    blobs_are_kept_by_content,
    a_transaction_is_all_or_nothing,
    threads_share_a_store,
    *EVALUATION_CHECKS,
    *JOB_CHECKS,
    *RUN_CHECKS,
    *RECORD_CHECKS,
)
