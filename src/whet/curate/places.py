"""Where versions lie. Links that somebody put among them are neither followed nor written through:
what they lead to is not the library's. Only a workspace, and a shelf as a whole, may be one."""

from pathlib import Path

from whet.core.errors import UsageError

PARTS = (
    "meta.json",
    "content.txt",
    "cases.json",
    "package",
    "tags.json",
    "provenance.json",
    "history",
    "auto_tag_log",
)
"""What the folder of a version has in it."""


def version_folders(shelf: Path, pattern: str) -> tuple[list[Path], list[Path]]:
    """Everything of that name below purposes and providers, and the links instead of them."""
    folders, links = [shelf], list[Path]()
    for wanted in ("*", "*", pattern):
        found = sorted(path for above in folders for path in above.glob(wanted))
        links += (path for path in found if path.is_symlink())
        folders = [path for path in found if not path.is_symlink()]
    return folders, links


def no_link(path: Path) -> Path:
    """*path*, unless it is a link."""
    if path.is_symlink():
        raise UsageError(f"{path} is a link, which is not followed; put what is meant in its place")
    return path


def is_behind_link(path: Path, top: Path) -> bool:
    """Whether *path*, or a folder between it and *top*, is a link."""
    inner = [path, *path.parents]
    return any(part.is_symlink() for part in inner[: inner.index(top)])
