"""Phases as bands, one row for each annotator."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from whet.documents.session import PhaseType
from whet.documents.session_timeline import TimelineBand
from whet.replay.acts import Acts
from whet.replay.annotators import Annotator, annotator_of, annotators
from whet.replay.times import phases_of

MOST = 400
"""Bands of all annotators together."""

MOST_ANNOTATORS = 20


def bands(acts: Acts) -> list[TimelineBand]:
    """The phases of a session. An annotator who sees too many to draw is shown coarsely: for so
    many calls at a time, the phase that most of them are in."""
    known = annotators(acts.session)[:MOST_ANNOTATORS]
    share = MOST // max(len(known), 1)
    return [band for who in known for band in _bands(acts, who, share)]


def _bands(acts: Acts, who: Annotator, most: int) -> list[TimelineBand]:
    every = acts.session.phase_annotations or ()
    own = [number for number, one in enumerate(every) if annotator_of(one) == who]
    exact = len(own) <= most
    return list(_exact(acts, own) if exact else _coarse(acts, who, most))


def _exact(acts: Acts, numbers: Sequence[int]) -> Iterator[TimelineBand]:
    every = acts.session.phase_annotations or ()
    for number in numbers:
        one = every[number]
        first = acts.places.get(one.tool_call_range.start_call_id)
        last = acts.places.get(one.tool_call_range.end_call_id)
        if first is None or last is None or first > last or one.is_point:
            continue
        band = _band(acts, annotator_of(one), one.phase_type, first, last)
        yield band.model_copy(update={"confidence": one.confidence, "annotation": number})


def _coarse(acts: Acts, who: Annotator, most: int) -> Iterator[TimelineBand]:
    phases = phases_of(acts, who)
    width = -(-len(phases) // most)
    chunks = [phases[at : at + width] for at in range(0, len(phases), width)]
    chief: list[PhaseType] = [Counter(chunk).most_common(1)[0][0] for chunk in chunks]
    at = 0
    for _, group in groupby(chief):
        count = len(list(group))
        last = min((at + count) * width, len(phases)) - 1
        if chief[at] != "unclassified":
            yield _band(acts, who, chief[at], at * width, last)
        at += count


def _band(acts: Acts, who: Annotator, phase: PhaseType, first: int, last: int) -> TimelineBand:
    inside = acts[first : last + 1]
    return TimelineBand(
        annotator=who.label,
        phase=phase,
        first=first,
        last=last,
        start_ms=min(act.start for act in inside),
        end_ms=max(act.end for act in inside),
        confidence=None,
        annotation=None,
    )
