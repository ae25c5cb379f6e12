"""How far a run is: what is done and failed, how fast it goes, and the time and money that are
left to spend."""

from datetime import datetime

from whet.core.instant import seconds_since
from whet.core.run import Run
from whet.core.value import Value


class RunProgress(Value):
    """How far the latest process at a run has come, in the places of its plan."""

    total: int
    settled: int
    """Those that have come to something since it began."""

    reused: int
    """Those that were there when it began."""

    failed: int = 0
    skipped: int = 0
    seconds: float
    """Since it began, or as long as it took."""

    seconds_left: float | None
    """At the pace so far; null where it is not running, or nobody can know yet."""

    cost_usd: float | None = None
    """What it has cost so far, where that is known."""

    cost_left_usd: float | None = None
    """At the cost so far; null where it is not running, or nobody can know yet."""

    @property
    def done(self) -> int:
        """Places that nobody need care for any more."""
        return self.reused + self.settled


def progress(run: Run, now: datetime) -> RunProgress:
    """How far *run* is at that moment."""
    is_running = run.status == "running"
    seconds = run.elapsed_s or 0.0
    if is_running:
        seconds = seconds_since(run.started_at, now)
    settled = run.done - run.reused
    left = max(0, run.total - run.done)
    is_known = is_running and settled > 0 and seconds > 0
    cost = run.usage.cost_usd
    return RunProgress(
        total=run.total,
        settled=settled,
        reused=run.reused,
        failed=run.failed,
        skipped=run.skipped,
        seconds=round(seconds, 3),
        seconds_left=round(seconds / settled * left, 3) if is_known else None,
        cost_usd=cost,
        cost_left_usd=round(cost / settled * left, 6) if is_known and cost is not None else None,
    )
