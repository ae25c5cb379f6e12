"""Cassettes: trials in one file, to be imported elsewhere or played again.

A zip with ``cassette.json``, which lists the trials, and everything else under its digest:
records, tapes, session logs, produced files. Whoever reads one trusts nothing in it. The same
trials always give the same file.
"""

import errno
import hashlib
import os
import re
import struct
import weakref
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, Literal

from pydantic import JsonValue, ValidationError

from whet.core.address import digest_bytes
from whet.core.errors import EnvironmentProblem, InvalidDocument, NotFound, UsageError
from whet.core.step import Ended, Step
from whet.core.text import shortened_path, storable
from whet.core.trial import TrialRecord, TrialSpec
from whet.documents import tape
from whet.documents.base import Document, Items
from whet.documents.text import parse_json

FORMAT = "whet-cassette"
VERSION = 1
CONTENTS = "cassette.json"

_MIB = 1024 * 1024
MOST_MEMBERS = 65_000
MOST_CONTENTS = 32 * _MIB
MOST_MEMBER = 128 * _MIB
MOST_OUTPUTS = 2_000
"""Of one record, and together no larger than a member: graders read them all at once."""

MOST_BYTES = 2048 * _MIB
MOST_RATIO = 100
"""Of a member of a MiB or more; what compresses better is stored as it is."""

_MEMBER = re.compile(r"blobs/([0-9a-f]{64})")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_OLDEST = (1980, 1, 1, 0, 0, 0)
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_END = struct.Struct("<4s4H2LH")
_LOCATOR_BYTES = 20
_ENTRY_BYTES = 128
"""Of a member in the list at the end of a zip; names are of one length."""
_SHARED = ("address", "tape", "engine", "engine_version", "model", "simulated")
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, struct.error)


class CassetteTrial(Document):
    """A trial on a cassette; what is only known from its tape is missing without one."""

    address: str
    record: str
    tape: str | None = None
    engine: str
    engine_version: str
    model: str
    simulated: bool
    attempt: int | None = None
    skill: str | None = None
    """The skill's name; None for the arm without a skill."""
    skill_digest: str | None = None
    neighbours: Items[str] | None = None
    """The digests of the skills beside it, if there were any."""
    stimulus: str | None = None
    """The digest of what the agent got of the case."""
    prompt: str | None = None
    """How the prompt begins."""


class CassetteContents(Document):
    """``cassette.json`` of a cassette: what is on it."""

    format: Literal["whet-cassette"]
    version: int
    created_by: str
    trials: Items[CassetteTrial]


