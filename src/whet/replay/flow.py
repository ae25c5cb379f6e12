"""How contexts flow: which call gave what another one used. Nothing without evidence.

- ``fed``: the last read of a file before a write of it. The evidence is ``text`` where what an edit
  replaces stands in what was read, else the ``path``;
- ``found``: a search, a listing or a subagent whose output names a file, and the first call that
  uses it afterwards. Only the last 40 of them before it are looked at. The evidence is ``text``;
- ``checked``: a write of a file and the next read of it. The evidence is the ``path``.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from whet.replay.acts import Act, Acts, output_of

MOST_SEARCHES = 40
_SHORTEST_QUOTE = 6
_SEARCHES = frozenset({"Grep", "Glob", "LS", "LSP", "WebSearch"})


@dataclass(frozen=True, slots=True)
class Edge:
    """From one call to another, by their places."""

    start: int
    end: int
    kind: Literal["fed", "found", "checked"]
    path: str
    evidence: Literal["path", "text"]


def edges(acts: Acts) -> list[Edge]:
    """All edges, in the order of the calls that they lead to."""
    found: list[Edge] = []
    read: dict[str, int] = {}
    written: dict[str, int] = {}
    searches: deque[tuple[Act, str]] = deque(maxlen=MOST_SEARCHES)
    for act in acts:
        if act.failed:
            continue
        paths = dict.fromkeys((*act.reads, *act.writes))
        unknown = [path for path in paths if path not in read and path not in written]
        found += _found(act, unknown, searches)
        for path in act.writes:
            if path in read and read[path] != act.index:
                found.append(_fed(acts, act, path, read[path]))
            written[path] = act.index
        for path in act.reads:
            if written.get(path, act.index) != act.index:
                found.append(Edge(written[path], act.index, "checked", path, "path"))
            if path not in act.writes:
                written.pop(path, None)
            read[path] = act.index
        if searches_around(act):
            searches.append((act, output_of(act.call)))
    return found


def searches_around(act: Act) -> bool:
    """Whether a call gives names of files rather than the content of one."""
    if act.tool in _SEARCHES or act.kind == "delegate":
        return True
    return act.tool == "Bash" and act.kind == "look" and not act.reads


def _fed(acts: Acts, act: Act, path: str, source: int) -> Edge:
    old = act.call.input.params.get("old_string")
    lines = (line.strip() for line in old.splitlines()) if isinstance(old, str) else iter(())
    line = next((line for line in lines if len(line) >= _SHORTEST_QUOTE), None)
    quoted = line is not None and line in output_of(acts[source].call)
    return Edge(source, act.index, "fed", path, "text" if quoted else "path")


def _found(act: Act, paths: list[str], searches: deque[tuple[Act, str]]) -> Iterator[Edge]:
    for path in paths:
        folder, _, name = path.rpartition("/")
        tail = f"{folder.rpartition('/')[2]}/{name}" if folder else name
        for search, text in reversed(searches):
            if search.index != act.parent and _names(search, text, tail):
                yield Edge(search.index, act.index, "found", path, "text")
                break


def _names(search: Act, text: str, tail: str) -> bool:
    """Whether the output has the file with its folder; or the name alone, if that folder is what
    was searched."""
    if tail in text:
        return True
    folder, _, name = tail.rpartition("/")
    return (
        bool(folder) and len(name) >= _SHORTEST_QUOTE and folder in search.subject and name in text
    )
