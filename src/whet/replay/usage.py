"""Tokens and money over time, where a session says; and a rough count of what calls carried."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from pydantic import JsonValue

from whet.core.tokens import estimate
from whet.documents.session import SpendingPoint
from whet.documents.session_figures import SessionUsage, UsagePoint
from whet.replay.acts import Acts, output_of

MOST_POINTS = 100


def usage(acts: Acts) -> SessionUsage:
    """All that is known of tokens and money."""
    session = acts.session
    below = [
        act.call.subagent_info.tokens_used
        for act in acts
        if act.call.subagent_info is not None and act.call.subagent_info.tokens_used is not None
    ]
    points = _points(acts)
    return SessionUsage(
        input_tokens=session.input_tokens,
        output_tokens=session.output_tokens,
        cost_usd=session.cost_usd,
        subagent_tokens=sum(below) if below else None,
        estimated_tokens=points[-1].estimated_tokens if points else 0,
        points=points,
    )


def _points(acts: Acts) -> tuple[UsagePoint, ...]:
    """The sums after each call and at each word on spending, at most a hundred of them."""
    carried = sorted((act.end, _carried(acts, act.index)) for act in acts)
    moments = [end for end, _ in carried]
    sums = [0]
    for _, tokens in carried:
        sums.append(sums[-1] + tokens)
    known = _known(acts)
    spent = [at for at, _ in known]
    every = sorted({*moments, *spent})
    made: list[UsagePoint] = []
    for at in _thinned(every):
        word = known[place - 1][1] if (place := bisect_right(spent, at)) else None
        made.append(_point(at, sums[bisect_right(moments, at)], word))
    return tuple(made)


def _known(acts: Acts) -> list[tuple[int, SpendingPoint]]:
    timed = [(acts.since(point.at), point) for point in acts.session.spending or ()]
    kept = [(at, point) for at, point in timed if at is not None]
    return sorted(kept, key=lambda one: one[0])


def _point(at: int, estimated: int, word: SpendingPoint | None) -> UsagePoint:
    plain = UsagePoint(at_ms=at, estimated_tokens=estimated)
    if word is None:
        return plain
    spent = {
        "input_tokens": word.input_tokens,
        "output_tokens": word.output_tokens,
        "cost_usd": word.cost_usd,
    }
    return plain.model_copy(update=spent).lean()


def _thinned(moments: Sequence[int]) -> Iterable[int]:
    """At most a hundred, the last one among them."""
    step = -(-len(moments) // MOST_POINTS) or 1
    return reversed(moments[::-1][::step])


def _carried(acts: Acts, place: int) -> int:
    call = acts[place].call
    return _estimated(call.input.params) + estimate(output_of(call))


def _estimated(params: Mapping[str, JsonValue]) -> int:
    total = 0
    waiting: list[JsonValue] = [cast("JsonValue", params)]
    while waiting:
        match waiting.pop():
            case str(text):
                total += estimate(text)
            case dict(inner):
                total += len(inner)
                waiting += inner.values()
            case [*inner]:
                waiting += inner
            case _:
                total += 1
    return total
