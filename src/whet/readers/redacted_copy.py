"""Copies of a log, and of the files that are read along with it, without the secrets in them.

A log is redacted before it is read, so that nothing made of it can hold a secret: no session, no
report, no index. The copies keep their lines and their layout. What is not a secret stays byte for
byte as it was.
"""

import json
import os
import re
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from whet.core.discretion import Discretion
from whet.core.errors import EnvironmentProblem, InvalidDocument
from whet.core.redaction import Redactor, redactor
from whet.core.secret_search import is_secret
from whet.readers.source import PIECE, opened

DATABASE = b"SQLite format 3\0"
LONGEST_LINE = 4 * PIECE
"""Of what is looked at together; a longer line is looked at in parts."""

_ABOVE = 3
"""Folders above the files that keep their names: some readers go by them."""

_DEEPEST = 4
"""Texts inside of texts that are taken apart: arguments of tools are JSON in JSON."""

_LITERAL = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)++"', re.DOTALL)
_MEMBER = re.compile(r'"([^"\\]{1,80})"(\s*:\s*)("[^"\\]*+(?:\\.[^"\\]*+)*+")', re.DOTALL)
_BREAK = re.compile(rb'[\s",](?=[^\s",]*\Z)')
_UNSAFE = re.compile(r"\[(redacted[^\]]*)\]")


@dataclass(frozen=True, slots=True)
class RedactedLog:
    """A log that can be read and kept."""

    path: Path
    sizes: Mapping[Path, int] = field(default_factory=dict[Path, int])
    """Bytes that each file had before it was redacted."""

    redactions: dict[str, int] = field(default_factory=dict[str, int])
    """How many secrets were replaced, by kind."""


def redacted_log(
    log: Path, files: Iterable[Path], target: Path, secrets: Sequence[str]
) -> RedactedLog:
    """The log itself where there is no secret in it nor in the other *files* that are read along
    with it; else copies of all of them below *target*. *secrets* are those known by their value.
    Raises ``WhetError``."""
    every = [*dict.fromkeys([log, *files])]
    found = _Secrets(tuple(secrets))
    for file in every:
        found.learn_file(file)
    if not found.has_any:
        return RedactedLog(log)
    base = Path(os.path.commonpath([file.parent for file in every]))
    base = base.parents[min(_ABOVE, len(base.parents)) - 1] if base.parents else base
    sizes: dict[Path, int] = {}
    places: dict[Path, Path] = {}
    for file in every:
        place = target.joinpath(*map(found.name, file.relative_to(base).parts))
        places[file] = place
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            found.copy(file, place)
            shutil.copystat(file, place)
            sizes[place] = file.stat().st_size
        except OSError as error:
            raise EnvironmentProblem(f"cannot copy {file}: {error.strerror}") from error
    return RedactedLog(places[log], sizes, found.counts)


def redacted_name(name: str, secrets: Sequence[str] = ()) -> str:
    """The name of a file without the secrets in it."""
    found = _Secrets(tuple(secrets))
    found.learn_name(name)
    return found.name(name)


