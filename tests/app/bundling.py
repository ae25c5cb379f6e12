"""Projects as files, made and spoilt."""

import asyncio
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.app.opening import COMPARISON, app_on, fill
from whet.app.app import App
from whet.app.experiments import Experiments, Report
from whet.app.projects.bundle import export_bundle
from whet.app.projects.create import create_project
from whet.evaluate.project import Project

Members = dict[str, bytes]
Spoil = Callable[[Members], None]


def run(app: App, project: Project) -> Report:
    return asyncio.run(Experiments(app).run(project))


def bundle(folder: Path, *, trials: bool = True) -> bytes:
    """A project that was carried out: two skills, two cases, twice."""
    fill(folder / "there")
    with app_on(folder / "there") as app:
        project = create_project(app, COMPARISON)
        run(app, project)
        export_bundle(app, project, folder / "project.zip", trials=trials)
    return (folder / "project.zip").read_bytes()


def unpacked(data: bytes) -> Members:
    """The files by their path inside the project."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}


def packed(members: Members) -> bytes:
    """As somebody zips a folder by hand."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def with_config(**change: Any) -> Spoil:
    """Another configuration; ``a__b`` is the field *b* of *a*."""

    def spoil(members: Members) -> None:
        config = json.loads(members["config.json"])
        for name, value in change.items():
            place = config
            *above, last = name.split("__")
            for part in above:
                place = place[int(part) if part.isdecimal() else part]
            place[last] = value
        members["config.json"] = json.dumps(config).encode()

    return spoil
