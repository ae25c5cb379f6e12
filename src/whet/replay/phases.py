"""Phases, by the signals of calls.

Calls of subagents count for the call that started them. Each call of the main agent has one signal:

- *execute*: it writes a file, or a command of it changes something;
- *verify*: it runs tests, a type check, a linter or a build after something was changed, or looks
  again at what was written. A look at a file that the next change writes is none: it prepares that;
- *plan*: it turns plan mode on or off, or puts new tasks on a list;
- *explore*: it reads or searches. So do tests before the first change, if there is one;
- none: it asks the user, waits, ticks off a task, or says too little. Notes belong to what was
  going on, and so do one or two others if the same goes on after them.

The beginning is *understand* up to the last call that takes up a skill, asks the user, or reads
what tells the agent how to work (instructions, rules, specs, a README) or what the prompt names and
nobody changes; only listings may stand between. One or two looks between other phases belong to
the change that follows, else to what was before. A subagent that mostly looks and also changes is
*mixed*.

All from ``EnterPlanMode`` to ``ExitPlanMode`` is *plan*, whatever else it is: phases overlap there.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from whet.documents.session import Confidence, PhaseType
from whet.replay.acts import Act, Acts
from whet.replay.sources import instructs, is_named

FEW_LOOKS = 3
"""From so many looks on they are a phase wherever they stand."""

_MANY_LOOKS, _SOME_LOOKS = 5, 2
_BATCH = 3
_CLEARLY = 0.75
_HALF = 0.5
_LISTS = frozenset({"LS", "Glob"})
_BY_AGENT: tuple[tuple[str, PhaseType], ...] = (
    ("explor", "explore"),
    ("search", "explore"),
    ("research", "explore"),
    ("plan", "plan"),
    ("review", "verify"),
    ("test", "verify"),
    ("verif", "verify"),
)


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch of calls and what it was for."""

    type: PhaseType
    first: int
    last: int
    """The places of its first and last call."""

    confidence: Confidence
    calls: tuple[int, ...]
    """Those of the main agent that speak for it."""


@dataclass(slots=True)
class _Run:
    """Calls of the main agent, one after the other, that have one signal."""

    type: PhaseType | None
    acts: list[Act] = field(default_factory=list[Act])


def phases(acts: Acts) -> list[Phase]:
    """The phases of a session, in the order in which they begin."""
    tops = [act for act in acts if act.parent is None]
    signals = list(_signals(acts, tops))
    for place in range(_understood(acts, tops, signals)):
        signals[place] = "understand"
    runs = _joined(_Run(signal, [act]) for signal, act in zip(signals, tops, strict=True))
    runs = _joined(_absorbed(_neutral_joined(runs)))
    modes = list(_plan_modes(tops))
    inside = {act.index for mode in modes for act in mode}
    for run in runs:
        if run.type == "plan":
            run.acts = [act for act in run.acts if act.index not in inside]
    found = [_phase(acts, run, run.type) for run in runs if run.type is not None and run.acts]
    found += [_phase(acts, _Run("plan", list(mode)), "plan") for mode in modes]
    return sorted(found, key=lambda phase: (phase.first, -phase.last))


def _signals(acts: Acts, tops: Sequence[Act]) -> Iterator[PhaseType | None]:
    ever = any(act.kind == "change" for act in acts)
    ahead = _next_writes(tops)
    written: set[str] = set()
    changed = False
    for place, act in enumerate(tops):
        match act.kind:
            case "change":
                yield "plan" if _is_plan_file(act) else "execute"
            case "check":
                yield "verify" if changed or not ever else "explore"
            case "look":
                again = written & {*act.reads} - ahead[place]
                yield "verify" if changed and (again or act.about.looks_back) else "explore"
            case "skill":
                yield "explore"
            case "plan":
                yield "plan"
            case "tasks":
                yield "plan" if acts.planned.get(act.index) else None
            case "delegate":
                yield _delegated(acts, act)
            case _:
                yield None
        own = [act, *acts.below(act.index)]
        changed = changed or any(one.kind == "change" for one in own)
        written |= {path for one in own if not one.failed for path in one.writes}


def _next_writes(tops: Sequence[Act]) -> list[set[str]]:
    """For each call, the files that the next change writes."""
    found: list[set[str]] = []
    coming: set[str] = set()
    for act in reversed(tops):
        found.append(coming)
        if act.kind == "change":
            coming = {*act.writes}
    return found[::-1]


def _is_plan_file(act: Act) -> bool:
    return bool(act.writes) and all("/.claude/plans/" in path for path in act.writes)


def _delegated(acts: Acts, act: Act) -> PhaseType | None:
    """What a subagent was for: by its calls, else by how often it used which tool, else by name."""
    kinds = Counter(one.kind for one in acts.below(act.index))
    looks, changes, checks = kinds["look"] + kinds["skill"], kinds["change"], kinds["check"]
    if changes:
        return "execute" if changes >= _HALF * (looks + changes + checks) else "mixed"
    if looks or checks:
        return "verify" if checks else "explore"
    info = act.call.subagent_info
    named = act.call.input.params.get("subagent_type")
    kind = (info.subagent_type if info else named if isinstance(named, str) else "").lower()
    return next((phase for word, phase in _BY_AGENT if word in kind), None)