class _Secrets:
    """Learns the secrets of all files of a log, then replaces each wherever it stands."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        self._known: Redactor = redactor(secrets)
        self._discretion = Discretion(secrets, paths=False)
        self._has_known = False

    @property
    def has_any(self) -> bool:
        return self._has_known or self._discretion.has_secrets

    @property
    def counts(self) -> dict[str, int]:
        return self._discretion.counts

    def learn_file(self, file: Path) -> None:
        self.learn_name(file.name)
        self._learn(_values(file) if _is_database(file) else _pieces(file))

    def learn_name(self, name: str) -> None:
        self._learn([name])

    def name(self, name: str) -> str:
        """A name for a file, without signs that mean something in patterns of names."""
        return _UNSAFE.sub(lambda mark: mark[1].replace(":", "-"), self._clean(name))

    def copy(self, file: Path, target: Path) -> None:
        if _is_database(file):
            self._copy_database(file, target)
            return
        with target.open("wb") as stream:
            for piece in _pieces(file):
                stream.write(self._clean(piece).encode(errors="surrogateescape"))

    def _learn(self, texts: Iterable[str]) -> None:
        for text in texts:
            data = text.encode(errors="surrogatepass")
            self._has_known |= self._known.data(data) is not data
            self._discretion.learn(_taken_apart(text))
            for one in _taken_apart(text):
                for found in _MEMBER.finditer(one):
                    value = _decoded(found[3])
                    if value is not None and is_secret(found[1], value):
                        self._discretion.learn_member(value)

    def _clean(self, text: str, depth: int = 0) -> str:
        text = _MEMBER.sub(self._member, text)
        if depth < _DEEPEST and "\\" in text:
            text = _LITERAL.sub(lambda found: self._literal(found[0], depth), text)
        return self._discretion.text(text)

    def _member(self, found: re.Match[str]) -> str:
        value = _decoded(found[3])
        if value is None or not is_secret(found[1], value):
            return found[0]
        return f'"{found[1]}"{found[2]}{json.dumps(self._discretion.member(value))}'

    def _literal(self, literal: str, depth: int) -> str:
        """A text in quotes; the very same where there is nothing in it."""
        value = _decoded(literal)
        if value is None:
            return literal
        clean = self._clean(value, depth + 1)
        return literal if clean == value else json.dumps(clean)

    def _copy_database(self, file: Path, target: Path) -> None:
        """Copy a database as it is at one moment, with every text of it redacted."""
        try:
            with closing(_database(file)) as old, closing(sqlite3.connect(target)) as new:
                old.backup(new, pages=1000)
                new.create_function("redact", 1, self._value, deterministic=True)
                for (name,) in new.execute(_TRIGGERS).fetchall():
                    new.execute(f"DROP TRIGGER {_quoted(name)}")
                for table, column in _columns(new):
                    given = f"UPDATE {table} SET {column} = redact({column})"
                    new.execute(f"{given} WHERE {column} IS NOT redact({column})")
                new.commit()
                new.execute("VACUUM")
        except sqlite3.Error as error:
            reason = f"its secrets cannot be taken out ({error}); keep them with --keep-secrets"
            raise InvalidDocument(file, "", reason) from error

    def _value(self, value: str | bytes | float | None) -> str | bytes | float | None:
        if isinstance(value, str):
            return self._clean(value)
        if isinstance(value, bytes):
            text = value.decode(errors="surrogateescape")
            return self._clean(text).encode(errors="surrogateescape")
        return value


_TRIGGERS = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"


def _database(file: Path) -> sqlite3.Connection:
    found = sqlite3.connect(f"file:{quote(str(file.resolve()))}?mode=ro", uri=True)
    found.text_factory = _text
    return found


def _text(data: bytes) -> str:
    return data.decode(errors="replace")


def _columns(database: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Every table with each of its columns, ready to stand in a statement."""
    for (table,) in database.execute(_TABLES).fetchall():
        for row in database.execute(f"PRAGMA table_info({_quoted(table)})").fetchall():
            yield _quoted(table), _quoted(row[1])


def _values(file: Path) -> Iterator[str]:
    """Every text in a database."""
    try:
        with closing(_database(file)) as database:
            for table, column in _columns(database):
                for (value,) in database.execute(f"SELECT {column} FROM {table}"):
                    if isinstance(value, bytes):
                        yield value.decode(errors="surrogateescape")
                    elif isinstance(value, str):
                        yield value
    except sqlite3.Error as error:
        raise InvalidDocument(file, "", f"a damaged database: {error}") from error


def _quoted(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))


def _is_database(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            return stream.read(len(DATABASE)) == DATABASE
    except OSError:
        return False


def _pieces(file: Path) -> Iterator[str]:
    """A file in whole lines, many at once."""
    left = b""
    with opened(file) as stream:
        while data := stream.read(PIECE):
            left += data
            end = left.rfind(b"\n") + 1
            if not end and len(left) > LONGEST_LINE:
                found = _BREAK.search(left, len(left) - PIECE)
                end = found.end() if found else len(left)
            if end:
                yield left[:end].decode(errors="surrogateescape")
                left = left[end:]
    if left:
        yield left.decode(errors="surrogateescape")


def _taken_apart(text: str, depth: int = 0) -> Iterator[str]:
    """A text, and the texts with escapes that stand in quotes in it."""
    yield text
    if depth < _DEEPEST and "\\" in text:
        for found in _LITERAL.finditer(text):
            if (value := _decoded(found[0])) is not None:
                yield from _taken_apart(value, depth + 1)


def _decoded(literal: str) -> str | None:
    try:
        value = json.loads(literal, strict=False)
    except ValueError:
        return None
    return value if isinstance(value, str) else None
