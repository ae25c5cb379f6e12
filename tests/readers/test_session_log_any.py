"""Any session of the format, of any generation, and anything that looks like one."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.documents.agreeing import disagreements
from tests.documents.inventory import exact
from tests.readers.drawn import Data, phased, sessions
from tests.readers.reading import document, log_of, read_one
from tests.readers.test_rows import JSON
from whet.documents.session import Session, ToolCall
from whet.documents.session_import import Repairs
from whet.readers.calls import Calls

SLOW = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.slow
@SLOW
@given(sessions())
def test_any_session_survives_being_written_and_read(
    tmp_path_factory: pytest.TempPathFactory, data: Data
) -> None:
    path = tmp_path_factory.mktemp("v3") / "log.json"
    path.write_text(Session.parse(data, "drawn").to_json(), "utf-8")
    [found] = log_of(path).sessions()
    assert exact(found) == exact(data)
    assert list(found) == list(data)
    session, report = read_one(path)
    assert session == Session.parse(data, "drawn")
    assert report.findings == ()
    assert disagreements(session) == []


@pytest.mark.slow
@SLOW
@given(phased())
def test_no_call_of_an_older_session_is_lost(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[Data, list[Data]]
) -> None:
    data, calls = drawn
    path = document(tmp_path_factory.mktemp("v2") / "log.json", data)
    session, _ = read_one(path)
    found = {call.call_id: call.to_data() for call in session.tool_calls}
    assert found == {call["call_id"]: call for call in calls}
    assert len(session.tool_calls) == len(calls)
    assert session.summary.tool_calls_count == len(calls)
    assert len(session.phases or ()) == len(data["phases"])
    if calls:
        assert len(session.phase_annotations or ()) == len(data["phases"])
        ranges = [each.tool_call_range for each in session.phase_annotations or ()]
        assert all({each.start_call_id, each.end_call_id} <= found.keys() for each in ranges)


@pytest.mark.slow
@SLOW
@given(
    st.lists(JSON, max_size=3), st.dictionaries(st.text(max_size=6), JSON, max_size=4), st.data()
)
def test_whatever_stands_there_becomes_a_session_that_agrees(
    tmp_path_factory: pytest.TempPathFactory,
    calls: list[JsonValue],
    others: dict[str, JsonValue],
    draw: st.DataObject,
) -> None:
    """Every field of the format may hold anything at all."""
    names = [*Session.model_fields, "title", "steps", "started_at"]
    odd = draw.draw(st.dictionaries(st.sampled_from(names), JSON, max_size=5))
    data: dict[str, JsonValue] = {**others, **odd, "session_id": "s", "tool_calls": calls}
    session, _ = read_one(document(tmp_path_factory.mktemp("odd") / "log.json", data))
    assert disagreements(session) == []


CALL_KEYS = [*ToolCall.model_fields, "tool", "target", "result", "params", "status"]


@pytest.mark.slow
@SLOW
@given(st.lists(st.dictionaries(st.sampled_from(CALL_KEYS), JSON, max_size=6), max_size=3))
def test_any_object_becomes_a_call(values: list[dict[str, JsonValue]]) -> None:
    mender = Calls(Repairs("log"))
    made = [call for value in values for call in mender.mend(value)]
    assert len(made) == len(values)
    names = [call["call_id"] for call in made]
    assert len(set(map(str, names))) == len(names)
    for call in made:
        assert ToolCall.mistakes({**call, "started_at": "", "ended_at": "", "duration_ms": 0}) == []
