"""Cassettes that somebody has tampered with: one clear line, and nothing is imported."""

import io
import json
import sqlite3
import struct
import zipfile
from collections.abc import Callable, Generator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.app.opening import app_on
from tests.app.recording import app_with, hand, recorded
from tests.run.agents import answers, spec
from whet.app.app import App
from whet.app.cassettes import every_trial, export_cassette, import_cassette
from whet.core.errors import InvalidDocument, NotFound
from whet.documents import cassette as limits
from whet.documents.cassette import Cassette

Members = dict[str, bytes]
Spoil = Callable[[Members], None]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A cassette with one trial that has one output."""
    folder = tmp_path_factory.mktemp("good")
    with app_with(folder / "there", hand(answers)) as app:
        recorded(app, spec())
        export_cassette(app, folder / "good.zip", every_trial(app))
    return (folder / "good.zip").read_bytes()


def unpacked(data: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(members: Members) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def contents(members: Members) -> dict[str, Any]:
    return json.loads(members["cassette.json"])


def put(members: Members, data: bytes) -> str:
    digest = sha256(data).hexdigest()
    members[f"blobs/{digest}"] = data
    return digest


def list_changed(**change: object) -> Spoil:
    """``cassette.json`` says something else."""

    def spoil(members: Members) -> None:
        members["cassette.json"] = json.dumps({**contents(members), **change}).encode()

    return spoil


def trial_changed(**change: object) -> Spoil:
    """The entry of the trial says something else."""

    def spoil(members: Members) -> None:
        [entry] = contents(members)["trials"]
        list_changed(trials=[{**entry, **change}])(members)

    return spoil


def record_changed(**change: object) -> Spoil:
    """The record says something else, under its proper digest."""

    def spoil(members: Members) -> None:
        [entry] = contents(members)["trials"]
        record = {**json.loads(members[f"blobs/{entry['record']}"]), **change}
        trial_changed(record=put(members, json.dumps(record).encode()))(members)

    return spoil


def outputs_changed(*paths: str, size: int = 12) -> Spoil:
    def spoil(members: Members) -> None:
        digest = put(members, b"About Do it.")
        outputs = [{"path": path, "digest": digest, "size": size} for path in paths]
        record_changed(outputs=outputs)(members)

    return spoil


def tape_changed(old: bytes, new: bytes) -> Spoil:
    """The tape says something else, under its proper digest, and all others know of it."""

    def spoil(members: Members) -> None:
        [entry] = contents(members)["trials"]
        data = members[f"blobs/{entry['tape']}"]
        assert old in data
        digest = put(members, data.replace(old, new))
        record_changed(tape=digest)(members)
        trial_changed(tape=digest)(members)

    return spoil


def blob_spoilt(members: Members) -> None:
    name = f"blobs/{sha256(b'About Do it.').hexdigest()}"
    members[name] = b"about Do it."


def blob_lost(members: Members) -> None:
    del members[f"blobs/{sha256(b'About Do it.').hexdigest()}"]


def record_lost(members: Members) -> None:
    [entry] = contents(members)["trials"]
    del members[f"blobs/{entry['record']}"]


def added(name: str, data: bytes = b"x") -> Spoil:
    def spoil(members: Members) -> None:
        members[name] = data

    return spoil


def without_list(members: Members) -> None:
    del members["cassette.json"]


def twice(members: Members) -> None:
    list_changed(trials=contents(members)["trials"] * 2)(members)


def broken_record(members: Members) -> None:
    trial_changed(record=put(members, b'{"address": "'))(members)


USAGE = {"input_tokens": 0, "output_tokens": 0, "cache_read_tokens": 0, "cache_write_tokens": 0}
SPOILT: dict[str, tuple[Spoil, str]] = {
    "wrong digest": (blob_spoilt, "is not what its name says"),
    "lost output": (blob_lost, "is missing"),
    "lost record": (record_lost, "is missing"),
    "path outside": (added("../../evil"), "unexpected member '../../evil'"),
    "absolute path": (added("/etc/evil"), "unexpected member '/etc/evil'"),
    "other name": (added("readme.txt"), "unexpected member 'readme.txt'"),
    "upper case": (added(f"blobs/{'A' * 64}"), "unexpected member"),
    "folder": (added("blobs/", b""), "unexpected member 'blobs/'"),
    "bomb": (added(f"blobs/{'0' * 64}", b"0" * 20_000_000), "too large when unpacked"),
    "no list": (without_list, "cassette.json is missing"),
    "list is no JSON": (added("cassette.json", b'{"format":'), "cassette.json: line 1"),
    "list is deep": (added("cassette.json", b"[" * 100_000), "broken JSON"),
    "list is a list": (added("cassette.json", b"[]"), "must be an object"),
    "newer": (list_changed(version=2), "a newer whet made it (version 2, here 1); update whet"),
    "no version": (list_changed(version="x"), "version: must be a whole number"),
    "other format": (list_changed(format="tar"), "format: must be whet-cassette"),
    "trials": (list_changed(trials={}), "trials: must be a list"),
    "trial": (list_changed(trials=["x"]), "trials[0]"),
    "twice": (twice, "trials: one is there twice"),
    "address": (trial_changed(address="../x"), "trials[0].address: is no address"),
    "other address": (trial_changed(address="0" * 64), "not the one that cassette.json describes"),
    "record path": (trial_changed(record="../x"), "blobs/../x: is missing"),
    "record is no JSON": (broken_record, "Invalid JSON"),
    "engine": (trial_changed(engine="gold"), "not the one that cassette.json describes"),
    "label": (trial_changed(simulated=True), "not the one that cassette.json describes"),
    "prompt": (trial_changed(prompt="lies"), "is of another trial"),
    "attempt": (trial_changed(attempt=2), "is of another trial"),
    "status": (record_changed(status="great"), "status"),
    "unknown field": (record_changed(evil=1), "evil"),
    "session": (record_changed(session="../../etc/passwd"), "'../../etc/passwd' is missing"),
    "answer": (record_changed(answer="43"), "does not end as its record says"),
    "tokens": (record_changed(usage={**USAGE, "input_tokens": 2**70}), "out of range"),
    "debt": (record_changed(usage={**USAGE, "cost_usd": -5}), "the cost is out of range"),
    "no number": (record_changed(usage={**USAGE, "cost_usd": float("nan")}), "out of range"),
    "output outside": (outputs_changed("../evil"), "path leaves its folder"),
    "output at the root": (outputs_changed("/evil"), "not a relative path"),
    "output in an output": (outputs_changed("a", "a/b"), "two outputs have one path"),
    "outputs share a path": (outputs_changed("a", "a"), "two outputs have one path"),
    "output size": (outputs_changed("a", size=11), "has another size"),
    "too many outputs": (outputs_changed(*map(str, range(2001))), "more outputs than any"),
    "tape of another": (tape_changed(b'"attempt":1', b'"attempt":2'), "is of another trial"),
    "tape without end": (tape_changed(b'"type":"ended"', b'"type":"left"'), "unknown type 'left'"),
    "tape is no JSON": (tape_changed(b'{"type":"said"', b'{"type"'), "line 2: broken JSON"),
    "tape says else": (tape_changed(b'"answer":"42"', b'"answer":"0"'), "does not end as its"),
    "tape is newer": (tape_changed(b'"version":1', b'"version":9'), "update whet"),
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Generator[App]:
    """On a workspace that stays empty, whatever is tried."""
    with app_on(tmp_path_factory.mktemp("empty") / "workspace") as opened:
        yield opened


def refused(app: App, folder: Path, data: bytes, *says: str) -> None:
    """One line, and a workspace as if nothing had been."""
    path = folder / "spoilt.zip"
    path.write_bytes(data)
    with pytest.raises(InvalidDocument) as refusal:
        import_cassette(app, path)
    assert list(app.store.ledger.addresses()) == []
    message = str(refusal.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    assert len(message) < 600
    for words in says:
        assert words in message
    database = sqlite3.connect(app.settings.workspace / "whet.db")
    assert database.execute("SELECT count(*) FROM blobs").fetchone() == (0,)
    database.close()
    assert not (app.settings.workspace / "blobs").exists()


def test_the_good_one_is_good(tmp_path: Path, good: bytes) -> None:
    """Unpacked and packed again by another program, it is still a cassette."""
    path = tmp_path / "good.zip"
    path.write_bytes(packed(unpacked(good)))
    with app_on(tmp_path / "here") as app:
        assert import_cassette(app, path).new == 1


@pytest.mark.parametrize("name", SPOILT)
def test_a_spoilt_cassette_is_refused_whole(
    app: App, tmp_path: Path, good: bytes, name: str
) -> None:
    spoil, says = SPOILT[name]
    members = unpacked(good)
    spoil(members)
    refused(app, tmp_path, packed(members), says)


CRUDE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda _: b"", "too short"),
    "text": (lambda _: b"hello, I am no zip file at all", "no zip file"),
    "cut": (lambda good: good[:-30], "its end is missing"),
    "half": (lambda good: good[len(good) // 2 :], "no usable cassette"),
    "more behind": (lambda good: good + b"x" * 50, "its end is missing"),
    "comment": (lambda good: good[:-2] + b"\1\0x", "its end is missing"),
    "huge": (lambda good: good[:-22] + b"PK\6\7" + b"\0" * 16 + good[-22:], "no zip file"),
    "many": (lambda good: _end(good, members=65_001), "more than 65000 members"),
    "long list": (lambda good: _end(good, length=2**31), "more than 65000 members"),
    "no list": (lambda good: _end(good, length=0), "cassette.json is missing"),
}


def _end(good: bytes, members: int = 5, length: int | None = None) -> bytes:
    mark, _, _, _, _, size, offset, _ = struct.unpack("<4s4H2LH", good[-22:])
    size = size if length is None else length
    return good[:-22] + struct.pack("<4s4H2LH", mark, 0, 0, members, members, size, offset, 0)


@pytest.mark.parametrize("name", CRUDE)
def test_what_is_no_cassette_is_refused(app: App, tmp_path: Path, good: bytes, name: str) -> None:
    spoil, says = CRUDE[name]
    refused(app, tmp_path, spoil(good), says)


def test_no_flipped_byte_gets_through(tmp_path: Path, good: bytes) -> None:
    """Either it is refused, or nothing that counts has changed."""
    path = tmp_path / "flipped.zip"
    with app_on(tmp_path / "intact") as app:
        path.write_bytes(good)
        import_cassette(app, path)
        intact = app.store.ledger.records(every_trial(app), imported=True)
    with app_on(tmp_path / "here") as app:
        for place in range(0, len(good), max(1, len(good) // 60)):
            flipped = bytearray(good)
            flipped[place] ^= 0x55
            path.write_bytes(flipped)
            before = every_trial(app)
            try:
                import_cassette(app, path)
            except InvalidDocument:
                assert every_trial(app) == before
            else:
                assert app.store.ledger.records(every_trial(app), imported=True) == intact


def test_a_member_that_is_there_twice_is_refused(app: App, tmp_path: Path, good: bytes) -> None:
    file = io.BytesIO(good)
    with (
        pytest.warns(UserWarning, match="Duplicate name"),
        zipfile.ZipFile(file, "a") as archive,
    ):
        archive.writestr("cassette.json", b"{}")
    refused(app, tmp_path, file.getvalue(), "a member is there twice")


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_packings_are_refused(app: App, tmp_path: Path, good: bytes, packing: int) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packing) as archive:
        for name, data in unpacked(good).items():
            archive.writestr(name, data)
    refused(app, tmp_path, file.getvalue(), "packed in an unknown way")


def test_many_small_bombs_are_one_large_one(app: App, tmp_path: Path, good: bytes) -> None:
    """Each member is below the limit of its own; the list says how large they are together."""
    data = bytearray(packed({**unpacked(good), f"blobs/{'0' * 64}": b"0"}))
    entry = data.rindex(b"PK\1\2")
    size = limits.MOST_MEMBER + 1
    data[entry + 24 : entry + 28] = struct.pack("<L", size)
    refused(app, tmp_path, bytes(data), "too large when unpacked")
    members = {f"blobs/{number:064x}": b"0" for number in range(20)}
    data = bytearray(packed({**unpacked(good), **members}))
    start = 0
    for name in members:
        start = data.rindex(name.encode()) - 46
        assert data[start : start + 4] == b"PK\1\2"
        packed_size, size = limits.MOST_MEMBER // 50, limits.MOST_MEMBER
        data[start + 20 : start + 28] = struct.pack("<LL", packed_size, size)
    refused(app, tmp_path, bytes(data), "more than 2048 MiB when unpacked")


def test_a_folder_or_nothing_is_no_cassette(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere.zip"):
        with pytest.raises(NotFound, match="no such file"):
            Cassette(path)
