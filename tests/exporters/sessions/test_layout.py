"""Calls side by side have lanes of their own, and phases are where somebody saw them."""

from datetime import timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.exporters.sessions.drawn import NOON, call, calm, note, session
from whet.core.instant import iso
from whet.documents.session_report import SessionBand, SessionLayout
from whet.exporters.sessions.html.axis import Axis
from whet.exporters.sessions.layout import MOST_LANES, layout_of, phase_places
from whet.exporters.sessions.prepare import Privacy, prepared

TIMES = st.lists(st.tuples(st.integers(0, 5_000), st.integers(0, 400)), min_size=1, max_size=25)


def test_calls_that_overlap_have_different_lanes() -> None:
    laid_out = layout_of(calm())
    assert laid_out.lanes[:8] == (0, 0, 1, 0, 1, 1, 1, 0)
    assert laid_out.starts_ms[1:3] == (6_000, 6_200)
    assert laid_out.duration_ms == 300_000


@given(TIMES)
def test_no_two_calls_of_a_lane_run_at_once(times: list[tuple[int, int]]) -> None:
    calls = [call(n, at=start, took=took) for n, (start, took) in enumerate(times)]
    laid_out = layout_of(session(*calls))
    for lane in range(MOST_LANES - 1):
        places = [n for n, one in enumerate(laid_out.lanes) if one == lane]
        spans = sorted((laid_out.starts_ms[n], laid_out.ends_ms[n]) for n in places)
        assert all(before[1] <= after[0] for before, after in pairwise(spans))


@given(TIMES)
def test_time_is_drawn_in_its_order(times: list[tuple[int, int]]) -> None:
    calls = [call(n, at=start, took=took) for n, (start, took) in enumerate(times)]
    laid_out = layout_of(session(*calls))
    axis = Axis(laid_out)
    moments = sorted({*laid_out.starts_ms, *laid_out.ends_ms, laid_out.duration_ms})
    drawn = [axis.at(moment) for moment in moments]
    assert drawn == sorted(drawn)
    assert drawn[0] >= 0
    assert abs(drawn[-1] - 1) < 1e-9
    for moment in moments:
        assert abs(axis.time(axis.at(moment)) - moment) < 1


def test_a_long_pause_is_drawn_shorter() -> None:
    calls = [call(n, at=n * 10, took=2) for n in range(10)]
    late = [call(n, at=20_000 + n * 10, took=2) for n in range(10, 20)]
    done = iso(NOON + timedelta(seconds=20_200))
    axis = Axis(layout_of(session(*calls, *late, completed_at=done)))
    (pause,) = axis.pauses
    assert pause.length == 20_008_000
    assert axis.at(20_100_000) - axis.at(92_000) < 0.2


def test_bands_are_those_that_somebody_noted() -> None:
    laid_out = layout_of(calm())
    told = [(band.phase_type, band.first, band.last) for band in laid_out.bands]
    assert told == [("explore", 0, 6), ("plan", 7, 8), ("execute", 9, 13), ("verify", 14, 15)]


def test_a_range_that_leads_nowhere_is_no_band() -> None:
    given = session(call(1), call(2), phase_annotations=[note("plan", 1, 9), note("verify", 2, 1)])
    (band,) = layout_of(given).bands
    assert (band.phase_type, band.first, band.last) == ("verify", 0, 1)


def test_a_point_covers_no_calls() -> None:
    given = session(call(1), phase_annotations=[note("plan", 1, 1, is_point=True)])
    assert layout_of(given).bands == ()


def test_phases_of_older_sessions_are_bands_too() -> None:
    phases: list[JsonValue] = [
        {"phase_id": "p1", "phase_type": "explore", "tool_call_ids": ["tool-001", "tool-002"]},
        {"phase_id": "p2", "phase_type": "memory", "tool_call_ids": ["tool-003", "gone"]},
        {"phase_id": "p3", "phase_type": "plan"},
    ]
    bands = layout_of(session(call(1), call(2), call(3), phases=phases)).bands
    assert [(band.phase_type, band.first, band.last) for band in bands] == [
        ("explore", 0, 1),
        ("mixed", 2, 2),
    ]


def test_of_several_phases_a_call_has_the_shortest() -> None:
    wide = SessionBand(phase_type="mixed", first=0, last=5)
    narrow = SessionBand(phase_type="plan", first=2, last=3)
    assert phase_places([wide, narrow], 7) == [0, 0, 1, 1, 0, 0, None]


def test_a_layout_of_somebody_else_is_taken_and_redacted() -> None:
    band = SessionBand(phase_type="plan", first=0, last=1, description="read /home/alice/plan.md")
    theirs = SessionLayout(
        duration_ms=9, starts_ms=(0, 1), ends_ms=(1, 2), lanes=(0, 0), bands=(band,)
    )
    given = session(call(1), call(2))
    assert prepared(given, layout=theirs).layout.bands[0].description == "read ~/plan.md"
    whole = prepared(given, Privacy(redact=False), theirs)
    assert whole.layout is theirs
    assert whole.redactions is None
