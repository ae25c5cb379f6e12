"""The cases of a project, read once as long as their files stay as they are."""

import threading
from pathlib import Path

from whet.app.app import App
from whet.app.parts import every_checker
from whet.core.case import Case
from whet.curate.library import cases
from whet.documents.project import BaselineRef
from whet.evaluate.project import Project
from whet.evaluate.project_cases import CaseReader
from whet.evaluate.project_places import arm_id, copy_of

MOST_KNOWN = 32


class KnownCases:
    """Reads the cases of projects."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._lock = threading.Lock()
        self._known: dict[tuple[Path, tuple[int, ...], float], tuple[Case, ...]] = {}

    def of(self, project: Project) -> tuple[Case, ...]:
        """All of them in the order of the plan; raises ``InvalidSuite``."""
        return tuple(case for one in project.config.baselines for case in self._in(project, one))

    def _in(self, project: Project, baseline: BaselineRef) -> tuple[Case, ...]:
        folder = copy_of(project.folder, baseline)
        timeout = project.config.cli_config.timeout_seconds
        try:
            state = (folder / "cases.json").stat()
            key = (folder, (state.st_mtime_ns, state.st_size, state.st_ino), float(timeout))
        except OSError:
            return self._read(project, baseline, folder)
        with self._lock:
            if key not in self._known:
                if len(self._known) >= MOST_KNOWN:
                    self._known.clear()
                self._known[key] = self._read(project, baseline, folder)
            return self._known[key]

    def _read(self, project: Project, baseline: BaselineRef, folder: Path) -> tuple[Case, ...]:
        reader = CaseReader(
            f"{baseline.local_path}/cases.json",
            arm_id(baseline.ref_id, baseline.version),
            project.config.cli_config.timeout_seconds,
            every_checker(self._app.parts),
        )
        return reader.read(cases(folder))
