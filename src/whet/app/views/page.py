"""Which cases of an experiment are looked at."""

from dataclasses import dataclass

LARGEST = 500


@dataclass(frozen=True, slots=True)
class Cases:
    """A page of cases; pages begin with 1. Without a size it is all of them."""

    page: int = 1
    size: int | None = 100

    @property
    def page_size(self) -> int:
        """For whoever is told."""
        return self.size or 0

    @property
    def span(self) -> tuple[int, int]:
        """The first one, counted from 0, and the one after the last."""
        if self.size is None:
            return 0, 10**9
        return (self.page - 1) * self.size, self.page * self.size
