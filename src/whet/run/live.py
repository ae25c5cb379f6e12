"""Letting others follow an agent at work: each execution that lasts has a file with its steps.

The file is made only when an execution has lasted a moment, so that a short one pays nothing. It is
never synced, and no trouble with it is one of the execution. Once the tape is stored the file goes;
where there is no tape it stays for a while, for those who were about to read it.
"""

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from whet.core.execution import Execution, Outcome
from whet.core.redaction import Redactor
from whet.core.trial import TrialSpec
from whet.documents.live import CUT, LiveEnd, LiveHead, LivePlace, first_line, last_line
from whet.documents.tape import MOST_BYTES
from whet.ports.engine import Engine

DELAY_SECONDS = 0.25
"""How long an execution lasts before it can be followed."""

KEPT_SECONDS = 600
"""How long a file without a tape stays."""

RUNNING, OVER = ".jsonl", ".over"
LONGEST_PROMPT = 4_000

Find = Callable[[str], LivePlace | None]
"""What a trial is for, by its address."""


@dataclass
class Live:
    """The executions of one process, in a folder that all processes of a workspace share."""

    folder: Path
    alive: Callable[[str], bool]
    delay: float = DELAY_SECONDS
    _finders: list[Find] = field(default_factory=list[Find])
    _swept: float = 0.0

    @contextmanager
    def told(self, find: Find) -> Generator[None]:
        """For the time of the block, somebody knows what trials are for."""
        self._finders.append(find)
        try:
            yield
        finally:
            self._finders.remove(find)

    def place(self, address: str) -> LivePlace | None:
        """What a trial is for, if somebody here knows."""
        found = (find(address) for find in self._finders)
        return next((place for place in found if place is not None), None)

    def sweep(self) -> None:
        """Remove what is over for long, or was left by a process that is gone."""
        self._swept = time.monotonic()
        oldest = time.time() - KEPT_SECONDS
        with contextlib.suppress(OSError):
            for path in list(self.folder.iterdir()):
                if path.suffix not in (RUNNING, OVER) or path.stat().st_mtime > oldest:
                    continue
                if path.suffix == OVER or not self.alive(owner_of(path.name)):
                    path.unlink()

    def sweep_now_and_then(self) -> None:
        """The same, not too often."""
        if time.monotonic() - self._swept > KEPT_SECONDS / 10:
            self.sweep()


def owner_of(name: str) -> str:
    """The process behind a file, by the file's name."""
    return name.split(".")[1] if name.count(".") == 2 else ""


class Spool:
    """The file of one execution, from ``begin`` to ``close``. Takes steps without secrets only."""

    def __init__(
        self, live: Live, engine: Engine, spec: TrialSpec, execution: Execution, clean: Redactor
    ) -> None:
        self._live = live
        self._spec = spec
        self._execution = execution
        self._clean = clean
        self._simulated = engine.simulated
        self._waiting: list[bytes] = []
        self._left = MOST_BYTES
        self._file: int | None = None
        self._timer = asyncio.get_running_loop().call_later(live.delay, self._open)
        self.end: Execution | None = None
        """How it ended, once that is known."""

        self.session: str | None = None
        self.has_tape = False
        """Whether all of it is stored with the record."""

    @cached_property
    def _path(self) -> Path:
        return self._live.folder / f"{self._execution.id}.{self._execution.owner}{RUNNING}"

    def take(self, written: bytes) -> None:
        """Take the line of a step; a long output should be cut."""
        if self._left < 0:
            return
        self._left -= len(written)
        written = CUT if self._left < 0 else written
        if self._file is None:
            self._waiting.append(written)
        else:
            self._write(written)

    def close(self) -> None:
        """The execution is closed in the store."""
        self._timer.cancel()
        self._waiting.clear()
        self._left = -1
        if self._file is None:
            return
        self._write(last_line(self._ended()))
        with contextlib.suppress(OSError):
            if self.is_recorded and self.has_tape:
                self._path.unlink()
            else:
                self._path.rename(self._path.with_suffix(OVER))
        self._let_go()

    @property
    def is_recorded(self) -> bool:
        """Whether it came to a record."""
        return self.end is not None and self.end.outcome is Outcome.ANSWERED

    def _ended(self) -> LiveEnd:
        end = self.end
        return LiveEnd(
            outcome=((end.outcome if end else None) or Outcome.FAILED).value,
            at=end.ended_at if end else None,
            failure=end.failure if end else None,
            error=end.error if end else None,
            session=self.session if self.is_recorded else None,
        )

    def _open(self) -> None:
        self._live.sweep_now_and_then()
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC
        try:
            self._path.parent.mkdir(mode=0o700, exist_ok=True)
            self._file = os.open(self._path, flags, 0o600)
        except OSError:
            self._give_up()
            return
        self._write(b"".join((first_line(self._head()), *self._waiting)))
        self._waiting.clear()

    def _head(self) -> LiveHead:
        spec, execution = self._spec, self._execution
        return LiveHead(
            execution=execution.id,
            address=execution.address,
            generation=execution.generation,
            owner=execution.owner,
            engine=spec.engine,
            engine_version=spec.engine_version,
            model=spec.model,
            simulated=self._simulated,
            scope=spec.scope,
            skill=spec.skill.name if spec.skill else None,
            prompt=self._clean.text(spec.stimulus.prompt)[:LONGEST_PROMPT],
            started_at=execution.started_at,
            place=self._live.place(execution.address),
        )

    def _write(self, data: bytes) -> None:
        """Append; whoever reads takes whole lines only."""
        if self._file is None:
            return
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError:
            self._give_up()

    def _give_up(self) -> None:
        """Nobody can follow this one. Whoever had begun to finds out from the store."""
        self._left = -1
        self._waiting.clear()
        with contextlib.suppress(OSError):
            self._path.unlink()
        self._let_go()

    def _let_go(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
