"""Annotations of several annotators, side by side.

Whoever annotates is one of ``agent``, ``human`` and ``auto``, with a name where there are several
of a kind. What one of them says leaves alone what others say.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from whet.core.errors import InvalidDocument, NotFound
from whet.documents.session import PhaseAnnotation, Session
from whet.replay.acts import milliseconds


class Annotator(NamedTuple):
    """Who says it."""

    kind: Literal["agent", "human", "auto"]
    name: str | None = None

    @property
    def label(self) -> str:
        """``auto``, or ``human:anna``."""
        return self.kind if self.name is None else f"{self.kind}:{self.name}"


AUTO = Annotator("auto", "signals")
"""Ours. What others made of a log automatically has another name or none, and stays."""


def annotator_of(annotation: PhaseAnnotation) -> Annotator:
    """Who made an annotation."""
    return Annotator(annotation.annotated_by, annotation.annotator)


def annotators(session: Session) -> tuple[Annotator, ...]:
    """All who have annotated, in the order in which they come up."""
    return tuple(dict.fromkeys(map(annotator_of, session.phase_annotations or ())))


def annotations_of(session: Session, who: Annotator) -> tuple[PhaseAnnotation, ...]:
    """What one of them has said."""
    every = session.phase_annotations or ()
    return tuple(one for one in every if annotator_of(one) == who)


def with_annotations(
    session: Session, who: Annotator, annotations: Iterable[PhaseAnnotation]
) -> Session:
    """The session with these in place of all that *who* said before; raises ``InvalidDocument``
    for one that does not fit, or that is somebody else's."""
    fresh = tuple(annotations)
    for one in fresh:
        if annotator_of(one) != who:
            raise _refused(session, one, "annotated_by", f"must be {who.label}")
    return added(without_annotations(session, who), *fresh)


def without_annotations(session: Session, who: Annotator) -> Session:
    """The session without what *who* said."""
    every = session.phase_annotations or ()
    return _with(session, tuple(one for one in every if annotator_of(one) != who))


def added(session: Session, *annotations: PhaseAnnotation) -> Session:
    """The session with some more; raises ``InvalidDocument`` for one that does not fit."""
    places = _places(session)
    every = list(session.phase_annotations or ())
    taken = {one.annotation_id for one in every}
    for one in annotations:
        _check(session, one, places)
        if one.annotation_id in taken:
            raise _refused(session, one, "annotation_id", "is there already")
        taken.add(one.annotation_id)
        every.append(one)
    return _with(session, tuple(every))


def replaced(session: Session, annotation: PhaseAnnotation) -> Session:
    """The session with *annotation* in place of the one of that id; raises ``NotFound``, and
    ``InvalidDocument`` if it does not fit or would take over what somebody else said."""
    old = _found(session, annotation.annotation_id)
    _check(session, annotation, _places(session))
    if annotator_of(old) != annotator_of(annotation):
        reason = f"must be {annotator_of(old).label}, who made it"
        raise _refused(session, annotation, "annotated_by", reason)
    every = session.phase_annotations or ()
    return _with(session, tuple(annotation if one is old else one for one in every))


def removed(session: Session, annotation_id: str) -> Session:
    """The session without the annotation of that id; raises ``NotFound``."""
    old = _found(session, annotation_id)
    every = session.phase_annotations or ()
    return _with(session, tuple(one for one in every if one is not old))


def free_ids(session: Session, prefix: str, count: int) -> list[str]:
    """Ids for new annotations, ``{prefix}-001`` and so on, that nobody has yet."""
    taken = {one.annotation_id for one in session.phase_annotations or ()}
    found: list[str] = []
    number = 0
    while len(found) < count:
        number += 1
        if (name := f"{prefix}-{number:03}") not in taken:
            found.append(name)
    return found


def mistake(session: Session, annotation: PhaseAnnotation) -> tuple[str, str] | None:
    """The field of an annotation that does not fit the session, and why; None if all do."""
    return _mistake(annotation, _places(session))


def _mistake(annotation: PhaseAnnotation, places: dict[str, int]) -> tuple[str, str] | None:
    asked = annotation.tool_call_range
    if not annotation.annotation_id:
        return "annotation_id", "is empty"
    if milliseconds(annotation.annotated_at) is None:
        return "annotated_at", f"is no time: {annotation.annotated_at!r}"
    for field, name in (
        ("tool_call_range.start_call_id", asked.start_call_id),
        ("tool_call_range.end_call_id", asked.end_call_id),
    ):
        if name not in places:
            return field, f"there is no call {name!r}"
    if places[asked.start_call_id] > places[asked.end_call_id]:
        reason = f"{asked.start_call_id!r} comes after {asked.end_call_id!r}"
        return "tool_call_range", reason
    return None


def _check(session: Session, annotation: PhaseAnnotation, places: dict[str, int]) -> None:
    if (found := _mistake(annotation, places)) is not None:
        raise _refused(session, annotation, *found)


def _refused(
    session: Session, annotation: PhaseAnnotation, field: str, reason: str
) -> InvalidDocument:
    source = f"annotation {annotation.annotation_id!r} of session {session.session_id!r}"
    return InvalidDocument(source, field, reason)


def _found(session: Session, annotation_id: str) -> PhaseAnnotation:
    for one in session.phase_annotations or ():
        if one.annotation_id == annotation_id:
            return one
    raise NotFound(f"session {session.session_id!r} has no annotation {annotation_id!r}")


def _places(session: Session) -> dict[str, int]:
    calls = session.tool_calls
    return {call.call_id: place for place, call in reversed(list(enumerate(calls)))}


def _with(session: Session, annotations: tuple[PhaseAnnotation, ...]) -> Session:
    if not annotations and session.phase_annotations is None:
        return session
    return session.model_copy(update={"phase_annotations": annotations})
