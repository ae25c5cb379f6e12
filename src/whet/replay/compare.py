"""Two sessions, call by call.

Calls of a subagent stand behind its own call, so that it does not matter how those of several were
mixed. Two calls are the same if they have the same tool and are about the same: the same file below
the root of either side, the same command, pattern or address. As many as can be are paired without
crossing. What is left between two pairs is paired again by the tool alone, as changed.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from whet.documents.session_comparison import (
    AlignedRun,
    AmountDifference,
    ComparedCall,
    CountDifference,
    Divergence,
    FileDifference,
    OutcomeDifference,
    SessionComparison,
    SessionSide,
)
from whet.replay.acts import Act, Acts
from whet.replay.alignment import common
from whet.replay.errors import clusters
from whet.replay.files import FileUse, file_uses
from whet.replay.roots import Plain, plain_names
from whet.replay.spans import covered
from whet.replay.subjects import one_line
from whet.replay.times import gaps, working
from whet.replay.usage import usage

MOST = 200
"""Entries of each list of differences."""

MOST_RUNS = 2_000
_LONGEST = 200
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the alignment, by places in the order of either side."""

    kind: Literal["same", "changed", "left", "right"]
    left: int
    right: int


@dataclass(frozen=True)
class Aligned:
    """Two sessions with their calls aligned."""

    left: tuple[Act, ...]
    right: tuple[Act, ...]
    steps: tuple[Step, ...]


def aligned(left: Acts, right: Acts) -> Aligned:
    """Pair the calls."""
    plain, other = plain_names(left, right)
    mine, theirs = _in_order(left), _in_order(right)
    keys, others = [_key(act, plain) for act in mine], [_key(act, other) for act in theirs]
    steps = tuple(_steps(mine, theirs, common(keys, others)))
    return Aligned(mine, theirs, steps)


def compare(left: Acts, right: Acts, most: int = MOST) -> SessionComparison:
    """Everything that two sessions have in common and not. Lists have at most *most* entries, the
    largest differences first, and what is left out is counted."""
    found = aligned(left, right)
    count = Counter(step.kind for step in found.steps)
    both = len(left) + len(right)
    lists = {
        "tools": _counted(Counter(a.tool for a in left), Counter(a.tool for a in right)),
        "kinds": _counted(Counter(a.kind for a in left), Counter(a.kind for a in right)),
        "errors": _counted(_errors(left), _errors(right)),
    }
    files = list(_files(left, right))
    runs = list(_runs(found.steps))
    sizes = {**{name: len(one) for name, one in lists.items()}, "files": len(files)}
    left_out = {name: size - most for name, size in sizes.items() if size > most}
    if len(runs) > MOST_RUNS:
        left_out["runs"] = len(runs) - MOST_RUNS
    made = SessionComparison(
        left=_side(left),
        right=_side(right),
        same=count["same"],
        changed=count["changed"],
        only_left=count["left"],
        only_right=count["right"],
        other_status=sum(1 for step in found.steps if _status_differs(found, step)),
        similarity=round(2 * count["same"] / both, _DIGITS) if both else 1.0,
        divergence=divergence(found),
        runs=tuple(runs[:MOST_RUNS]),
        tools=tuple(lists["tools"][:most]),
        kinds=tuple(lists["kinds"][:most]),
        errors=tuple(lists["errors"][:most]),
        files=tuple(files[:most]),
        amounts=tuple(_amounts(left, right)),
        outcome=_outcome(left, right),
        left_out=left_out,
    )
    return made.model_copy(update=_orders(found))


def _in_order(acts: Acts) -> tuple[Act, ...]:
    """The calls, each subagent's behind its own."""
    if not acts.inner:
        return acts.every
    tops = (act for act in acts if act.parent is None)
    return tuple(one for act in tops for one in (act, *acts.below(act.index)))


def _key(act: Act, plain: Plain) -> tuple[str, ...]:
    files = (*act.reads, *act.writes)
    if files and act.tool != "Bash":
        return (act.tool, *map(plain, files))
    return act.tool, plain(act.subject)


def _steps(
    left: Sequence[Act], right: Sequence[Act], pairs: Sequence[tuple[int, int]]
) -> Iterator[Step]:
    at = beside = 0
    for i, j in (*pairs, (len(left), len(right))):
        yield from _between(left, right, (at, i), (beside, j))
        if i < len(left):
            yield Step("same", i, j)
        at, beside = i + 1, j + 1


def _between(
    left: Sequence[Act], right: Sequence[Act], mine: tuple[int, int], theirs: tuple[int, int]
) -> Iterator[Step]:
    """What stands between two pairs."""
    (at, end), (beside, over) = mine, theirs
    tools, others = [act.tool for act in left[at:end]], [act.tool for act in right[beside:over]]
    pairs = [(at + i, beside + j) for i, j in common(tools, others)] if tools and others else []
    for i, j in (*pairs, (end, over)):
        yield from (Step("left", place, beside) for place in range(at, i))
        yield from (Step("right", i, place) for place in range(beside, j))
        if (i, j) != (end, over):
            yield Step("changed", i, j)
        at, beside = i + 1, j + 1


