"""Files as values: a relative path that stays inside, and the digest of the content."""

from typing import Annotated

from pydantic import AfterValidator

from whet.core.value import Value

_ODD = frozenset({"", ".", ".."})


def inside(path: str) -> str:
    """Return *path* if it is a clean relative path, else raise ``ValueError``."""
    # Every file of every record passes here; an object for each path would take ten times as long.
    if not path or "\\" in path or "\0" in path or path.startswith("/"):
        raise ValueError(f"not a relative path: {path!r}")
    if not _ODD.isdisjoint(path.split("/")):
        raise ValueError(f"path leaves its folder or is not normal: {path!r}")
    return path


RelativePath = Annotated[str, AfterValidator(inside)]


class FileRef(Value):
    """A file whose content is kept under its digest."""

    path: RelativePath
    digest: str
    size: int