class Cassette:
    """A cassette that is open for reading; every error is an ``InvalidDocument``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = _opened(path)
        # An engine that keeps a cassette open has nobody who tells it when to close it.
        self._let_go = weakref.finalize(self, self._file.close)
        try:
            self.digest = _digest(self._file, path)
            with self._complaints():
                _check_end(self._file)
                self._zip = zipfile.ZipFile(self._file)
                self._sizes = _sizes(self._zip.infolist())
            self.contents = self._read_contents()
        except BaseException:
            self._let_go()
            raise

    def __enter__(self) -> "Cassette":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._zip.close()
        self._let_go()

    @property
    def blobs(self) -> int:
        """How many contents there are."""
        return len(self._sizes)

    def blob(self, digest: str) -> bytes:
        """The content under a digest, which it is held against."""
        if digest not in self._sizes:
            raise InvalidDocument(self.path, f"blobs/{digest[:80]}", "is missing")
        with self._complaints(f"blobs/{digest}"):
            data = self._zip.read(f"blobs/{digest}")
        if digest_bytes(data) != digest:
            raise InvalidDocument(self.path, f"blobs/{digest}", "is not what its name says")
        return data

    def record(self, trial: CassetteTrial) -> TrialRecord:
        """The record of a trial; all that it names is there."""
        where = f"record of trial {trial.address[:16]}"
        try:
            record = TrialRecord.model_validate_json(self.blob(trial.record))
            tape.checked_usage(record.usage)
        except ValidationError as error:
            found = error.errors()[0]
            field = ".".join([where, *map(str, found["loc"])])
            raise InvalidDocument(self.path, field, found["msg"]) from None
        except ValueError as error:
            raise InvalidDocument(self.path, where, str(error)) from None
        if any(getattr(record, name) != getattr(trial, name) for name in _SHARED):
            raise InvalidDocument(self.path, where, f"is not the one that {CONTENTS} describes")
        self._check_references(record, where)
        return record

    def steps(self, trial: CassetteTrial, record: TrialRecord) -> tuple[Step, ...]:
        """The steps that led to the record; none if they were not taped."""
        if trial.tape is None:
            return ()
        where = f"{self.path}: tape of trial {trial.address[:16]}"
        spec, steps = tape.read(self.blob(trial.tape), where)
        ours = CassetteTrial.model_validate({**trial.model_dump(), **described(spec)})
        if spec.address != trial.address or ours != trial:
            raise InvalidDocument(where, "", "is of another trial")
        ends = [step for step in steps if isinstance(step, Ended)]
        told = [(storable(end.answer), end.failure, end.usage) for end in ends[-1:]]
        if told != [(record.answer, record.failure, record.usage)]:
            raise InvalidDocument(where, "", "does not end as its record says")
        return steps

    def _check_references(self, record: TrialRecord, where: str) -> None:
        sizes = {file.digest: file.size for file in record.outputs}
        for digest in (record.session, *filter(None, [record.tape]), *sizes):
            if digest not in self._sizes:
                raise InvalidDocument(self.path, where, f"blob {digest[:80]!r} is missing")
            if sizes.get(digest, self._sizes[digest]) != self._sizes[digest]:
                raise InvalidDocument(self.path, where, f"blob {digest} has another size")
        if len(record.outputs) > MOST_OUTPUTS or sum(f.size for f in record.outputs) > MOST_MEMBER:
            raise InvalidDocument(self.path, where, "has more outputs than any record may have")
        paths = {file.path for file in record.outputs}
        folders = {str(above) for path in paths for above in Path(path).parents}
        if len(paths) < len(record.outputs) or paths & folders:
            raise InvalidDocument(self.path, where, "two outputs have one path")

    def _read_contents(self) -> CassetteContents:
        with self._complaints(CONTENTS):
            text = self._zip.read(CONTENTS)
        source = f"{self.path}: {CONTENTS}"
        data = parse_json(text, source)
        version = data.get("version") if isinstance(data, dict) else None
        if isinstance(version, int) and version > VERSION:
            reason = f"a newer whet made it (version {version}, here {VERSION}); update whet"
            raise InvalidDocument(source, "", reason)
        contents = CassetteContents.parse(data, source)
        for index, trial in enumerate(contents.trials):
            if not _DIGEST.fullmatch(trial.address):
                raise InvalidDocument(source, f"trials[{index}].address", "is no address")
        if len({trial.address for trial in contents.trials}) < len(contents.trials):
            raise InvalidDocument(source, "trials", "one is there twice")
        return contents

    @contextmanager
    def _complaints(self, member: str = "") -> Generator[None]:
        try:
            yield
        except (OSError, *_BROKEN) as error:
            # A place before the beginning of the file is a lie of the file, not of the disk.
            if isinstance(error, OSError) and error.errno != errno.EINVAL:
                raise EnvironmentProblem(f"cannot read {self.path}: {error.strerror}") from error
            # Some of zipfile's own messages are a whole page.
            reason = " ".join(str(error).split())[:200]
            raise InvalidDocument(self.path, member, f"no usable cassette: {reason}") from None


def described(spec: TrialSpec) -> dict[str, JsonValue]:
    """What a cassette's list tells of a trial whose tape it has."""
    head = " ".join(spec.stimulus.prompt.split())
    return {
        "engine": spec.engine,
        "engine_version": spec.engine_version,
        "model": spec.model,
        "attempt": spec.attempt,
        "skill": spec.skill.name if spec.skill else None,
        "skill_digest": spec.skill.digest if spec.skill else None,
        **({"neighbours": [*spec.neighbourhood]} if spec.neighbours else {}),
        "stimulus": spec.stimulus.task,
        "prompt": head if len(head) <= 80 else f"{head[:79]}…",
    }


