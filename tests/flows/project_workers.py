"""Whoever runs a project: a real process that can be killed, or a thread of this one."""

import asyncio
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from tests.app.opening import app_on
from tests.flows.command import started
from whet.app.experiments import Experiments
from whet.app.projects.shelf import ProjectShelf
from whet.core.errors import Halted


class Worker(Protocol):
    """At work from its making on."""

    def is_alive(self) -> bool: ...

    def kill(self) -> None:
        """End it as rudely as it can be."""
        ...

    def wait(self) -> None:
        """Until it ends; what it says must be in order."""
        ...


class Process:
    """``whet project run``."""

    def __init__(self, workspace: Path, project: str) -> None:
        self._process: subprocess.Popen[str] = started(
            *("project", "run", project, "--workspace", workspace, "--json"),
            WHET_SCRATCH=str(workspace.with_name("scratch")),
        )

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate()

    def wait(self) -> None:
        printed, said = self._process.communicate(timeout=120)
        assert "Traceback" not in said, said
        # 1 is for those that were halted, or have trials without an answer.
        assert self._process.returncode in (0, 1, -signal.SIGKILL), said
        assert self._process.returncode != 0 or printed.startswith("{")


class Thread:
    """The same in this process. It can be cancelled only, as by Ctrl-C."""

    def __init__(self, workspace: Path, project: str) -> None:
        self._workspace = workspace
        self._project = project
        self._loop = asyncio.new_event_loop()
        self._task: asyncio.Task[None] | None = None
        self._pool = ThreadPoolExecutor(1)
        self._done = self._pool.submit(self._work)

    def is_alive(self) -> bool:
        return not self._done.done()

    def kill(self) -> None:
        if self._task is not None and self.is_alive():
            # It may come to its end just now, and its loop with it.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._task.cancel)
        self.wait()

    def wait(self) -> None:
        self._done.result(120)
        self._pool.shutdown()

    def _work(self) -> None:
        try:
            self._task = self._loop.create_task(self._run())
            with suppress(Halted, asyncio.CancelledError):
                self._loop.run_until_complete(self._task)
        finally:
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()

    async def _run(self) -> None:
        with app_on(self._workspace) as app:
            await Experiments(app).run(ProjectShelf(app).find(self._project))
