"""Our own tapes: the steps of a trial, as they were."""

from collections.abc import Iterator
from pathlib import Path

from whet.core.errors import InvalidDocument
from whet.core.logged import About, Concluded, Logged, Opened, Prompted
from whet.core.step import Ended
from whet.core.trial import TrialSpec
from whet.documents.session_import import Repairs
from whet.documents.tape import FORMAT, spec_of, step_of
from whet.ports.reader import Head
from whet.readers.clock import Clock
from whet.readers.rows import rows


class TapeReader:
    """One tape is one session, with the calls that the trial's own log has."""

    name = "tape"

    def recognises(self, head: Head, /) -> bool:
        """By what the first line says."""
        return head.first.get("format") == FORMAT

    def belongs(self, head: Head, /) -> bool:
        """Never: every tape is a session."""
        del head
        return False

    def read(self, path: Path, repairs: Repairs, /) -> Iterator[Logged]:
        """See the port."""
        yield Opened()
        spec: TrialSpec | None = None
        clock = Clock(path, repairs)
        for row in rows(path, repairs):
            if "format" in row:
                spec = spec_of(row, str(path))
                yield Opened(f"trial-{spec.address[:16]}")
                continue
            try:
                step = step_of(row)
            except (KeyError, TypeError, ValueError, OverflowError) as error:
                repairs.note("skipped", "no_step", f"a line is no step: {error}", column=1)
                continue
            if spec is not None and not clock.is_set:
                yield from _about(spec, Prompted(clock.at(row.get("at")), spec.stimulus.prompt))
            if isinstance(step, Ended):
                yield About(model=step.model, simulated=step.simulated or None)
                done = "success" if step.failure is None else "failed"
                yield Concluded(done, step.answer, step.error or step.failure)
            yield step
        if spec is None:
            raise InvalidDocument(path, "line 1, column 1", "the first line of the tape is missing")
        yield About(model=spec.model)


def _about(spec: TrialSpec, prompt: Prompted) -> Iterator[Logged]:
    yield prompt
    yield About(engine=spec.engine, engine_version=spec.engine_version, trial_address=spec.address)
