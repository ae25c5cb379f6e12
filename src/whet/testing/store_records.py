"""What every store must do for whoever follows the records."""

from whet.core.execution import Execution, Outcome
from whet.core.grade import Grade
from whet.core.trial import TrialRecord
from whet.ports.store import Store

AT = "2024-01-01T00:00:00.000Z"


def records_keep_their_order(store: Store, _living: set[str]) -> None:
    """Records come in the order in which they were kept, imported ones too; what is kept already
    gets no second place."""
    for number, address in enumerate(("b", "a", "c"), start=1):
        begun = Execution(
            id=f"execution-{number}", address=address, generation=1, owner="me", started_at=AT
        )
        store.ledger.claim(begun)
        over = begun.model_copy(update={"outcome": Outcome.ANSWERED, "ended_at": AT})
        store.ledger.close(over, _record(address))
    assert store.ledger.add_imported([_record("z")]) == 1
    assert store.ledger.add_imported([_record("z")]) == 0
    found = store.ledger.recorded(0, 100)
    assert [one.record.address for one in found] == ["b", "a", "c", "z"]
    assert [one.cursor for one in found] == sorted({one.cursor for one in found})
    later = store.ledger.recorded(found[1].cursor, 1)
    assert [one.record.address for one in later] == ["c"]
    assert store.ledger.recorded(found[-1].cursor, 100) == []
    assert store.ledger.at_cursor(found[0].cursor) == ("b", 1)
    assert store.ledger.at_cursor(found[-1].cursor + 1) is None
    assert [one.generation for one in store.ledger.generations("z")] == [0]
    assert store.ledger.generations("nowhere") == []


def grades_are_found_by_their_trial(store: Store, _living: set[str]) -> None:
    """All of them, the oldest first."""
    store.ledger.add_grades([_grade("one", 2), _grade("two", 1)])
    assert [one.address for one in store.ledger.grades_of("a")] == ["two", "one"]
    assert store.ledger.grades_of("b") == []


def _record(address: str) -> TrialRecord:
    return TrialRecord(
        address=address,
        execution="e",
        status="completed",
        answer="42",
        started_at=AT,
        ended_at=AT,
        duration_ms=0,
        engine="e",
        engine_version="1",
        model="m",
        sandbox="none",
        simulated=True,
        session="s",
    )


def _grade(address: str, hour: int) -> Grade:
    return Grade(
        address=address,
        trial="a",
        generation=1,
        grader="j",
        grader_version="1",
        status="scored",
        score=0.5,
        evaluated_at=f"2024-01-01T0{hour}:00:00.000Z",
    )


RECORD_CHECKS = (records_keep_their_order, grades_are_found_by_their_trial)
