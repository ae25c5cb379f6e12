"""A session as a timeline: one answer that stays small, and pages of calls with their details."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from whet.core.errors import NotFound
from whet.documents.session import PhaseType, ToolCategory
from whet.documents.session_figures import FlowFigure
from whet.documents.session_timeline import (
    CallDetail,
    CallPage,
    CallRow,
    MarkKind,
    SessionTimeline,
    TimelineAgent,
    TimelineSpans,
    VerdictLink,
)
from whet.replay.acts import Act, Acts, output_of
from whet.replay.annotators import annotators
from whet.replay.bands import MOST_ANNOTATORS, bands
from whet.replay.buckets import buckets
from whet.replay.colours import palette
from whet.replay.flow import Edge, edges
from whet.replay.lanes import AgentLanes, Lanes, lanes
from whet.replay.marks import marked, marks
from whet.replay.repeats import Attempts, retries
from whet.replay.subjects import one_line
from whet.replay.times import phases_of

MOST_SPANS = 1_500
MOST_AGENTS = 100
LONGEST_PAGE = 500
MAIN, SEVERAL = -1, -2
_LONGEST = 200
_LABEL = 60


@dataclass(slots=True)
class _Span:
    """Calls in one lane that are drawn as one."""

    lane: int
    agent: int
    first: int
    start: int
    end: int
    failed: int
    categories: Counter[ToolCategory] = field(default_factory=Counter[ToolCategory])

    def take(self, other: "_Span") -> None:
        self.agent = self.agent if self.agent == other.agent else SEVERAL
        self.first = min(self.first, other.first)
        self.end = max(self.end, other.end)
        self.failed += other.failed
        self.categories += other.categories


@dataclass(frozen=True)
class Looks:
    """What every page and every detail of a session needs, worked out once."""

    acts: Acts
    links: Sequence[VerdictLink] = ()

    @cached_property
    def lanes(self) -> Lanes:
        """Where each call is drawn."""
        return lanes(self.acts)

    @cached_property
    def phases(self) -> dict[str, list[PhaseType]]:
        """The phase of each call, by annotator."""
        every = annotators(self.acts.session)[:MOST_ANNOTATORS]
        return {who.label: phases_of(self.acts, who) for who in every}

    @cached_property
    def kinds(self) -> dict[int, tuple[MarkKind, ...]]:
        """The marks of each call."""
        return marked(self.acts, self.links)

    @cached_property
    def edges(self) -> Sequence[Edge]:
        """Which call gave what another one used."""
        return edges(self.acts)

    @cached_property
    def retries(self) -> Sequence[Attempts]:
        """The calls that were made again."""
        return retries(self.acts)


def timeline(acts: Acts, links: Sequence[VerdictLink] = ()) -> SessionTimeline:
    """All of a session at a glance; *links* are the verdicts to mark on it."""
    packed = lanes(acts)
    session = acts.session
    agents = [one for one in packed.agents if one.call is not None]
    known = len(annotators(session))
    left_out = {"agents": len(agents) - MOST_AGENTS, "annotators": known - MOST_ANNOTATORS}
    return SessionTimeline(
        session_id=one_line(session.session_id, _LONGEST),
        task_title=one_line(session.task_title, _LONGEST),
        status=session.status,
        created_at=one_line(session.created_at, _LABEL),
        wall_ms=acts.wall,
        calls=len(acts),
        failed=sum(act.failed for act in acts),
        lanes=packed.count,
        crowded=packed.crowded,
        buckets=buckets(acts),
        spans=_spans(acts, packed.of),
        agents=tuple(_agent(acts, one) for one in agents[:MOST_AGENTS]),
        bands=tuple(bands(acts)),
        marks=tuple(marks(acts, links)),
        colours=palette(),
        left_out={name: more for name, more in left_out.items() if more > 0},
    )


def page(acts: Acts, offset: int, limit: int, links: Sequence[VerdictLink] = ()) -> CallPage:
    """The calls from a place on, at most *limit* and never more than 500."""
    return page_of(Looks(acts, links), offset, limit)


def page_of(looks: Looks, offset: int, limit: int) -> CallPage:
    """The same for who asks for page after page."""
    acts = looks.acts
    start = max(offset, 0)
    chosen = acts[start : start + max(min(limit, LONGEST_PAGE), 0)]
    packed, phases, kinds = looks.lanes, looks.phases, looks.kinds
    rows = [
        CallRow(
            index=act.index,
            call_id=act.call_id,
            tool=act.tool,
            category=act.call.tool_category,
            kind=act.kind,
            start_ms=act.start,
            duration_ms=act.length,
            failed=act.failed,
            lane=packed.of[act.index],
            agent=act.parent,
            subject=one_line(act.subject, _LONGEST),
            display=one_line(_display(act), _LONGEST),
            phases={label: own[act.index] for label, own in phases.items()},
            marks=kinds.get(act.index, ()),
        )
        for act in chosen
    ]
    return CallPage(total=len(acts), offset=start, calls=tuple(rows))


def detail(acts: Acts, place: int, links: Sequence[VerdictLink] = ()) -> CallDetail:
    """One call with all that is known of its neighbours; raises ``NotFound``."""
    return detail_of(Looks(acts, links), place)


def detail_of(looks: Looks, place: int) -> CallDetail:
    """The same for who asks for one after another."""
    acts, links = looks.acts, looks.links
    if not 0 <= place < len(acts):
        raise NotFound(f"session {acts.session.session_id!r} has no call at place {place}")
    act = acts[place]
    attempts = next((one.places for one in looks.retries if place in one.places), ())
    return CallDetail(
        index=place,
        start_ms=act.start,
        duration_ms=act.length,
        agent=act.parent,
        inner=acts.inner.get(place, ()),
        call=act.call,
        said=tuple(_said(acts, act)),
        annotations=tuple(_covering(acts, place)),
        flow=tuple(_flow(looks, place)),
        attempts=tuple(acts[one].call_id for one in attempts),
        verdicts=tuple(link for link in links if link.index == place),
    )


def _display(act: Act) -> str:
    result = act.call.output.result
    return (result.display if result else None) or output_of(act.call)


def _agent(acts: Acts, one: AgentLanes) -> TimelineAgent:
    call = one.call or 0
    return TimelineAgent(
        call=call,
        label=one_line(acts[call].subject, _LABEL),
        first_lane=one.first,
        lanes=one.count,
        calls=one.calls,
        start_ms=one.start,
        end_ms=one.end,
    )


def _spans(acts: Acts, of: Sequence[int]) -> TimelineSpans:
    """One span for each call; where they are too many, neighbours in a lane are joined, the nearest
    first."""
    made = [_span(act, of[act.index]) for act in acts]
    made.sort(key=lambda span: (span.lane, span.start, span.first))
    exact = len(made) <= MOST_SPANS
    gap = acts.wall // MOST_SPANS + 1
    while len(made) > MOST_SPANS:
        made = _joined(made, gap)
        gap *= 2
    made.sort(key=lambda span: (span.start, span.lane))
    return TimelineSpans(
        exact=exact,
        lane=tuple(span.lane for span in made),
        agent=tuple(span.agent for span in made),
        first=tuple(span.first for span in made),
        calls=tuple(span.categories.total() for span in made),
        failed=tuple(span.failed for span in made),
        start_ms=tuple(span.start for span in made),
        end_ms=tuple(span.end for span in made),
        category=tuple(span.categories.most_common(1)[0][0] for span in made),
    )


def _span(act: Act, lane: int) -> _Span:
    return _Span(
        lane,
        MAIN if act.parent is None else act.parent,
        act.index,
        act.start,
        act.end,
        int(act.failed),
        Counter({act.call.tool_category: 1}),
    )


def _joined(spans: Sequence[_Span], gap: int) -> list[_Span]:
    found: list[_Span] = []
    for span in spans:
        last = found[-1] if found else None
        if last is not None and last.lane == span.lane and span.start - last.end <= gap:
            last.take(span)
        else:
            found.append(span)
    return found


def _said(acts: Acts, act: Act) -> list[str]:
    session = acts.session
    before = max((one.start for one in acts[: act.index] if one.start < act.start), default=-1)
    found: list[str] = []
    for text, at in zip(session.messages or (), session.messages_at or (), strict=False):
        moment = acts.since(at)
        if moment is not None and before < moment <= act.start:
            found.append(text)
    return found


def _covering(acts: Acts, place: int) -> list[str]:
    found: list[str] = []
    for one in acts.session.phase_annotations or ():
        first = acts.places.get(one.tool_call_range.start_call_id)
        last = acts.places.get(one.tool_call_range.end_call_id)
        if first is not None and last is not None and first <= place <= last and not one.is_point:
            found.append(one.annotation_id)
    return found


def _flow(looks: Looks, place: int) -> list[FlowFigure]:
    acts = looks.acts
    return [
        FlowFigure(
            from_call_id=acts[one.start].call_id,
            to_call_id=acts[one.end].call_id,
            kind=one.kind,
            path=one.path,
            evidence=one.evidence,
        )
        for one in looks.edges
        if place in (one.start, one.end)
    ]
