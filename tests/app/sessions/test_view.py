"""What is seen of sessions of trials: verdicts that lead to calls, pages, exports."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from pydantic import JsonValue

from tests.app.sessions.logs import desk_on, intake, session, write_session
from tests.readers.drawn import Data, phased
from tests.readers.drawn import sessions as drawn
from whet.app.sessions.export import export
from whet.app.sessions.intake import Intake
from whet.app.sessions.sessions import Sessions
from whet.core.check import CheckResult, CheckSpec
from whet.core.errors import NotFound
from whet.core.grade import Grade, JudgedExpectation
from whet.documents.session import Session
from whet.ports.session_exporter import ExportWish
from whet.testing.store import closed, execution, record

ADDRESS = "ab" * 32
SLOW = settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def on_record(desk: Sessions, data: dict[str, JsonValue]) -> None:
    """A trial with that session."""
    blob = desk.app.store.blobs.put(json.dumps(data).encode())
    begun = execution(1, ADDRESS)
    made = record(begun).model_copy(update={"session": blob})
    desk.app.store.ledger.claim(begun)
    desk.app.store.ledger.close(closed(begun), made)
    desk.follow()


def graded(address: str, **more: object) -> Grade:
    return Grade.model_validate(
        {
            "address": address,
            "trial": ADDRESS,
            "generation": 1,
            "grader": "checks",
            "grader_version": "1",
            "status": "scored",
            "score": 1.0,
            "evaluated_at": f"2026-01-0{len(address)}T00:00:00Z",
            **more,
        }
    )


def test_verdicts_of_a_trial_lead_to_its_calls(tmp_path: Path) -> None:
    spec = CheckSpec(id="S1", type="tool_called", fields={"expected": "Read"})
    found = CheckResult(
        id="S1", type="tool_called", text="it reads", outcome="passed", score=1, evidence="called"
    )
    said = JudgedExpectation(text="it is whetted", passed=False, evidence="see /w/f3.py")
    with desk_on(tmp_path / "ws") as desk:
        on_record(desk, session("trial-x", 4, trial_address=ADDRESS))
        assert desk.view(ADDRESS).links == []
        desk.app.store.ledger.add_grades([graded("1", checks=(found,), specs=(spec,))])
        links = desk.view(ADDRESS[:8]).links
        assert [(one.verdict, one.index, one.passed) for one in links] == [
            ("check:S1", place, True) for place in range(4)
        ]
        desk.app.store.ledger.add_grades([graded("22", expectations=(said,))])
        [link] = desk.view(ADDRESS).links  # what was graded last is what holds
        assert (link.verdict, link.index, link.reason) == ("expectation:1", 2, "file")
        page = desk.view(ADDRESS).page(2, 1)
        assert page.calls[0].marks == ("verdict",)
        assert desk.view(ADDRESS).detail(2).verdicts == (link,)


def test_a_view_is_kept_until_something_changes(tmp_path: Path) -> None:
    with desk_on(tmp_path / "ws") as desk:
        name = intake(desk).take(write_session(tmp_path / "a.json", session("a", 3)))
        name = name.sessions[0].name
        first = desk.view(name)
        assert desk.view(name) is first
        path = tmp_path / f"ws/sessions/{name}.json"
        write_session(path, {**json.loads(path.read_text()), "task_title": "Another"})
        assert desk.view(name).loaded.session.task_title == "Another"
        path.unlink()
        with pytest.raises(NotFound, match="is gone"):
            desk.view(name)


def test_an_export_has_no_secret_of_this_machine(tmp_path: Path) -> None:
    secret = "sk-ant-api03-" + "a1B2" * 20
    with desk_on(tmp_path / "ws", MY_API_KEY="geheim-4711-xyz") as desk:
        data = session("a", 1, user_prompt=f"use {secret} and geheim-4711-xyz")
        keeping = Intake(desk.shelf, keep_secrets=True)
        name = keeping.take(write_session(tmp_path / "a.json", data)).sessions[0].name
        for form in ("html", "md", "json", "otlp"):
            made = export(desk.view(name), form, ExportWish("en"))
            assert secret not in made.text
            assert "geheim-4711-xyz" not in made.text
            assert made.redactions
            assert made.name.startswith(name)
        plain = export(desk.view(name), "json", ExportWish("en"), redact=False)
        assert secret in plain.text
        assert plain.redactions is None


@pytest.mark.slow
@SLOW
@given(drawn())
def test_any_session_comes_through_the_door_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, data: Data
) -> None:
    folder = tmp_path_factory.mktemp("door")
    log = folder / "log.json"
    log.write_text(Session.parse(data, "drawn").to_json(), "utf-8")
    with desk_on(folder / "ws") as desk:
        done = intake(desk).take(log)
        [one] = done.sessions
        stored = json.loads((folder / "ws" / one.path).read_bytes())
        assert desk.load(one.name).session.session_id == one.name
    expected = json.loads(log.read_text("utf-8"))
    assert stored["tool_calls"] == expected["tool_calls"]
    assert stored["as_read"]["session_id"] == expected["session_id"]
    ours = ("session_id", "as_read", "source_digest", "source_format", "phase_annotations")
    left = {key: value for key, value in stored.items() if key not in ours}
    assert left == {key: value for key, value in expected.items() if key not in ours}


@pytest.mark.slow
@SLOW
@given(phased())
def test_no_call_of_an_older_session_is_lost_on_the_way(
    tmp_path_factory: pytest.TempPathFactory, drawn_: tuple[Data, list[Data]]
) -> None:
    data, calls = drawn_
    folder = tmp_path_factory.mktemp("older")
    log = write_session(folder / "log.json", data)
    with desk_on(folder / "ws") as desk:
        [one] = intake(desk).take(log).sessions
        stored = desk.load(one.name).session
    assert {call.call_id: call.to_data() for call in stored.tool_calls} == {
        call["call_id"]: call for call in calls
    }
