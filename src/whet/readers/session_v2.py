"""Session logs with phases, versions 2.0 to 2.3, and their irregular kin."""

from collections.abc import Sequence

from pydantic import JsonValue

from whet.core.counts import counted
from whet.documents.session_import import Repairs
from whet.readers.annotations import MAKERS, PHASES, analysed
from whet.readers.calls import Calls
from whet.readers.mending import Data, Mended

_PLACE = "phases[]"
_WRITTEN_BY = ("annotated_by", "created_by", "written_by", "author")


class Phases:
    """Collects phases; the calls that stand inside of them are given out at once."""

    def __init__(self, calls: Calls, repairs: Repairs) -> None:
        self._calls = calls
        self._repairs = repairs
        self.kept: list[Data] = []

    def take(self, value: JsonValue) -> list[Data]:
        """Take the next phase. Gives the calls inside of it."""
        number = len(self.kept) + 1
        data: Data = {**value} if isinstance(value, dict) else {"description": value}
        phase = Mended(data, self._repairs, _PLACE)
        phase.rename("phase", "phase_type")
        phase.rename("id", "phase_id")
        phase.text("phase_id", f"phase-{number:03}")
        phase.text("phase_type", "unclassified")
        phase.optional(str, "status", "started_at", "ended_at")
        phase.optional((int, float), "duration_ms")
        phase.rename("context_references", "context_used")
        for name in ("context_used", "decisions"):
            phase.optional(list, name)
        inside = data.pop("tool_calls", None)
        found = [call for one in _listed(inside) for call in self._calls.mend(one)]
        if found:
            data["tool_call_ids"] = [call["call_id"] for call in found]
        elif data.get("tool_call_ids") is not None:
            phase.texts("tool_call_ids")
        else:
            data["tool_call_ids"] = []
        for name in ("context_used", "decisions"):
            if data.get(name) is None:
                data[name] = []
        self.kept.append(data)
        return found

    def annotations(self, order: Sequence[str], at: str) -> list[JsonValue]:
        """What the phases say, as annotations of the calls that are in this *order*."""
        made: list[JsonValue] = []
        place = {name: number for number, name in enumerate(order)}
        last = 0
        for number, phase in enumerate(self.kept, start=1):
            wanted = phase["tool_call_ids"]
            names = wanted if isinstance(wanted, list) else []
            known = sorted(place[str(name)] for name in names if str(name) in place)
            if len(known) < len(names):
                said = "a phase names a call that is not there"
                self._repairs.note("missing", "phase_call", said, field=f"{_PLACE}.tool_call_ids")
            if not order:
                break
            span = (known[0], known[-1]) if known else (last, last)
            last = span[1]
            covered: Data = {"start_call_id": order[span[0]], "end_call_id": order[span[1]]}
            one = _annotation(phase, number, covered, at, self._repairs)
            made.append(one if known else {**one, "is_point": True})
        if self.kept:
            said = f"{counted(len(self.kept), 'phase is', 'phases are')} shown as annotations"
            self._repairs.note("renamed", "phases", said, field="phases")
        return made


def _annotation(phase: Data, number: int, covered: Data, at: str, repairs: Repairs) -> Data:
    data: Data = {
        "annotation_id": f"ann-{number:03}",
        "phase_type": PHASES.of(phase["phase_type"]),
        "tool_call_range": covered,
        "annotated_by": MAKERS.of(next((phase[by] for by in _WRITTEN_BY if by in phase), None)),
        "annotated_at": at,
        "confidence": "medium",
    }
    if isinstance(phase.get("description"), str):
        data["description"] = phase["description"]
    for name in ("decisions", "context_used"):
        if phase[name]:
            data[name] = phase[name]
    for name in ("loop_info", "exploration_record", "input", "output"):
        if phase.get(name) is not None:
            data[name] = phase[name]
    if data["phase_type"] != phase["phase_type"]:
        data["as_read"] = {"phase_type": phase["phase_type"]}
    analysed(Mended(data, repairs, _PLACE))
    return data


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []
