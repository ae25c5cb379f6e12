"""What is said of sessions, in files and beside records."""

import asyncio
import json
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.app.recording import recorded
from tests.app.sessions.logs import by_anna, desk_on, intake, work, write_log
from whet.app.asking import who_is_asked
from whet.app.sessions.annotate import Annotating
from whet.app.sessions.sessions import Sessions
from whet.core.case import Stimulus
from whet.core.errors import InvalidDocument, NotFound, UsageError
from whet.core.trial import TrialSpec

ROW: dict[str, JsonValue] = {"phase_type": "plan", "tool_call_range": ["c0", "c1"]}


def imported(desk: Sessions, tmp_path: Path, calls: int) -> str:
    done = intake(desk).take(write_log(tmp_path / f"{calls}.jsonl", work(calls)))
    return done.sessions[0].name


def test_annotators_stand_side_by_side_in_a_file(tmp_path: Path) -> None:
    with desk_on(tmp_path / "ws") as desk:
        name = imported(desk, tmp_path, 6)
        work_ = Annotating(desk.shelf)
        assert work_.by_hand(name, by_anna(ROW)).annotators == ("human:anna",)
        assert work_.auto(name).annotators == ("human:anna", "auto:signals")
        twice = work_.by_hand(name, by_anna({**ROW, "phase_type": "verify"}))
        assert [one.phase_type for one in twice.phase_annotations] == ["plan", "verify"]
        anew = work_.by_hand(name, by_anna(ROW, replace=True))
        assert len(anew.phase_annotations) == 1
        assert work_.remove(name, "auto") == ("human:anna",)
        assert work_.remove(name, anew.phase_annotations[0].annotation_id) == ()
    stored = json.loads((tmp_path / f"ws/sessions/{name}.json").read_text())
    assert stored["phase_annotations"] == []
    assert len(stored["tool_calls"]) == 6


def test_what_does_not_fit_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    with desk_on(tmp_path / "ws") as desk:
        name = imported(desk, tmp_path, 4)
        before = (tmp_path / f"ws/sessions/{name}.json").read_bytes()
        work_ = Annotating(desk.shelf)
        odd: list[dict[str, JsonValue]] = [
            {**ROW, "tool_call_range": ["c0", "nowhere"]},
            {**ROW, "tool_call_range": ["c2", "c1"]},
            {**ROW, "phase_type": "dream"},
            {"phase_type": "plan"},
        ]
        for row in odd:
            with pytest.raises(InvalidDocument):
                work_.by_hand(name, by_anna(row))
        with pytest.raises(UsageError, match="speak for themselves"):
            work_.auto(name)
        with pytest.raises(NotFound, match="annotated by: nobody"):
            work_.remove(name, "human")
    assert (tmp_path / f"ws/sessions/{name}.json").read_bytes() == before


def test_a_long_session_has_phases_by_itself_until_somebody_takes_them_away(
    tmp_path: Path,
) -> None:
    with desk_on(tmp_path / "ws") as desk:
        name = imported(desk, tmp_path, 21)
        assert desk.load(name).session.phase_annotations
        assert Annotating(desk.shelf).remove(name, "auto:signals") == ()
        assert desk.load(name).session.phase_annotations == ()


def test_the_record_of_a_trial_stays_as_it_was(tmp_path: Path) -> None:
    with desk_on(tmp_path / "ws") as desk:
        stimulus = Stimulus(prompt="Write a function that adds two numbers.")
        spec = TrialSpec(
            skill=None, stimulus=stimulus, engine="simulated", engine_version="1", model="simulated"
        )
        record = recorded(desk.app, spec)
        before = desk.app.store.blobs.get(record.session)
        desk.follow()
        session = desk.load(record.address[:8]).session
        call = session.tool_calls[0].call_id
        row: dict[str, JsonValue] = {**ROW, "tool_call_range": [call, call]}
        Annotating(desk.shelf).by_hand(record.address, by_anna(row))
        how = who_is_asked(desk.app, "simulated")
        asked = Annotating(desk.shelf).by_engine(record.address, how, desk.app.ask())
        assert asyncio.run(asked).annotators == ("human:anna", "agent:simulated")
        assert desk.app.store.ledger.record(record.address) == record
        assert desk.app.store.blobs.get(record.session) == before
    with desk_on(tmp_path / "ws") as desk:
        kept = desk.load(record.address).session.phase_annotations or ()
        assert {one.annotator for one in kept} == {"anna", "simulated"}
