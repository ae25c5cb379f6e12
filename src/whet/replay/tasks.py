"""Lists of tasks that agents keep for themselves."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pydantic import JsonValue

_LISTS = ("todos", "plan", "items", "tasks")
_TEXTS = ("content", "step", "text", "description", "subject", "title")
_DROPPED = frozenset({"cancelled", "canceled", "skipped"})


class Task(NamedTuple):
    """An entry of a list."""

    text: str
    status: str


class TaskLists:
    """The tasks seen so far: a list that is written again mostly ticks something off."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._dropped: set[str] = set()

    def added(self, tasks: Iterable[Task]) -> int:
        """How many of them are new."""
        names = {task.text for task in tasks}
        fresh = len(names - self._known)
        self._known |= names
        return fresh

    def dropped(self, tasks: Iterable[Task]) -> list[str]:
        """Those that will not be done, by what was not known before."""
        found = dict.fromkeys(task.text for task in tasks if task.status in _DROPPED)
        fresh = [text for text in found if text not in self._dropped]
        self._dropped |= {*fresh}
        return fresh


def tasks_in(params: Mapping[str, JsonValue]) -> Iterator[Task]:
    """The tasks that a call names: a whole list, or one."""
    for name in _LISTS:
        match params.get(name):
            case [*items]:
                yield from (_task(item) for item in items if isinstance(item, dict))
                return
            case _:
                pass
    yield _task(params)


def _task(item: Mapping[str, JsonValue]) -> Task:
    words = (item.get(name) for name in _TEXTS)
    text = next((word for word in words if isinstance(word, str) and word), "")
    status = item.get("status")
    return Task(" ".join(text.split()), status if isinstance(status, str) else "")
