"""File patterns: what ``Path.rglob`` finds, decided on names alone.

A pattern matches at any depth: ``*.ts`` finds ``src/a.ts``, and ``src/*.ts`` finds
``web/src/a.ts``. Within a name ``*``, ``?`` and ``[…]`` stand for anything, hidden files
included, and the case counts. ``**`` stands for any number of folders; at the end of a pattern,
for all files below. Matching takes time in proportion to the lengths of pattern and path.
"""

from collections.abc import Iterable

from whet.core.untrusted_regex import MOST_PATTERN, file_pattern

_ANY_FOLDERS = "**"


def mistake(pattern: str) -> str | None:
    """Why *pattern* is none; None if it is one."""
    parts = pattern.split("/")
    if len(pattern) > MOST_PATTERN:
        return f"is longer than {MOST_PATTERN:,} characters"
    if not _parts(pattern):
        return "is empty"
    if pattern.startswith("/"):
        return "is absolute; patterns are relative to the outputs"
    if ".." in parts:
        return "has '..'; patterns stay inside the outputs"
    if pattern.endswith("/"):
        return "ends with '/'; only files are looked for"
    if "\\" in pattern or "\0" in pattern:
        return "has a character that no path has; folders are separated by '/'"
    if any(_ANY_FOLDERS in part and part != _ANY_FOLDERS for part in parts):
        return "has '**' inside a name; it stands for whole folders only"
    return None


def matching(pattern: str, paths: Iterable[str]) -> list[str]:
    """Those of *paths* that match, sorted."""
    parts = _parts(pattern)
    # Mostly the name alone decides, and it is quick to look at.
    name = file_pattern("*" if parts[-1] == _ANY_FOLDERS else parts[-1])
    likely = (path for path in paths if name.match(path.rpartition("/")[2]))
    return sorted(path for path in likely if len(parts) == 1 or _matches(parts, path))


def _matches(parts: tuple[str, ...], path: str) -> bool:
    """Follow all ways through *path* at once: how many names the parts so far may cover."""
    names = path.split("/")
    covered = set(range(len(names)))
    for part in parts:
        if part == _ANY_FOLDERS:
            covered = set(range(min(covered), len(names) + 1))
        else:
            one = file_pattern(part)
            covered = {at + 1 for at in covered if at < len(names) and one.match(names[at])}
        if not covered:
            return False
    return len(names) in covered and (parts[-1] != _ANY_FOLDERS or min(covered) < len(names))


def _parts(pattern: str) -> tuple[str, ...]:
    return tuple(part for part in pattern.split("/") if part not in ("", "."))
