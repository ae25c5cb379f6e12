"""The engine that plays recorded trials again, from a cassette; no model, no network.

A trial is found by what was tried: the skills, the stimulus, the model and the attempt. Its
files, steps and times come back as they were. Only money does not: a replay spends nothing, so
it costs 0, and the cassette's own record says what the original cost. A replay of a simulated
agent is labelled simulated, as its record on the cassette is.
"""

import os
import shutil
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from pydantic import JsonValue

from whet.core.errors import EnvironmentProblem, NotFound, UsageError
from whet.core.step import Ended, Spent, Step
from whet.core.trial import TrialRecord, TrialSpec
from whet.core.usage import Usage
from whet.core.value import Value
from whet.documents.cassette import Cassette, CassetteTrial
from whet.engines.agent_cli.options import checked
from whet.ports.inspected import Inspection
from whet.ports.machine import Machine
from whet.ports.workdir import Workdir

_Key = tuple[str | None, tuple[str, ...], str | None, str, int | None]
_Stamp = tuple[int, int, int, int]


class ReplayOptions(Value):
    """What to play."""

    cassette: str
    """The path of the cassette; ``~`` is the user's home."""

    of: str | None = None
    """The engine, or ``engine@version``, where the cassette has the trial of several."""


class ReplayEngine:
    """``ports.engine.Engine`` over cassettes; the version is the digest of the file."""

    name = "replay"
    simulated = False  # each run says for itself what it is a replay of
    sandboxed = False

    def __init__(self, machine: Machine) -> None:
        self._home = machine.home
        self._open: tuple[Path, _Stamp, _Index] | None = None

    def version(self, options: Mapping[str, JsonValue]) -> str:
        """Another file is another version: what it answers may be something else."""
        return self._index(_read(options)).cassette.digest

    def inspect(self) -> Inspection:
        """It is always there; its version depends on the cassette."""
        return Inspection(installed=True, abilities=frozenset({"skills"}))

    def secrets(self, _options: Mapping[str, JsonValue]) -> Sequence[str]:
        """It has none."""
        return ()

    async def run(self, spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step, None]:
        """Play the trial that was recorded of the same task."""
        options = _read(spec.options)
        index = self._index(options)
        if index.cassette.digest != spec.engine_version:
            raise EnvironmentProblem(f"{options.cassette} has changed since the trial was planned")
        entry = index.find(spec, options.of)
        # Everything is read before the first step, so that no other trial comes in between.
        record = index.cassette.record(entry)
        steps = index.cassette.steps(entry, record)
        _put_outputs(index.cassette, record, workdir.work)
        for step in steps:
            yield _free_of_charge(step, simulated=record.simulated)

    def _index(self, options: ReplayOptions) -> "_Index":
        path = Path(options.cassette)
        if path.parts[:1] == ("~",):
            path = self._home.joinpath(*path.parts[1:])
        stamp = _stamp(path)
        if self._open is None or self._open[:2] != (path, stamp):
            index = _Index(Cassette(path))
            if self._open is not None:
                self._open[2].cassette.close()
            self._open = path, stamp, index
        return self._open[2]


class _Index:
    """The trials of a cassette by what was tried."""

    def __init__(self, cassette: Cassette) -> None:
        self.cassette = cassette
        self._trials: dict[_Key, list[CassetteTrial]] = {}
        for trial in cassette.contents.trials:
            if trial.tape is not None:
                skills = trial.skill_digest, trial.neighbours or ()
                key = *skills, trial.stimulus, trial.model, trial.attempt
                self._trials.setdefault(key, []).append(trial)

    def find(self, spec: TrialSpec, engine: str | None) -> CassetteTrial:
        """The one recording of the same task; raises ``UsageError``."""
        skill = spec.skill.digest if spec.skill else None
        key = skill, spec.neighbourhood, spec.stimulus.task, spec.model, spec.attempt
        same_task = self._trials.get(key, [])
        found = [t for t in same_task if engine in (None, t.engine, _full_name(t))]
        if len(found) == 1:
            return found[0]
        what = (
            f"{spec.stimulus.prompt[:40]!r} with {_skill(spec)} by {engine or 'any engine'} "
            f"and model {spec.model}, attempt {spec.attempt}"
        )
        if not found:
            raise NotFound(f"{self.cassette.path} has no tape of {what}")
        names = sorted({_full_name(t) for t in found})
        fix = f"name one in the option 'of': {', '.join(names)}"
        if len(names) == 1:
            fix = "they differ in options or sandbox: export one of them alone"
        raise UsageError(f"{self.cassette.path} has {len(found)} tapes of {what}; {fix}")


def _skill(spec: TrialSpec) -> str:
    named = f"skill {spec.skill.name!r}" if spec.skill else "no skill"
    return f"{named} and {len(spec.neighbours)} beside it" if spec.neighbours else named


def _full_name(trial: CassetteTrial) -> str:
    return f"{trial.engine}@{trial.engine_version}"


def _read(options: Mapping[str, JsonValue]) -> ReplayOptions:
    return checked(ReplayOptions, dict(options), ReplayEngine.name)


def _stamp(path: Path) -> _Stamp:
    """What changes when the file does."""
    try:
        seen = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise EnvironmentProblem(f"there is no cassette {path}") from None
    except (OSError, ValueError) as error:
        raise EnvironmentProblem(f"cannot read the cassette {path}: {error}") from error
    return seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns


def _free_of_charge(step: Step, *, simulated: bool) -> Step:
    match step:
        case Spent():
            return replace(step, usage=_free(step.usage))
        case Ended():
            return replace(step, usage=_free(step.usage), simulated=simulated)
        case _:
            return step


def _free(usage: Usage) -> Usage:
    return usage.model_copy(update={"cost_usd": 0.0})


def _put_outputs(cassette: Cassette, record: TrialRecord, folder: Path) -> None:
    """Write the files as the agent left them; an input that is in the way had been removed."""
    for file in record.outputs:
        target = folder / file.path
        try:
            _clear(folder / part for part in reversed(Path(file.path).parents[:-1]))
            if target.is_dir() and not target.is_symlink():
                shutil.rmtree(target)
            with suppress(FileNotFoundError):
                target.unlink()
            target.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            descriptor = os.open(target, flags, 0o666)
            with os.fdopen(descriptor, "wb") as written:
                written.write(cassette.blob(file.digest))
        except OSError as error:
            raise EnvironmentProblem(f"cannot write {target}: {error.strerror}") from error


def _clear(folders: Iterable[Path]) -> None:
    """Remove what is no folder, from the top down; a link is never followed."""
    for folder in folders:
        if folder.is_symlink() or folder.is_file():
            folder.unlink()