def write_cassette(
    path: Path, contents: CassetteContents, digests: Iterable[str], get: Callable[[str], bytes]
) -> None:
    """Write the file in one step; it must not be there yet."""
    temporary = path.with_name(f".{os.urandom(8).hex()}.tmp")
    try:
        if path.exists() or path.is_symlink():
            raise UsageError(f"{path} exists already; choose another name or remove it")
        try:
            _write(temporary, contents, sorted(digests), get)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise EnvironmentProblem(f"cannot write {path}: {error.strerror}") from error


def _write(
    path: Path, contents: CassetteContents, digests: list[str], get: Callable[[str], bytes]
) -> None:
    total = 0
    with path.open("xb") as file:
        with zipfile.ZipFile(file, "w", allowZip64=False) as archive:
            _add(archive, CONTENTS, contents.to_json().encode(), MOST_CONTENTS)
            for digest in digests:
                data = get(digest)
                total += len(data)
                if total > MOST_BYTES - MOST_CONTENTS or len(digests) >= MOST_MEMBERS:
                    raise UsageError("too much for one cassette; export fewer trials at a time")
                _add(archive, f"blobs/{digest}", data, MOST_MEMBER)
        file.flush()
        os.fsync(file.fileno())


def _add(archive: zipfile.ZipFile, name: str, data: bytes, most: int) -> None:
    if len(data) > most:
        raise UsageError(f"{name} has more than {most // _MIB} MiB; export without its trial")
    info = zipfile.ZipInfo(name, _OLDEST)
    info.create_system = 3
    info.external_attr = 0o644 << 16
    shrinks_too_well = len(data) >= _MIB and _swells(len(data), len(zlib.compress(data)))
    info.compress_type = zipfile.ZIP_STORED if shrinks_too_well else zipfile.ZIP_DEFLATED
    archive.writestr(info, data)


def _swells(size: int, packed: int) -> bool:
    return size >= _MIB and size > MOST_RATIO * packed


def _opened(path: Path) -> BufferedReader:
    try:
        if not path.is_file():
            raise NotFound(f"{path}: no such file")
        return path.open("rb")
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {error.strerror}") from error


def _digest(file: BufferedReader, path: Path) -> str:
    try:
        return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {error.strerror}") from error


def _check_end(file: BinaryIO) -> None:
    """See that the list of members is not itself a bomb.

    Zip's extension for huge files and comments at the end are not needed, so they are refused.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END.size - _LOCATOR_BYTES))
    tail = file.read()
    if len(tail) < _END.size:
        raise ValueError("the file is too short")
    mark, _, _, _, members, length, _, comment = _END.unpack(tail[-_END.size :])
    if mark != b"PK\5\6" or comment or tail.startswith(b"PK\6\7"):
        raise ValueError("this is no zip file, or its end is missing")
    if members > MOST_MEMBERS or length > MOST_MEMBERS * _ENTRY_BYTES:
        raise ValueError(f"more than {MOST_MEMBERS} members")


def _sizes(members: list[zipfile.ZipInfo]) -> dict[str, int]:
    """The sizes of all blobs by digest; raises ``ValueError`` for what may not be there."""
    found: dict[str, int] = {}
    for info in members:
        name = _MEMBER.fullmatch(info.filename)
        if name is None and info.filename != CONTENTS:
            raise ValueError(f"unexpected member {shortened_path(info.filename, 80)!r}")
        if info.flag_bits & 1 or info.compress_type not in _PACKINGS:
            raise ValueError(f"{info.filename} is encrypted or packed in an unknown way")
        most = MOST_MEMBER if name else MOST_CONTENTS
        if info.file_size > most or _swells(info.file_size, info.compress_size):
            raise ValueError(f"{info.filename} is too large when unpacked")
        found[name[1] if name else CONTENTS] = info.file_size
    if len(found) != len(members):
        raise ValueError("a member is there twice")
    if sum(found.values()) > MOST_BYTES:
        raise ValueError(f"more than {MOST_BYTES // _MIB} MiB when unpacked")
    if found.pop(CONTENTS, None) is None:
        raise ValueError(f"{CONTENTS} is missing")
    return found
