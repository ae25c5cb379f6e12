"""Packages to install, and what became of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.curate.intake.zips import zipped
from tests.curate.runner.making import changed
from whet.curate.library import skills

ENGINES = ("claude", "codex", "simulated")


def content(
    version: str = "1.0.0",
    more: bytes | None = None,
    runner: Mapping[str, Any] | None = None,
) -> dict[str, bytes]:
    """The files of the example in some version, with other fields and *more* text."""
    texts = {} if more is None else {"references/more.md": more}
    return {**changed({"version": version, **(runner or {})}), **texts}


def packed(files: Mapping[str, bytes], top: str | None = "text-report") -> bytes:
    """A zip of them in a folder, or without any."""
    prefix = f"{top}/" if top else ""
    return zipped(*((prefix + path, data) for path, data in files.items()))


def unfolded(files: Mapping[str, bytes], folder: Path) -> Path:
    """The same as a folder."""
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return folder


def release(version: str = "1.0.0", more: bytes | None = None) -> bytes:
    """A zip of the example in some version."""
    return packed(content(version, more))


def assets(workspace: Path) -> dict[str, list[tuple[str, str | None]]]:
    """The versions of every skill that lies in the library, by id."""
    shelf = skills(workspace)
    assert shelf.problems == ()
    found: dict[str, list[tuple[str, str | None]]] = {}
    for asset in sorted(shelf.assets, key=lambda one: one.meta.version):
        found.setdefault(asset.meta.id, []).append((asset.meta.version, asset.meta.package_version))
    return found
