"""Cassettes of a workspace: trials out into one file, and in from another one's."""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from whet import __version__
from whet.app.app import App
from whet.app.parts import every_checker
from whet.core.address import digest_bytes
from whet.core.errors import NotFound, UsageError
from whet.core.trial import TrialRecord
from whet.documents import tape
from whet.documents.cassette import (
    FORMAT,
    VERSION,
    Cassette,
    CassetteContents,
    CassetteTrial,
    described,
    write_cassette,
)
from whet.evaluate.plan import cells, trial
from whet.evaluate.project import Project, design, projects

CHUNK = 200
SHORTEST_PREFIX = 8

Tell = Callable[[int, int], None]
"""Called with how much is done and how much there is to do."""


def untold(_done: int, _total: int) -> None:
    """For where nobody watches."""


@dataclass(frozen=True)
class Exported:
    """What an export came to."""

    file: Path
    trials: int
    without_tape: int
    """Trials that can be graded again, but not replayed."""


@dataclass(frozen=True)
class Imported:
    """What an import came to."""

    trials: int
    new: int
    """The others had been imported before."""


def every_trial(app: App) -> Sequence[str]:
    """The addresses of all records, imported ones included."""
    return app.store.ledger.addresses()


def trials_of_project(app: App, reference: str) -> Sequence[str]:
    """The addresses that a project asks for, whether they have a record or not."""
    project = projects(app.settings.workspace).find(reference)
    if project is None:
        raise NotFound(f"no project {reference!r} in {app.settings.workspace}")
    return trials_in(app, project)


def trials_in(app: App, project: Project) -> Sequence[str]:
    """The same for a project that was found already."""
    with app.store.transaction():
        plan = design(project, app.store.blobs, every_checker(app.parts))
    return [trial(plan, cell).address for cell in cells(plan)]


def trials_named(app: App, names: Iterable[str]) -> Sequence[str]:
    """The addresses with these beginnings; each must fit exactly one record."""
    known = app.store.ledger.addresses()
    return [_named(name, known) for name in names]


def _named(name: str, known: Sequence[str]) -> str:
    if len(name) < SHORTEST_PREFIX:
        raise UsageError(f"{name!r} is too short; give {SHORTEST_PREFIX} characters or more")
    found = [address for address in known if address.startswith(name)]
    if not found:
        raise NotFound(f"no record of a trial {name!r}")
    if len(found) > 1:
        raise UsageError(f"{name!r} fits {len(found)} trials; give more of the address")
    return found[0]


def export_cassette(app: App, out: Path, addresses: Iterable[str], tell: Tell = untold) -> Exported:
    """Write the records of these trials with all they name; those without a record are left
    out. Where there is one of our own, it goes before an imported one."""
    asked = sorted(set(addresses))
    entries: list[CassetteTrial] = []
    made: dict[str, bytes] = {}
    wanted: set[str] = set()
    for record in _records(app, asked):
        text = record.model_dump_json().encode()
        made[digest_bytes(text)] = text
        entries.append(_entry(app, record, digest_bytes(text)))
        wanted |= _named_by(record)
        tell(len(entries), 2 * len(asked))
    if not entries:
        raise UsageError("there is no record to export; run the trials first")
    contents = CassetteContents(
        format=FORMAT, version=VERSION, created_by=f"whet {__version__}", trials=tuple(entries)
    )
    total = len(entries) + len(wanted) + len(made)
    done = len(entries)

    def get(digest: str) -> bytes:
        nonlocal done
        done += 1
        tell(done, total)
        return made[digest] if digest in made else app.store.blobs.get(digest)

    write_cassette(out, contents, wanted | made.keys(), get)
    return Exported(out, len(entries), sum(entry.tape is None for entry in entries))


def import_cassette(
    app: App, path: Path, tell: Tell = untold, only: Container[str] | None = None
) -> Imported:
    """Keep the trials of a cassette as imported records: all of them, or none; with *only*, those
    that have one of these addresses.

    Everything is checked before anything is kept. Records of our own stay as they are.
    """
    with Cassette(path) as cassette:
        every = cassette.contents.trials
        trials = [one for one in every if only is None or one.address in only]
        wanted = _checked(cassette, trials, tell)
        with app.store.transaction():
            for done, digest in enumerate(sorted(wanted), start=1):
                app.store.blobs.put(cassette.blob(digest))
                tell(len(trials) + done, len(trials) + cassette.blobs)
            # Read once more, one at a time: together they may be more than memory has.
            new = app.store.ledger.add_imported(map(cassette.record, trials))
    return Imported(len(trials), new)


def check_cassette(path: Path) -> None:
    """Raise ``InvalidDocument`` for what an import would refuse; keep nothing."""
    with Cassette(path) as cassette:
        _checked(cassette, cassette.contents.trials, untold)


def _checked(cassette: Cassette, trials: Sequence[CassetteTrial], tell: Tell) -> set[str]:
    """The digests of all that these records name, once everything is found in order."""
    wanted: set[str] = set()
    for done, entry in enumerate(trials, start=1):
        record = cassette.record(entry)
        cassette.steps(entry, record)
        wanted |= _named_by(record)
        tell(done, len(trials) + cassette.blobs)
    for digest in wanted:
        cassette.blob(digest)
    return wanted


def _records(app: App, addresses: Sequence[str]) -> Iterator[TrialRecord]:
    for start in range(0, len(addresses), CHUNK):
        chunk = addresses[start : start + CHUNK]
        found = app.store.ledger.records(chunk, imported=True)
        yield from (found[address] for address in chunk if address in found)


def _entry(app: App, record: TrialRecord, digest: str) -> CassetteTrial:
    facts = {
        "address": record.address,
        "record": digest,
        "tape": record.tape,
        "engine": record.engine,
        "engine_version": record.engine_version,
        "model": record.model,
        "simulated": record.simulated,
    }
    if record.tape is not None:
        spec, _ = tape.read(app.store.blobs.get(record.tape), f"tape {record.tape}")
        facts |= described(spec)
    return CassetteTrial.model_validate(facts)


def _named_by(record: TrialRecord) -> set[str]:
    named = {record.session, *(file.digest for file in record.outputs)}
    return named if record.tape is None else {*named, record.tape}
