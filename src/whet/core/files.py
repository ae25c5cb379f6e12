"""Files as values: a relative path that stays inside, and the digest of the content."""

from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator

from whet.core.value import Value


def inside(path: str) -> str:
    """Return *path* if it is a clean relative path, else raise ``ValueError``."""
    pure = PurePosixPath(path)
    if not path or "\\" in path or "\0" in path or pure.is_absolute():
        raise ValueError(f"not a relative path: {path!r}")
    if ".." in pure.parts or str(pure) != path or path == ".":
        raise ValueError(f"path leaves its folder or is not normal: {path!r}")
    return path


RelativePath = Annotated[str, AfterValidator(inside)]


class FileRef(Value):
    """A file whose content is kept under its digest."""

    path: RelativePath
    digest: str
    size: int
