"""What every store must do for whoever follows the records."""

from collections.abc import Callable

from whet.core.execution import Execution
from whet.core.grade import Grade
from whet.core.trial import TrialRecord
from whet.ports.store import Store


def check_order(
    store: Store,
    made: Callable[[int, str], tuple[Execution, Execution, TrialRecord]],
    grade: Callable[[str], Grade],
) -> None:
    """Records come in the order in which they were kept, imported ones too; what is kept already
    gets no second place."""
    kept: list[str] = []
    for number, address in enumerate(("b", "a", "c"), start=1):
        begun, over, record = made(number, address)
        store.ledger.claim(begun)
        store.ledger.close(over, record)
        kept.append(address)
    _, _, imported = made(9, "z")
    assert store.ledger.add_imported([imported]) == 1
    assert store.ledger.add_imported([imported]) == 0
    found = store.ledger.recorded(0, 100)
    assert [one.record.address for one in found] == [*kept, "z"]
    assert [one.cursor for one in found] == sorted({one.cursor for one in found})
    later = store.ledger.recorded(found[1].cursor, 1)
    assert [one.record.address for one in later] == ["c"]
    assert store.ledger.recorded(found[-1].cursor, 100) == []
    assert store.ledger.at_cursor(found[0].cursor) == ("b", 1)
    assert store.ledger.at_cursor(found[-1].cursor + 1) is None
    assert [one.generation for one in store.ledger.generations("z")] == [0]
    assert store.ledger.generations("nowhere") == []
    store.ledger.add_grades([grade("one"), grade("two")])
    assert [one.address for one in store.ledger.grades_of("a")] == ["one", "two"]
    assert store.ledger.grades_of("b") == []
