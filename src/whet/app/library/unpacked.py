"""Zip files that somebody sends, as folders for as long as they are looked at."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path, PurePosixPath

from whet.core.errors import EnvironmentProblem, InvalidImport
from whet.core.naming import slug
from whet.core.text import LONGEST_FILE_NAME
from whet.curate.archive import Tree, read_archive
from whet.curate.original.report import RepairReport
from whet.curate.original.workspace import import_workspace
from whet.documents.files import reason, temporary_folder

_SHELVES = ("skills", "baselines", "projects")


@contextmanager
def unpacked(data: bytes, filename: str) -> Generator[Path]:
    """The content of a zip, checked as a whole before, in a folder that is called as the file is
    without its ending. Raises ``InvalidImport``."""
    tree = read_archive(data, shown_name(filename))
    with temporary_folder() as above:
        folder = above / slug(_named(filename).stem, "upload", "-")
        try:
            _write(tree, folder)
        except OSError as error:
            raise EnvironmentProblem(f"cannot unpack into {above}: {reason(error)}") from error
        yield folder


def take_over(workspace: Path, data: bytes, filename: str, now: datetime) -> RepairReport:
    """Take over a zipped workspace of the original program; see ``import_workspace``."""
    with unpacked(data, filename) as folder:
        inner = [path for path in sorted(folder.iterdir()) if path.is_dir()]
        for root in (folder, *inner):
            if any((root / name).is_dir() for name in _SHELVES):
                return import_workspace(root, workspace, now)
    problem = f"is no workspace: no {', '.join(_SHELVES)} in it"
    raise InvalidImport(shown_name(filename), [problem])


def shown_name(filename: str) -> str:
    """The name of a file that a stranger sends, for messages."""
    plain = "".join(c if c.isprintable() else " " for c in _named(filename).name)
    return " ".join(plain.split())[:LONGEST_FILE_NAME] or "the file"


def _named(filename: str) -> PurePosixPath:
    return PurePosixPath(filename.replace("\\", "/"))


def _write(tree: Tree, folder: Path) -> None:
    folder.mkdir()
    for path, data in tree.content.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        if path in tree.executables:
            place.chmod(0o755)