def _runs(steps: Sequence[Step]) -> Iterator[AlignedRun]:
    for _, group in groupby(steps, key=lambda step: step.kind):
        own = list(group)
        first = own[0]
        yield AlignedRun(
            kind=first.kind, left_start=first.left, right_start=first.right, count=len(own)
        )


def _status_differs(found: Aligned, step: Step) -> bool:
    if step.kind != "same":
        return False
    return found.left[step.left].failed != found.right[step.right].failed


def divergence(found: Aligned) -> Divergence | None:
    """Where the two part: the first call that is not the same, or did not end alike."""
    for shared, step in enumerate(found.steps):
        if _status_differs(found, step):
            return _divergence("status", shared, found)
        if step.kind != "same":
            at_end = shared in (len(found.left), len(found.right))
            return _divergence("ended" if at_end else "call", shared, found)
    return None


def _divergence(
    kind: Literal["call", "status", "ended"], shared: int, found: Aligned
) -> Divergence:
    """Up to there both sides have the same calls, so both are at that place."""
    left, right = found.left[shared : shared + 1], found.right[shared : shared + 1]
    return Divergence(
        kind=kind,
        shared=shared,
        left=_told(left[0]) if left else None,
        right=_told(right[0]) if right else None,
    )


def _told(act: Act) -> ComparedCall:
    return ComparedCall(
        index=act.index,
        call_id=act.call_id,
        tool=act.tool,
        subject=one_line(act.subject, _LONGEST),
        failed=act.failed,
    )


def _side(acts: Acts) -> SessionSide:
    session = acts.session
    return SessionSide(
        session_id=session.session_id,
        task_title=session.task_title,
        model_id=session.agent.model_id,
        engine=session.engine,
        calls=len(acts),
    )


def _orders(found: Aligned) -> dict[str, tuple[int, ...]]:
    orders = {
        "left_order": tuple(act.index for act in found.left),
        "right_order": tuple(act.index for act in found.right),
    }
    return {name: order for name, order in orders.items() if order != (*range(len(order)),)}


def _counted(left: Counter[str], right: Counter[str]) -> list[CountDifference]:
    """What is not the same on both sides, the largest difference first."""
    names = [name for name in {**left, **right} if left[name] != right[name]]
    names.sort(key=lambda name: (-abs(left[name] - right[name]), name))
    return [CountDifference(name=name, left=left[name], right=right[name]) for name in names]


def _errors(acts: Acts) -> Counter[str]:
    return Counter({one.pattern: len(one.places) for one in clusters(acts)})


def _files(left: Acts, right: Acts) -> list[FileDifference]:
    plain, other = plain_names(left, right)
    mine = {plain(path): use for path, use in file_uses(left).items()}
    theirs = {other(path): use for path, use in file_uses(right).items()}
    found = [_file(path, mine.get(path), theirs.get(path)) for path in {**mine, **theirs}]
    unlike = [one for one in found if one.left != one.right]
    return sorted(unlike, key=lambda one: (-one.left_calls - one.right_calls, one.path))


def _file(path: str, left: FileUse | None, right: FileUse | None) -> FileDifference:
    return FileDifference(
        path=path,
        left=left.mode if left else None,
        right=right.mode if right else None,
        left_calls=len(left.places) if left else 0,
        right_calls=len(right.places) if right else 0,
    )


def _amounts(left: Acts, right: Acts) -> Iterator[AmountDifference]:
    mine, theirs = _measured(left), _measured(right)
    for name, one in mine.items():
        other = theirs[name]
        delta = None if one is None or other is None else one - other
        yield AmountDifference(name=name, left=one, right=other, delta=delta)


def _measured(acts: Acts) -> dict[str, int | float | None]:
    found, spent = gaps(acts), usage(acts)
    return {
        "calls": len(acts),
        "failed": sum(act.failed for act in acts),
        "wall_ms": acts.wall,
        "busy_ms": covered((act.start, act.end) for act in working(acts)),
        "thinking_ms": sum(found.thinking.values()) + found.answering,
        "idle_ms": found.idle,
        "input_tokens": spent.input_tokens,
        "output_tokens": spent.output_tokens,
        "estimated_tokens": spent.estimated_tokens,
        "cost_usd": spent.cost_usd,
    }


def _outcome(left: Acts, right: Acts) -> OutcomeDifference:
    one, other = left.session, right.session
    known = one.final_answer is not None and other.final_answer is not None
    return OutcomeDifference(
        left=one.status,
        right=other.status,
        left_error=one.error,
        right_error=other.error,
        same_answer=one.final_answer == other.final_answer if known else None,
    )
