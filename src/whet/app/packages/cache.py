"""What was read of the library for jobs, for as long as the files look as they did."""

import os
import stat
import threading
import time
from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from whet.core.arm import SkillPackage
from whet.core.sized_cache import SizedStore
from whet.curate.library import MOST_FILES, package
from whet.curate.manifest import JobPackage, job_package

MOST_BYTES = 64 * 1024 * 1024
_CONTRACT_BYTES = 20
"""What each character of a contract takes in memory, with the schemas that are made ready."""

YOUNG_SECONDS = 2.0
"""What was written so shortly before it was read may be written again without a trace."""

_Looks = tuple[tuple[str, int, int, int, int], ...]


@dataclass(frozen=True)
class _Held:
    """A skill that was read, and what its files looked like before."""

    looks: _Looks
    package: SkillPackage
    content: Mapping[str, bytes]
    size: int


class PackageCache:
    """Reads version folders and contracts, each once as long as nothing changes. Thread-safe."""

    def __init__(self, most_bytes: int = MOST_BYTES, young_seconds: float = YOUNG_SECONDS) -> None:
        self._most_bytes = most_bytes
        self._young_seconds = young_seconds
        self._held: OrderedDict[tuple[Path, str], _Held] = OrderedDict()
        self._contracts = SizedStore[tuple[str, str, tuple[str, ...]], JobPackage](most_bytes)
        self._lock = threading.Lock()

    def read(self, folder: Path, name: str) -> tuple[SkillPackage, Mapping[str, bytes]]:
        """The skill in a version folder as the agent gets it, with the content of its files."""
        looks, moment = _looks(folder), time.time()
        with self._lock:
            held = self._held.get((folder, name))
            if held is not None and held.looks == looks:
                self._held.move_to_end((folder, name))
                return held.package, held.content
        found, content = package(folder, name)
        newest = max((max(each[2:4]) for each in looks), default=0) / 1e9
        if looks and newest <= moment - self._young_seconds:
            self._keep(
                (folder, name), _Held(looks, found, content, sum(map(len, content.values())))
            )
        return found, content

    def contract(
        self, found: SkillPackage, content: Mapping[str, bytes], engines: Collection[str]
    ) -> JobPackage:
        """The contract of a skill that was read; raises ``InvalidSkill``."""
        key = (found.digest, found.name, tuple(sorted(engines)))
        if (known := self._contracts.get(key)) is not None:
            return known[0]
        made = job_package(content, found.name, engines)
        self._contracts.put(key, made, _CONTRACT_BYTES * len(repr(made)))
        return made

    def _keep(self, key: tuple[Path, str], held: _Held) -> None:
        with self._lock:
            self._held[key] = held
            self._held.move_to_end(key)
            total = sum(each.size for each in self._held.values())
            while total > self._most_bytes:
                total -= self._held.popitem(last=False)[1].size


def _looks(folder: Path) -> _Looks:
    """What the file system says of a skill's files; nothing of what is no skill, or too large."""
    found: list[tuple[str, int, int, int, int]] = []
    for path in (folder / "package", folder / "content.txt"):
        try:
            state = path.lstat()
        except OSError:
            continue
        found.append(_look(path.name, state))
        if stat.S_ISDIR(state.st_mode):
            for each in _inside(path):
                found.append(each)
                if len(found) > 2 * MOST_FILES:
                    return ()
    return tuple(found)


def _inside(folder: Path) -> Iterator[tuple[str, int, int, int, int]]:
    waiting = [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    yield _look(entry.path, entry.stat(follow_symlinks=False))
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError:  # whoever reads it will say what is wrong
            continue


def _look(name: str, state: os.stat_result) -> tuple[str, int, int, int, int]:
    return name, state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino
