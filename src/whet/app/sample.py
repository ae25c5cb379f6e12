"""The sample workspace that ships with whet: three skills and a baseline, in two languages."""

import shutil
from importlib.resources import as_file, files
from pathlib import Path

from whet.core.errors import EnvironmentProblem
from whet.documents.files import reason, unfinished_folder


def install(workspace: Path, language: str) -> list[Path]:
    """Copy the sample's assets into *workspace* and return their folders there.

    What is there already is left alone.
    """
    installed: list[Path] = []
    with as_file(files("whet.app").joinpath("sample_workspace", language)) as sample:
        for meta in sorted(sample.glob("*/*/*/*/meta.json")):
            installed.append(workspace / meta.parent.relative_to(sample))
            _copy(meta.parent, installed[-1])
    return installed


def _copy(source: Path, target: Path) -> None:
    """Copy a version folder in one step, with the empty folders that packages cannot carry."""
    if target.exists():
        return
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with unfinished_folder(target.parent) as folder:
            whole = folder / "asset"
            shutil.copytree(source, whole)
            for name in ("history", "auto_tag_log"):
                (whole / name).mkdir(exist_ok=True)
            whole.rename(target)
    except OSError as error:
        if target.exists():  # another process was faster
            return
        raise EnvironmentProblem(f"cannot write {target}: {reason(error)}") from error
