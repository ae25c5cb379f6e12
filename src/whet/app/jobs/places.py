"""Where jobs lie in the workspace, for people to look at. The store has all of it as well."""

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from whet.core.errors import EnvironmentProblem
from whet.core.files import inside
from whet.core.job import Artifact, Job
from whet.documents.files import reason
from whet.ports.blobs import Blobs
from whet.run.job.contract import FOLDER
from whet.run.job.inputs import UPLOADS
from whet.run.workdir import remove


@dataclass(frozen=True)
class Places:
    """``requests/{request_id}`` and ``runs/{run_id}``. The ids are our own, so they lead nowhere
    else."""

    workspace: Path
    scratch: Path

    def request(self, request_id: str) -> Path:
        """Of what is uploaded, until the run is made."""
        return self.workspace / "requests" / request_id

    def run(self, run_id: str) -> Path:
        """Of a run: its uploads and artifacts."""
        return self.workspace / "runs" / run_id

    def turns(self, run_id: str) -> Path:
        """Of the folders that ended turns left."""
        return self.run(run_id) / ".turns"

    def folder(self, run_id: str) -> str:
        """Where the agent of a run works. It has the name of an owner's folder, so that whatever
        a killed process leaves there is swept with those."""
        return str(self.scratch / f"0-{run_id.replace('-', '')[:12]}")

    def promote(self, job: Job, unfolded: Path) -> None:
        """Make what was unfolded for a request the uploads of its run. What lies there already is
        of an upload that was undone."""
        target = self.run(job.run_id) / UPLOADS
        remove(str(target))
        try:
            if unfolded.is_dir():
                target.parent.mkdir(parents=True, exist_ok=True)
                unfolded.rename(target)
        except OSError as error:
            raise EnvironmentProblem(f"cannot keep the uploads: {reason(error)}") from error

    def lay(self, run_id: str, artifacts: Iterable[Artifact], blobs: Blobs) -> None:
        """Lay the artifacts of a run where people look for them, all of them or none."""
        new = self.run(run_id) / ".artifacts"
        remove(str(new))
        try:
            for artifact in artifacts:
                path = new / inside(artifact.path)
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("xb") as file:
                    file.write(blobs.get(artifact.digest))
            self.clear(run_id)
            if new.exists():
                (new / FOLDER).rename(self.run(run_id) / FOLDER)
        except OSError as error:
            raise EnvironmentProblem(f"cannot write artifacts: {reason(error)}") from error
        finally:
            remove(str(new))

    def clear(self, run_id: str) -> None:
        """Take artifacts away that were laid, as nothing came of them."""
        remove(str(self.run(run_id) / FOLDER))

    def tidy(self, run_id: str) -> None:
        """The turns of a run that is over."""
        remove(str(self.turns(run_id)))
        remove(self.folder(run_id))

    def forget_request(self, request_id: str) -> None:
        """Whatever was uploaded and is not needed there."""
        remove(str(self.request(request_id)))

    def forget_run(self, run_id: str) -> None:
        """Everything of a run."""
        folder = self.run(run_id)
        if not folder.parent.is_symlink():
            remove(str(folder))
        with contextlib.suppress(OSError):
            folder.parent.rmdir()
