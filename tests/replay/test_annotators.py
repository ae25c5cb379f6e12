"""Annotations of several annotators, side by side."""

import pytest
from pydantic import JsonValue

from tests.replay.making import AT, made
from whet.core.errors import InvalidDocument, NotFound
from whet.documents.session import PhaseAnnotation, Session
from whet.replay.annotators import (
    Annotator,
    added,
    annotations_of,
    annotators,
    free_ids,
    removed,
    replaced,
    with_annotations,
    without_annotations,
)

ANNA, BERT = Annotator("human", "anna"), Annotator("human", "bert")
SESSION = made("Read a.py", "Edit a.py", "Bash pytest")


def said(name: str, who: Annotator, first: int = 1, last: int = 3, **more: str) -> PhaseAnnotation:
    data: dict[str, JsonValue] = {
        "annotation_id": name,
        "phase_type": "execute",
        "tool_call_range": [f"tool-{first:03}", f"tool-{last:03}"],
        "annotated_by": who.kind,
        "annotated_at": AT,
        "confidence": "high",
        **({} if who.name is None else {"annotator": who.name}),
        **more,
    }
    return PhaseAnnotation.parse(data, "said")


def ids(session: Session) -> list[str]:
    return [one.annotation_id for one in session.phase_annotations or ()]


def test_each_has_their_own_and_leaves_others_alone() -> None:
    both = added(SESSION, said("a1", ANNA), said("b1", BERT), said("a2", ANNA))
    assert annotators(both) == (ANNA, BERT)
    assert [one.annotation_id for one in annotations_of(both, ANNA)] == ["a1", "a2"]
    assert ids(without_annotations(both, ANNA)) == ["b1"]
    assert ids(with_annotations(both, ANNA, [said("a1", ANNA), said("a3", ANNA)])) == [
        "b1",
        "a1",
        "a3",
    ]
    assert ids(both) == ["a1", "b1", "a2"]
    assert (ANNA.label, Annotator("auto").label) == ("human:anna", "auto")


def test_phases_may_overlap_and_leave_gaps() -> None:
    assert ids(added(SESSION, said("a", ANNA, 1, 2), said("b", ANNA, 2, 2))) == ["a", "b"]


def test_one_is_replaced_in_its_place_or_removed() -> None:
    both = added(SESSION, said("a", ANNA), said("b", BERT))
    changed = replaced(both, said("a", ANNA, 2, 2, description="the edit"))
    assert ids(changed) == ["a", "b"]
    assert annotations_of(changed, ANNA)[0].description == "the edit"
    assert ids(removed(both, "a")) == ["b"]
    assert removed(removed(both, "a"), "b").to_data() == SESSION.to_data() | {
        "phase_annotations": []
    }  # pyright: ignore[reportOperatorIssue]
    with pytest.raises(NotFound, match="has no annotation 'c'"):
        removed(both, "c")
    with pytest.raises(NotFound):
        replaced(both, said("c", ANNA))


@pytest.mark.parametrize(
    ("annotation", "reason"),
    [
        (said("a", ANNA, 1, 4), "end_call_id: there is no call 'tool-004'"),
        (said("a", ANNA, 9, 1), "start_call_id: there is no call 'tool-009'"),
        (said("a", ANNA, 3, 1), "'tool-003' comes after 'tool-001'"),
        (said("", ANNA), "annotation_id: is empty"),
        (said("b", ANNA), "annotation_id: is there already"),
        (said("a", ANNA, annotated_at="today"), "annotated_at: is no time: 'today'"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(
    annotation: PhaseAnnotation, reason: str
) -> None:
    session = added(SESSION, said("b", BERT))
    with pytest.raises(InvalidDocument) as caught:
        added(session, annotation)
    assert reason in str(caught.value)
    assert ids(session) == ["b"]


def test_nobody_speaks_for_another() -> None:
    session = added(SESSION, said("b", BERT))
    with pytest.raises(InvalidDocument, match="must be human:anna"):
        with_annotations(session, ANNA, [said("a", BERT)])
    with pytest.raises(InvalidDocument, match="must be human:bert, who made it"):
        replaced(session, said("b", ANNA))


def test_an_untouched_session_stays_as_it_was() -> None:
    assert without_annotations(SESSION, ANNA) is SESSION
    assert added(SESSION) is SESSION


def test_ids_that_nobody_has() -> None:
    session = added(SESSION, said("auto-002", ANNA))
    assert free_ids(session, "auto", 2) == ["auto-001", "auto-003"]
