"""How fast checks are, beside a plain walk that reads the same files.

The folder has 10,000 files of source code. What is looked for is nowhere, so that every check has
to look at everything.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from pydantic import JsonValue

from whet.checkers.files import FileContains, FileCount, FileExists, FileNotContains
from whet.core.check import CheckSpec
from whet.core.trial import TrialRecord
from whet.ports.checker import Checker, Subject

FILES = 10_000
ROUNDS = 5
TEXT = "def handler(request):\n    return response(request.user, status=200)\n\n" * 30
NOW = "2026-01-01T00:00:00Z"

CHECKS: dict[str, tuple[Checker, dict[str, JsonValue]]] = {
    "file_exists": (FileExists(), {"pattern": "nowhere/*.md"}),
    "file_count": (FileCount(), {"pattern": "src/**/*.py", "count": FILES}),
    "file_contains": (FileContains(), {"pattern": "*.py", "match": "nowhere"}),
    "file_not_contains": (FileNotContains(), {"pattern": "*.py", "match": "nowhere"}),
    "… plain regex": (FileContains(), {"pattern": "*.py", "match_regex": r"nowhere\("}),
    "… any regex": (FileContains(), {"pattern": "*.py", "match_regex": r"nowhere\s+(at|all)"}),
}


class Folder(Mapping[str, bytes]):
    """The files of a folder, each read when it is asked for."""

    def __init__(self, root: Path) -> None:
        self._root = f"{root}/"
        skipped = len(self._root)
        self._paths = {path[skipped:]: None for path in walked(root)}

    def __getitem__(self, path: str) -> bytes:
        return content(self._root + path)

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as name:
        root = Path(name)
        fill(root)
        walk = best(lambda: sum(len(content(path)) for path in walked(root)))
        print(f"walk and read       {walk * 1000:7.1f} ms   {FILES} files")
        record = TrialRecord(
            address="",
            execution="",
            status="completed",
            answer="",
            started_at=NOW,
            ended_at=NOW,
            duration_ms=0,
            engine="",
            engine_version="",
            model="",
            sandbox="none",
            simulated=True,
            session="",
        )
        subject = Subject(record, None, Folder(root))
        for kind, (checker, fields) in CHECKS.items():
            spec = CheckSpec(id=kind, type=checker.name, fields=fields)
            assert not checker.validate(spec)
            taken = best(lambda c=checker, s=spec: c.check(s, subject))
            print(
                f"{kind:18}  {taken * 1000:7.1f} ms   {taken / walk:4.1f} × walk and read,"
                f" {1 / taken:5.1f} checks/s"
            )


def fill(root: Path) -> None:
    for number in range(FILES):
        folder = root / "src" / f"part{number % 100:02}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"module{number}.py").write_text(f"# {number}\n{TEXT}")


def walked(root: Path) -> Iterator[str]:
    for place, _, names in os.walk(root):
        for name in names:
            yield f"{place}/{name}"


def content(path: str) -> bytes:
    with open(path, "rb") as file:  # noqa: PTH123 - what is compared with must not be slow
        return file.read()


def best(work: Callable[[], object]) -> float:
    """The shortest of several: the rest is other people's noise."""
    taken: list[float] = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return min(taken)


if __name__ == "__main__":
    main()
