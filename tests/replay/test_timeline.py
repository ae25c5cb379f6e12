"""A session at a glance, and page by page."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from pydantic import JsonValue

from tests.replay.drawn import OFTEN, sessions
from tests.replay.making import AT, acts, call, calls, made, moment, session
from tests.replay.recorded import every
from whet.core.errors import NotFound
from whet.documents.base import Document
from whet.documents.session import PhaseAnnotation, Session
from whet.documents.session_timeline import CallPage, SessionTimeline, VerdictLink
from whet.replay.acts import Acts, acts_of
from whet.replay.annotate import auto_annotated, auto_annotations
from whet.replay.buckets import buckets
from whet.replay.colours import palette
from whet.replay.lanes import MOST as MOST_LANES
from whet.replay.lanes import lanes
from whet.replay.marks import marks
from whet.replay.timeline import LONGEST_PAGE, MOST_SPANS, detail, page, timeline

LIMIT = 200_000
LINK = VerdictLink(
    verdict="check:S1",
    text="it is there",
    passed=True,
    score=1.0,
    index=1,
    call_id="tool-002",
    reason="file",
    because="a.py",
)


def size(document: Document) -> int:
    return len(json.dumps(document.to_data(), ensure_ascii=False).encode())


def test_calls_at_once_have_lanes_of_their_own() -> None:
    found = lanes(acts("Grep a @0+100", "Grep b @50+100", "Grep c @100+100", "Grep d @160+10"))
    assert (found.of, found.count, found.crowded) == ((0, 1, 0, 1), 2, False)


def test_a_subagent_has_lanes_beside_the_main_agents() -> None:
    found = lanes(
        acts(
            "Task x @0+500",
            ". Grep a @100+100",
            ". Grep b @150+100",
            "Task y @600+500",
            ". Grep c @700+100",
        )
    )
    assert (found.of, found.count) == ((0, 1, 2, 0, 1), 3)
    assert [(one.call, one.first, one.count) for one in found.agents] == [
        (None, 0, 1),
        (0, 1, 2),
        (3, 1, 1),
    ]


def test_there_are_so_many_lanes_and_no_more() -> None:
    found = lanes(acts(*["Grep a @0+10"] * 100))
    assert (found.count, found.crowded, max(found.of)) == (MOST_LANES, True, MOST_LANES - 1)


def test_parts_of_a_session() -> None:
    found = buckets(
        acts("Read a.py @0+15", "Bash make! @10+10", "Bash make @32+3", completed_at=moment(39)),
        most=4,
    )
    assert (found.width_ms, found.calls, found.failed) == (10, (1, 1, 0, 1), (0, 1, 0, 0))
    assert (found.first, found.at_once) == ((0, 1, 2, 2), (1, 2, 0, 1))
    assert found.busy_ms == {"perception": (10, 5, 0, 0), "action": (0, 10, 0, 3)}


def test_marks_of_every_kind() -> None:
    found = marks(
        acts(
            "Skill fix",
            "Read a.py! => no such file",
            "AskUserQuestion which one?",
            prompts=[{"at": moment(0), "text": "do"}, {"at": moment(5_000), "text": "and that"}],
        ),
        [LINK],
    )
    assert [(one.kind, one.call, one.at_ms, one.text) for one in found] == [
        ("skill", 0, 1_000, "fix"),
        ("error", 1, 2_000, "no such file"),
        ("verdict", 1, 2_000, "it is there"),
        ("question", 2, 3_000, "which one?"),
        ("prompt", None, 5_000, "and that"),
    ]


def test_marks_near_each_other_are_one_where_there_are_too_many() -> None:
    found = marks(acts(*["LS x!"] * 1_000))
    assert len(found) <= 80
    assert sum(one.count for one in found) == 1_000


def test_bands_of_several_annotators() -> None:
    plain = made(*["Grep a"] * 5, "Edit a.py", "Bash pytest")
    own = auto_annotations(acts_of(plain), AT)
    human = own[0].model_copy(
        update={"annotated_by": "human", "annotator": "anna", "annotation_id": "h"}
    )
    point = human.model_copy(update={"is_point": True})
    notes = (*own, human, point)
    found = timeline(acts_of(plain.model_copy(update={"phase_annotations": notes}))).bands
    assert [(one.annotator, one.phase, one.first, one.last, one.annotation) for one in found] == [
        ("auto:signals", "explore", 0, 4, 0),
        ("auto:signals", "execute", 5, 5, 1),
        ("auto:signals", "verify", 6, 6, 2),
        ("human:anna", "explore", 0, 4, 3),
    ]
    assert (found[0].start_ms, found[0].end_ms, found[0].confidence) == (1_000, 5_500, "high")


def test_too_many_phases_are_drawn_coarsely() -> None:
    long = auto_annotated(made(*["Edit a.py", "Bash pytest", "Edit b.py"] * 400), AT)
    assert len(long.phase_annotations or ()) > 400
    found = timeline(acts_of(long)).bands
    assert 0 < len(found) <= 400
    assert {one.confidence for one in found} == {None}


def test_a_short_session_is_drawn_call_by_call() -> None:
    found = timeline(acts("Read a.py", "Bash make!", "Task x", ". Grep a")).spans
    assert found.exact
    assert (found.first, found.calls, found.failed) == ((0, 1, 2, 3), (1, 1, 1, 1), (0, 1, 0, 0))
    assert (found.agent, found.lane) == ((-1, -1, -1, 2), (0, 0, 0, 1))
    assert found.category == ("perception", "action", "interaction", "perception")


def hostile(count: int) -> Acts:
    """Long ids and texts, all calls failed, each with an annotation and a parent of its own."""
    long = "火" * 300
    lines = [
        f"Task {long}" if place % 2 == 0 else f". Read {long}! => {long}" for place in range(count)
    ]
    every = [
        {
            **one,
            "call_id": f"{long}{one['call_id']}",
            "parent_call_id": f"{long}{one.get('parent_call_id')}",
        }
        for one in calls(lines)
    ]
    notes = tuple(
        PhaseAnnotation.parse(
            {
                "annotation_id": f"{long}{place}",
                "phase_type": "execute",
                "tool_call_range": [one["call_id"], one["call_id"]],
                "annotated_by": "human",
                "annotator": f"{place % 40}{long}",
                "annotated_at": AT,
                "confidence": "low",
            },
            "note",
        )
        for place, one in enumerate(every)
    )
    plain = session(every, task_title=long * 5, session_id=long)
    return acts_of(plain.model_copy(update={"phase_annotations": notes}))


@pytest.mark.slow
def test_the_timeline_of_ten_thousand_calls_is_one_small_answer() -> None:
    lines = ["Read a.py", "Grep x!", "Edit a.py", "Bash pytest!", "Task look", ". Read b.py"]
    plain = auto_annotated(made(*lines * 1_700), AT)
    found = timeline(acts_of(plain), [LINK] * 5_000)
    assert size(found) < LIMIT
    assert sum(found.spans.calls) == found.calls == 10_200
    assert len(found.spans.first) <= MOST_SPANS


@pytest.mark.slow
def test_and_so_is_that_of_a_hostile_one() -> None:
    found = timeline(hostile(10_000))
    assert size(found) < LIMIT
    assert found.left_out["annotators"] == 20


def test_pages_have_each_call_once() -> None:
    own = acts_of(auto_annotated(made(*["Grep a", "Edit a.py"] * 13), AT))
    first, rest = page(own, 0, 10), page(own, 10, 100, [LINK])
    assert (first.total, first.offset, len(first.calls)) == (26, 0, 10)
    assert [one.index for one in (*first.calls, *rest.calls)] == list(range(26))
    assert first.calls[1].phases == {"auto:signals": "execute"}
    assert page(own, 0, 2, [LINK]).calls[1].marks == ("verdict",)
    assert page(own, 99, 5).calls == ()
    assert page(own, -3, -1).calls == ()
    assert len(page(acts(*["Grep a"] * 600), 0, 9_999).calls) == LONGEST_PAGE


def test_the_details_of_a_call() -> None:
    plain = made(
        "Read a.py",
        "Edit a.py!",
        "Edit a.py",
        messages=["I look.", "I edit.", "Done."],
        messages_at=[moment(500), moment(2_900), moment(9_000)],
    )
    own = acts_of(auto_annotated(plain, AT))
    found = detail(own, 2, [LINK])
    assert found.call == plain.tool_calls[2]
    assert (found.start_ms, found.duration_ms, found.agent) == (3_000, 500, None)
    assert found.said == ("I edit.",)
    assert [(one.from_call_id, one.kind) for one in found.flow] == [("tool-001", "fed")]
    assert found.attempts == ("tool-002", "tool-003")
    assert found.verdicts == ()
    assert detail(own, 1, [LINK]).verdicts == (LINK,)
    assert detail(acts("Task x", ". Grep a"), 0).inner == (1,)
    with pytest.raises(NotFound, match="no call at place 3"):
        detail(own, 3)


def test_colours_are_there_for_all_that_is_drawn() -> None:
    found = palette()
    assert found["contexts"]["claude_md"] != found["contexts"]["skill"]
    assert set(found["phases"]) >= {"understand", "explore", "plan", "execute", "verify"}
    every_one = [colour for table in found.values() for colour in table.values()]
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in every_one)


@OFTEN
@given(sessions())
def test_no_two_calls_overlap_in_a_lane(given: Session) -> None:
    own = acts_of(given)
    found = lanes(own)
    spans = sorted((found.of[a.index], a.start, max(a.end, a.start + 1), a.index) for a in own)
    for one, other in pairwise(spans):
        assert one[0] != other[0] or one[2] <= other[1]
    assert max(found.of, default=-1) + 1 == found.count


@OFTEN
@given(sessions())
def test_parts_add_up_to_the_whole(given: Session) -> None:
    own = acts_of(given)
    found = buckets(own, most=7)
    assert len(found.calls) <= 7
    assert sum(found.calls) == len(own)
    assert sum(found.failed) == sum(act.failed for act in own)
    working = [act for act in own if act.index not in own.inner]
    busy = {act.call.tool_category: 0 for act in working}
    for act in working:
        busy[act.call.tool_category] += act.length
    assert {name: sum(parts) for name, parts in found.busy_ms.items()} == {
        name: total for name, total in busy.items() if total
    }
    for part, most in enumerate(found.at_once):
        begin, end = part * found.width_ms, (part + 1) * found.width_ms
        inside = [act for act in working if act.start < end and act.end > begin]
        moments = {max(act.start, begin) for act in inside if act.length}
        counts = [sum(act.start <= at < act.end for act in inside) for at in moments]
        assert most == max(counts, default=0)


@OFTEN
@given(sessions())
def test_the_timeline_of_any_session_has_all_its_calls(given: Session) -> None:
    own = acts_of(given)
    found = timeline(own)
    assert sum(found.spans.calls) == found.calls == len(own)
    assert sum(found.spans.failed) == found.failed
    assert SessionTimeline.parse(found.to_data(), "again") == found
    rows = page(own, 0, 100)
    assert CallPage.parse(rows.to_data(), "again") == rows
    for act in own:
        assert detail(own, act.index).call is act.call


def test_timelines_of_real_programs(tmp_path: Path) -> None:
    for made_ in every(tmp_path).values():
        found = timeline(acts_of(made_))
        assert found.calls == len(made_.tool_calls)


def test_one_call_without_length() -> None:
    plain: dict[str, JsonValue] = call(0, "Grep a @0+0")
    found = timeline(acts_of(session([plain])))
    assert (found.wall_ms, found.buckets.calls, found.spans.end_ms) == (0, (1,), (0,))
