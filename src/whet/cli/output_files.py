"""Where a command writes a file: the path that was named, and never over another by accident."""

from pathlib import Path

from whet.core.errors import UsageError

STDOUT = "-"


def place(output: str | None, name: str) -> Path:
    """The path that was named, or *name* in the folder that was."""
    path = Path(output or ".")
    is_folder = path.is_dir() or (output or "").endswith("/")
    return path / name if is_folder else path


def refuse_present(path: Path, fix: str) -> None:
    """Raise ``UsageError`` where something is there already."""
    if path.is_symlink() or path.exists():
        raise UsageError(f"{path} is there already; {fix}")
