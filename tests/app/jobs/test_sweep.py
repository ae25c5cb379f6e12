"""Without a server, whoever comes next lets go of what is old."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.app.jobs.offices import TEXT, done, office_on, wanted
from whet.app.jobs.create import AtHand, create
from whet.app.jobs.expiry import sweep
from whet.app.jobs.office import Office
from whet.core.errors import NotFound


@dataclass
class Later:
    """A clock that is ahead."""

    days: float

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(days=self.days)


def after(office: Office, days: float) -> Office:
    return replace(office, app=replace(office.app, clock=Later(days)))


def test_a_job_goes_when_its_time_is_over_and_not_before(tmp_path: Path) -> None:
    document = tmp_path / "rivers.txt"
    document.write_text(TEXT)
    with office_on(tmp_path / "workspace") as office:
        given = AtHand({"document": document})
        job = done(
            office, create(office, wanted(runtime_options={"keep_seconds": 86_400}), None, given)
        )
        waiting = create(office, wanted(input={"title": "Other"}))
        queued = create(office, wanted(input={"title": "More"}), None, given)
        sweep(after(office, 0.9))
        assert office.get(job.request_id).state == "succeeded"
        assert office.get(waiting.request_id).state == "waiting_upload"
        sweep(after(office, 1.1))
        with pytest.raises(NotFound):
            office.get(job.request_id)
        assert not office.places.run(job.run_id).exists()
        assert office.get(waiting.request_id).state == "cancelled"
        assert office.get(queued.request_id).state == "queued"
