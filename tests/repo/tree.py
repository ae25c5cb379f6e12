"""The repository as the checks see it: every file git knows or would add."""

import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = ("src", "tests", "bench")


def files(root: Path = ROOT) -> list[str]:
    """Paths relative to *root*; what is ignored or deleted is left out."""
    listing = subprocess.run(
        # A checkout may belong to another user than the one who tests it.
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "-co", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return sorted(name for name in set(listing.split("\0")) if name and (root / name).is_file())


@cache
def repository() -> tuple[str, ...]:
    """The files of this repository, listed once."""
    return tuple(files())


def texts() -> Iterator[tuple[str, str]]:
    """Every file that is text, with its content."""
    for name in repository():
        data = (ROOT / name).read_bytes()
        if b"\0" not in data:
            yield name, data.decode(errors="replace")


def modules(*folders: str) -> Iterator[tuple[str, str]]:
    """Every Python file below *folders*, with its source."""
    for name, text in texts():
        if name.endswith(".py") and name.partition("/")[0] in folders:
            yield name, text
