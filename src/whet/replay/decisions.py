"""Decisions that calls give evidence of. Why they were taken nobody knows here, so it is not said.

All of them answer a call that failed, within the next six calls of the same agent:

- ``retry``: the call is made again, as it was or much alike, and nothing else is done about it;
- ``error_handling``: it is made again after another call that is about the same file; or a command
  that failed, a check above all, is run again after a change;
- ``tool_selection``: another tool does the same kind of thing to the same file or subject, and
  succeeds. The tool that failed is the alternative.

``skip`` is a look at a file or page that failed and that no later call names, and a task that the
agent's own list calls cancelled.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from whet.documents.session import Decision
from whet.replay.acts import Act, Acts
from whet.replay.errors import told
from whet.replay.repeats import WINDOW, by_agent, likeness
from whet.replay.subjects import one_line
from whet.replay.tasks import TaskLists, tasks_in

_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision, and the place of the call that carries it out."""

    place: int
    decision: Decision


def decisions(acts: Acts) -> list[Decided]:
    """All decisions, in the order in which they were carried out."""
    named = _last_named(acts)
    found: list[tuple[int, Decision]] = []
    for own in by_agent(acts):
        for place, act in enumerate(own):
            if act.failed and (answer := _answer(own, place)) is not None:
                found.append(answer)
            elif act.failed and act.kind == "look" and _is_left(act, named):
                found.append(_skip(act))
        found += _cancelled(own)
    found.sort(key=lambda one: one[0])
    return [
        Decided(place, decision.model_copy(update={"decision_id": f"dec-{number:03}"}))
        for number, (place, decision) in enumerate(found, start=1)
    ]


def _answer(own: Sequence[Act], place: int) -> tuple[int, Decision] | None:
    failed = own[place]
    between: list[Act] = []
    for later in own[place + 1 : place + 1 + WINDOW]:
        if (like := likeness(failed, later)) is not None:
            return later.index, _again(failed, between, later, same=like == "same")
        if _is_other_way(failed, later):
            return later.index, _other_tool(failed, later)
        between.append(later)
    return None


def _again(failed: Act, between: Sequence[Act], later: Act, *, same: bool) -> Decision:
    files = {*failed.reads, *failed.writes}
    changes = [act for act in between if act.kind == "change" and not act.failed]
    about = [act for act in between if not files.isdisjoint((*act.reads, *act.writes))]
    steps = changes if failed.tool == "Bash" else about
    what = f"{_named(failed)} failed ({told(failed.call, _LONGEST)})"
    how = "with the same input" if same else "with other input"
    if not steps:
        return _decision("retry", f"{what} and was tried again {how}", failed, later)
    names = ", ".join(dict.fromkeys(_named(act) for act in steps[:3]))
    return _decision(
        "error_handling", f"{what}; {names} came before trying again {how}", failed, *steps, later
    )


def _is_other_way(failed: Act, later: Act) -> bool:
    """Whether another tool gets the same done."""
    if later.failed or later.tool == failed.tool or later.kind != failed.kind:
        return False
    files, others = {*failed.reads, *failed.writes}, {*later.reads, *later.writes}
    if files or others:
        return bool(files & others)
    subject = failed.subject
    return len(subject) > 3 and (subject in later.subject or later.subject in subject)


def _other_tool(failed: Act, later: Act) -> Decision:
    what = f"{_named(failed)} failed ({told(failed.call, _LONGEST)}); {later.tool} did it instead"
    decision = _decision("tool_selection", what, failed, later)
    return decision.model_copy(update={"alternatives_considered": (failed.tool,)})


def _last_named(acts: Acts) -> dict[str, int]:
    """The last call that is about each file or subject."""
    found: dict[str, int] = {}
    for act in acts:
        found |= dict.fromkeys((*act.reads, *act.writes, act.subject), act.index)
    return found


def _is_left(act: Act, named: dict[str, int]) -> bool:
    """Whether nobody asked for it again; a search for words is no thing to leave out."""
    about = act.reads or ((act.subject,) if act.tool == "WebFetch" else ())
    return bool(about) and all(named[one] == act.index for one in about)


def _skip(act: Act) -> tuple[int, Decision]:
    what = f"{_named(act)} failed ({told(act.call, _LONGEST)}) and was not asked for again"
    return act.index, _decision("skip", what, act)


def _cancelled(own: Sequence[Act]) -> Iterator[tuple[int, Decision]]:
    lists = TaskLists()
    for act in own:
        tasks = tasks_in(act.call.input.params) if act.kind == "tasks" else ()
        for task in lists.dropped(tasks):
            what = f"the task {one_line(task, _LONGEST)!r} was cancelled"
            yield act.index, _decision("skip", what, act)


def _named(act: Act) -> str:
    return f"{act.tool} {one_line(act.subject, _LONGEST)}".strip()


def _decision(kind: str, description: str, *shown: Act) -> Decision:
    return Decision.model_validate(
        {
            "decision_id": "",
            "type": kind,
            "description": description,
            "call_ids": tuple(dict.fromkeys(act.call_id for act in shown)),
        }
    )