def _understood(acts: Acts, tops: Sequence[Act], signals: Sequence[PhaseType | None]) -> int:
    """How many calls at the beginning are about what is wanted."""
    prompt = acts.session.user_prompt
    written = {path for act in acts for path in act.writes}
    until = 0
    for place, act in enumerate(tops):
        if signals[place] not in ("explore", None) or act.kind in ("check", "delegate"):
            break
        if _is_about_the_wish(act, prompt, written):
            until = place + 1
        elif not _lists(act) and act.kind == "look":
            break
    return until


def _is_about_the_wish(act: Act, prompt: str, written: set[str]) -> bool:
    if act.kind in ("skill", "ask"):
        return True
    return any(
        path not in written and (instructs(path) or is_named(path, prompt)) for path in act.reads
    )


def _lists(act: Act) -> bool:
    return act.tool in _LISTS or (act.tool == "Bash" and not act.reads)


def _joined(runs: Iterable[_Run]) -> list[_Run]:
    """With neighbours of one signal as one."""
    found: list[_Run] = []
    for run in runs:
        if found and found[-1].type == run.type:
            found[-1].acts += run.acts
        else:
            found.append(run)
    return found


def _neutral_joined(runs: Sequence[_Run]) -> list[_Run]:
    """What is noted down belongs to what was going on. So do one or two other calls without a
    signal, if the same goes on after them; else they belong to nothing."""
    found: list[_Run] = []
    for place, run in enumerate(runs):
        before = found[-1].type if found else None
        after = runs[place + 1].type if place + 1 < len(runs) else None
        notes = all(act.call.tool_category == "task_management" for act in run.acts)
        goes_on = before == after and len(run.acts) < FEW_LOOKS
        if run.type is None and before is not None and (notes or goes_on):
            found[-1].acts += run.acts
        else:
            found.append(run)
    return _joined(found)


def _absorbed(runs: Sequence[_Run]) -> list[_Run]:
    """Without short looks in between."""
    found: list[_Run] = []
    waiting: list[Act] = []
    for place, run in enumerate(runs):
        before = found[-1].type if found else None
        after = runs[place + 1].type if place + 1 < len(runs) else None
        if after == "execute" and (_prepares(run, runs[place + 1], before) or _is_glance(run)):
            waiting += run.acts
        elif _is_short_look(run) and before in ("execute", "verify") and after is not None:
            found[-1].acts += run.acts
        else:
            found.append(_Run(run.type, waiting + run.acts))
            waiting = []
    return found


def _is_short_look(run: _Run) -> bool:
    return (
        run.type == "explore" and len(run.acts) < FEW_LOOKS and not _has(run, "check", "delegate")
    )


def _prepares(run: _Run, change: _Run, before: PhaseType | None) -> bool:
    """Whether a look belongs to the change after it: between phases, or of that very file."""
    if not _is_short_look(run):
        return False
    first = next((act for act in change.acts if act.kind == "change"), None)
    read = {path for act in run.acts for path in act.reads}
    return before is not None or (first is not None and not read.isdisjoint(first.writes))


def _is_glance(run: _Run) -> bool:
    """Whether it is no more than one look at what was just written, before work goes on."""
    return run.type == "verify" and len(run.acts) == 1 and run.acts[0].kind == "look"


def _has(run: _Run, *kinds: str) -> bool:
    return any(act.kind in kinds for act in run.acts)


def _plan_modes(tops: Sequence[Act]) -> Iterator[Sequence[Act]]:
    """From each beginning of plan mode to its end."""
    begun: int | None = None
    for place, act in enumerate(tops):
        if act.tool == "EnterPlanMode" and begun is None:
            begun = place
        elif act.tool == "ExitPlanMode" and not act.failed and begun is not None:
            yield tops[begun : place + 1]
            begun = None


def _phase(acts: Acts, run: _Run, kind: PhaseType) -> Phase:
    places = [act.index for act in run.acts]
    inside = [one.index for act in run.acts for one in acts.below(act.index)]
    return Phase(
        kind,
        min(places),
        max([*places, *inside]),
        _confidence(acts, run, kind),
        tuple(places),
    )


def _confidence(acts: Acts, run: _Run, kind: PhaseType) -> Confidence:
    every = [one for act in run.acts for one in (act, *acts.below(act.index))]
    count = Counter(act.kind for act in every)
    match kind:
        case "explore":
            looks = count["look"] + count["skill"] + count["check"]
            return _rated(looks or _SOME_LOOKS, _MANY_LOOKS, _SOME_LOOKS)
        case "understand":
            plain = count["look"] + 2 * (count["skill"] + count["ask"])
            return _rated(plain, _BATCH + 1, _SOME_LOOKS)
        case "plan":
            if count["plan"]:
                return "high"
            return _rated(sum(acts.planned.get(act.index, 0) for act in every), _BATCH, 2)
        case "execute":
            return _executing(count, sum(bool(act.writes) for act in every))
        case "verify":
            if count["check"]:
                return "high"
            return "medium" if count["look"] >= _SOME_LOOKS else "low"
        case _:
            return "low"


def _executing(count: Counter[str], writes: int) -> Confidence:
    changes = count["change"]
    clear = changes >= _CLEARLY * (changes + count["look"])
    if writes:
        return "high" if clear else "medium"
    return "medium" if clear and changes > 1 else "low"


def _rated(count: int, high: int, medium: int) -> Confidence:
    return "high" if count >= high else "medium" if count >= medium else "low"
