"""The files that a session touches."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from whet.replay.acts import Act, Acts, same_file

UsageMode = Literal["read", "modified", "read_then_modified"]


@dataclass(slots=True)
class FileUse:
    """What became of one file, by the places of calls that succeeded."""

    path: str
    reads: list[int] = field(default_factory=list[int])
    writes: list[int] = field(default_factory=list[int])
    failures: list[int] = field(default_factory=list[int])
    created: bool = False
    """Whether it was not there before: by the summary of the session, else because the first
    thing that was done to it is a ``Write``."""

    @property
    def mode(self) -> UsageMode | None:
        """How it was used; None if every call failed. What was written first and looked at
        afterwards is modified."""
        if not self.writes:
            return "read" if self.reads else None
        before = bool(self.reads) and self.reads[0] < self.writes[0]
        return "read_then_modified" if before else "modified"

    @property
    def places(self) -> list[int]:
        """All calls about it, in order."""
        return sorted({*self.reads, *self.writes, *self.failures})


def file_uses(acts: Acts) -> Mapping[str, FileUse]:
    """Every file that a call names, in the order in which they come up."""
    found: dict[str, FileUse] = {}
    for act in acts:
        for path in act.reads:
            _noted(found, path, act, write=False)
        for path in act.writes:
            _noted(found, path, act, write=True)
    _tell_created(acts, found)
    return found


def _noted(found: dict[str, FileUse], path: str, act: Act, *, write: bool) -> None:
    use = found.setdefault(path, FileUse(path))
    places = use.failures if act.failed else use.writes if write else use.reads
    if not places or places[-1] != act.index:
        places.append(act.index)


def _tell_created(acts: Acts, found: Mapping[str, FileUse]) -> None:
    summary = acts.session.summary
    told: defaultdict[str, list[tuple[str, bool]]] = defaultdict(list)
    for paths, is_new in ((summary.files_created, True), (summary.files_modified, False)):
        for path in paths:
            told[path.rpartition("/")[2]].append((path, is_new))
    for path, use in found.items():
        if not use.writes:
            continue
        near = told.get(path.rpartition("/")[2], ())
        known = [is_new for other, is_new in near if same_file(path, other)]
        first = acts[use.writes[0]]
        guess = first.tool == "Write" and use.mode == "modified"
        use.created = known[0] if known else guess
