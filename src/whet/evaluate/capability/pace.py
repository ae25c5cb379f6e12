"""How long a run will still take, by what its cases took so far."""

from collections.abc import Iterable

from whet.documents.capability import EvaluationItem


class Pace:
    """The durations of the cases of a run, each with its latest word.

    It goes by the cases and not by the clock: a run that was left behind for a night and resumed is
    no slower than before.
    """

    def __init__(self, concurrency: int, items: Iterable[EvaluationItem] = ()) -> None:
        self._concurrency = max(1, concurrency)
        self._took: dict[str, float] = {}
        self._sum = 0.0
        for item in items:
            self.add(item)

    def add(self, item: EvaluationItem) -> None:
        """Take what is known of an item now."""
        self._sum -= self._took.pop(item.case_id, 0.0)
        if item.status in ("passed", "failed") and item.elapsed_s is not None:
            self._took[item.case_id] = float(item.elapsed_s)
            self._sum += item.elapsed_s

    def seconds_left(self, undone: int) -> float | None:
        """For so many more cases; None where nothing is known yet. The last ones cannot be shared
        out any further, so it is never less than one takes."""
        if not self._took or not undone:
            return None
        each = max(0.0, self._sum) / len(self._took)
        return round(each * max(1.0, undone / self._concurrency), 3)
